"""Hands out the sub-problems of a run, and puts their results together, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from dovetail.errors import DovetailError
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event, ParallelProgress, Progress, WorkerProgress
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import Assignment, Promise
from dovetail.harness.workers.audits import Audits
from dovetail.harness.workers.base import Done, Lost, Refused, Searching, WorkerEvent, Workers
from dovetail.harness.workers.checkpoint import JournalRun, StoredPart
from dovetail.harness.workers.division import Division, Splitter
from dovetail.harness.workers.listing import Listing
from dovetail.harness.workers.options import SubProblemOrder
from dovetail.harness.workers.part_tree import CUT, DONE, ENDED, WHOLE, show_key
from dovetail.harness.workers.run_totals import RunLimits, RunTotals
from dovetail.harness.workers.tree_estimate import RunEstimate
from dovetail.harness.workers.work_list import (
    InFlights,
    Purpose,
    Waiting,
    WorkList,
    cut_all,
    cut_running,
)
from dovetail.models.outcome import Counters, Status

WAIT_S = 0.05
MAX_FAILURES = 3
# How long workers have to return what they have when the run ends.
LAST_RESULTS_S = 10.0
# Ends of a run before which all that was searched is recorded.
ORDERLY = (Status.INTERRUPTED, Status.TIME_LIMIT, Status.NODE_LIMIT)


@dataclass(frozen=True)
class CoordinatorSettings:
    """The share of sub-problems to `audit`, drawn with a `seed`, and the `order` of the others.

    A run that `keeps` results in a file does so every few seconds. The nodes of one whose backend
    `learns` depend on the cuts.
    """

    audit: float = 0.0
    seed: int = 0
    keeps: bool = False
    order: SubProblemOrder = SubProblemOrder.SERIAL
    learns: bool = False


class Coordinator:
    """One run: its sub-problems in the `journal`, and the `workers` that search them.

    Where the whole search turns out not to say what it has left, `divide_by_task` replaces it by
    the sub-problems that it returns. With a `listing` solutions are collected, and the limit on
    them is that of its collector. After `events` has ended, `result` has the answer.
    """

    def __init__(
        self,
        journal: JournalRun,
        workers: Workers,
        division: Division,
        limits: Limits,
        clock: RunClock,
        *,
        divide_by_task: Callable[[], Sequence[StoredPart]] = tuple,
        listing: Listing | None = None,
        settings: CoordinatorSettings = CoordinatorSettings(),
    ) -> None:
        self._journal, self._workers, self.division = journal, workers, division
        self._clock, self._listing, self._settings = clock, listing, settings
        self._divide_by_task = divide_by_task
        self._collector = None if listing is None else listing.collector
        self._splitter = Splitter(workers, division, learns=settings.learns)
        self._work = WorkList()
        self._in_flight = InFlights(workers)
        self._estimate = RunEstimate()
        self._audits = Audits(journal, settings.audit, settings.seed)
        self._status: Status | None = None
        self._reason: str | None = None
        self._recorded = time.monotonic()
        self.totals = RunTotals(redone=journal.redone)
        self._load()
        self._nodes_before = self.totals.nodes
        self._limits = RunLimits(limits, clock, workers, self._collector, self._nodes_before)

    def wait_for_a_worker(self) -> None:
        """Wait until a worker is ready, if there is anything to search."""
        while not (
            self._status is not None
            or not self._work
            or self._workers.free()
            or self._clock.interruption.requested
        ):
            for event in self._workers.wait(WAIT_S):
                for _ in self._handle(event):
                    raise AssertionError("nothing was handed out")

    def events(self) -> Iterator[Event]:
        """Search until all is done, or a limit is reached.

        Raises `DovetailError` for what a worker reports.
        """
        self._recorded = time.monotonic()
        self.totals.count_workers(self._workers.count)
        if self._work or self._audits:
            self._journal.sit_down(self._workers.count)
        self.totals.sittings = max(1, self._journal.sittings)
        if self._listing is not None:
            yield from self._listing.begin()
        while self._status is None:
            self._hand_out()
            if not self._in_flight and not self._work and not self._audits:
                self._end(Status.EXHAUSTED)
                break
            for event in self._workers.wait(WAIT_S):
                yield from self._handle(event)
            self.totals.count_workers(self._workers.count)
            yield self._progress()
            self._check_limits()
            if self._status is None:
                idle = 0 if self._work else self._workers.free()  # audits wait for others
                cut_running(self._in_flight, self._workers, idle=idle, keeps=self._settings.keeps)
        yield from self._last_results()
        if self._listing is not None:
            self._journal.check()  # the solutions were read from it
        self.totals.peak_bytes = max(self.totals.peak_bytes, self._limits.peak_bytes)
        assert self._status is not None
        self._journal.end(self._status, self._elapsed_s(), self.totals.workers)
        yield self._progress()

    @property
    def result(self) -> Result:
        """The answer of all sub-problems so far, without costs."""
        assert self._status is not None, "the run has not ended"
        collector, counters = self._collector, self.totals.counters or Counters()
        if collector is None:
            return Result(self._status, self.totals.count, counters, self._reason)
        if collector.error is not None:
            return Result(Status.WRONG, collector.count, counters, collector.error)
        status = Status.SOLUTION_LIMIT if collector.complete else self._status
        return Result(status, collector.count, counters, self._reason)

    @property
    def _splits_first(self) -> bool:
        waiting, running = len(self._work), len(self._in_flight)
        return self._splitter.splits_first(waiting, running, self.totals.done)

    @property
    def _nodes(self) -> int:
        """All nodes made so far, as far as they were reported."""
        return self.totals.nodes + self._in_flight.nodes

    def _load(self) -> None:
        """Take over what the journal has."""
        for stored in self._journal.parts():
            if stored.result is None:
                self._add_work(stored)
                continue
            self._estimate.put(stored.key, stored.part, stored.result)
            self.totals.add(stored.result, was_cut=stored.state == CUT)
            if stored.disputed is not None:
                self._end(Status.WRONG, stored.disputed)
            elif stored.audited:
                self.totals.audited += 1
            elif stored.state == DONE:
                self._audits.draw(stored, stored.result)

    def _add_work(self, stored: StoredPart) -> None:
        self._work.add(Waiting(stored, to_end=self.division is Division.TASK))
        self._estimate.put(stored.key, stored.part)

    def _hand_out(self) -> None:
        """Give every free worker something to do."""
        promising = self._settings.order == SubProblemOrder.PROMISING
        while self._audits and self._workers.free() and self._audits.hand_out(self._in_flight):
            pass
        while self._work and self._workers.free():
            if self._splits_first:
                waiting = self._work.shallowest()
                self._search(waiting, *self._splitter.next_limits(waiting.stored))
            elif promising and not self._work.first_is_ranked:
                waiting = self._work.next()
                number = self._in_flight.new_number()
                assignment = Assignment(number, waiting.key, waiting.stored.part, probes=True)
                self._submit(assignment, waiting, Purpose.PROBE)
            else:
                self._search(self._work.next())

    def _search(
        self, waiting: Waiting, nodes: int | None = None, seconds: float | None = None
    ) -> None:
        """Have a sub-problem searched, at most so many nodes of it and so many seconds."""
        to_end = waiting.to_end
        if to_end:
            nodes = seconds = None
        elif seconds is None:
            seconds = self._splitter.seconds(len(self._work))
        assignment = Assignment(
            self._in_flight.new_number(),
            waiting.key,
            waiting.stored.part,
            self._limits.nodes(self._nodes, nodes, to_end=to_end),
            self._limits.seconds(seconds),
            self._limits.solutions,
            to_end=to_end,
        )
        self._submit(assignment, waiting, Purpose.SEARCH)

    def _submit(self, assignment: Assignment, waiting: Waiting, purpose: Purpose) -> None:
        if not self._in_flight.submit(assignment, waiting, purpose):
            self._work.add(waiting)

    def _handle(self, event: WorkerEvent) -> Iterator[Event]:
        match event:
            case Searching():
                self._in_flight.note(event.assignment, event.nodes)
            case Done():
                yield from self._done(event)
            case Lost():
                self._lost(event)
            case Refused():
                self._refused(event.error)

    def _done(self, event: Done) -> Iterator[Event]:
        flown = self._in_flight.take(event.assignment.number)
        if flown is None:
            self._compare_late(event)
            return
        waiting, reply = flown.waiting, event.reply
        if isinstance(reply, Promise):
            self._work.add(waiting, rank=-reply.promise)
        elif reply.status.is_error or reply.status in (Status.SKIPPED, Status.MEMORY_LIMIT):
            self._work.add(waiting)
            self._end(reply.status, reply.reason)
        elif flown.purpose is Purpose.AUDIT:
            self._compare(waiting.key, reply, event.worker)
        else:
            yield from self._record(waiting, reply, event.worker)

    def _record(self, waiting: Waiting, result: Result, worker: str) -> Iterator[Event]:
        """Write a result and the parts that it has left into the journal."""
        stored = waiting.stored
        ended = result.status in ENDED
        if not ended and result.remaining is None:
            self._without_parts(waiting, result)
            return
        children = list[StoredPart]()
        if not ended:
            wanted = self._splitter.parts_wanted(first=self._splits_first) - len(self._work)
            children = self._splitter.children(stored, result, wanted)
        self._journal.record(stored.key, result, children, worker, self._elapsed_s())
        self._recorded = time.monotonic()
        self.totals.add(result, was_cut=bool(children))
        self._estimate.put(stored.key, stored.part, result)
        for child in children:
            self._add_work(child)
        if ended:
            by_this = replace(stored, worker=worker, sitting=self._journal.sitting)
            self._audits.draw(by_this, result)
        if self._listing is not None:
            yield from self._listing.add(result)

    def _without_parts(self, waiting: Waiting, result: Result) -> None:
        """Take a result that is not whole, of a search that does not say what it has left.

        The sub-problem is searched again to its end, the whole puzzle divided in another way. What
        was to be searched to its end has met a limit of the run: the result counts, but is not
        recorded, so that another command begins it anew.
        """
        if not waiting.to_end and waiting.key == WHOLE:
            self.division = Division.TASK
            self._splitter = Splitter(self._workers, self.division, learns=self._settings.learns)
            self._estimate.clear()
            for stored in self._divide_by_task():
                self._add_work(stored)
            return
        self._work.add(waiting)
        if waiting.to_end:
            self.totals.add_unrecorded(result)
            self._end(result.status, result.reason)
        waiting.to_end = True

    def _compare(self, key: bytes, result: Result, worker: str) -> None:
        """Compare the result of an audit with the one that is there."""
        difference = self._audits.compare(key, result, worker)
        if difference is None:
            self.totals.audited += 1
        else:
            self._end(Status.WRONG, difference)

    def _compare_late(self, event: Done) -> None:
        """Compare a result of a worker that was taken for lost, if both searched to the end."""
        key, late = event.assignment.key, event.reply
        if isinstance(late, Promise) or late.status is not Status.EXHAUSTED:
            return
        recorded = self._journal.part(key)
        known = None if recorded is None else recorded.result
        if known is not None and known.status is Status.EXHAUSTED:
            self._compare(key, late, event.worker)

    def _lost(self, event: Lost) -> None:
        flown = self._in_flight.take(event.assignment)
        if flown is None:
            return
        waiting = flown.waiting
        self.totals.redone += 1
        self._journal.lost()
        waiting.failures += event.begun
        if flown.purpose is Purpose.AUDIT:
            self._audits.put_back(waiting.stored)
        else:
            self._work.add(waiting)
        if waiting.failures >= MAX_FAILURES:
            self._end(
                Status.FAILED,
                f"sub-problem {show_key(waiting.key)} ended {MAX_FAILURES} workers; the last one: "
                f"{event.reason}",
            )

    def _refused(self, error: DovetailError | MemoryError) -> None:
        if not isinstance(error, MemoryError):
            raise error
        self._end(*self._limits.out_of_memory())

    def _check_limits(self) -> None:
        """End the run if a limit says so, and there is more to be done."""
        if self._work or self._audits or self._in_flight:
            reached = self._limits.reached(self._nodes)
            if reached is not None:
                self._end(*reached)

    def _last_results(self) -> Iterator[Event]:
        """Collect what workers have when the run ends before all is done."""
        if self._status in ORDERLY:
            self._audits.clear()
            cut_all(self._in_flight, self._workers)
            self._put_back(self._workers.withdraw())
            self._put_back(
                one.assignment.number
                for one in list(self._in_flight)
                if one.assignment.to_end or one.purpose is not Purpose.SEARCH
            )
            yield from self._wait_for_the_last()
        if self._status in ORDERLY and not self._work:
            self._end(Status.EXHAUSTED)
        overshoot = self._limits.overshoot(self._nodes)
        if self._status is Status.NODE_LIMIT and overshoot > 0:
            self._reason = f"the workers made {overshoot} nodes more than the limit"

    def _wait_for_the_last(self) -> Iterator[Event]:
        longest_s = max((one.assignment.seconds or 0.0 for one in self._in_flight), default=0.0)
        deadline = time.monotonic() + max(LAST_RESULTS_S, longest_s)
        while self._in_flight and self._status in ORDERLY and time.monotonic() < deadline:
            for event in self._workers.wait(WAIT_S):
                yield from self._handle(event)
        self._put_back(one.assignment.number for one in list(self._in_flight))

    def _put_back(self, numbers: Iterator[int] | Sequence[int]) -> None:
        """Give up what workers have; it is searched by the next command that goes on."""
        for number in numbers:
            flown = self._in_flight.take(number)
            if flown is not None and flown.purpose is not Purpose.AUDIT:
                self._work.add(flown.waiting)

    def _end(self, status: Status, reason: str | None = None) -> None:
        """End the run; what happens after an orderly end may be worse, and counts then."""
        if self._status is None or (self._status in ORDERLY and status not in ORDERLY):
            self._status, self._reason = status, reason

    def _elapsed_s(self) -> float:
        """Seconds since the last result was recorded."""
        return time.monotonic() - self._recorded

    def _progress(self) -> Progress:
        now = time.monotonic()
        running = tuple(
            WorkerProgress(one.worker, show_key(one.waiting.key), now - one.since, one.nodes)
            for one in self._in_flight
        )
        count = self.totals.count if self._collector is None else self._collector.count
        searching_s = sum(now - one.since for one in self._in_flight.searches)
        estimate = self._estimate.now()
        return Progress(
            count,
            self._nodes if self.totals.counts_nodes else None,
            None if estimate is None else estimate.share(searching_s),
            prepare_s=self._clock.preparing.wall_s,
            solve_s=self._clock.solving.wall_s,
            parallel=ParallelProgress(
                self.totals.parallel(self.division.value),
                len(self._work) + len(self._audits),
                running,
                self._nodes_before,
                None if estimate is None else estimate.left_s(self._workers.count, searching_s),
            ),
        )
