"""Hands out the sub-problems of a run, and puts their results together, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dovetail.errors import DovetailError
from dovetail.harness.parallel.assignment import Assignment, PartResult
from dovetail.harness.parallel.audit import is_audited
from dovetail.harness.parallel.division import Division
from dovetail.harness.parallel.journal import CUT, DONE, JournalRun, StoredPart
from dovetail.harness.parallel.keys import WHOLE, show_key
from dovetail.harness.parallel.listing import Listing
from dovetail.harness.parallel.options import SubProblemOrder
from dovetail.harness.parallel.splitting import Splitter
from dovetail.harness.parallel.totals import PartTotals
from dovetail.harness.parallel.work_list import Waiting, WorkList
from dovetail.harness.parallel.workers import Done, Lost, Refused, Searching, WorkerEvent, Workers
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event, Parallel, ParallelProgress, Progress, WorkerProgress
from dovetail.harness.run.job import Limits
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.models.outcome import Counters, Outcome, Status

WAIT_S = 0.05
# A running sub-problem is cut when workers have nothing to do, but not sooner than after this.
MIN_SEARCH_S = 0.1
# A cut that is not answered is asked for again.
CUT_AGAIN_S = 2.0
# With a checkpoint in a file no result is further away than this.
CHECKPOINT_S = 10.0
MAX_FAILURES = 3
# How long workers have to return what they have when the run ends.
LAST_RESULTS_S = 10.0
MEMORY_POLL_S = 0.2
# Ends of a run before which all that was searched is recorded.
ORDERLY = (Status.INTERRUPTED, Status.TIME_LIMIT, Status.NODE_LIMIT)


@dataclass
class _Running:
    """A sub-problem that a worker has, to be searched, or audited, or probed."""

    waiting: Waiting
    worker: str
    audited: bool = False
    probed: bool = False
    since: float = field(default_factory=time.monotonic)
    cut_asked: float | None = None
    nodes: int = 0

    @property
    def searched(self) -> bool:
        """Whether its result is still to be recorded."""
        return not (self.audited or self.probed)


@dataclass(frozen=True)
class CoordinatorSettings:
    """The share of sub-problems to `audit`, drawn with a `seed`, and the `order` of the others.

    A run that `keeps` results in a file does so at least every `CHECKPOINT_S`. The nodes of one
    whose backend `learns` depend on the cuts.
    """

    audit: float = 0.0
    seed: int = 0
    keeps: bool = False
    order: SubProblemOrder = SubProblemOrder.SERIAL
    learns: bool = False


class NotCuttableError(Exception):
    """The whole search, of a backend that cuts, has not said what is left of it."""


class Coordinator:
    """One run: its sub-problems in the `journal`, and the `workers` that search them.

    With a `listing` solutions are collected, and the limit on them is that of its collector. After
    `events` has ended, `outcome` is the result.
    """

    def __init__(
        self,
        journal: JournalRun,
        workers: Workers,
        division: Division,
        limits: Limits,
        clock: RunClock,
        *,
        listing: Listing | None = None,
        settings: CoordinatorSettings = CoordinatorSettings(),
    ) -> None:
        self._journal, self._workers, self._division = journal, workers, division
        self._limits, self._clock = limits, clock
        self._listing, self._settings = listing, settings
        self._collector = None if listing is None else listing.collector
        self._memory = MemoryLimit(limits.memory_bytes)
        self._splitter = Splitter(workers, division, learns=settings.learns)
        self._work = WorkList()
        self._audits: list[StoredPart] = []
        self._running: dict[bytes, _Running] = {}
        self._not_cuttable: set[bytes] = set()
        self._weight_left = 0.0
        self._status: Status | None = None
        self._reason: str | None = None
        self._recorded = self._memory_polled = time.monotonic()
        self.totals = PartTotals()
        self.parallel = Parallel(workers.count, division.value)
        self._load()

    def events(self) -> Iterator[Event]:
        """Search until all is done, or a limit is reached.

        Raises `DovetailError` for what a worker reports, and `NotCuttableError`.
        """
        self._recorded = time.monotonic()
        if self._listing is not None:
            yield from self._listing.begin()
        while self._status is None:
            self._hand_out()
            if not self._running and not self._waiting:
                self._end(Status.EXHAUSTED)
                break
            for event in self._workers.wait(WAIT_S):
                yield from self._handle(event)
            yield self._progress()
            self._check_limits()
            self._cut_running()
        yield from self._last_results()
        self._journal.end(str(self._status), self._elapsed_s(), self.parallel.redone)

    @property
    def outcome(self) -> Outcome:
        """The result of all sub-problems so far."""
        assert self._status is not None, "the run has not ended"
        collector, counters = self._collector, self.totals.counters or Counters()
        if collector is None:
            return Outcome(self._status, self.totals.count, counters, self._reason)
        if collector.error is not None:
            return Outcome(Status.WRONG, collector.count, counters, collector.error)
        status = Status.SOLUTION_LIMIT if collector.complete else self._status
        return Outcome(status, collector.count, counters, self._reason)

    @property
    def _waiting(self) -> int:
        return len(self._work) + len(self._audits)

    @property
    def _splits_first(self) -> bool:
        waiting, running = len(self._work), len(self._running)
        return self._splitter.splits_first(waiting, running, self.parallel.done)

    def _load(self) -> None:
        """Take over what the journal has."""
        for stored in self._journal.parts():
            if stored.result is None:
                self._add_work(stored)
                continue
            self.totals.add(stored.result)
            self._count(stored.state)
            if stored.audited:
                self.parallel = replace(self.parallel, audited=self.parallel.audited + 1)
            elif stored.state == DONE:
                self._draw_audit(replace(stored, result=None))

    def _add_work(self, stored: StoredPart) -> None:
        self._work.add(Waiting(stored))
        self._weight_left += stored.weight

    def _hand_out(self) -> None:
        """Give every free worker something to do."""
        promising = self._settings.order == SubProblemOrder.PROMISING
        free = self._workers.free()
        while free > 0 and self._waiting:
            free -= 1
            if not self._work:
                self._audit(self._audits.pop())
            elif self._splits_first:
                waiting = self._work.shallowest()
                self._search(waiting, *self._splitter.limits_to_split(waiting.stored))
            elif promising and self._work.first_rank is None:
                waiting = self._work.next()
                self._submit(Assignment(waiting.key, waiting.stored.part, probes=True), waiting)
            else:
                self._search(self._work.next())

    def _search(
        self, waiting: Waiting, nodes: int | None = None, seconds: float | None = None
    ) -> None:
        """Have a sub-problem searched, at most so many nodes of it and so many seconds."""
        can_cut = waiting.key not in self._not_cuttable
        if not can_cut:
            nodes = seconds = None
        if self._limits.nodes is not None:
            left = max(0, self._limits.nodes - self._nodes)
            nodes = left if nodes is None else min(nodes, left)
        if seconds is None and can_cut:
            seconds = self._splitter.seconds(len(self._work))
        if seconds is not None and self._clock.deadline is not None:
            seconds = max(0.0, min(seconds, self._clock.deadline - time.monotonic()))
        solutions = None
        if self._collector is not None:
            solutions = self._collector.search_limits.solutions
        part = waiting.stored.part
        self._submit(Assignment(waiting.key, part, nodes, seconds, solutions), waiting)

    def _audit(self, stored: StoredPart) -> None:
        """Have a sub-problem searched again, to its end, by another worker if there is one."""
        assignment = Assignment(stored.key, stored.part)
        worker = self._workers.submit(assignment, avoid=stored.worker)
        self._running[stored.key] = _Running(Waiting(stored), worker, audited=True)

    def _submit(self, assignment: Assignment, waiting: Waiting) -> None:
        worker = self._workers.submit(assignment)
        self._running[waiting.key] = _Running(waiting, worker, probed=assignment.probes)

    def _handle(self, event: WorkerEvent) -> Iterator[Event]:
        match event:
            case Searching():
                running = self._running.get(event.key)
                if running is not None and running.worker == event.worker:
                    running.nodes = event.nodes or 0
            case Done():
                yield from self._done(event)
            case Lost():
                self._lost(event)
            case Refused():
                self._refused(event.error)

    def _done(self, event: Done) -> Iterator[Event]:
        running = self._running.get(event.key)
        if running is None or running.worker != event.worker:
            return  # it was taken for lost, and is done again
        result = event.result
        if running.probed != (result.promise is not None):
            return  # the same, of what was asked for before
        del self._running[event.key]
        if result.promise is not None:
            self._work.add(running.waiting, -result.promise)
        elif running.audited:
            self._compare(event)
        elif result.status.is_error or result.status in (Status.SKIPPED, Status.MEMORY_LIMIT):
            self._end(result.status, result.reason)
        else:
            yield from self._record(running.waiting.stored, event)

    def _record(self, stored: StoredPart, event: Done) -> Iterator[Event]:
        """Write a result and the parts that it has left into the journal."""
        result = event.result
        ended = result.status in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)
        if not ended and result.remaining is None:
            self._without_parts(stored, result)
            return
        children = list[StoredPart]()
        if not ended:
            wanted = self._splitter.parts_wanted(first=self._splits_first) - len(self._work)
            children = self._splitter.children(stored, result, wanted)
        self._journal.record(stored.key, result, children, event.worker, self._elapsed_s())
        self._recorded = time.monotonic()
        self.totals.add(result)
        self._count(CUT if children else DONE)
        self._weight_left -= stored.weight
        for child in children:
            self._add_work(child)
        if ended:
            self._draw_audit(replace(stored, worker=event.worker))
        if self._listing is not None:
            yield from self._listing.add(result)

    def _without_parts(self, stored: StoredPart, result: PartResult) -> None:
        """Take a result that is not whole, of a search that does not say what it has left.

        The sub-problem is searched again without being cut. If it cannot, a limit of the run has
        ended it: the result counts, but is not recorded, so that another sitting begins it anew.
        """
        if self._division == Division.CUT and stored.key == WHOLE:
            raise NotCuttableError
        if self._division == Division.CUT and stored.key not in self._not_cuttable:
            self._not_cuttable.add(stored.key)
            self._work.add(Waiting(stored))
            return
        self.totals.add(result)
        self._end(result.status, result.reason)

    def _compare(self, event: Done) -> None:
        """Compare the result of an audit with the one that is there."""
        before = self._journal.part(event.key)
        assert before.result is not None
        difference = before.result.differs_from(event.result)
        if difference is None:
            self._journal.audited(event.key, event.worker)
            self.parallel = replace(self.parallel, audited=self.parallel.audited + 1)
            return
        self._end(
            Status.WRONG,
            f"sub-problem {show_key(event.key)}: {before.worker} and {event.worker} differ in "
            f"{difference}",
        )

    def _draw_audit(self, stored: StoredPart) -> None:
        if is_audited(stored.key, self._settings.audit, self._settings.seed):
            self._audits.append(stored)

    def _lost(self, event: Lost) -> None:
        running = None if event.key is None else self._running.get(event.key)
        if running is None or running.worker != event.worker:
            return
        waiting = running.waiting
        del self._running[waiting.key]
        self.parallel = replace(self.parallel, redone=self.parallel.redone + 1)
        waiting.failures += event.begun
        if waiting.failures >= MAX_FAILURES:
            self._end(
                Status.FAILED,
                f"sub-problem {show_key(waiting.key)} ended {MAX_FAILURES} workers; the last one: "
                f"{event.reason}",
            )
        elif running.audited:
            self._audits.append(waiting.stored)
        else:
            self._work.add(waiting)

    def _refused(self, error: DovetailError | MemoryError) -> None:
        if not isinstance(error, MemoryError):
            raise error
        self._end(Status.MEMORY_LIMIT, self._memory.explained())

    def _check_limits(self) -> None:
        """End the run if a limit says so."""
        if self._status is not None:
            return
        collector = self._collector
        cut = self._clock.cut()
        max_nodes = self._limits.nodes
        if collector is not None and collector.error is not None:
            self._end(Status.WRONG)
        elif collector is not None and collector.complete:
            self._end(Status.SOLUTION_LIMIT)
        elif cut is not None:
            self._end(cut)
        elif max_nodes is not None and self._nodes >= max_nodes and self._waiting:
            self._end(Status.NODE_LIMIT)
        elif time.monotonic() > self._memory_polled + MEMORY_POLL_S:
            held = self._workers.held_bytes(self._memory.bytes)
            self._memory_polled = time.monotonic()
            self.totals.peak_bytes = max(self.totals.peak_bytes, held)
            if held > self._memory.bytes:
                self._end(Status.MEMORY_LIMIT, self._memory.explained())

    def _cut_running(self) -> None:
        """Ask for parts of what has run longest if workers are idle, or for a late result."""
        if self._status is not None or self._division != Division.CUT:
            return
        now = time.monotonic()
        idle = 0 if self._waiting else self._workers.free()
        for running in sorted(self._running.values(), key=lambda one: one.since):
            took_s = now - running.since
            late = self._settings.keeps and took_s > CHECKPOINT_S
            helps = idle > 0 and took_s > MIN_SEARCH_S
            can_cut = running.searched and running.waiting.key not in self._not_cuttable
            if not can_cut or not (late or helps):
                continue
            idle -= 1
            if running.cut_asked is None or now > running.cut_asked + CUT_AGAIN_S:
                running.cut_asked = now
                self._workers.cut(running.waiting.key)

    def _last_results(self) -> Iterator[Event]:
        """Collect what workers have when the run ends before all is done."""
        if self._status not in ORDERLY or self._division != Division.CUT:
            return
        deadline = time.monotonic() + LAST_RESULTS_S
        self._audits.clear()
        for key, running in list(self._running.items()):
            if running.searched:
                self._workers.cut(key)
            else:
                del self._running[key]
        while self._running and time.monotonic() < deadline:
            for event in self._workers.wait(WAIT_S):
                if isinstance(event, Done):
                    yield from self._done(event)
                elif isinstance(event, Lost) and event.key is not None:
                    self._running.pop(event.key, None)
        if not self._running and not self._work:
            self._end(Status.EXHAUSTED)
        overshoot = self._nodes - (self._limits.nodes or 0)
        if self._status == Status.NODE_LIMIT and overshoot > 0:
            self._reason = f"the workers made {overshoot} nodes more than the limit"

    def _end(self, status: Status, reason: str | None = None) -> None:
        self._status, self._reason = status, reason

    def _count(self, state: str) -> None:
        done, cut = self.parallel.done + (state == DONE), self.parallel.cut + (state == CUT)
        self.parallel = replace(self.parallel, done=done, cut=cut)

    @property
    def _nodes(self) -> int:
        """All nodes made so far, as far as they were reported."""
        counters = self.totals.counters
        searching = sum(one.nodes for one in self._running.values() if one.searched)
        return searching + ((counters.nodes or 0) if counters is not None else 0)

    def _elapsed_s(self) -> float:
        """Seconds since the last result was recorded."""
        return time.monotonic() - self._recorded

    def _progress(self) -> Progress:
        now = time.monotonic()
        running = tuple(
            WorkerProgress(one.worker, show_key(key), now - one.since, one.nodes)
            for key, one in self._running.items()
        )
        count = self.totals.count if self._collector is None else self._collector.count
        counters = self.totals.counters
        uncounted = counters is not None and counters.nodes is None
        return Progress(
            count,
            None if uncounted else self._nodes,
            1 - self._weight_left,
            parallel=ParallelProgress(self.parallel, self._waiting, running),
        )
