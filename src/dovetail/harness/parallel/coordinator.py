"""Hands out the sub-problems of a run, and puts their results together, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dovetail.errors import DovetailError
from dovetail.harness.parallel.assignment import Assignment, PartResult
from dovetail.harness.parallel.audit import is_audited
from dovetail.harness.parallel.division import Division
from dovetail.harness.parallel.journal import CUT, DONE, PENDING, JournalRun, StoredPart
from dovetail.harness.parallel.keys import WHOLE, part_key, show_key
from dovetail.harness.parallel.weights import branches_of, single_branches, weights_left
from dovetail.harness.parallel.work_list import Waiting, WorkList
from dovetail.harness.parallel.workers import (
    Done,
    Lost,
    Ready,
    Refused,
    Searching,
    WorkerEvent,
    Workers,
)
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import (
    Event,
    Found,
    Parallel,
    ParallelProgress,
    Progress,
    WorkerProgress,
)
from dovetail.harness.run.job import Limits
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.models.outcome import Counters, Outcome, Status, added
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle

WAIT_S = 0.05
# How many sub-problems there are to be for each worker before any is searched in full. Sources:
# J.-C. Régin, M. Rezgui, A. Malapert, "Embarrassingly parallel search", CP 2013.
PARTS_PER_WORKER = 30
# Nodes may be made singly until there are so many; a tree that hardly branches is not cut further.
MAX_SINGLE_NODES = 4
# A tree of fewer nodes is not worth dividing.
SMALL_TREE_NODES = 2_000
# A running sub-problem is cut when workers have nothing to do, but not sooner than after this.
MIN_SEARCH_S = 0.1
# A cut that is not answered is asked for again.
CUT_AGAIN_S = 2.0
# With a checkpoint in a file no result is further away than this.
CHECKPOINT_S = 10.0
# How long workers search that cannot be asked for a cut: not long if fewer sub-problems than so
# many for each worker wait, for soon others will have nothing to do.
LONG_S, SHORT_S, ENOUGH_PARTS = 5.0, 0.5, 4
# Many workers search longer, so that no more than so many results come in a second.
MAX_RESULTS_PER_S = 100
MAX_FAILURES = 3
# How long workers have to return what they have when the run ends.
LAST_RESULTS_S = 10.0
MEMORY_POLL_S = 0.2


@dataclass
class _Running:
    """A sub-problem that a worker has; an audit has the result to compare with."""

    waiting: Waiting
    worker: str
    audited: StoredPart | None = None
    single_node: bool = False
    since: float = field(default_factory=time.monotonic)
    cut_asked: float | None = None
    nodes: int = 0


@dataclass
class PartTotals:
    """What all results so far come to."""

    counters: Counters | None = None
    count: int | None = 0
    verified: int = 0
    prepare_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int = 0

    def add(self, result: PartResult) -> None:
        """Add a result."""
        before = self.counters
        self.counters = result.counters if before is None else added(before, result.counters)
        if self.count is not None:
            self.count = None if result.count is None else self.count + result.count
        self.verified += result.verified
        self.prepare_s += result.prepare_s
        self.solve_cpu_s += result.solve_cpu_s
        self.check_s += result.check_s
        self.peak_bytes = max(self.peak_bytes, result.peak_bytes or 0)


@dataclass(frozen=True)
class Accounting:
    """The share of sub-problems to `audit`, drawn with a `seed`.

    One that `keeps` results in a file does so at least every `CHECKPOINT_S`.
    """

    audit: float = 0.0
    seed: int = 0
    keeps: bool = False


class NotCuttableError(Exception):
    """A search of a backend that cuts has not said what is left of it."""


class Coordinator:
    """One run: its sub-problems in the `journal`, and the `workers` that search them.

    With a `collector` solutions are put into the order of the search, and it is given all of them.
    After `events` has ended, `outcome` is the result.
    """

    def __init__(
        self,
        journal: JournalRun,
        workers: Workers,
        division: Division,
        limits: Limits,
        clock: RunClock,
        *,
        collector: SolutionCollector | None = None,
        lowered: LoweredPuzzle | None = None,
        accounting: Accounting = Accounting(),
    ) -> None:
        self._journal, self._workers, self._division = journal, workers, division
        self._limits, self._clock = limits, clock
        self._collector, self._lowered = collector, lowered
        self._accounting = accounting
        self._memory = MemoryLimit(limits.memory_bytes)
        self._work = WorkList()
        self._audits: list[StoredPart] = []
        self._running: dict[bytes, _Running] = {}
        self._emitted: bytes | None = None
        self._single_nodes = 0
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
        yield from self._found()
        while self._status is None:
            self._hand_out()
            if not self._running and not self._waiting:
                self._status = Status.EXHAUSTED
                break
            for event in self._workers.wait(WAIT_S):
                yield from self._handle(event)
                if self._status is not None:
                    break
            yield self._progress()
            self._look_at_limits()
            self._cut_running()
        yield from self._last_results()
        self._journal.end(str(self._status), self._elapsed_s(), self.parallel.redone)

    @property
    def outcome(self) -> Outcome:
        """The result of all sub-problems so far."""
        assert self._status is not None, "the run has not ended"
        collector, counters = self._collector, self.totals.counters or Counters()
        count = self.totals.count if collector is None else collector.count
        if collector is not None and collector.error is not None:
            return Outcome(Status.WRONG, count, counters, collector.error)
        complete = collector is not None and collector.complete
        status = Status.SOLUTION_LIMIT if complete else self._status
        return Outcome(status, count, counters, self._reason)

    @property
    def _waiting(self) -> int:
        return len(self._work) + len(self._audits)

    def _load(self) -> None:
        """Take over what the journal has."""
        for stored in self._journal.parts():
            if stored.result is None:
                self._work.add(Waiting(stored))
                self._weight_left += stored.weight
                continue
            self.totals.add(stored.result)
            self._count(stored.state)
            if stored.audited:
                self.parallel = replace(self.parallel, audited=self.parallel.audited + 1)
            elif stored.state == DONE:
                self._draw_audit(replace(stored, result=None))

    def _hand_out(self) -> None:
        """Give every free worker something to do."""
        free = self._workers.free()
        while free > 0 and self._waiting:
            free -= 1
            if not self._work:
                stored = self._audits.pop()
                self._submit(Waiting(stored), audited=stored)
            elif self._wants_more_parts():
                self._single_nodes += 1
                self._submit(self._work.shallowest(), single_node=True)
            else:
                self._submit(self._work.next())

    def _wants_more_parts(self) -> bool:
        wanted = PARTS_PER_WORKER * self._workers.count
        return (
            self._division == Division.CUT
            and self._workers.count > 1
            and len(self._work) + len(self._running) < wanted
            and self._single_nodes < MAX_SINGLE_NODES * wanted
            and self.parallel.done < wanted
        )

    def _submit(
        self, waiting: Waiting, *, audited: StoredPart | None = None, single_node: bool = False
    ) -> None:
        part = waiting.stored.part
        nodes = seconds = None
        if self._limits.nodes is not None:
            nodes = max(0, self._limits.nodes - self._nodes)
        if single_node:
            wanted = self._single_node(waiting)
            nodes = wanted if nodes is None else min(nodes, wanted)
        if audited is None:  # which is compared with a result without limits
            seconds = self._seconds_for_one()
        assignment = Assignment(waiting.key, part, nodes, seconds, self._solutions_wanted())
        worker = self._workers.submit(assignment, avoid=None if audited is None else audited.worker)
        self._running[waiting.key] = _Running(waiting, worker, audited, single_node)

    def _seconds_for_one(self) -> float | None:
        """How long a worker that cannot be asked for a cut may search, before it cuts."""
        if self._workers.can_cut or self._division != Division.CUT:
            return None
        count = self._workers.count
        few = count > 1 and len(self._work) < ENOUGH_PARTS * count
        seconds = max(SHORT_S if few else LONG_S, count / MAX_RESULTS_PER_S)
        if self._clock.deadline is None:
            return seconds
        return max(0.0, min(seconds, self._clock.deadline - time.monotonic()))

    def _single_node(self, waiting: Waiting) -> int:
        """How many nodes show the branches below the first one of a sub-problem.

        The whole search first makes more of them: it may be a small one.
        """
        part = waiting.stored.part
        if waiting.key == WHOLE:
            return SMALL_TREE_NODES
        return 0 if part is None or part.untried is None else 1

    def _solutions_wanted(self) -> int | None:
        """How many solutions of a sub-problem are wanted at most, None for all."""
        if self._collector is None:
            return None
        return self._collector.search_limits.solutions

    def _handle(self, event: WorkerEvent) -> Iterator[Event]:
        match event:
            case Ready():
                pass
            case Searching():
                running = self._running.get(event.key)
                if running is not None and running.worker == event.worker:
                    running.nodes = event.nodes or 0
            case Done():
                self._done(event)
                yield from self._found()
            case Lost():
                self._lost(event)
            case Refused():
                self._refused(event.error)

    def _done(self, event: Done) -> None:
        running = self._running.get(event.key)
        if running is None or running.worker != event.worker:
            return  # it was taken for lost, and is done again
        del self._running[event.key]
        result, waiting = event.result, running.waiting
        if running.audited is not None:
            self._compare(event)
            return
        if result.status in (Status.FAILED, Status.WRONG, Status.SKIPPED, Status.MEMORY_LIMIT):
            self._end(result.status, result.reason)
            return
        ended = result.status in (Status.EXHAUSTED, Status.SOLUTION_LIMIT)
        if not ended and result.remaining is None:
            if self._division == Division.CUT:
                raise NotCuttableError
            self.totals.add(result)  # which is not recorded: another sitting begins it anew
            self._end(result.status, result.reason)
            return
        children = [] if ended else self._children(waiting.stored, result)
        self._journal.record(event.key, result, children, event.worker, self._elapsed_s())
        self._recorded = time.monotonic()
        self.totals.add(result)
        self._count(CUT if children else DONE)
        if ended:
            self._draw_audit(replace(waiting.stored, worker=event.worker))
        self._weight_left += sum(child.weight for child in children) - waiting.stored.weight
        for child in children:
            self._work.add(Waiting(child))

    def _children(self, stored: StoredPart, result: PartResult) -> list[StoredPart]:
        """The parts that a sub-problem has left, in single branches if there are too few of them.

        Those that branch first are divided first: they are the largest.
        """
        remaining = result.remaining or ()
        weights = weights_left(stored.weight, result.share, remaining)
        wanted = self._parts_wanted() - len(self._work) - len(remaining)
        divided: list[list[SubProblem]] = [[part] for part in remaining]
        for place in range(len(remaining) - 1, -1, -1):
            more = branches_of(remaining[place]) - 1
            if wanted > 0 and more:
                divided[place] = single_branches(remaining[place])
                wanted -= more
        children = list[StoredPart]()
        for parts, weight in zip(divided, weights, strict=True):
            for part in parts:
                key = part_key(stored.key, len(children))
                children.append(StoredPart(key, part, weight / len(parts)))
        return children

    def _parts_wanted(self) -> int:
        """How many sub-problems should wait, so that no worker has to."""
        if self._wants_more_parts():
            return PARTS_PER_WORKER * self._workers.count
        return 2 * self._workers.count if self._workers.count > 1 else 0

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
        if is_audited(stored.key, self._accounting.audit, self._accounting.seed):
            self._audits.append(stored)

    def _lost(self, event: Lost) -> None:
        running = None if event.key is None else self._running.get(event.key)
        if running is None or running.worker != event.worker:
            return
        del self._running[running.waiting.key]
        self.parallel = replace(self.parallel, redone=self.parallel.redone + 1)
        running.waiting.failures += event.begun
        if running.waiting.failures >= MAX_FAILURES:
            key = show_key(running.waiting.key)
            self._end(
                Status.FAILED,
                f"sub-problem {key} ended {MAX_FAILURES} workers; the last one: {event.reason}",
            )
        elif running.audited is not None:
            self._audits.append(running.audited)
        else:
            self._work.add(running.waiting)

    def _refused(self, error: DovetailError | MemoryError) -> None:
        if isinstance(error, MemoryError):
            self._end(Status.MEMORY_LIMIT, self._memory.explained())
            return
        raise error

    def _look_at_limits(self) -> None:
        """End the run if a limit says so."""
        if self._status is not None:
            return
        collector = self._collector
        cut = self._clock.cut()
        max_nodes = self._limits.nodes
        if collector is not None and collector.error is not None:
            self._end(Status.WRONG, collector.error)
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
        longest = sorted(self._running.values(), key=lambda one: one.since)
        idle = 0 if self._waiting else self._workers.free()
        for running in longest:
            took_s = now - running.since
            late = self._accounting.keeps and took_s > CHECKPOINT_S
            if running.audited is not None or not (late or (idle > 0 and took_s > MIN_SEARCH_S)):
                continue
            idle -= 1
            if running.cut_asked is None or now > running.cut_asked + CUT_AGAIN_S:
                running.cut_asked = now
                self._workers.cut(running.waiting.key)

    def _last_results(self) -> Iterator[Event]:
        """Collect what workers have when the run ends before all is done."""
        wanted = (Status.INTERRUPTED, Status.TIME_LIMIT, Status.NODE_LIMIT)
        if self._status not in wanted or self._division != Division.CUT:
            return
        deadline = time.monotonic() + LAST_RESULTS_S
        self._audits.clear()
        for key, running in list(self._running.items()):
            if running.audited is None:
                self._workers.cut(key)
            else:
                del self._running[key]
        while self._running and time.monotonic() < deadline:
            for event in self._workers.wait(WAIT_S):
                if isinstance(event, Done):
                    self._done(event)
                elif isinstance(event, Lost) and event.key is not None:
                    self._running.pop(event.key, None)
        yield from self._found()
        if not self._running and not self._work:
            self._status = Status.EXHAUSTED
        overshoot = self._nodes - (self._limits.nodes or 0)
        if self._status == Status.NODE_LIMIT and overshoot > 0:
            self._reason = f"the workers made {overshoot} nodes more than the limit"

    def _found(self) -> Iterator[Event]:
        """Pass on the solutions of all that precedes the first sub-problem without a result."""
        if self._collector is None:
            return
        for stored in self._journal.parts(self._emitted, with_rows=True):
            if stored.state == PENDING or self._collector.complete:
                return
            assert stored.result is not None
            self._emitted = stored.key
            if stored.result.rows.size:
                for options in self._collector.add(stored.result.rows, lambda: False):
                    yield Found(options, self._lowered)

    def _end(self, status: Status, reason: str | None = None) -> None:
        self._status, self._reason = status, reason

    def _count(self, state: str) -> None:
        done, cut = self.parallel.done + (state == DONE), self.parallel.cut + (state == CUT)
        self.parallel = replace(self.parallel, done=done, cut=cut)

    @property
    def _nodes(self) -> int:
        """All nodes made so far, as far as they were reported."""
        counters = self.totals.counters
        searching = sum(one.nodes for one in self._running.values() if one.audited is None)
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
