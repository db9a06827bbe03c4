"""Candidates of `auto`, and the two ways to probe one: an estimate, or a trial with a budget.

A candidate is a session with the backend, the settings of its config and the task that it would
get. Each trial is another session of the same plan and task, with a clock of its own.

Trials end at an amount of work, or when the time for choosing is over: a tenth of the limit on
time, or 2 s of processor time without a limit.
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
from dovetail.harness.planning.tree_size import FIRST_DESCENTS, draw, select_piece, with_piece
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

LIMIT_SHARE, DEFAULT_S = 0.1, 2.0
MAX_OPTIONS = 20_000  # for more options the tables of a tree search take too long to build
# For estimating the nodes of a whole search from its beginning.
BEGINNING_NODES, MAX_BEGINNING_NODES, BEGINNING_SHARE = 200_000, 1_000_000, 1 / 8
# Nodes for measuring the speed of a search, at most a share of all nodes. The first third is slower
# and does not count.
RATE_NODES, RATE_SHARE, MIN_RATE_NODES = 60_000, 0.01, 2_000
# Work of a slice of a trial.
SLICE_WORK = 2_000_000
FEW_SOLUTIONS = 1_000  # up to this limit a tree search is faster than building tables
# Thread CPU seconds of a node of `bitset` on one machine (AMD EPYC), fixed, so that a puzzle gets
# the same choice everywhere; docs/solvers/auto-measurements.md has the runs. 48 to 78 ns on
# packings of up to 64 items after a few pieces, 25 to 51 ns on bare covers; up to 1.3 µs with tens
# of thousands of options. 100 to 250 ns if items are covered several times.
NODE_S, COVER_NODE_S, COUNTED_NODE_S = 60e-9, 40e-9, 200e-9


class CutShortError(Exception):
    """Raised when time is up, or the user asks to stop, while a backend is being chosen."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate chosen, and the reason."""

    candidate: Session
    why: str
    # A search of the candidate that was prepared for its trial.
    search: Search | None = None
    # Gives the search up if its forecast proves wrong, so that another backend is chosen.
    guard: Guard | None = None
    # The selection by sampling of the piece that breaks symmetry.
    piece_selection: PieceSelection | None = None
    # Expected seconds of the search at a measured speed.
    forecast_s: float | None = None


# Choosing yields events and returns a choice, or None if no backend takes the puzzle.
Choosing = Generator[Event, None, Choice | None]


@dataclass(frozen=True)
class TreeSize:
    """Estimated size of the tree of a search by fewest choices."""

    nodes: float
    # Of the search by fixed costs, so that a puzzle gets the same choice everywhere.
    seconds: float
    # Measured processor seconds of a node.
    node_s: float | None = None

    def __str__(self) -> str:
        return f"a tree search would need about {about(self.nodes)} nodes"


@dataclass(frozen=True)
class Beginning:
    """The beginning of a search."""

    nodes: int
    cpu_s: float
    ended: Status | None
    # Nodes of the whole search, exact if it has ended.
    estimate: float | None

    @property
    def was_all(self) -> bool:
        """Whether the search has ended, or has found all solutions that are wanted."""
        return self.ended in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)


@dataclass(frozen=True, eq=False)
class Trial:
    """A search after its trial."""

    search: Search
    status: Status | None

    @property
    def ended(self) -> bool:
        """Whether the search is complete."""
        return self.status == Status.EXHAUSTED

    @property
    def unfinished(self) -> bool:
        """Whether the time for choosing ended the trial before anything was decided."""
        return self.status == Status.TIME_LIMIT


class ChoosingBudget:
    """The time for choosing, which begins now and does not count compiling.

    Steps that cannot be interrupted ask `allows` first, and all others ask `is_over` repeatedly.
    `limit_s` is the time limit of the run. Without one processor time counts, so that a busy
    machine makes the same choice.
    """

    def __init__(self, clock: RunClock, limit_s: float | None) -> None:
        self.run_clock, self._limit_s = clock, limit_s
        self.seconds = DEFAULT_S if limit_s is None else LIMIT_SHARE * limit_s
        self._begun_s = self._now_s()
        self._was_short = False

    def is_over(self) -> bool:
        """Return whether no time is left."""
        return not self.allows(0.0)

    def allows(self, seconds: float) -> bool:
        """Return whether more than `seconds` are left; if not, `explanation` says so."""
        allowed = self._now_s() - self._begun_s + seconds < self.seconds
        self._was_short |= not allowed
        return allowed

    def _now_s(self) -> float:
        """Return the time of a clock that stands still during compilation."""
        warming = self.run_clock.warming
        if self._limit_s is None:
            return time.process_time() - warming.cpu_s
        return time.monotonic() - warming.wall_s

    @property
    def explanation(self) -> str | None:
        """Statement that not everything was tried for lack of time; None if there was enough."""
        if not self._was_short:
            return None
        share = "" if self._limit_s is None else ", a tenth of the time limit"
        return f"not all was tried: choosing may take {about_s(self.seconds)}{share}"


