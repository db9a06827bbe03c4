"""A race: several solvers answer the same question, and their runs are watched live.

A lane is a run: a job of the command, run as in `bench` in a child process that ends with this
process. The record of a lane is the record that `bench -o` writes. The threads of the lanes only
note events, so that a watched race costs no more than an unwatched race.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, islice
from threading import Lock, Thread
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.config import plain_values
from dovetail.errors import DovetailError
from dovetail.harness.improving import improving_job
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.progress import RunProgress
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import judged, summaries
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.job import LARGEST_SEED, Chosen, Job, Limits
from dovetail.harness.run.result import BestBoard, Result
from dovetail.harness.sizes import parse_seconds, parse_size
from dovetail.harness.suite.bench import run_once
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.runs import Runs
from dovetail.improvers.registry import improver_config
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle
from dovetail.ui.boards import start_of_race
from dovetail.ui.requests import (
    Fields,
    NotFoundError,
    RequestError,
    check_keys,
    flag,
    text,
    whole_number,
)
from dovetail.ui.workspace import StoredPuzzle, Workspace

MAX_KEPT = 10_000
MAX_KEPT_BYTES = 32 * 2**20
MAX_ALL_BYTES = 256 * 2**20
NOT_BEGUN = "stopped before it began"


class Store:
    """Limit on the bytes of kept solutions, which the lanes of all races share."""

    def __init__(self, max_bytes: int = MAX_ALL_BYTES) -> None:
        self._lock, self._left = Lock(), max_bytes

    def take(self, size: int) -> bool:
        """Reserve `size` bytes; return False if too few are left."""
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give_back(self, size: int) -> None:
        """Release reserved bytes."""
        with self._lock:
            self._left += size


class KeptSolutions:
    """Solutions of a run; the thread of the run adds them, and other threads read them.

    The first solutions are kept, up to `MAX_KEPT` and `MAX_KEPT_BYTES`, while the `store` has bytes
    left.
    """

    def __init__(self, store: Store) -> None:
        self.found = 0  # number of all solutions, kept or not
        self._store = store
        self._most = MAX_KEPT
        self._lock = Lock()
        self._options: list[NDArray[np.int32]] = []
        self._bytes = 0
        self._lowered: LoweredPuzzle | None = None

    @property
    def kept(self) -> int:
        """Number of kept solutions."""
        return len(self._options)

    def add(self, found: Found) -> None:
        """Count the solutions of an event, and keep them while the limits allow it."""
        with self._lock:
            self._lowered = found.lowered
            self.found += len(found.options)
            for options in found.options[: self._most - len(self._options)]:
                kept = options[options >= 0].copy()
                fits = self._bytes + kept.nbytes <= MAX_KEPT_BYTES
                if not (fits and self._store.take(kept.nbytes)):
                    self._most = len(self._options)  # keep no later, smaller solution
                    return
                self._options.append(kept)
                self._bytes += kept.nbytes

    def forget(self) -> None:
        """Drop all kept solutions, and keep no more."""
        with self._lock:
            self._options.clear()
            self._store.give_back(self._bytes)
            self._bytes = self._most = 0

    def read(self, first: int = 0, count: int = MAX_KEPT) -> list[Solution]:
        """Return at most `count` kept solutions, from index `first` on."""
        with self._lock:
            options, lowered = list(islice(self._options, first, first + count)), self._lowered
        if lowered is None:
            return []
        return [lowered.solution(row.tolist()) for row in options]


class Find(StrEnum):
    """Aims of the lanes of a race."""

    SOLUTIONS = "solutions"
    COUNT = "count"
    IMPROVE = "improve"


class WhenClosed(StrEnum):
    """Treatment of a race that nobody watches any more."""

    END = "end"
    CONTINUE = "continue"


class Order(StrEnum):
    """Order of the lanes: side by side, or in turn."""

    TOGETHER = "together"
    ONE_BY_ONE = "one by one"


@dataclass(frozen=True)
class RaceQuestion:
    """The puzzle of a race, what to find, and how to run the lanes."""

    stored: StoredPuzzle
    find: Find
    when_closed: WhenClosed
    order: Order


class Lane:
    """A run of a race: its puzzle and job, its current figures, and finally its record."""

    def __init__(
        self, number: int, stored: StoredPuzzle, job: Job, within: Interruption, store: Store
    ) -> None:
        self.number, self.stored, self.job = number, stored, job
        self.interruption = Interruption(within)
        self.solutions = KeptSolutions(store)
        self.progress: RunProgress | None = None  # None while the lane waits
        self.chosen: Chosen | None = None
        self.best: BestBoard | None = None
        self.improvements = 0
        self.record: Record | None = None
        self.problem: str | None = None  # why there is no record, such as an error of this program
        self.elapsed_s: float | None = None  # set at the end of a lane that has begun

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended, with a record or a problem."""
        return self.record is not None or self.problem is not None

    def begin(self) -> None:
        """Note the start of the run."""
        self.progress = RunProgress(self.job)

    def update(self, event: Event) -> None:
        """Note an event of the run."""
        assert self.progress is not None
        self.progress.update(event)
        match event:
            case Found():
                self.solutions.add(event)
            case Chosen():
                self.chosen = event
            case BestBoard():
                self._take(event)
            case Result(best=BestBoard() as best) if best != self.best:
                self._take(best)

    def end(self, record: Record | None, problem: str | None) -> None:
        """Note the end of the run, with a record or with a problem."""
        if self.progress is not None:
            self.elapsed_s = self.progress.fields()["elapsed_s"]
            self.progress.end()
        self.record, self.problem = record, problem

    def _take(self, best: BestBoard) -> None:
        self.best = best
        self.improvements += 1


