"""Trying candidates on a puzzle: short searches, whose ends do not hang on the clock."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import inf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Forecast, Search
from dovetail.backends.registry import backends
from dovetail.harness.planning.candidate import Candidate
from dovetail.harness.planning.piece_sampling import select_piece, with_piece
from dovetail.harness.planning.planner import settled_request
from dovetail.harness.planning.smallest_tree import FIRST_DESCENTS
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event, PieceSelection
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.session import Session
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import LoweredPuzzle, Task

# Of a search that tells by its beginning how many it makes.
BEGINNING_NODES, MAX_BEGINNING_NODES, BEGINNING_SHARE = 200_000, 1_000_000, 1 / 8
# Of a staged search, in its own steps.
SLICE_WORK = 2_000_000
FEW_SOLUTIONS = 1_000  # that a tree search lists before tables are built


class CutShortError(Exception):
    """Time is up, or the user asked to stop, while it was being chosen."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True)
class Beginning:
    """The beginning of a search: the nodes made, what ended it, how many there are in all.

    `estimate` is None where the search could not tell; it is exact where it came to its end.
    """

    nodes: int
    ended: Status | None
    estimate: float | None

    @property
    def was_all(self) -> bool:
        """Whether the search has come to its end, or found all the solutions that are wanted."""
        return self.ended in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)


@dataclass(frozen=True, eq=False)
class PreparationTrial:
    """A search that has built its tables: what it will take, or the reason not to run it.

    The forecast is None where it has come to its end already.
    """

    search: Search
    forecast: Forecast | None
    problem: str | None


