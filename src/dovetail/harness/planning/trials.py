"""Candidates of `auto`, and the two methods to probe them: estimates, and trials with a budget.

A candidate is a session with a backend, settings for its config, and the task for the backend. Each
trial is another session of the same plan and task with a separate clock.

A trial ends with its search, after an amount of work, or when the budget for choosing is used up.
The budget is a tenth of the time limit, or 2 s of processor time if there is no time limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isinf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.registry import backends
from dovetail.harness.planning.tree_size import POPULATION, select_piece, with_piece
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job, Limits, PieceSelection, Plan
from dovetail.harness.run.searches import Guard
from dovetail.harness.run.session import Session
from dovetail.harness.sizes import about, about_s
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, ReductionName, Request
from dovetail.models.task import LoweredPuzzle, Task

# The budget for choosing: this share of the time limit, or this number of seconds without a limit.
LIMIT_SHARE, DEFAULT_S = 0.1, 2.0
# Maximum number of options of a packing puzzle whose tree is estimated before rules are applied.
# With more options, building the tables of a tree search takes too long.
MAX_OPTIONS = 20_000
# Maximum number of options for which `bitset` estimates its tree quickly, and for which a piece is
# selected by sampling. With more options, short searches take minutes.
MAX_SAMPLED = 10_000
# For trees that `dlx` samples: number of sampled nodes of each level, and maximum number of
# options. An estimate with 32,000 options takes 0.4 s.
DLX_POPULATION, MAX_DLX_OPTIONS = 100, 50_000
# The number of nodes of a search is estimated from the first `BEGINNING_NODES` nodes. The search
# then continues up to `MAX_BEGINNING_NODES`, or up to `BEGINNING_SHARE` of the estimate if this is
# smaller.
BEGINNING_NODES, MAX_BEGINNING_NODES, BEGINNING_SHARE = 200_000, 1_000_000, 1 / 8
# The speed of a search is measured over `RATE_NODES` nodes, or over `RATE_SHARE` of the expected
# nodes if this is smaller, but not over fewer than `MIN_RATE_NODES`. The first third of these nodes
# is slower and does not count.
RATE_NODES, RATE_SHARE, MIN_RATE_NODES = 60_000, 0.01, 2_000
# Work of a slice of a trial.
SLICE_WORK = 2_000_000
# Maximum solution limit for which a tree search is faster than building tables.
FEW_SOLUTIONS = 1_000
# Processor seconds of a node of `bitset`: on packings, on cover problems, and on problems whose
# items are covered several times. The figures are fixed, so that the choice for a puzzle is the
# same on every machine. The figures are from an AMD EPYC (docs/solvers/auto-measurements.md).
NODE_S, COVER_NODE_S, COUNTED_NODE_S = 60e-9, 40e-9, 200e-9


class CutShortError(Exception):
    """Raised if a time limit or an interruption ends the run while a backend is being chosen."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True, eq=False)
class Choice:
    """The chosen candidate, and the reason for the choice."""

    candidate: Session
    why: str
    # Search of the candidate that was prepared for a trial; None to prepare a new search.
    search: Search | None = None
    # Stops the search if its forecast proves wrong, so that another backend is chosen.
    guard: Guard | None = None
    # Selection by sampling of the piece that breaks symmetry.
    piece_selection: PieceSelection | None = None
    # Expected duration of the search in seconds, from a measured speed; None if it is unknown.
    forecast_s: float | None = None


# A generator that yields events and returns a choice, or None if no backend supports the puzzle.
Choosing = Generator[Event, None, Choice | None]


@dataclass(frozen=True)
class TreeSize:
    """Estimated size of the tree of a search that branches on the item with the fewest options."""

    nodes: float
    # Duration of the search, from fixed costs per node, so that the choice for a puzzle is the same
    # on every machine.
    seconds: float
    # Measured processor seconds per node; None if they were not measured.
    node_s: float | None = None

    def __str__(self) -> str:
        return f"a tree search would need about {about(self.nodes)} nodes"


@dataclass(frozen=True)
class Beginning:
    """The beginning of a search: its nodes, its processor seconds, and the status that ended it."""

    nodes: int
    cpu_s: float
    ended: Status | None
    # Estimated nodes of the whole search, exact if the search is exhausted; None if unknown.
    estimate: float | None

    @property
    def was_all(self) -> bool:
        """Whether the beginning was the whole search, up to the requested number of solutions."""
        return self.ended in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)


