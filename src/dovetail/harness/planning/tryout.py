"""Trying candidates on a puzzle: short searches, which end by work or when time is over."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isinf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Search
from dovetail.backends.registry import backends
from dovetail.harness.planning.candidate import Candidate
from dovetail.harness.planning.piece_sampling import select_piece, with_piece
from dovetail.harness.planning.planner import settled_request
from dovetail.harness.planning.tree_size import FIRST_DESCENTS, draw
from dovetail.harness.planning.trials import ChoosingBudget, Rule, Trial
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import PieceSelection
from dovetail.harness.run.session import Session
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import LoweredPuzzle, Task

# Of a search that tells by its beginning how many it makes.
BEGINNING_NODES, MAX_BEGINNING_NODES, BEGINNING_SHARE = 200_000, 1_000_000, 1 / 8
# Nodes that show the speed of a search, or a share of all; the first third is slower and left out.
RATE_NODES, RATE_SHARE, MIN_RATE_NODES = 60_000, 0.01, 2_000
# Of a trial, in the search's own steps.
SLICE_WORK = 2_000_000
FEW_SOLUTIONS = 1_000  # that a tree search lists before tables are built


class CutShortError(Exception):
    """Time is up, or the user asked to stop, while it was being chosen."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True)
class Beginning:
    """The beginning of a search.

    `nodes` were made in `cpu_s` until it `ended`. `estimate` is how many there are in all, exact
    for a search that came to its end; None where the search could not tell.
    """

    nodes: int
    cpu_s: float
    ended: Status | None
    estimate: float | None

    @property
    def was_all(self) -> bool:
        """Whether the search has come to its end, or found all the solutions that are wanted."""
        return self.ended in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)

    @property
    def node_s(self) -> float | None:
        """Processor seconds of a node."""
        return self.cpu_s / self.nodes if self.nodes else None


@dataclass(frozen=True)
class TreeSize:
    """The estimated number of nodes of a search, and the seconds of a node where measured."""

    nodes: float
    node_s: float | None = None


