"""Trying candidates on a puzzle: short searches, whose ends do not hang on the clock."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass

from dovetail.backends.base import Backend, Budget, Forecast, Search, Sizer, StagedSearch
from dovetail.backends.registry import backends
from dovetail.harness.auto.candidate import Candidate
from dovetail.harness.compiling import compiled
from dovetail.harness.descents import FIRST_DESCENTS
from dovetail.harness.drive import Stopwatch, drive_slices
from dovetail.harness.events import Event, Started
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job, Limits
from dovetail.harness.memory import resident_bytes
from dovetail.harness.memory_limit import MemoryLimit
from dovetail.harness.probe import Probe, resolved
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import Task, lower

# Of a search that tells by its beginning how many it makes.
BEGINNING_NODES = 200_000
# Of a staged search, in its own steps.
SLICE_WORK = 2_000_000


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
class Staged:
    """A search that has built its tables: what it will take, or why it is not to be gone on with.

    The forecast is None where it has come to its end already.
    """

    search: StagedSearch
    forecast: Forecast | None
    problem: str | None


class Tryout:
    """Tries candidates on the puzzle of a job, within its limits on time and memory.

    `refusals` are the reasons of the backends that do not take it, by name, or have `given_up`;
    `warming` and `preparing` the seconds that it took, `baseline_bytes` as of `Started`. Searching
    raises `CutShortError` when it must not go on.
    """

    def __init__(self, job: Job, interruption: Interruption, given_up: Mapping[str, str]) -> None:
        self.job = job
        self.refusals, self._given_up = dict(given_up), given_up
        self.warming, self.preparing = Stopwatch(), Stopwatch()
        self.baseline_bytes: int | None = None
        self._interruption = interruption
        self._deadline: float | None = None
        self._lowered: dict[Request, Task] = {}

    @property
    def refused(self) -> str:
        """Who does not take it, and why."""
        return "; ".join(f"{name}: {reason}" for name, reason in self.refusals.items())

    def start(self) -> Iterator[Event]:
        """From here on time and memory count."""
        self.baseline_bytes = resident_bytes()
        yield Started(self.warming.wall_s, self.baseline_bytes)
        if self.job.limits.time_s is not None:
            self._deadline = time.monotonic() + self.job.limits.time_s

    def lowered(self, request: Request) -> Task:
        """The puzzle lowered for a request, once for each."""
        if request not in self._lowered:
            known = next(iter(self._lowered.values()), None)
            with self.preparing:
                self._lowered[request] = lower(self.job.puzzle, request, known)
        return self._lowered[request]

    def backend(self, name: str) -> Backend | None:
        """The backend of this name, None where there is none or it has given up."""
        return None if name in self._given_up else backends().get(name)

    def candidate(self, name: str, task: Task, **settings: object) -> Candidate | None:
        """A candidate that takes its task, None where there is no such backend or it refuses."""
        backend = self.backend(name)
        if backend is None:
            return None
        candidate = Candidate(backend, task, settings)
        with self.preparing:
            reason = backend.missing() or backend.refuses(task, candidate.config)
        if reason is None:
            return candidate
        self.refusals[name] = reason
        return None

    def begin(self, candidate: Candidate, nodes: int) -> Generator[Event, None, Beginning]:
        """Search from the beginning until so many nodes are made."""
        yield from self._compiled(candidate)
        with self.preparing:
            search = candidate.backend.prepare(candidate.task, candidate.config)
        return self._begun(search, nodes)

    def size(self, candidate: Candidate) -> Generator[Event, None, float | None]:
        """About how many nodes a search makes, None where that cannot be told.

        By random descents, or by a beginning where the backend makes none for such a task.
        """
        yield from self._compiled(candidate)
        backend, task, config = candidate.backend, candidate.task, candidate.config
        with self.preparing:
            sizes = None
            if isinstance(backend, Sizer):
                sizes = backend.tree_sizes(task, config, self.job.seed)
            if sizes is not None:
                estimates, _ = sizes(FIRST_DESCENTS)
                return float(estimates.mean())
        return (yield from self.begin(candidate, BEGINNING_NODES)).estimate

    def stage(self, candidate: Candidate, most_work: int) -> Generator[Event, None, Staged]:
        """Prepare a staged search, with at most so many of its steps."""
        yield from self._compiled(candidate)
        with self.preparing:
            search = candidate.backend.prepare(candidate.task, candidate.config)
        assert isinstance(search, StagedSearch)
        with self.preparing, self._interruption.defer():
            return self._staged(search, most_work)

    def probe(
        self, request: Request, candidate: Candidate
    ) -> Generator[Event, None, tuple[Request, Probe | None]]:
        """The request with the piece to confine found by a candidate's short searches, and how."""
        yield from self._compiled(candidate)
        job = Job(self.job.puzzle, request, seed=self.job.seed)
        backend, config = candidate.backend, candidate.config
        with self.preparing, self._interruption.defer():
            found = resolved(job, backend, config, self._deadline, self._interruption)
        self._check()
        return found

    def _compiled(self, candidate: Candidate) -> Iterator[Event]:
        """Compile what a candidate needs, outside the time that counts."""
        backend, task, before = candidate.backend, candidate.task, self.warming.wall_s
        fresh = yield from compiled(
            backend, task, candidate.config, self.warming, self._interruption
        )
        self.baseline_bytes = fresh or self.baseline_bytes
        if self._deadline is not None:
            self._deadline += self.warming.wall_s - before
        self._check()

    def _begun(self, search: Search, nodes: int) -> Beginning:
        """Search until so many nodes are made."""
        limits, ended = Limits(nodes=nodes, solutions=self.job.limits.solutions), None
        with self.preparing, self._interruption.defer():
            for status in drive_slices(
                search, limits, self._deadline, self._interruption, Stopwatch()
            ):
                search.take()
                ended = status
        if ended in (Status.TIME_LIMIT, Status.INTERRUPTED):
            raise CutShortError(ended)
        made, share = search.counters.nodes or 0, search.progress()
        if ended == Status.EXHAUSTED:
            share = 1.0
        return Beginning(made, ended, made / share if share else None)

    def _staged(self, search: StagedSearch, most_work: int) -> Staged:
        room = MemoryLimit(self.job.limits.memory_bytes).room_bytes
        budget = Budget(SLICE_WORK, memory_bytes=room)
        for _ in range(max(1, most_work // SLICE_WORK)):
            self._check()
            status = search.advance(budget)
            if status not in (None, Status.EXHAUSTED):
                return Staged(search, None, search.reason or f"it ended: {status}")
            forecast = search.forecast
            if forecast is not None and forecast.memory_bytes > room:
                needed, there = show_size(forecast.memory_bytes), show_size(room)
                return Staged(search, forecast, f"it would take {needed}, where {there} are left")
            if status == Status.EXHAUSTED or search.prepared:
                return Staged(search, forecast, None)
        return Staged(
            search, None, "its tables would take longer to build than a tree search takes"
        )

    def _check(self) -> None:
        """Raises `CutShortError` when it must not go on."""
        if self._interruption.requested:
            raise CutShortError(Status.INTERRUPTED)
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise CutShortError(Status.TIME_LIMIT)