@dataclass(frozen=True, eq=False)
class Trial:
    """A search after its trial."""

    search: Search
    # None if `until` of `Tryout.attempt` stopped the search.
    status: Status | None

    @property
    def ended(self) -> bool:
        """Whether the search is complete."""
        return self.status == Status.EXHAUSTED

    @property
    def unfinished(self) -> bool:
        """Whether the budget for choosing ended the trial before a result."""
        return self.status == Status.TIME_LIMIT


class ChoosingBudget:
    """The budget for choosing a backend: a number of seconds, without compiling.

    The time begins when the budget is created. A step that cannot be interrupted calls `allows`
    before it begins, and other steps call `is_over` repeatedly. `limit_s` is the time limit of the
    run. If there is no limit, processor time counts, so that the choice does not depend on the load
    of the machine.
    """

    def __init__(self, clock: RunClock, limit_s: float | None) -> None:
        self.run_clock, self._limit_s = clock, limit_s
        self.seconds = DEFAULT_S if limit_s is None else LIMIT_SHARE * limit_s
        self._begun_s = self._now_s()
        self._was_short = False

    def is_over(self) -> bool:
        """Return whether the budget is used up."""
        return not self.allows(0.0)

    def allows(self, seconds: float) -> bool:
        """Return whether more than `seconds` are left; if not, set `explanation`."""
        allowed = self._now_s() - self._begun_s + seconds < self.seconds
        self._was_short |= not allowed
        return allowed

    def _now_s(self) -> float:
        """Return the time of a clock that stops during compilation, in seconds."""
        warming = self.run_clock.warming
        if self._limit_s is None:
            return time.process_time() - warming.cpu_s
        return time.monotonic() - warming.wall_s

    @property
    def explanation(self) -> str | None:
        """Message that the budget ended the choice early; None if the budget was large enough."""
        if not self._was_short:
            return None
        share = "" if self._limit_s is None else ", a tenth of the time limit"
        return f"some trials were skipped: choosing may take {about_s(self.seconds)}{share}"


class TrialClock(RunClock):
    """A clock that ends its trial when the budget is used up or when the run has to end."""

    def __init__(self, budget: ChoosingBudget) -> None:
        super().__init__(interruption=budget.run_clock.interruption)
        self._budget = budget

    def for_trial(self) -> RunClock:
        return TrialClock(self._budget)

    def ending_status(self) -> Status | None:
        cut = self._budget.run_clock.ending_status()
        if cut is None and self._budget.is_over():
            return Status.TIME_LIMIT
        return cut


