"""A session: a plan compiled, prepared and searched within limits, and its result."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from dovetail.backends.base import AnyBackend, SamplingSearch, Search, TreeEstimator
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.run.clock import RunClock, warm_up_backend
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Event, Found, Progress
from dovetail.harness.run.job import Limits, Plan
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.run.search_sequence import PreparedSearch, no_random_order, search_sequence
from dovetail.harness.run.slices import run_search
from dovetail.harness.run.tally import Tally
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.outcome import Counters, Status
from dovetail.models.reductions.pipeline import warm_up_reductions
from dovetail.models.request import Request
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle, Puzzle, Task, lower
from dovetail.platform.resources import peak_bytes


@dataclass(frozen=True)
class NodeGuard:
    """A search is given up after `max_nodes` for a rival that takes as long as `rival_nodes` of it.

    It goes on while its progress says that fewer nodes than these are left.
    """

    max_nodes: int
    rival_nodes: int

    def next_limit(self, nodes: int, share: float | None) -> int | None:
        """Return how many nodes it may make that has made so many and a share; None: no more."""
        if not share or nodes * (1 - share) > self.rival_nodes * share:
            return None
        return nodes + max(1, self.rival_nodes)


ResultT = TypeVar("ResultT")
# How a search ends that has counted every solution so far, and what it left can be searched later.
CUT = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.TIME_LIMIT, Status.INTERRUPTED)


class Session:
    """A plan under way.

    `begin` lowers the puzzle and compiles, `run` prepares and searches, and gives what is found to
    a collector. Those who want something else of a plan ask for its `tree_estimator` or its
    `sampling_search`, or take its searches one by one by `next_search` and `advance` or `try_out`
    them. Planning that has started the `clock`, `lowered` the puzzle or prepared a `search` passes
    them on; a run that its `guard` gives up ends at a node limit. Raises `ConfigError` for an
    unknown backend or config key.
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
        guard: NodeGuard | None = None,
    ) -> None:
        self.plan = plan
        self.limits = limits or Limits()
        self.clock = clock or RunClock(self.limits.time_s)
        self.backend = backend_named(plan.backend)
        self.config = build_config(self.backend.config_type, plan.config, f"backend {plan.backend}")
        self._lowered, self._task, self._search = lowered, task, search
        self._guard = guard

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the tables, which may be large."""
        self._search = None
        self.__dict__.pop("_searches", None)

    @property
    def stops_at_first(self) -> bool:
        """Whether a search ends at its first solution, so that it only answers if there is one."""
        return self.backend.stops_at_first(self.config) is not None

    @cached_property
    def task(self) -> Task:
        """What the backend is given; made when first asked for, as part of preparing."""
        if self._task is not None:
            return self._task
        assert self._lowered is not None, "the session has not begun"
        with self.clock.preparing:
            return self.plan.task(self._lowered)

    def begin(self) -> Generator[Event, None, Result | None]:
        """Start the clock, lower the puzzle and compile.

        Returns the result at once where the backend refuses the puzzle, or where it is known to
        have no solution; None where it is to be searched. Raises `DovetailError` for a puzzle that
        cannot be lowered as requested.
        """
        finished = yield from self.examine()
        if finished is None:
            yield from self.clock.compile(self.backend, self.task, self.config)
        return finished

    def examine(self) -> Generator[Event, None, Result | None]:
        """Begin without compiling, for those who leave the search to other processes."""
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
            impossible = why_unsolvable(task)
        if impossible is not None:
            return self._unsolvable(impossible)
        with clock.preparing:
            reason = backend.refuses(task, self.config) or self._foreign_part()
            reason = reason or self._limit_refusal()
            reason = reason or no_random_order(self.plan.order, task, backend)
        return None if reason is None else self._skipped(reason)

    def begin_quietly(self) -> None:
        """Begin, for those who have no use for events.

        Raises `BackendError` where the backend is missing or refuses the puzzle, and `ConfigError`
        for a puzzle that is known to have no solution: it is not searched.
        """
        missing = not_installed(self.backend)
        if missing is not None:
            raise BackendError(missing)
        finished = returned(self.begin())
        if finished is None:
            return
        name, reason = self.plan.puzzle.name, finished.reason
        if finished.status == Status.SKIPPED:
            raise BackendError(f"{name}: {self.backend.name} refuses: {reason}")
        raise ConfigError(f"{name} has no solution, so there is nothing to search: {reason}")

    def again(self, clock: RunClock) -> Session:
        """Return another session of the same plan and task, on a clock that runs."""
        return Session(self.plan, self.limits, clock=clock, task=self.task)

    def within(self, part: SubProblem, limits: Limits, clock: RunClock) -> Session:
        """Return the session of the same plan within a sub-problem, on a clock that runs."""
        plan = replace(self.plan, sub_problem=part)
        with clock.preparing:
            task = self.task.within(part)
        return Session(plan, limits, clock=clock, task=task)

    def tree_estimator(self, max_prefix_nodes: int) -> TreeEstimator | None:
        """Return the backend's estimator of its tree, with the plan's seed; None if it has none."""
        with self.clock.preparing:
            return self.backend.tree_estimator(
                self.task, self.config, self.plan.seed, max_prefix_nodes
            )

    def sampling_search(self) -> SamplingSearch | None:
        """Prepare a search that numbers the solutions; None where the backend has none."""
        with self.clock.preparing:
            return self.backend.sampling_search(self.task, self.config)

    def next_search(self) -> PreparedSearch | None:
        """Prepare the next search of the plan; None when there is no other."""
        with self.clock.preparing:
            return next(self._searches, None)

    def prepare_search(self) -> PreparedSearch:
        """Prepare a search of the plan that there is: the first, or one of the restarts."""
        prepared = self.next_search()
        assert prepared is not None, "a plan has a search"
        return prepared

    def advance(
        self, search: Search, limits: Limits, slice_work: int | None = None
    ) -> Iterator[Status | None]:
        """Advance a search to its end or to a limit; see `slices.run_search`."""
        return run_search(self.backend, search, limits, self.clock, slice_work)

    def try_out(self, search: Search, limits: Limits | None = None) -> Status | None:
        """Advance a search to its end or to a limit, and pass over what it finds.

        The limits are the session's, unless others are given. Returns what ended it.
        """
        ended = None
        with self.clock.interruption.defer():
            for status in self.advance(search, limits or self.limits):
                if not search.counts_only:
                    search.take()
                ended = status
        return ended

    def run(self, collector: SolutionCollector) -> Iterator[Event]:
        """Search, and give `collector` what is found; the last event is `Result`."""
        before = self.clock.preparing.cpu_s
        first = self.prepare_search()
        if self.limits.nodes is not None and first.search.counters.nodes is None:
            name = self.backend.name
            yield self._skipped(f"{name} does not count nodes, so it does not support a node limit")
            return
        tally = Tally(self.plan, collector, began_cpu_s=before)
        with self.clock.interruption.defer():
            yield from self._run_one(first, tally)
            while not tally.is_over:
                yield self._progress(tally)
                prepared = self.next_search()
                if prepared is None:
                    break
                yield from self._run_one(prepared, tally)
        remaining = self._remaining(first.search, tally)
        if remaining:
            yield self._progress(tally, first.search)  # how much of the sub-problem is done
        yield replace(self.finished(tally), remaining=remaining)

    def finished(self, tally: Tally) -> Result:
        """Return the result of the searches that were tallied."""
        clock = self.clock
        return replace(
            tally.result(),
            verified=tally.collector.verified,
            placements=placements_of(self.task),
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

    def _limit_refusal(self) -> str | None:
        """Return why the backend cannot run with the limit on solutions, or None."""
        return None if self.limits.solutions == 1 else self.backend.stops_at_first(self.config)

    def _foreign_part(self) -> str | None:
        """Return why the backend cannot begin within the plan's sub-problem, or None."""
        part = self.plan.sub_problem
        if part is None or part.cut_from is None:
            return None
        if self.backend.cuts and part.cut_from == self.plan.backend:
            return None
        return f"the sub-problem was cut from a search of {part.cut_from}"

    def _remaining(self, search: Search, tally: Tally) -> tuple[SubProblem, ...] | None:
        """What the search has left of a sub-problem that was cut, by the puzzle's numbers."""
        if self.task.part is None or tally.status not in CUT or tally.collector.cut_short:
            return None
        left, reduced = search.remaining(), self.task.reduced
        if left is None:
            return None
        numbers = np.arange(self.task.options_before) if reduced is None else reduced.kept
        origin = self.plan.backend
        return tuple(replace(one.renumbered(numbers), cut_from=origin) for one in left)

    @cached_property
    def _searches(self) -> Iterator[PreparedSearch]:
        if self._search is not None:
            return iter([PreparedSearch(self._search, self.task.to_original_ids)])
        return search_sequence(self.plan.order, self.task, self.backend, self.config)

    def _run_one(self, prepared: PreparedSearch, tally: Tally) -> Iterator[Event]:
        """Advance a search until it ends or has to."""
        search = prepared.search
        tally.begin()
        limits, guard = tally.limits_of(prepared), self._guard
        max_nodes = None if guard is None else guard.max_nodes
        while True:
            guarded = limits if max_nodes is None else replace(limits, nodes=max_nodes)
            yield from self._advance_to(guarded, prepared, tally)
            if guard is None or tally.status != Status.NODE_LIMIT:
                break
            max_nodes = guard.next_limit(search.counters.nodes or 0, search.progress())
            if max_nodes is None:
                break
        tally.end(search, self.clock.preparing.cpu_s + self.clock.solving.cpu_s)

    def _advance_to(
        self, limits: Limits, prepared: PreparedSearch, tally: Tally
    ) -> Iterator[Event]:
        """Advance a search until it ends, to a limit, or until the run is over."""
        search, collector = prepared.search, tally.collector
        for status in self.advance(search, limits):
            for options in tally.collect(prepared, search.take, self.clock.is_over):
                yield Found(options, self.task.lowered)
            cut = self.clock.cut() if collector.cut_short else None
            tally.update(search, cut or status)
            if collector.error is not None or collector.complete or tally.status is not None:
                return
            yield self._progress(tally, search)

    def _progress(self, tally: Tally, search: Search | None = None) -> Progress:
        """Where the run stands, while a search is under way or between two."""
        return Progress(
            tally.count,
            tally.counters.nodes,
            tally.share(search),
            tally.searched,
            search is None or search.prepared,
            prepare_s=self.clock.preparing.wall_s,
            solve_s=self.clock.solving.wall_s,
            check_s=self.clock.verifying.wall_s,
        )

    def _unsolvable(self, reason: str) -> Result:
        nodes = None if self.backend.node_meaning is None else 0
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
    """Warm up what is known to be needed, start the clock and lower the puzzle, once for all.

    `backend` is None while it is to be chosen. Raises `PuzzleError` for a puzzle that cannot be
    lowered, or not within the limit on memory.
    """
    with clock.warming, clock.interruption.defer():
        if backend is not None:
            warm_up_backend(backend)
        warm_up_reductions(request)
    yield clock.start()
    with clock.preparing:
        free_bytes = MemoryLimit(limits.memory_bytes).free_bytes
        return lower(puzzle, labelled=request.labelled, memory_bytes=free_bytes)


def returned(events: Generator[object, None, ResultT]) -> ResultT:
    """Return what a generator of events returns, the events passed over."""
    while True:
        try:
            next(events)
        except StopIteration as stopped:
            result: ResultT = stopped.value
            return result


def placements_of(task: Task) -> dict[str, int]:
    """Return how many options there were, and how many each reduction left."""
    left = {} if task.reduced is None else task.reduced.left
    return {"before": task.options_before, **left}