class TrialClock(RunClock):
    """The clock of a trial, which ends with the budget or the run."""

    def __init__(self, budget: ChoosingBudget) -> None:
        super().__init__(interruption=budget.run_clock.interruption)
        self._budget = budget

    def for_trial(self) -> RunClock:
        return TrialClock(self._budget)

    def cut(self) -> Status | None:
        cut = self._budget.run_clock.cut()
        if cut is None and self._budget.is_over():
            return Status.TIME_LIMIT
        return cut


class Tryout:
    """Probes candidates on the puzzle of a job, within the limits of its run.

    Probes raise `CutShortError` when the run must end. When the `budget` for choosing is over, they
    end with what is known by then. Backends that have `given_up` during a search, with their
    reasons, are not candidates. With `on_workers`, other processes search what can be divided.
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
        # Reasons of the backends that refuse the puzzle or have given up, by name.
        self.refusals, self._given_up = dict(given_up), given_up
        self._lowered = lowered
        self._tasks: dict[Request, Task] = {}

    def reasons(self, *reasons: str) -> str:
        """Join reasons for a choice with the reasons of the backends that refuse the puzzle."""
        refused = (f"{name}: {reason}" for name, reason in self.refusals.items())
        return "; ".join(filter(None, (*reasons, *refused)))

    @property
    def is_whole(self) -> bool:
        """Whether the whole search is wanted, and not only a few solutions or nodes."""
        wanted = self.job.limits.solutions
        return self.job.limits.nodes is None and (wanted is None or wanted > FEW_SOLUTIONS)

    def may_go_on(self, candidate: Session) -> bool:
        """Return whether a trial can go on as the search of the run, in this process."""
        backend = candidate.backend
        undivided = backend.threads or backend.why_undivided(candidate.task, candidate.config)
        return bool(undivided) or not self._on_workers

    def task(self, request: Request) -> Task:
        """Return the task for a request, made once."""
        if request not in self._tasks:
            with self.clock.preparing:
                self._tasks[request] = self._lowered.task(request)
        return self._tasks[request]

    def settled_task(self, backend: AnyBackend) -> Task:
        """Return the task with symmetry broken as a backend does by default."""
        with self.clock.preparing:
            config = backend.config_type()
            request = settled_request(self._lowered, self.job.request, backend, config)
        return self.task(request)

    def symmetry_breaking_task(self) -> Task:
        """Return the task with symmetry broken by the choice of the redundancy filter.

        If that is not wanted or would change nothing, the task is that of the request.
        """
        request = self.job.request
        if request.breaks_symmetry:
            return self.task(request)
        best = Reduction(ReductionName.REDUNDANCY)
        task = self.task(replace(request, reductions=(best, *request.reductions)))
        symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
        if symmetry_breaking is None or len(symmetry_breaking.group) == 1:
            return self.task(request)
        assert isinstance(task.options, PackingOptions | EdgeOptions)
        names = task.options.option_groups.names[symmetry_breaking.option_group]
        reductions = (replace(best, piece=names[0]), *request.reductions)
        return replace(task, request=replace(request, reductions=reductions))

    def backend(self, name: str) -> AnyBackend | None:
        """Return the backend of this name; None if there is none or it has given up."""
        return None if name in self._given_up else backends().get(name)

    def candidate(self, name: str, task: Task, **settings: object) -> Session | None:
        """Return a candidate that takes its task; None if there is none or it refuses."""
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

    def first_candidate(self, task: Task, *names: str) -> Session | None:
        """Return the first candidate of several backends that takes the task, or None."""
        candidates = (self.candidate(name, task) for name in names)
        return next((candidate for candidate in candidates if candidate is not None), None)

    def is_over(self) -> bool:
        """Return whether no time is left for choosing."""
        self._check()
        return self.budget.is_over()

    def can_prepare(self, candidate: Session) -> bool:
        """Return whether enough time is left for a candidate to build its tables."""
        if self.is_over():
            return False
        seconds = candidate.backend.preparation_s(candidate.task, candidate.config)
        return self.budget.allows(seconds)

    def begin(
        self, candidate: Session, nodes: int, max_nodes: int = 0
    ) -> Generator[Event, None, Beginning]:
        """Search from the beginning to a number of nodes.

        With `max_nodes`, the search goes on to that number or `BEGINNING_SHARE` of all expected
        nodes.
        """
        if not self.can_prepare(candidate):
            return Beginning(0, 0.0, None, None)
        yield from self._compiled(candidate)
        limits = Limits(nodes=nodes, solutions=self.job.limits.solutions)
        with self._session(candidate, limits) as session, self.clock.preparing:
            search = session.prepare_search().search
            while True:
                ended = session.try_out(search, limits)
                made, done = search.counters.nodes or 0, search.progress()
                estimate = made / done if done else None
                wanted = int(min(max_nodes, BEGINNING_SHARE * (estimate or inf)))
                if ended != Status.NODE_LIMIT or made >= wanted:
                    break
                limits = replace(limits, nodes=wanted)
            cpu_s = session.clock.solving.cpu_s
        if ended in (Status.TIME_LIMIT, Status.INTERRUPTED):
            self._check()
        if ended == Status.EXHAUSTED:
            estimate = float(made)
        return Beginning(made, cpu_s, ended, estimate if made else None)

    def tree_size(self, task: Task) -> Generator[Event, None, TreeSize | None]:
        """Estimate the tree of a search by fewest choices; None if that takes too long."""
        small = task.options.option_count <= MAX_OPTIONS
        bitset = self.candidate("bitset", task) if small else None
        return None if bitset is None else (yield from self.size(bitset))

    def size(self, candidate: Session) -> Generator[Event, None, TreeSize | None]:
        """Estimate the tree of a search by `bitset`; None if nothing estimates it.

        Random probes are used if the backend makes them quickly, else a beginning of the search.
        """
        if candidate.backend.estimates_quickly and self.can_prepare(candidate):
            yield from self.clock.compile_estimator(candidate.backend)
            self._check()
            trial = self._session(candidate)
            with trial, self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes=1)
                if estimator is not None:
                    drawn = draw(estimator, FIRST_DESCENTS, trial.clock.is_over)
                    self._check()
                    return _tree_size(float(drawn.mean()), candidate.task) if len(drawn) else None
        begun = yield from self.begin(candidate, BEGINNING_NODES, MAX_BEGINNING_NODES)
        if begun.estimate is None:
            return None
        return _tree_size(begun.estimate, candidate.task, begun.cpu_s / begun.nodes)

    def forecast_s(
        self, candidate: Session, nodes: float, node_s: float | None = None
    ) -> Generator[Event, None, float | None]:
        """Return the processor seconds of a search: its nodes times the measured time of a node.

        A short search is timed unless `node_s` is known. None if the search is short or need not be
        whole, or if no time is left.
        """
        if node_s is not None:
            return nodes * node_s
        wanted = int(min(RATE_NODES, RATE_SHARE * nodes))
        if not self.is_whole or isinf(nodes) or wanted < MIN_RATE_NODES:
            return None
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        with self._session(candidate) as session, self.clock.preparing:
            search, solving = session.prepare_search().search, session.clock.solving
            session.try_out(search, Limits(nodes=wanted // 3))
            before, before_s = search.counters.nodes or 0, solving.cpu_s
            session.try_out(search, Limits(nodes=wanted))
            made = (search.counters.nodes or 0) - before
        self._check()
        return nodes * (solving.cpu_s - before_s) / made if made else None

    def levels(
        self, candidate: Session, estimates: int, max_prefix_nodes: int
    ) -> Generator[Event, None, NDArray[np.float64] | None]:
        """Estimate the levels of a tree, see `TreeEstimator`; a single row if exact.

        Fewer `estimates` are made if time is over. None if nothing estimates levels or no time is
        left.
        """
        if not self.can_prepare(candidate):
            return None
        with self._session(candidate) as trial:
            with self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes)
            if estimator is None:
                return None
            yield from self.clock.untimed(lambda: estimator.levels(0))
            samples = list[NDArray[np.float64]]()
            while len(samples) < estimates and not self.is_over():
                with self.clock.preparing:
                    sample = estimator.levels(1)
                if sample is None:
                    return None
                samples.append(sample)
                if estimator.probes == 0:  # the whole tree was visited
                    break
        self._check()
        return np.concatenate(samples) if samples else None

    def attempt(
        self, candidate: Session, guard: Guard, until: Callable[[Search], bool]
    ) -> Generator[Event, None, Trial | None]:
        """Search in fixed steps of work until `until` holds, the guard gives up, or the end.

        None if no time is left to prepare the search.
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
        """Return the request with the piece selected by trials of a candidate, and the trials."""
        yield from self._compiled(candidate, estimating=True)
        plan = replace(candidate.plan, request=request)
        filtered = self.task(with_piece(request, None))
        with self.clock.preparing, self.clock.interruption.defer():
            selected = select_piece(plan, filtered, TrialClock(self.budget))
        self._check()
        return selected

    def _session(self, candidate: Session, limits: Limits | None = None) -> Session:
        """Return the session of a trial, whose time the clock of the run does not count."""
        return candidate.again(TrialClock(self.budget), limits)

    def _compiled(self, candidate: Session, *, estimating: bool = False) -> Iterator[Event]:
        """Compile what a candidate needs, outside the time that counts."""
        yield from self.clock.compile(
            candidate.backend, candidate.task, candidate.config, estimating=estimating
        )
        self._check()

    def _check(self) -> None:
        """Raise `CutShortError` when the run must end."""
        cut = self.clock.cut()
        if cut is not None:
            raise CutShortError(cut)


def settled_request(
    lowered: LoweredPuzzle, request: Request, backend: AnyBackend, config: Config
) -> Request:
    """Return the request with the reduction by which its backend breaks symmetry, if it does.

    A reduction of the request keeps the places that the backend's search fills first.
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
    """Return the size of a tree with the seconds that a search by `bitset` takes."""
    cost_s = COUNTED_NODE_S
    if task.cover.unit_bounds:
        cost_s = COVER_NODE_S if task.placements is None else NODE_S
    return TreeSize(nodes, nodes * cost_s, node_s)