class Race:
    """Lanes that run in threads from `start` on, until they end or are stopped.

    The `store` limits the bytes of the lanes' solutions.
    """

    def __init__(
        self, identity: str, question: RaceQuestion, jobs: Sequence[Job], store: Store
    ) -> None:
        self.identity, self.question = identity, question
        self.listeners = 0  # number of listeners; only the event loop changes it
        self._interruption = Interruption()
        self.lanes = [
            Lane(number, question.stored, job, self._interruption, store)
            for number, job in enumerate(jobs)
        ]
        runs = tuple(PlannedRun(job, (), None) for job in jobs)
        self._plan = SuitePlan(question.stored.puzzle.name, 1, runs)
        self._begun = time.monotonic()
        self._ended: float | None = None
        self._side_by_side = len(jobs) if question.order == Order.TOGETHER else 1
        self._runs = Runs(jobs, side_by_side=self._side_by_side)
        groups = [[lane] for lane in self.lanes] if self._side_by_side > 1 else [self.lanes]
        # The interpreter does not wait for daemon threads when it ends.
        self._threads = [Thread(target=self._run, args=[group], daemon=True) for group in groups]

    def start(self) -> None:
        """Start the lanes."""
        for thread in self._threads:
            thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether all lanes have ended."""
        return all(lane.has_ended for lane in self.lanes)

    @property
    def is_stopping(self) -> bool:
        """Whether the race has been asked to stop and has not ended yet."""
        return self._interruption.requested and not self.has_ended

    @property
    def elapsed_s(self) -> float:
        """Seconds from the start of the race to now, or to its end."""
        return (time.monotonic() if self._ended is None else self._ended) - self._begun

    @property
    def records(self) -> list[Record]:
        """The records of the lanes that have ended."""
        return [lane.record for lane in self.lanes if lane.record is not None]

    @property
    def agreed(self) -> bool | None:
        """Whether the lanes that counted all solutions agree; None if fewer than two did."""
        records = self.records
        if sum(record.result.status in (Status.EXHAUSTED, Status.WRONG) for record in records) < 2:
            return None
        return all(record.result.status != Status.WRONG for record in judged(summaries(records)))

    def lane(self, number: object) -> Lane:
        """Return the lane with a number; raise `NotFoundError` if there is none."""
        found = next((lane for lane in self.lanes if str(lane.number) == str(number)), None)
        if found is None:
            raise NotFoundError("lane", number)
        return found

    def stop(self) -> None:
        """Ask all lanes to end."""
        self._interruption.request()

    def join(self) -> None:
        """Wait until all lanes have ended."""
        for thread in self._threads:
            thread.join()

    def forget(self) -> None:
        """Drop the kept solutions of all lanes."""
        for lane in self.lanes:
            lane.solutions.forget()

    def _run(self, lanes: Sequence[Lane]) -> None:
        """Run lanes in turn."""
        for lane in lanes:
            lane.end(*self._outcome(lane))
        if self.has_ended:
            self._ended = time.monotonic()

    def _outcome(self, lane: Lane) -> tuple[Record | None, str | None]:
        """Run a lane; return its record, or None and a problem."""
        if lane.interruption.requested:
            return None, NOT_BEGUN
        lane.begin()
        same = [peer for peer in self.lanes[: lane.number] if peer.job.digest == lane.job.digest]
        try:
            record = run_once(
                self._plan,
                self._plan.runs[lane.number],
                len(same),
                parallel=self._side_by_side,
                on_event=lane.update,
                events=self._runs.run(lane.number, lane.interruption),
            )
        except Exception as error:  # after any error, the page must learn that the lane has ended
            return None, f"{type(error).__name__}: {error}"
        return record, None


KEYS = (
    *("puzzle", "find", "when_closed", "order", "lanes"),
    *("symmetry", "labelled", "reduce", "time_s", "nodes", "memory", "solutions", "start"),
)
LANE_KEYS = ("backend", "config", "seed")
MAX_LANES = 12
MAX_LIMIT = 2**62


def read_race(fields: Fields, workspace: Workspace) -> tuple[RaceQuestion, list[Job]]:
    """Return the question of a race and the jobs of its lanes.

    Raises `RequestError` with the path of an invalid value, and `PuzzleError` for a start on a
    board whose hints contradict each other.
    """
    check_keys(fields, KEYS)
    question = RaceQuestion(
        workspace.puzzle(text("puzzle", fields.get("puzzle"))),
        Find(text("find", fields.get("find", Find.COUNT), Find)),
        WhenClosed(text("when_closed", fields.get("when_closed", WhenClosed.END), WhenClosed)),
        Order(text("order", fields.get("order", Order.TOGETHER), Order)),
    )
    lanes = fields.get("lanes")
    if not isinstance(lanes, list) or not 1 <= len(lanes) <= MAX_LANES:
        raise RequestError(f"lanes: expected a list of 1 to {MAX_LANES} lanes", "lanes")
    asked = _asked(fields)
    jobs = [_job(question, asked, lane, f"lanes[{number}]") for number, lane in enumerate(lanes)]
    if fields.get("start") is None:
        return question, jobs
    if question.find != Find.IMPROVE:
        raise RequestError("start: only a race for the best board starts from a board", "start")
    start = start_of_race(question.stored.puzzle, fields["start"])
    return question, [replace(job, start=start) for job in jobs]


def _asked(fields: Fields) -> dict[str, Any]:
    """Return the parameters that all lanes share; raise `RequestError` for an invalid value."""
    return {
        "symmetry": _given(fields, "symmetry", lambda word: text("symmetry", word, Symmetry)),
        "labelled": flag("labelled", fields.get("labelled", False)),
        "reduce": fields.get("reduce", ()),
        "limits": Limits(
            _given(fields, "time_s", parse_seconds),
            _given(fields, "nodes", lambda nodes: whole_number("nodes", nodes, 0, MAX_LIMIT)),
            _given(fields, "solutions", lambda n: whole_number("solutions", n, 1, MAX_LIMIT)),
            _given(fields, "memory", lambda size: parse_size(str(size))),
        ),
    }


def _given(fields: Fields, key: str, read: Callable[[Any], Any]) -> Any:
    """Return the value at `key`, parsed by `read`, or None; an error gets the key as its path."""
    if fields.get(key) is None:
        return None
    try:
        return read(fields[key])
    except DovetailError as error:
        raise RequestError(str(error), key) from None


def _job(question: RaceQuestion, asked: Mapping[str, Any], lane: object, path: str) -> Job:
    if not isinstance(lane, dict):
        raise RequestError(f"{path}: expected an object", path)
    check_keys(lane, LANE_KEYS, path)
    name = text(f"{path}.backend", lane.get("backend"))
    values, seed = lane.get("config") or {}, lane.get("seed", 0)
    if not isinstance(values, dict):
        raise RequestError(f"{path}.config: expected an object of settings", f"{path}.config")
    seed = whole_number(f"{path}.seed", seed, 0, LARGEST_SEED)
    puzzle, improves = question.stored.puzzle, question.find == Find.IMPROVE
    try:
        read = improver_config if improves else named_config
        config = plain_values(read(name, values), values)
        if improves:  # an improvement has neither symmetry nor reductions
            if asked["limits"].solutions is not None:
                message = "solutions: an improvement has no limit on solutions"
                raise RequestError(message, "solutions")
            return improving_job(puzzle, name, config, asked["limits"], seed=seed)
        (job,) = make_jobs([puzzle], name, config=config, seed=seed, **asked)
    except RequestError:
        raise
    except DovetailError as error:
        raise RequestError(f"{path}: {error}", path) from None
    return job.listed() if question.find == Find.SOLUTIONS else job


MAX_RACES = 40
MAX_RUNNING = 24  # maximum number of running lanes, each of which has a process


class RaceStore:
    """Races by identity; as a context manager, ends all running races on exit."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock, self._store = Lock(), Store()
        self._numbers = count(1)
        self._races: dict[str, Race] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        races = list(self._races.values())
        for race in races:
            race.stop()
        for race in races:
            race.join()

    def races(self) -> list[Race]:
        """Return all races in the order of their starts."""
        return list(self._races.values())

    def race(self, identity: str) -> Race:
        """Return the race with an identity; raise `NotFoundError` if there is none."""
        found = self._races.get(identity)
        if found is None:
            raise NotFoundError("race", identity)
        return found

    def start(self, fields: Fields) -> Race:
        """Start the race that a request describes.

        If the store is full, the oldest race that has ended is dropped. Raises `RequestError` for
        an invalid request, and with status 409 if too many runs or races are under way.
        """
        question, jobs = read_race(fields, self._workspace)
        with self._lock:
            self._check_limits(len(jobs))
            race = Race(f"r{next(self._numbers)}", question, jobs, self._store)
            self._races[race.identity] = race
            race.start()
            return race

    def delete(self, identity: str) -> None:
        """Stop a race, wait for its end and drop it; raise `NotFoundError` if there is none."""
        race = self.race(identity)
        race.stop()
        race.join()
        with self._lock:
            self._forget(race)

    def _forget(self, race: Race) -> None:
        if self._races.pop(race.identity, None) is not None:
            race.forget()

    def _check_limits(self, lanes: int) -> None:
        """Make room for a race of `lanes` lanes; raise `RequestError` if there is no room."""
        running = sum(not lane.has_ended for race in self.races() for lane in race.lanes)
        if running + lanes > MAX_RUNNING:
            raise RequestError(
                f"{running + lanes} runs would be under way; expected at most {MAX_RUNNING}",
                status=409,
            )
        if len(self._races) >= MAX_RACES:
            oldest = next((race for race in self.races() if race.has_ended), None)
            if oldest is None:
                raise RequestError(f"{MAX_RACES} races are under way; expected fewer", status=409)
            self._forget(oldest)
