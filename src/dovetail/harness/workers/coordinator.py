"""The coordinator of a run: assigns parts to workers and records each result exactly once."""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import count
from zlib import crc32

from dovetail.errors import DovetailError, how_many
from dovetail.harness.run.events import Event, ParallelProgress, Progress, WorkerProgress
from dovetail.harness.run.memory_limit import MemoryLimit, MemoryWatch
from dovetail.harness.run.result import Result, Searched
from dovetail.harness.run.session import Session
from dovetail.harness.workers.base import (
    WHOLE,
    Assignment,
    Done,
    Lost,
    Refused,
    Searching,
    WorkerEvent,
    Workers,
    branches_of,
    differing_field,
    divided_part,
    level_of,
    show_key,
)
from dovetail.harness.workers.checkpoint import (
    DONE,
    ENDED,
    PENDING,
    CheckpointPart,
    CheckpointRun,
    Division,
    Listing,
    RunTotals,
)
from dovetail.harness.workers.options import ParallelOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem
from dovetail.models.symmetry_expansion import AsFound
from dovetail.random_stream import RandomStream

# Maximum number of seconds to wait for a message of a worker.
WAIT_S = 0.05
# Number of workers that were lost with the same part, after which the run fails.
MAX_FAILURES = 3
# Seconds within which workers must return their results when the run ends.
LAST_RESULTS_S = 10.0
# Statuses of a run that ends only after the workers have returned their results.
ORDERLY = (Status.INTERRUPTED, Status.TIME_LIMIT, Status.NODE_LIMIT)
# Maximum and minimum number of seconds after which the search of a part is cut. The minimum is
# raised to `SHARE_OF_TIME` of the time so far, and to `PREPARATIONS` times the time to prepare a
# part, so that the number of parts stays small.
LONGEST_S, SHORTEST_S, SHARE_OF_TIME, PREPARATIONS = 5.0, 0.1, 0.02, 5.0
# Maximum number of results of all workers per second, for up to 500 workers.
MAX_RESULTS_PER_S = 100
# Seconds and nodes up to which a tree is not divided. The number of nodes of a backend that learns
# depends on the cuts. The first search of such a backend has a node limit, so that the number of
# nodes is always the same for a small tree.
SMALL_TREE_S, SMALL_TREE_NODES = 0.05, 2_000
# Target number of waiting parts for each worker.
PARTS_PER_WORKER = 8
# Rank of the parts that come first.
FIRST = -math.inf


class Purpose(Enum):
    """The purpose of an assignment."""

    SEARCH = auto()
    AUDIT = auto()  # a second search, to compare the results
    PROBE = auto()  # an estimate of how promising the part is


@dataclass
class InFlight:
    """An assignment that a worker is working on."""

    assignment: Assignment
    part: CheckpointPart
    purpose: Purpose
    worker: str
    since: float = field(default_factory=time.monotonic)
    nodes: int = 0  # number of nodes that the worker has reported