class Tryout:
    """Tries candidates on the puzzle of a job, within the limits of its run.

    `refusals` are the reasons of the backends that do not take it, by name, or have `given_up`.
    Trials raise `CutShortError` when the run must not go on.
    """

    def __init__(
        self, lowered: LoweredPuzzle, job: Job, clock: RunClock, given_up: Mapping[str, str]
    ) -> None:
        self.job, self.clock = job, clock
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

    def begin(
        self, candidate: Candidate, nodes: int, max_nodes: int = 0
    ) -> Generator[Event, None, Beginning]:
        """Search from the beginning until so many nodes are made.

        With `max_nodes`, until these are made or `BEGINNING_SHARE` of all that are expected.
        """
        yield from self._compiled(candidate)
        limits = Limits(nodes=nodes, solutions=self.job.limits.solutions)
        with candidate.session(limits, self.clock) as session, self.clock.preparing:
            search = session.prepare_search().search
            while True:
                ended = session.try_out(search, limits)
                made, done = search.counters.nodes or 0, search.progress()
                estimate = made / done if done else None
                wanted = int(min(max_nodes, BEGINNING_SHARE * (estimate or inf)))
                if ended != Status.NODE_LIMIT or made >= wanted:
                    break
                limits = replace(limits, nodes=wanted)
        if ended in (Status.TIME_LIMIT, Status.INTERRUPTED):
            raise CutShortError(ended)
        return Beginning(made, ended, float(made) if ended == Status.EXHAUSTED else estimate)

    def size(self, candidate: Candidate) -> Generator[Event, None, float | None]:
        """Estimate how many nodes a search makes; None where nothing estimates it.

        By random probes where the backend makes them quickly, else by a beginning.
        """
        if candidate.backend.estimates_quickly:
            yield from self.clock.compile_estimator(candidate.backend)
            self._check()
            trial = candidate.session(Limits(), self.clock, seed=self.job.seed)
            with trial, self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes=1)
                if estimator is not None:
                    return float(estimator.totals(FIRST_DESCENTS).mean())
        return (yield from self.begin(candidate, BEGINNING_NODES, MAX_BEGINNING_NODES)).estimate

    def levels(
        self, candidate: Candidate, estimates: int, max_prefix_nodes: int
    ) -> Generator[Event, None, NDArray[np.float64] | None]:
        """Make so many estimates of the levels of a search, see `TreeEstimator`; one if exact.

        None where nothing estimates them.
        """
        with candidate.session(Limits(), self.clock, seed=self.job.seed) as trial:
            with self.clock.preparing:
                estimator = trial.tree_estimator(max_prefix_nodes)
            if estimator is None:
                return None
            yield from self.clock.untimed(lambda: estimator.levels(0))
            samples = list[NDArray[np.float64]]()
            while len(samples) < estimates:
                with self.clock.preparing:
                    found = estimator.levels(1)
                if found is None:
                    return None
                samples.append(found)
                self._check()
                if estimator.probes == 0:  # all of the tree
                    break
        return np.concatenate(samples)

    def stage(
        self, candidate: Candidate, max_work: int
    ) -> Generator[Event, None, PreparationTrial]:
        """Build the tables of a search that does so in slices, with at most so many steps."""
        yield from self._compiled(candidate)
        limits = Limits(memory_bytes=self.job.limits.memory_bytes)
        with candidate.session(limits, self.clock) as session, self.clock.preparing:
            search = session.prepare_search().search
            with self.clock.interruption.defer():
                return self._prepared_in_slices(session, search, max_work)

    def run_for(
        self, candidate: Candidate, work: float, promising_work: float
    ) -> Generator[Event, None, tuple[Search, bool]]:
        """Search from the beginning for so many steps; returns the search, and whether it ended.

        It goes on while its progress foresees an end after at most `promising_work`. A search that
        lists solutions is not begun: nobody would take them.
        """
        yield from self._compiled(candidate)
        limits = Limits(memory_bytes=self.job.limits.memory_bytes)
        with candidate.session(limits, self.clock) as session, self.clock.preparing:
            search = session.prepare_search().search
            if not search.counts_only:
                return search, False
            with self.clock.interruption.defer():
                slices = session.advance(search, session.limits, SLICE_WORK)
                for number, status in enumerate(slices, 1):
                    self._check()
                    if status is not None:
                        return search, status == Status.EXHAUSTED
                    done = number * SLICE_WORK if search.work is None else search.work
                    share = search.progress() or 0.0
                    if done >= work and done > share * promising_work:
                        break
        return search, False

    def piece_selection(
        self, request: Request, candidate: Candidate
    ) -> Generator[Event, None, tuple[Request, PieceSelection | None]]:
        """Return the request with the piece selected by a candidate's trials, and how."""
        yield from self._compiled(candidate, estimating=True)
        filtered = replace(candidate, task=self.task(with_piece(request, None)))
        with self.clock.preparing, self.clock.interruption.defer():
            found = select_piece(filtered, request, self._lowered, self.job.seed, self.clock)
        self._check()
        return found

    def _compiled(self, candidate: Candidate, *, estimating: bool = False) -> Iterator[Event]:
        """Compile what a candidate needs, outside the time that counts."""
        yield from self.clock.compile(
            candidate.backend, candidate.task, candidate.config, estimating=estimating
        )
        self._check()

    def _prepared_in_slices(
        self, session: Session, search: Search, max_work: int
    ) -> PreparationTrial:
        free_bytes = MemoryLimit(session.limits.memory_bytes).free_bytes
        slices = session.advance(search, session.limits, SLICE_WORK)
        for status in islice(slices, max(1, max_work // SLICE_WORK)):
            self._check()
            if status not in (None, Status.EXHAUSTED):
                return PreparationTrial(search, None, search.reason or f"it ended: {status}")
            forecast = search.forecast
            if forecast is not None and forecast.memory_bytes > free_bytes:
                needed, there = show_size(forecast.memory_bytes), show_size(free_bytes)
                return PreparationTrial(
                    search, forecast, f"it would need {needed} of memory; {there} is available"
                )
            if status == Status.EXHAUSTED or search.prepared:
                return PreparationTrial(search, forecast, None)
        return PreparationTrial(
            search, None, "building its tables would take longer than a tree search"
        )

    def _check(self) -> None:
        """Raises `CutShortError` when it must not go on."""
        cut = self.clock.cut()
        if cut is not None:
            raise CutShortError(cut)