class Tryout:
    """Probes candidates on the puzzle of a job, within the limits of the run.

    A probe raises `CutShortError` if the run has to end. If the `budget` for choosing is used up, a
    probe ends early and returns its result so far. `given_up` maps each backend that abandoned a
    search of the job to the reason; these backends are not candidates. With `on_workers`, other
    processes will search the parts of a search that can be divided.
    """

    def __init__(
        self,
        lowered: LoweredPuzzle,
        job: Job,
        clock: RunClock,
        given_up: Mapping[str, str],
        *,
        on_workers: bool = False,
    ) -> None:
        self.job, self.clock, self._on_workers = job, clock, on_workers
        self.budget = ChoosingBudget(clock, job.limits.time_s)
        # Reasons of the backends that refuse the puzzle or abandoned a search, by name.
        self.refusals, self._given_up = dict(given_up), given_up
        self._lowered = lowered
        self._tasks: dict[Request, Task] = {}

    def reasons(self, *reasons: str) -> str:
        """Join the reasons for a choice with the `refusals`."""
        refused = (f"{name}: {reason}" for name, reason in self.refusals.items())
        return "; ".join(filter(None, (*reasons, *refused)))

    @property
    def is_whole(self) -> bool:
        """Whether the whole search is requested, rather than a few solutions or nodes."""
        wanted = self.job.limits.solutions
        return self.job.limits.nodes is None and (wanted is None or wanted > FEW_SOLUTIONS)

    def may_go_on(self, candidate: Session) -> bool:
        """Return whether a trial can continue in this process as the search of the run."""
        backend = candidate.backend
        undivided = backend.threads or backend.why_undivided(candidate.task, candidate.config)
        return bool(undivided) or not self._on_workers

    def task(self, request: Request) -> Task:
        """Return the task for a request; the tasks are cached."""
        if request not in self._tasks:
            with self.clock.preparing:
                self._tasks[request] = self._lowered.task(request)
        return self._tasks[request]

    def settled_task(self, backend: AnyBackend) -> Task:
        """Return the task with the reduction by which a backend breaks symmetry by default."""
        with self.clock.preparing:
            config = backend.config_type()
            request = settled_request(self._lowered, self.job.request, backend, config)
        return self.task(request)

    def symmetry_breaking_task(self) -> Task:
        """Return the task in which the choice of the redundancy filter breaks symmetry.

        If no piece is used exactly once, images are compared instead.

        Returns the task of the request if the request already breaks symmetry or if there is no
        symmetry to break.
        """
        request = self.job.request
        if request.breaks_symmetry:
            return self.task(request)
        best = Reduction(ReductionName.REDUNDANCY)
        task = self.task(replace(request, reductions=(best, *request.reductions)))
        reduced = task.reduced
        if reduced is not None and reduced.least_images is not None:
            return task
        symmetry_breaking = None if reduced is None else reduced.symmetry_breaking
        if symmetry_breaking is None or len(symmetry_breaking.group) == 1:
            return self.task(request)
        assert isinstance(task.options, PackingOptions | EdgeOptions)
        names = task.options.option_groups.names[symmetry_breaking.option_group]
        reductions = (replace(best, piece=names[0]), *request.reductions)
        return replace(task, request=replace(request, reductions=reductions))

    def backend(self, name: str) -> AnyBackend | None:
        """Return the backend with this name, or None if it is unknown or abandoned a search."""
        return None if name in self._given_up else backends().get(name)

    def candidate(self, name: str, task: Task, **settings: object) -> Session | None:
        """Return a candidate with this backend, or None if the backend cannot run or refuses.

        The reason of a backend that cannot run or refuses is added to `refusals`. Also returns None
        for a backend that is unknown or abandoned a search.
        """
        backend = self.backend(name)
        if backend is None:
            return None
        plan = Plan(task.puzzle, task.request, name, settings, self.job.seed)
        candidate = Session(plan, task=task)
        with self.clock.preparing:
            reason = backend.missing() or backend.refuses(task, candidate.config)
        if reason is None:
            return candidate
        self.refusals[name] = reason
        return None

    def _without_refusal(self, name: str, task: Task) -> Session | None:
        """Return the same as `candidate`, but do not add a reason to `refusals`."""
        refusals = dict(self.refusals)
        candidate = self.candidate(name, task)
        self.refusals = refusals
        return candidate

    def first_candidate(self, task: Task, *names: str) -> Session | None:
        """Return a candidate with the first backend that supports the task; None if none does."""
        candidates = (self.candidate(name, task) for name in names)
        return next((candidate for candidate in candidates if candidate is not None), None)

    def is_over(self) -> bool:
        """Return whether the budget is used up; raise `CutShortError` if the run has to end."""
        self._check()
        return self.budget.is_over()

    def can_prepare(self, candidate: Session) -> bool:
        """Return whether the budget allows a candidate to build its tables."""
        if self.is_over():
            return False
        seconds = candidate.backend.preparation_s(candidate.task, candidate.config)
        return self.budget.allows(seconds)

    def begin(
        self, candidate: Session, nodes: int, max_nodes: int = 0
    ) -> Generator[Event, None, Beginning]:
        """Search the first `nodes` nodes of a candidate.

        With `max_nodes`, the search continues up to `max_nodes`, or up to `BEGINNING_SHARE` of the
        expected nodes if this is smaller. The beginning has no nodes if the budget does not allow
        preparing the search.
        """
        if not self.can_prepare(candidate):
            return Beginning(0, 0.0, None, None)
        yield from self._compiled(candidate)
        limits = Limits(nodes=nodes, solutions=self.job.limits.solutions)
        with self._session(candidate, limits) as session, self.clock.preparing:
            search = session.prepare_search().search
            while True:
                ended = session.try_out(search, limits)
                visited, done = search.counters.nodes or 0, search.progress()
                estimate = visited / done if done else None
                wanted = int(min(max_nodes, BEGINNING_SHARE * (estimate or inf)))
                if ended != Status.NODE_LIMIT or visited >= wanted:
                    break
                limits = replace(limits, nodes=wanted)
            cpu_s = session.clock.solving.cpu_s
        if ended in (Status.TIME_LIMIT, Status.INTERRUPTED):
            self._check()
        if ended == Status.EXHAUSTED:
            estimate = float(visited)
        return Beginning(visited, cpu_s, ended, estimate if visited else None)

    def tree_size(self, task: Task) -> Generator[Event, None, TreeSize | None]:
        """Estimate the size of the search tree of `bitset`.

        Returns None if the task has more than `MAX_OPTIONS` options, if `bitset` does not support
        the task, or if the size cannot be estimated within the budget.
        """
        small = task.options.option_count <= MAX_OPTIONS
        bitset = self.candidate("bitset", task) if small else None
        return None if bitset is None else (yield from self.size(bitset))

    def size(self, candidate: Session) -> Generator[Event, None, TreeSize | None]:
        """Estimate the size of the search tree of a candidate.

        A backend that estimates quickly samples the levels of its tree, unless the puzzle is a
        packing with more than `MAX_SAMPLED` options. If the backend does not sample a packing,
        `dlx` samples the same tree. Without samples, the size is estimated from the beginning of a
        search. Returns None if the budget is used up, or if the backend does not sample a packing
        with more than `MAX_DLX_OPTIONS` options.
        """
        nodes, options = None, candidate.task.options.option_count
        is_packing = candidate.task.placements is not None
        if candidate.backend.estimates_quickly and not (is_packing and options > MAX_SAMPLED):
            nodes = yield from self._sampled_nodes(candidate, POPULATION)
        if nodes is None and is_packing:
            if options > MAX_DLX_OPTIONS:
                return None
            same = self._without_refusal("dlx", candidate.task)
            if same is not None:
                nodes = yield from self._sampled_nodes(same, DLX_POPULATION)
        if nodes is not None:
            return _tree_size(nodes, candidate.task)
        begun = yield from self.begin(candidate, BEGINNING_NODES, MAX_BEGINNING_NODES)
        if begun.estimate is None:
            return None
        return _tree_size(begun.estimate, candidate.task, begun.cpu_s / begun.nodes)

    def _sampled_nodes(
        self, candidate: Session, population: int
    ) -> Generator[Event, None, float | None]:
        """Return an estimate of the nodes of a tree from samples of its levels.

        Returns None if the backend does not estimate the tree, or if the budget is used up.
        """
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        with self._session(candidate) as trial, self.clock.preparing:
            estimator = trial.tree_estimator(population=population)
            if estimator is None:
                return None
            over = trial.clock.is_over()
            nodes = None if over else float(estimator.totals(1)[0])
        self._check()
        return nodes

    def forecast_s(
        self,
        candidate: Session,
        nodes: float,
        node_s: float | None = None,
        rate_nodes: int | None = None,
    ) -> Generator[Event, None, float | None]:
        """Return the expected processor seconds of a search with this number of nodes.

        `node_s` is the number of seconds per node. If it is None, the speed is measured by a search
        of at most `rate_nodes` nodes, by default `RATE_NODES`. Nodes that known states save count
        for the speed (see `Search.tree_nodes`). Returns None if the speed is needed but not
        measured: the search is short, the whole search is not requested, or the budget is used up.
        """
        if node_s is not None:
            return nodes * node_s
        wanted = int(min(rate_nodes or RATE_NODES, RATE_SHARE * nodes))
        if not self.is_whole or isinf(nodes) or wanted < MIN_RATE_NODES:
            return None
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        with self._session(candidate) as session, self.clock.preparing:
            search, solving = session.prepare_search().search, session.clock.solving
            session.try_out(search, Limits(nodes=wanted // 3))
            before, before_s = search.tree_nodes, solving.cpu_s
            session.try_out(search, Limits(nodes=wanted))
            visited = search.tree_nodes - before
        self._check()
        return nodes * (solving.cpu_s - before_s) / visited if visited else None

    def levels(
        self, candidate: Session, estimates: int, population: int
    ) -> Generator[Event, None, NDArray[np.float64] | None]:
        """Return estimates by samples of the levels of a tree; see `TreeEstimator.levels`.

        There are fewer rows than `estimates` if the budget is used up, and a single row if the
        whole tree was visited. Returns None if the backend does not estimate the tree, or if the
        budget is used up before the first estimate.
        """
        if not self.can_prepare(candidate):
            return None
        with self._session(candidate) as trial:
            with self.clock.preparing:
                estimator = trial.tree_estimator(population=population)
            if estimator is None:
                return None
            yield from self.clock.untimed(lambda: estimator.levels(0))
            samples = list[NDArray[np.float64]]()
            while len(samples) < estimates and not self.is_over():
                with self.clock.preparing:
                    samples.append(estimator.levels(1))
                if estimator.probes == 0:  # the whole tree was visited
                    break
        self._check()
        return np.concatenate(samples) if samples else None

    def attempt(
        self, candidate: Session, guard: Guard, until: Callable[[Search], bool]
    ) -> Generator[Event, None, Trial | None]:
        """Advance a search in slices of fixed work until it ends or is stopped.

        The search is stopped if `until` returns True, if the guard stops it, or if the budget is
        used up. If the search ends in another way without an answer, `guard.reason` is the reason.
        Returns None if the budget does not allow preparing the search.
        """
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        limits, status = Limits(memory_bytes=self.job.limits.memory_bytes), None
        with self._session(candidate, limits) as session, self.clock.preparing:
            search = session.prepare_search().search
            with self.clock.interruption.defer():
                for status in session.advance(search, limits, SLICE_WORK, guard):
                    if status is None and until(search):
                        break
        self._check()
        trial = Trial(search, status)
        if not (status is None or trial.ended or trial.unfinished):
            guard.reason = guard.reason or search.reason or f"it ended: {status}"
        return trial

    def piece_selection(
        self, request: Request, candidate: Session
    ) -> Generator[Event, None, tuple[Request, PieceSelection | None]]:
        """Select the piece that breaks symmetry by sampling with a candidate's backend.

        Returns the request with this piece, and the selection.
        """
        yield from self._compiled(candidate)
        plan = replace(candidate.plan, request=request)
        filtered = self.task(with_piece(request, None))
        with self.clock.preparing, self.clock.interruption.defer():
            selected = select_piece(plan, filtered, TrialClock(self.budget))
        self._check()
        return selected

    def _session(self, candidate: Session, limits: Limits | None = None) -> Session:
        """Return the session of a trial of a candidate, with a separate clock."""
        return candidate.again(TrialClock(self.budget), limits)

    def _compiled(self, candidate: Session) -> Iterator[Event]:
        """Compile the kernels of a candidate; the time counts towards no limit and no budget."""
        yield from self.clock.compile(candidate.backend, candidate.task, candidate.config)
        self._check()

    def _check(self) -> None:
        """Raise `CutShortError` if the run has to end."""
        cut = self.clock.ending_status()
        if cut is not None:
            raise CutShortError(cut)


def settled_request(
    lowered: LoweredPuzzle, request: Request, backend: AnyBackend, config: Config
) -> Request:
    """Return the request with the reduction by which the backend breaks symmetry by default.

    If the request already breaks symmetry, its reductions keep the placements on the cells that the
    backend's search fills first, unless the request selects other placements.
    """
    task = lowered.task(replace(request, reductions=()))
    if not request.breaks_symmetry:
        added = backend.symmetry_breaking(task, config)
        added_first = () if added is None else (added,)
        return replace(request, reductions=(*added_first, *request.reductions))
    representatives = backend.representatives(task, config)
    kept = tuple(reduction.keeping(representatives) for reduction in request.reductions)
    return replace(request, reductions=kept)


def _tree_size(nodes: float, task: Task, node_s: float | None = None) -> TreeSize:
    """Return the size of a tree, with the expected duration of a search by `bitset`."""
    if task.reduced is not None and task.reduced.least_images is not None:
        nodes *= task.reduced.least_images.share
    cost_s = COUNTED_NODE_S
    if task.cover.unit_bounds:
        cost_s = COVER_NODE_S if task.placements is None else NODE_S
    return TreeSize(nodes, nodes * cost_s, node_s)
