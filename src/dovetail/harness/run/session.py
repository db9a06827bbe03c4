"""A session, which runs the search of a plan within limits and checks its solutions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from dovetail.backends.base import AnyBackend, SamplingSearch, Search, TreeEstimator
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, not_installed
from dovetail.backends.threaded import ThreadedSearch
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.run.clock import RunClock, warm_up_backend
from dovetail.harness.run.collector import SolutionCollector, Tally
from dovetail.harness.run.events import Event, Found, Progress
from dovetail.harness.run.job import Limits, Plan
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import (
    Guard,
    PreparedSearch,
    no_random_order,
    run_sliced,
    run_threaded,
    search_sequence,
)
from dovetail.models.outcome import Counters, Status
from dovetail.models.reductions.least_images import LeastImages
from dovetail.models.reductions.pipeline import warm_up_reductions
from dovetail.models.request import Request
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle, Puzzle, Task, lower
from dovetail.platform.resources import peak_bytes

EventT = TypeVar("EventT")
ResultT = TypeVar("ResultT")
# Statuses after which every solution found so far is counted, so that only the unexplored subtrees
# remain to be searched.
CUT = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.TIME_LIMIT, Status.INTERRUPTED)


class Session:
    """Prepares, searches and checks a plan within limits, and reports its result.

    `run` executes the whole plan. Other entry points after `begin`: `search` with a collector of
    the caller, `tree_estimator`, `sampling_search`, and `prepare_search` with `advance` or
    `try_out`. By default, the session lowers the puzzle, creates the `task`, and prepares the
    search. A `guard` may abandon the search. Raises `ConfigError` for an unknown backend or an
    invalid config.
    """

    def __init__(
        self,
        plan: Plan,
        limits: Limits | None = None,
        *,
        clock: RunClock | None = None,
        lowered: LoweredPuzzle | None = None,
        task: Task | None = None,
        search: Search | None = None,
        guard: Guard | None = None,
    ) -> None:
        self.plan = plan
        self.limits = limits or Limits()
        self.clock = clock or RunClock(self.limits.time_s)
        self.backend = backend_named(plan.backend)
        self.config = build_config(self.backend.config_type, plan.config, f"backend {plan.backend}")
        self._lowered, self._task = lowered, task
        self._search, self._guard = search, guard

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        """Release the tables of the searches, which may be large."""
        self._search = None
        self.__dict__.pop("_searches", None)

    @property
    def stops_at_first(self) -> bool:
        """Whether a search ends at its first solution and therefore cannot count."""
        return self.backend.stops_at_first(self.config) is not None

    @cached_property
    def task(self) -> Task:
        """Input of the backend, created on the first access; the creation counts as preparing."""
        if self._task is not None:
            return self._task
        assert self._lowered is not None, "the session has not begun"
        with self.clock.preparing:
            return self.plan.task(self._lowered)

    def run(self) -> Generator[Event, None, Result]:
        """Execute the plan, yield its events and return its result.

        Raises `DovetailError` for a puzzle that cannot be lowered as requested.
        """
        result = yield from self.begin()
        if result is None:
            result = yield from self.search(self.collector())
        return self.with_choices(result)

    def begin(self) -> Generator[Event, None, Result | None]:
        """Start the clock, lower the puzzle and compile the kernels.

        Returns the result if the backend is missing or refuses the puzzle, or if the puzzle is
        known to have no solution. Returns None if a search is necessary. Raises `DovetailError` for
        a puzzle that cannot be lowered as requested.
        """
        result = yield from self.examine()
        if result is None:
            yield from self.clock.compile(self.backend, self.task, self.config)
        return result

    def examine(self) -> Generator[Event, None, Result | None]:
        """Do the same as `begin`, but do not compile kernels for the task.

        This is used for a search in other processes.
        """
        clock, backend = self.clock, self.backend
        reason = not_installed(backend)
        if reason is not None:
            return Result(Status.SKIPPED, reason=reason)
        if self._lowered is None and self._task is None:
            self._lowered = yield from open_run(
                self.plan.puzzle, self.plan.request, backend, clock, self.limits
            )
        task = self.task
        with clock.preparing:
            impossible = task.unsolvable_reason
        if impossible is not None:
            return self._unsolvable(impossible)
        with clock.preparing:
            reason = self._refusal()
        return None if reason is None else self._skipped(reason)

    def begun(self) -> Session:
        """Begin without yielding events, and return the session.

        Raises `BackendError` if the backend is missing or refuses the puzzle, and `ConfigError` for
        a puzzle that is known to have no solution.
        """
        missing = not_installed(self.backend)
        if missing is not None:
            raise BackendError(missing)
        result = returned(self.begin())
        if result is None:
            return self
        name, reason = self.plan.puzzle.name, result.reason
        if result.status == Status.SKIPPED:
            raise BackendError(f"{name}: {self.backend.name} refuses: {reason}")
        raise ConfigError(f"{name} has no solution, so there is nothing to search: {reason}")

    def again(self, clock: RunClock, limits: Limits | None = None) -> Session:
        """Return another session of the same plan and task with another clock.

        By default, the other session has the limits of this session.
        """
        return Session(self.plan, limits or self.limits, clock=clock, task=self.task)

    def within(self, part: SubProblem, limits: Limits, clock: RunClock) -> Session:
        """Return a session of the same plan within a sub-problem, with other limits and clock."""
        plan = replace(self.plan, sub_problem=part)
        with clock.preparing:
            task = self.task if part.trial is not None else self.task.within(part)
        return Session(plan, limits, clock=clock, task=task)

    @property
    def least_images(self) -> LeastImages | None:
        """The order by which images are compared, if the search is divided to break symmetry.

        None if the reductions do not divide the search, if a search was given to the session, if
        the plan has a random order or a sub-problem, if the number of solutions is limited, or if
        the backend counts up to symmetry by itself or refuses the parts.
        """
        plan, reduced, backend = self.plan, self.task.reduced, self.backend
        if reduced is None or reduced.least_images is None or self._search is not None:
            return None
        if plan.order is not None or plan.sub_problem is not None:
            return None
        if self.limits.solutions is not None or backend.counts_by_itself(self.task, self.config):
            return None
        refused = backend.refuses(self._least_task, self.config) is not None
        return None if refused else reduced.least_images

    @property
    def _least_task(self) -> Task:
        """The task of the plan; only solutions that are the least of their images count."""
        return replace(self.task, sub_problem=SubProblem(least_images=True))

    def collector(self) -> SolutionCollector:
        """Return a collector of the solutions of the plan, with the limits of the session."""
        task = self.task if self.least_images is None else self._least_task
        return SolutionCollector(
            self.plan, task, self.limits, self.clock, as_found=self.stops_at_first
        )

    def tree_estimator(
        self, max_prefix_nodes: int = 1, population: int = 0
    ) -> TreeEstimator | None:
        """Return the backend's tree estimator with the seed of the plan.

        Returns None if the backend cannot estimate the tree.
        """
        with self.clock.preparing:
            return self.backend.tree_estimator(
                self.task, self.config, self.plan.seed, max_prefix_nodes, population
            )

    def sampling_search(self) -> SamplingSearch | None:
        """Prepare a search that numbers the solutions; return None if the backend cannot."""
        with self.clock.preparing:
            return self.backend.sampling_search(self.task, self.config)

    def _next(self, searches: Iterator[PreparedSearch]) -> PreparedSearch | None:
        with self.clock.preparing:
            return next(searches, None)

    def searches(self) -> tuple[Iterator[PreparedSearch], int]:
        """Return the searches of the plan, and the number of parts.

        Each search is prepared when the iterator reaches it. The number is 0 unless the puzzle is
        divided to break symmetry, see `least_images`.
        """
        with self.clock.preparing:
            parts = [] if self.least_images is None else self.least_images.parts()
        return (self._searches_within(parts) if parts else self._searches), len(parts)

    def prepare_search(self) -> PreparedSearch:
        """Prepare the next search of the plan; the plan must have another search."""
        prepared = self._next(self._searches)
        assert prepared is not None, "a plan has a search"
        return prepared

    def advance(
        self,
        search: Search,
        limits: Limits,
        slice_work: int | None = None,
        guard: Guard | None = None,
    ) -> Iterator[Status | None]:
        """Advance a search to its end or to a limit, in slices or in a thread.

        The arguments and the yielded values are those of `run_sliced`. A search in a thread ignores
        `slice_work` and `guard`.
        """
        if self.backend.control == "slices":
            return run_sliced(search, limits, self.clock, slice_work, guard)
        assert isinstance(search, ThreadedSearch)
        return run_threaded(search, limits, self.clock)

    def try_out(self, search: Search, limits: Limits | None = None) -> Status | None:
        """Advance a search to its end or to a limit, and discard its solutions.

        By default, the limits of the session apply. Returns the status that ended the search.
        """
        ended = None
        with self.clock.interruption.defer():
            for status in self.advance(search, limits or self.limits):
                if not search.counts_only:
                    search.take()
                ended = status
        return ended

    def search(self, collector: SolutionCollector) -> Generator[Event, None, Result]:
        """Run the searches, pass their solutions to `collector`, and return the result.

        The status is `skipped` if there is a limit on nodes and the search does not count nodes.
        """
        before = self.clock.preparing.cpu_s
        searches, parts = self.searches()
        first = self._next(searches)
        assert first is not None, "a plan has a search"
        if self.limits.nodes is not None and first.search.counters.nodes is None:
            name = self.backend.name
            reason = f"{name} does not count nodes as it searches, so it supports no node limit"
            return self.with_choices(self._skipped(reason))
        tally = Tally(self.plan, collector, began_cpu_s=before, parts=parts)
        prepared: PreparedSearch | None = first
        with self.clock.interruption.defer():
            while prepared is not None:
                yield from self._search_one(prepared, tally)
                if tally.is_over:
                    break
                yield self._progress(tally)
                prepared = self._next(searches)
        remaining = self._remaining(first.search, tally)
        if remaining:
            yield self._progress(tally, first.search)  # reports the share of the sub-problem
        return replace(self.result(tally), remaining=remaining)

    def result(self, tally: Tally) -> Result:
        """Return the result of the searches in a tally, with costs."""
        clock, result = self.clock, tally.result()
        whole = result.status == Status.EXHAUSTED and self.plan.sub_problem is None
        if self._guard is not None and result.status == Status.SKIPPED:
            result = replace(result, reason=self._guard.reason or result.reason)
        return replace(
            self.with_choices(result),
            verified=tally.collector.verified,
            placements=placements_of(self.task),
            other_counts=self.task.other_counts(result.count, tally.other) if whole else {},
            symmetry_expansion=tally.expansion_name,
            searched=tally.searched_with_rate,
            warm_up_s=clock.warming.wall_s,
            prepare_s=clock.preparing.wall_s,
            solve_s=clock.solving.wall_s,
            solve_cpu_s=clock.solving.cpu_s,
            check_s=clock.verifying.wall_s,
            peak_bytes=peak_bytes(),
            baseline_bytes=clock.baseline_bytes,
            example=tally.collector.example,
            program=tally.program,
        )

    def with_choices(self, result: Result) -> Result:
        """Return a result with the choices that were made during planning."""
        return replace(result, piece_selection=self.plan.piece_selection, chosen=self.plan.chosen)

    def given_up(self, result: Result) -> str | None:
        """Return the reason why the backend that `auto` chose abandoned its search.

        Returns None if the search was not abandoned, so that no other backend is needed.
        """
        if self.plan.chosen is None or result.status != Status.SKIPPED:
            return None
        return result.reason or "it stopped"

    def _refusal(self) -> str | None:
        """Return the reason why the plan cannot be searched, or None if it can."""
        backend, part = self.backend, self.plan.sub_problem
        reason = backend.refuses(self.task, self.config)
        origin = None if part is None else part.cut_from
        if reason is None and origin is not None:
            is_same = backend.cuts and origin == self.plan.backend
            reason = None if is_same else f"the sub-problem was cut from a search of {origin}"
        if reason is None and self.limits.solutions != 1:
            reason = backend.stops_at_first(self.config)
        return reason or no_random_order(self.plan.order, self.task, backend)

    def _remaining(self, search: Search, tally: Tally) -> tuple[SubProblem, ...] | None:
        """Return the unexplored subtrees of a search within a part, with original option numbers.

        Returns None if the search is not within a part, or if its unexplored subtrees are unknown.
        """
        if self.task.part is None or tally.status not in CUT or tally.collector.cut_short:
            return None
        remaining, reduced = search.remaining(), self.task.reduced
        if remaining is None:
            return None
        numbers = np.arange(self.task.options_before) if reduced is None else reduced.kept
        origin = self.plan.backend
        return tuple(replace(part.renumbered(numbers), cut_from=origin) for part in remaining)

    @cached_property
    def _searches(self) -> Iterator[PreparedSearch]:
        if self._search is not None:
            return iter([PreparedSearch(self._search, self.task.to_original_ids)])
        plan, part = self.plan, self.plan.sub_problem
        trial = None if part is None else part.trial
        return search_sequence(plan.order, self.task, self.backend, self.config, trial)

    def _searches_within(self, parts: list[SubProblem]) -> Iterator[PreparedSearch]:
        """Prepare and yield a search within each part of the puzzle."""
        for part in parts:
            task = self.task.within(part)
            yield PreparedSearch(self.backend.prepare(task, self.config), task.to_original_ids)

    def _search_one(self, prepared: PreparedSearch, tally: Tally) -> Iterator[Event]:
        """Advance a search until it ends or the run ends."""
        search, collector = prepared.search, tally.collector
        tally.begin()
        for status in self.advance(search, tally.limits_of(prepared), guard=self._guard):
            for options in tally.collect(prepared, search.take, self.clock.is_over):
                yield Found(options, self.task.lowered)
            cut = self.clock.ending_status() if collector.cut_short else None
            tally.update(search, cut or status)
            if collector.error is not None or collector.complete or tally.status is not None:
                break
            yield self._progress(tally, search)
        tally.end(search, self.clock.preparing.cpu_s + self.clock.solving.cpu_s)

    def _progress(self, tally: Tally, search: Search | None = None) -> Progress:
        """Return the progress of the run; `search` is None between two searches."""
        forecast = None if search is None else search.forecast
        return Progress(
            tally.count,
            tally.counters.nodes,
            tally.share(search),
            tally.searched,
            search is None or search.prepared,
            prepare_s=self.clock.preparing.wall_s,
            solve_s=self.clock.solving.wall_s,
            check_s=self.clock.verifying.wall_s,
            forecast_s=None if forecast is None else forecast.solve_s,
        )

    def _unsolvable(self, reason: str) -> Result:
        nodes = None if self.backend.counted_nodes(self.config) is None else 0
        return Result(
            Status.EXHAUSTED,
            0,
            Counters(nodes),
            reason,
            placements=placements_of(self.task),
            remaining=None if self.task.part is None else (),
            warm_up_s=self.clock.warming.wall_s,
            prepare_s=self.clock.preparing.wall_s,
        )

    def _skipped(self, reason: str) -> Result:
        return Result(Status.SKIPPED, reason=reason, prepare_s=self.clock.preparing.wall_s)


def open_run(
    puzzle: Puzzle, request: Request, backend: AnyBackend | None, clock: RunClock, limits: Limits
) -> Generator[Event, None, LoweredPuzzle]:
    """Compile the kernels that every task needs, start the clock, and lower the puzzle.

    `backend` is None if it has not been chosen yet. Raises `PuzzleError` for a puzzle that cannot
    be lowered, or that cannot be lowered within the limit on memory.
    """
    with clock.warming, clock.interruption.defer():
        if backend is not None:
            warm_up_backend(backend)
        warm_up_reductions(request)
    yield clock.start()
    with clock.preparing:
        free_bytes = MemoryLimit(limits.memory_bytes).free_bytes
        return lower(puzzle, labelled=request.labelled, memory_bytes=free_bytes)


def returned(
    events: Generator[EventT, None, ResultT], on_event: Callable[[EventT], object] = lambda _: None
) -> ResultT:
    """Run a generator of events to its end, and return its result.

    `on_event` is called with each event; by default, the events are discarded.
    """
    while True:
        try:
            on_event(next(events))
        except StopIteration as stopped:
            result: ResultT = stopped.value
            return result


def placements_of(task: Task) -> dict[str, int]:
    """Return the number of options `before` the reductions and after each reduction, by name."""
    left = {} if task.reduced is None else task.reduced.left
    return {"before": task.options_before, **left}