class Tryout:
    """Tries candidates on the puzzle of a job, within the limits of its run.

    `refusals` are the reasons of the backends that do not take it, by name, or have `given_up`.
    Trials raise `CutShortError` when the run must not go on. When the `budget` for choosing is
    over they end with what is known by then. With `on_workers`, other processes search what can be
    divided.
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
        self.refusals, self._given_up = dict(given_up), given_up
        self._lowered = lowered
        self._tasks: dict[Request, Task] = {}

    @property
    def refused(self) -> str:
        """Who does not take it, and why."""
        return "; ".join(f"{name}: {reason}" for name, reason in self.refusals.items())

    @property
    def is_whole(self) -> bool:
        """Whether a search is to be gone through, not cut where few solutions or nodes will do."""
        wanted = self.job.limits.solutions
        return self.job.limits.nodes is None and (wanted is None or wanted > FEW_SOLUTIONS)

    def may_go_on(self, candidate: Candidate) -> bool:
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
        """Return the task of the job's request, symmetry broken as a backend would by default."""
        with self.clock.preparing:
            config = backend.config_type()
            request = settled_request(self._lowered, self.job.request, backend, config)
        return self.task(request)

    def backend(self, name: str) -> AnyBackend | None:
        """Return the backend of this name, None where there is none or it has given up."""
        return None if name in self._given_up else backends().get(name)

    def candidate(self, name: str, task: Task, **settings: object) -> Candidate | None:
        """Return a candidate that takes its task, None where there is none or it refuses."""
        backend = self.backend(name)
        if backend is None:
            return None
        candidate = Candidate(backend, task, settings)
        with self.clock.preparing:
            reason = backend.missing() or backend.refuses(task, candidate.config)
        if reason is None:
            return candidate
        self.refusals[name] = reason
        return None

    def is_over(self) -> bool:
        """Whether no time is left for choosing."""
        self._check()
        return self.budget.is_over()

    def can_prepare(self, candidate: Candidate) -> bool:
        """Whether enough time is left for a candidate to build its tables."""
        if self.is_over():
            return False
        seconds = candidate.backend.preparation_s(candidate.task, candidate.config)
        return self.budget.allows(seconds)

    def begin(
        self, candidate: Candidate, nodes: int, max_nodes: int = 0
    ) -> Generator[Event, None, Beginning]:
        """Search from the beginning until so many nodes are made.

        With `max_nodes`, until these are made or `BEGINNING_SHARE` of all that are expected.
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

    def size(self, candidate: Candidate) -> Generator[Event, None, TreeSize | None]:
        """Estimate how many nodes a search makes; None where nothing estimates it.

        By random probes where the backend makes them quickly, else by a beginning.
        """
        if candidate.backend.estimates_quickly and self.can_prepare(candidate):
            yield from self.clock.compile_estimator(candidate.backend)
            self._check()
            trial = self._session(candidate, Limits())
            with trial, self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes=1)
                if estimator is not None:
                    drawn = draw(estimator, FIRST_DESCENTS, trial.clock.is_over)
                    self._check()
                    return TreeSize(float(drawn.mean())) if len(drawn) else None
        beginning = yield from self.begin(candidate, BEGINNING_NODES, MAX_BEGINNING_NODES)
        if beginning.estimate is None:
            return None
        return TreeSize(beginning.estimate, beginning.node_s)

    def forecast_s(
        self, candidate: Candidate, size: TreeSize
    ) -> Generator[Event, None, float | None]:
        """Return the processor seconds of a search: its nodes by their measured time.

        If the size comes without it, a short search is timed. None for a search that is short or
        need not be whole, or where no time is left.
        """
        if size.node_s is not None:
            return size.nodes * size.node_s
        wanted = int(min(RATE_NODES, RATE_SHARE * size.nodes))
        if not self.is_whole or isinf(size.nodes) or wanted < MIN_RATE_NODES:
            return None
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        with self._session(candidate, Limits()) as session, self.clock.preparing:
            search, solving = session.prepare_search().search, session.clock.solving
            session.try_out(search, Limits(nodes=wanted // 3))
            before, before_s = search.counters.nodes or 0, solving.cpu_s
            session.try_out(search, Limits(nodes=wanted))
            made = (search.counters.nodes or 0) - before
        self._check()
        return size.nodes * (solving.cpu_s - before_s) / made if made else None

    def levels(
        self, candidate: Candidate, estimates: int, max_prefix_nodes: int
    ) -> Generator[Event, None, NDArray[np.float64] | None]:
        """Make so many estimates of the levels of a search, see `TreeEstimator`; one if exact.

        Fewer where time is over; None where nothing estimates them or no time is left.
        """
        if not self.can_prepare(candidate):
            return None
        with self._session(candidate, Limits()) as trial:
            with self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes)
            if estimator is None:
                return None
            yield from self.clock.untimed(lambda: estimator.levels(0))
            samples = list[NDArray[np.float64]]()
            while len(samples) < estimates and not self.is_over():
                with self.clock.preparing:
                    found = estimator.levels(1)
                if found is None:
                    return None
                samples.append(found)
                if estimator.probes == 0:  # all of the tree
                    break
        self._check()
        return np.concatenate(samples) if samples else None

    def attempt(
        self, candidate: Candidate, rule: Rule, until: Callable[[Search], bool]
    ) -> Generator[Event, None, Trial | None]:
        """Search in steps of work until a rule gives it up, it ends, or `until` it is far enough.

        None where no time is left to prepare the search.
        """
        if not self.can_prepare(candidate):
            return None
        yield from self._compiled(candidate)
        limits = Limits(memory_bytes=self.job.limits.memory_bytes)
        with self._session(candidate, limits) as session, self.clock.preparing:
            search = session.prepare_search().search
            with self.clock.interruption.defer():
                trial = self._attempted(session, search, rule, until)
        self._check()
        return trial

    def piece_selection(
        self, request: Request, candidate: Candidate
    ) -> Generator[Event, None, tuple[Request, PieceSelection | None]]:
        """Return the request with the piece selected by a candidate's trials, and how."""
        yield from self._compiled(candidate, estimating=True)
        filtered = replace(candidate, task=self.task(with_piece(request, None)))
        clock = self.budget.trial_clock()
        with self.clock.preparing, self.clock.interruption.defer():
            found = select_piece(filtered, request, self._lowered, self.job.seed, clock)
        self._check()
        return found

    def _session(self, candidate: Candidate, limits: Limits) -> Session:
        return candidate.session(limits, self.budget.trial_clock(), seed=self.job.seed)

    def _compiled(self, candidate: Candidate, *, estimating: bool = False) -> Iterator[Event]:
        """Compile what a candidate needs, outside the time that counts."""
        yield from self.clock.compile(
            candidate.backend, candidate.task, candidate.config, estimating=estimating
        )
        self._check()

    def _attempted(
        self, session: Session, search: Search, rule: Rule, until: Callable[[Search], bool]
    ) -> Trial:
        """Advance a search as `attempt` does."""
        trial = Trial(search)
        for number, status in enumerate(session.advance(search, session.limits, SLICE_WORK), 1):
            if status in (Status.TIME_LIMIT, Status.INTERRUPTED):
                return replace(trial, unfinished=True)
            work = number * SLICE_WORK if search.work is None else search.work
            trial = Trial(search, status == Status.EXHAUSTED, work=work)
            problem = rule(search, work)
            if problem is None and status not in (None, Status.EXHAUSTED):
                problem = search.reason or f"it ended: {status}"
            if problem is not None:
                return replace(trial, problem=problem)
            if trial.ended or until(search):
                break
        return trial

    def _check(self) -> None:
        """Raise `CutShortError` when the run must not go on."""
        cut = self.clock.cut()
        if cut is not None:
            raise CutShortError(cut)