class WaitingParts:
    """A queue of the parts that wait for a worker, by rank and then in the order of the search."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, bytes, CheckpointPart]] = []
        self._branches: Counter[int] = Counter()  # number of branches by level

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, part: CheckpointPart, rank: float = FIRST) -> None:
        """Add a part; the part with the lowest rank comes first."""
        heapq.heappush(self._heap, (rank, part.key, part))
        self._branches[level_of(part.part)] += branches_of(part.part)

    def next(self) -> tuple[CheckpointPart, float]:
        """Remove the first part, and return it with its rank."""
        rank, _, part = heapq.heappop(self._heap)
        self._branches[level_of(part.part)] -= branches_of(part.part)
        return part, rank

    def seconds(self, per_branch: Mapping[int, float]) -> float:
        """Return the expected seconds to search all parts.

        `per_branch` has the mean seconds of a branch by level.
        """
        return sum(
            branches * per_branch.get(level, 0.0) for level, branches in self._branches.items()
        )


class Coordinator:
    """Searches the parts of a run on workers, starting from the state of its checkpoint.

    `divide_by_task` returns the parts to use if the search cannot return its unexplored parts. With
    a `listing`, solutions are collected, and the limit of its collector applies. `result` is
    available after `events` has ended.
    """

    def __init__(
        self,
        run: CheckpointRun,
        workers: Workers,
        division: Division,
        session: Session,
        options: ParallelOptions,
        *,
        divide_by_task: Callable[[], Sequence[CheckpointPart]] = tuple,
        listing: Listing | None = None,
    ) -> None:
        self._run, self._workers, self.division = run, workers, division
        self._clock, self._options, self._seed = session.clock, options, session.plan.seed
        self._learns = session.backend.learns
        self._divide_by_task, self._listing = divide_by_task, listing
        self._collector = None if listing is None else listing.collector
        self._queue, self._audits = WaitingParts(), deque[CheckpointPart]()
        self._in_flight: dict[int, InFlight] = {}
        self._numbers = count(1)
        self._failures: Counter[bytes] = Counter()
        # Keys of parts to search to the end, because their search did not return unexplored parts.
        self._to_end: set[bytes] = set()
        self._unrecorded = list[Result]()  # results that count only for this command
        self._status: Status | None = None
        self._reason: str | None = None
        self._began = self._recorded = time.monotonic()
        self._nodes_before = self.totals.nodes
        self._limits, self._memory = session.limits, MemoryLimit(session.limits.memory_bytes)
        self._memory_watch = MemoryWatch(self._memory, workers.held_bytes)
        for part in run.parts.values():
            if part.state == PENDING:
                self._queue.add(part)
            elif part.disputed is not None:
                self._end(Status.WRONG, part.disputed)
            elif part.state == DONE and not part.audited:
                self._draw_audit(part)

    def wait_for_a_worker(self) -> None:
        """Wait for a free worker, unless nothing is left to search or the run is interrupted."""
        while not (
            self._status is not None
            or not self._queue
            or self._workers.free()
            or self._clock.interruption.requested
        ):
            for event in self._workers.wait(WAIT_S):
                for _ in self._handle(event):
                    raise AssertionError("a solution before the first assignment")

    def events(self) -> Iterator[Event]:
        """Search until the run is complete or reaches a limit, and yield the events.

        Raises `DovetailError` for an error that a worker reports.
        """
        self._began = self._recorded = time.monotonic()
        if self._listing is not None:
            yield from self._listing.begin()
            self._end_if_enough()
        if self._status is None and (self._queue or self._audits):
            self._run.sit_down(self._workers.count)
        while self._status is None:
            self._hand_out()
            if not (self._in_flight or self._queue or self._audits):
                self._complete()
                break
            for event in self._workers.wait(WAIT_S):
                yield from self._handle(event)
            self._run.count_workers(self._workers.count)
            yield self._progress()
            if self._in_flight or self._queue or self._audits:
                self._apply_limits()
        yield from self._last_results()
        if self._listing is not None:
            self._run.check()  # the solutions were read from the checkpoint
        totals = self._run.totals
        totals.peak_bytes = max(totals.peak_bytes, self._memory_watch.peak_bytes)
        assert self._status is not None
        self._run.end(self._status, self._elapsed_s())
        yield self._progress()

    @property
    def totals(self) -> RunTotals:
        """Totals of all results of the run, recorded or not; reset when the run is divided anew."""
        totals = replace(self._run.totals) if self._unrecorded else self._run.totals
        for result in self._unrecorded:
            totals.add(result)
        return totals

    @property
    def result(self) -> Result:
        """Result of all parts so far, without costs."""
        assert self._status is not None, "the run has not ended"
        counters, searched = self.totals.counters or Counters(), self._searched(with_rate=True)
        count = self.totals.count if self._collector is None else self._collector.count
        return Result(self._status, count, counters, self._reason, searched=searched)

    def _searched(self, *, with_rate: bool = False) -> Searched | None:
        """Return the totals of the trials up to the first without a result; None without trials."""
        if self.division is not Division.TRIALS or self._listing is None:
            return None
        trials = self._listing.trials
        if with_rate:
            return trials.searched_with_rate(trials.ended, are_trials=True)
        return trials.searched(trials.ended)

    @property
    def _nodes(self) -> int:
        """Number of nodes of all results, and of the running searches as last reported."""
        searching = (
            flight for flight in self._in_flight.values() if flight.purpose is Purpose.SEARCH
        )
        return self.totals.nodes + sum(flight.nodes for flight in searching)

    def _hand_out(self) -> None:
        """Give assignments to the free workers, first audits and then waiting parts."""
        while self._audits and self._workers.free():
            part = self._audits[0]
            avoid = part.worker if part.sitting == self._run.sitting else None
            if not self._submit(part, Purpose.AUDIT, avoid=avoid, to_end=True):
                break
            self._audits.popleft()
        promising = self._options.subproblem_order == "promising"
        while self._queue and self._workers.free():
            part, rank = self._queue.next()
            probes = promising and rank == FIRST
            if not (self._submit(part, Purpose.PROBE) if probes else self._search(part)):
                self._queue.add(part, rank)
                return

    def _search(self, part: CheckpointPart) -> bool:
        """Give a part to a worker for a search; return False if no worker accepts the part."""
        to_end = self.division is not Division.CUT or part.key in self._to_end
        nodes, seconds = None, None if to_end else self._seconds()
        if part.key == WHOLE and self._workers.count > 1 and not to_end:
            nodes, seconds = (SMALL_TREE_NODES, LONGEST_S) if self._learns else (None, SMALL_TREE_S)
        left_s = self._clock.left_s
        if seconds is not None and left_s is not None:
            seconds = max(0.0, min(seconds, left_s))
        return self._submit(
            part,
            Purpose.SEARCH,
            nodes=self._nodes_limit(nodes, to_end=to_end),
            seconds=seconds,
            to_end=to_end,
        )

    def _nodes_limit(self, limit: int | None, *, to_end: bool) -> int | None:
        """Return the node limit of an assignment: `limit`, or less if the run has a node limit.

        An assignment that is searched `to_end` may use all remaining nodes of the run. For other
        assignments, the remaining nodes are shared among the workers.
        """
        if self._limits.nodes is None:
            return limit
        left = max(0, -self._overshoot)
        share = left if to_end else -(-left // max(1, self._workers.count))
        return share if limit is None else min(limit, share)

    @property
    def _overshoot(self) -> int:
        """Number of nodes of this command above the limit; negative below it or without a limit."""
        max_nodes = self._limits.nodes
        return -1 if max_nodes is None else self._nodes - self._nodes_before - max_nodes

    def _apply_limits(self) -> None:
        """End the run if it has reached a limit, or if a solution is wrong.

        The limits apply to all workers together. Only the limit on solutions includes earlier
        commands that worked on the run.
        """
        self._end_if_enough()
        cut = self._clock.ending_status()
        if self._status is not None:
            return
        if cut is not None:
            self._end(cut)
        elif self._overshoot >= 0:
            self._end(Status.NODE_LIMIT)
        elif self._memory_watch.is_exceeded():
            self._end(Status.MEMORY_LIMIT, self._memory.explained())

    def _complete(self) -> None:
        """End the run because all its parts have been searched."""
        self._end_if_enough()
        is_trials = self.division is Division.TRIALS
        self._end(Status.REMAINING_LIMIT if is_trials else Status.EXHAUSTED)

    def _end_if_enough(self) -> None:
        """End the run if a solution is wrong, enough are found, or a trial exhausts the puzzle."""
        if self._collector is not None and self._collector.error is not None:
            self._end(Status.WRONG, self._collector.error)
        elif self._collector is not None and self._collector.complete:
            self._end(Status.SOLUTION_LIMIT)
        elif self._listing is not None and self._listing.is_exhausted:
            self._end(Status.EXHAUSTED)

    def _seconds(self) -> float:
        """Return the time limit of the next search in seconds.

        At the limit, the search is cut, so that other workers can search the remaining branches.
        """
        workers, totals = self._workers.count, self.totals
        if workers <= 1:
            return LONGEST_S
        shortest = max(
            SHORTEST_S,
            SHARE_OF_TIME * (time.monotonic() - self._began),
            PREPARATIONS * totals.prepare_s / max(1, totals.done + totals.cut),
            workers / MAX_RESULTS_PER_S,
        )
        estimate = self._run.estimate
        lasts_s = 0.0 if estimate is None else self._queue.seconds(estimate.per_branch) / workers
        return min(LONGEST_S, max(shortest, lasts_s))

    def _submit(
        self,
        part: CheckpointPart,
        purpose: Purpose,
        *,
        avoid: str | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        to_end: bool = False,
    ) -> bool:
        """Give an assignment to a worker; return False if no worker accepts it.

        `avoid` is an argument of `Workers.submit`, and the other arguments are for `Assignment`.
        """
        solutions = None
        if self._collector is not None and purpose is Purpose.SEARCH:
            limits, expansion = self._collector.search_limits, self._collector.expansion
            by_trials = self.division is Division.TRIALS and isinstance(expansion, AsFound)
            solutions = (self._limits if by_trials else limits).solutions
        assignment = Assignment(
            next(self._numbers),
            part.key,
            part.part,
            nodes,
            seconds,
            solutions,  # after which a longer search of the part is unnecessary
            to_end=to_end,
            probes=purpose is Purpose.PROBE,
        )
        worker = self._workers.submit(assignment, avoid=avoid)
        if worker is None:
            return False
        self._in_flight[assignment.number] = InFlight(assignment, part, purpose, worker)
        return True

    def _handle(self, event: WorkerEvent) -> Iterator[Event]:
        match event:
            case Searching():
                if (flight := self._in_flight.get(event.assignment)) is not None:
                    flight.nodes, flight.worker = event.nodes, event.worker
            case Done():
                yield from self._done(event)
            case Lost(assignment=int(number)):
                if (flight := self._in_flight.pop(number, None)) is not None:
                    self._lost(flight, event)
            case Refused(error=MemoryError()):
                self._end(Status.MEMORY_LIMIT, self._memory.explained())
            case Refused(error=DovetailError() as error):
                raise error

    def _done(self, event: Done) -> Iterator[Event]:
        flight, reply = self._in_flight.pop(event.assignment.number, None), event.reply
        if flight is None:
            return  # the assignment was lost or taken back, and its part is searched again
        if isinstance(reply, float):
            self._queue.add(flight.part, rank=-reply)
        elif reply.status.is_error or reply.status in (Status.SKIPPED, Status.MEMORY_LIMIT):
            self._queue.add(flight.part)
            self._end(reply.status, reply.reason)
        elif flight.purpose is Purpose.AUDIT:
            self._compare(flight.part, reply, event.worker)
        else:
            yield from self._record(flight, reply, event.worker)

    def _record(self, flight: InFlight, result: Result, worker: str) -> Iterator[Event]:
        """Record the result of a search and its unexplored parts, and yield listed solutions."""
        part, ended = flight.part, result.status in ENDED
        if not ended and result.remaining is None:
            self._without_parts(flight, result)
            return
        children = [] if ended else self._children(result.remaining or ())
        for child in self._run.record(part.key, result, children, worker, self._elapsed_s()):
            self._queue.add(child)
        self._recorded = time.monotonic()
        if ended:
            self._draw_audit(part)
        if self._listing is not None:
            yield from self._listing.add(result)

    def _children(self, remaining: Sequence[SubProblem]) -> list[SubProblem]:
        """Return the unexplored parts of a search, divided further if too few parts wait.

        Parts near the root are divided first, because they are the largest.
        """
        workers = self._workers.count
        wanted = PARTS_PER_WORKER * workers - len(self._queue) if workers > 1 else 0
        wanted -= len(remaining)
        divided = list[list[SubProblem]]()
        for part in reversed(remaining):
            pieces = divided_part(part, 1 + max(0, wanted))
            wanted -= len(pieces) - 1
            divided.append(pieces)
        return [part for parts in reversed(divided) for part in parts]

    def _without_parts(self, flight: InFlight, result: Result) -> None:
        """Handle an incomplete result of a search that does not return its unexplored parts.

        The whole search is then divided by task, and any other part is searched again to its end.
        If a search to the end is incomplete, a limit of the run has stopped it: its result counts
        but is not recorded, so that the next command searches the part again.
        """
        part = flight.part
        if not flight.assignment.to_end and part.key == WHOLE:
            self.division = Division.TASK
            for child in self._divide_by_task():
                self._queue.add(child)
            return
        self._queue.add(part)
        self._to_end.add(part.key)
        if flight.assignment.to_end:
            self._unrecorded.append(result)
            self._end(result.status, result.reason)

    def _draw_audit(self, part: CheckpointPart) -> None:
        """Add a completely searched part to the audits if it is in the random sample.

        The sample depends only on the seed and the part. Parts that a limit has ended are left out,
        because a second search may end elsewhere.
        """
        drawn = RandomStream(self._seed ^ crc32(part.key)).word()
        if drawn < self._options.audit * 2**64:
            result = self._run.result(part.key)
            if result is not None and result.status in (Status.EXHAUSTED, Status.REMAINING_LIMIT):
                self._audits.append(part)

    def _compare(self, part: CheckpointPart, result: Result, worker: str) -> None:
        """Compare a second result with the recorded result, and record the outcome."""
        before = self._run.result(part.key, with_rows=True)
        if before is None:
            return
        difference = differing_field(before, result)
        if difference is None:
            self._run.write("audited", part.key, worker=worker)
            return
        first = f" of sitting {part.sitting}" if part.sitting != self._run.sitting else ""
        difference = (
            f"sub-problem {show_key(part.key)}: {part.worker}{first} and {worker} differ in "
            f"{difference}"
        )
        self._run.write("disputed", part.key, difference=difference)
        self._end(Status.WRONG, difference)

    def _lost(self, flight: InFlight, event: Lost) -> None:
        part = flight.part
        self._run.write("lost")
        if flight.purpose is Purpose.AUDIT:
            self._audits.append(part)
        else:
            self._queue.add(part)
        self._failures[part.key] += event.begun
        if self._failures[part.key] >= MAX_FAILURES:
            self._end(
                Status.FAILED,
                f"sub-problem {show_key(part.key)} ended {MAX_FAILURES} workers; the last worker: "
                f"{event.reason}",
            )

    def _last_results(self) -> Iterator[Event]:
        """Collect the results of the workers if the run ends early, and settle the final status."""
        if self._status in ORDERLY:
            self._audits.clear()
            self._take_back(self._workers.stop())
            self._take_back(
                number
                for number, flight in list(self._in_flight.items())
                if flight.assignment.to_end or flight.purpose is not Purpose.SEARCH
            )
            deadline = time.monotonic() + LAST_RESULTS_S
            while self._in_flight and self._status in ORDERLY and time.monotonic() < deadline:
                for event in self._workers.wait(WAIT_S):
                    yield from self._handle(event)
            self._take_back(list(self._in_flight))
            self._end_if_enough()
            if not self._queue:
                self._complete()
        if self._status is Status.NODE_LIMIT and self._overshoot > 0:
            self._reason = f"the node limit was exceeded by {how_many(self._overshoot, 'node')}"

    def _take_back(self, numbers: Iterable[int]) -> None:
        """Drop assignments; return their parts, except for audits, to the queue."""
        for number in numbers:
            flight = self._in_flight.pop(number, None)
            if flight is not None and flight.purpose is not Purpose.AUDIT:
                self._queue.add(flight.part)

    def _end(self, status: Status, reason: str | None = None) -> None:
        """Set the status with which the run ends.

        A status that is already set is kept, unless it is in `ORDERLY` and the new status is not.
        """
        if self._status is None or (self._status in ORDERLY and status not in ORDERLY):
            self._status, self._reason = status, reason

    def _elapsed_s(self) -> float:
        """Return the seconds since the last result was recorded, or since `events` began."""
        return time.monotonic() - self._recorded

    def _progress(self) -> Progress:
        now, flights = time.monotonic(), self._in_flight.values()
        running = tuple(
            WorkerProgress(
                flight.worker, show_key(flight.part.key), now - flight.since, flight.nodes
            )
            for flight in flights
        )
        count = self.totals.count if self._collector is None else self._collector.count
        searching_s = sum(
            now - flight.since for flight in flights if flight.purpose is Purpose.SEARCH
        )
        estimate = self._run.estimate
        return Progress(
            count,
            self._nodes if self.totals.counts_nodes else None,
            self._run.share(searching_s),
            self._searched(),
            prepare_s=self._clock.preparing.wall_s,
            solve_s=self._clock.solving.wall_s,
            parallel=ParallelProgress(
                self._run.parallel(self.division.value),
                len(self._queue) + len(self._audits),
                running,
                self._nodes_before,
                None if estimate is None else estimate.left_s(self._workers.count, searching_s),
            ),
        )
