"""Improvements on islands: processes with independent searches, which exchange boards.

An island that has stagnated continues from the best board of all islands. If the island itself has
the best score, it continues from a good board of another island: the board that differs most from
its own best board. The method is the island model with boards that migrate on demand. Source:
R. Tanese, "Distributed genetic algorithms", 1989.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dovetail.errors import ConfigError, DovetailError, WorkersError, reason_of
from dovetail.harness.improving import ImprovingRun, improve
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Progress, Started, WorkerReplaced
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit, MemoryWatch
from dovetail.harness.run.result import Improved, Result
from dovetail.harness.workers.checkpoint import CheckpointRun, Division
from dovetail.harness.workers.islands.island import Island, IslandReport, ScoredBoard
from dovetail.harness.workers.local import FAILED_STARTS
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.process import WORKER, ChildProcess
from dovetail.improvers.base import Placed, is_good, tiles_apart
from dovetail.models.outcome import Counters, Status
from dovetail.platform.processes import held_bytes
from dovetail.random_stream import random_words

WAIT_S = 0.05
# Seconds to wait for the last reports of islands: after a solution, and otherwise.
SOLVED_REPORTS_S, LAST_REPORTS_S = 1.0, 10.0
LONG_S = 30.0  # an island that has used more processor seconds has not failed at its start
# An island has stagnated if it has neither found a better board nor received a board for this share
# of the time so far, and for at least `MIN_STAGNANT_S` seconds.
STAGNANT_SHARE, MIN_STAGNANT_S = 0.2, 5.0
# Seconds between two entries in the checkpoint. With the pause between reports, less than 5 s of
# work can be lost.
SAVE_S = 4.0
LARGEST = ("width",)  # counters whose total is the maximum over all islands, not the sum


def island_seed(seed: int, number: int) -> int:
    """Return the seed of an island; island 0 has the seed of the run."""
    return seed if number == 0 else int(random_words(seed, number, 1)[0] >> np.uint64(1))


@dataclass(eq=False)
class _IslandProcess:
    name: str
    job: Job
    child: ChildProcess[Any]
    ready: bool = False
    failures: int = 0  # number of processes that were lost in a row before this process
    changed: float = 0.0  # time at which the island last began, improved or received a board
    report: IslandReport = field(default_factory=IslandReport)


class _IslandsRun(ImprovingRun):
    """An improvement on islands, starting from the state of its checkpoint.

    An island that ends early is replaced. Methods raise `WorkersError` if an island ends early
    several times in a row or cannot be started, `MemoryError` at the memory limit, and
    `DovetailError` for an error of an island.
    """

    def __init__(self, job: Job, run: CheckpointRun, count: int, stops: Interruption) -> None:
        super().__init__(job)
        self._run, self._count, self._stops = run, count, stops
        self._memory = MemoryLimit(job.limits.memory_bytes)
        self._memory_watch = MemoryWatch(self._memory, self._held_bytes)
        self._notified, self._islands = threading.Event(), list[_IslandProcess]()
        self._replaced = list[WorkerReplaced]()
        self._began = self._saved_at = 0.0
        before = {"drawn": 0, "nodes": 0, "cpu_s": 0.0, "counters": {}, **run.totals_improved}
        self._drawn = before["drawn"]
        self._past = [IslandReport(before["nodes"], before["cpu_s"], before["counters"])]
        if run.status in (Status.SOLVED, Status.EXHAUSTED):
            self.status = Status(run.status)
        for placed, score in run.boards:
            if self._verified(np.array(placed, dtype=np.int32)) != score:
                raise ConfigError(f"{run.name}: a board in the checkpoint has a wrong score")
        if run.boards and run.boards[0][1] == self._bound:
            self.status = Status.SOLVED  # the command was killed before it wrote the status

    def warm_up(self) -> None:
        """Start the islands, and wait until all are ready or the run is stopped.

        Does nothing if the run is over.
        """
        if self.status is not None:
            return
        starts = [self._start]
        if len(self._run.trace) > 1:  # the first board is not the result of a search
            starts = [np.array(placed, dtype=np.int32) for placed, _ in self._run.boards]
        for number in range(self._count):
            nodes = self._max_nodes and (self._max_nodes + number) // self._count
            self._start_island(starts[number % len(starts)], nodes)
        while not self._stops.requested and not all(
            island.ready or island.report.status for island in self._islands
        ):
            self._listen()

    def begin(self) -> Iterator[Event]:
        run = self._run
        if run.plan is None:
            run.begin("", Division.ISLANDS, [])
        if self.status is None:
            run.sit_down(self._count)
        if not run.trace:
            yield from super().begin()
            return
        placed, self._score = run.boards[0]
        self._best = np.array(placed, dtype=np.int32)
        self._trace = [Improved(*improvement) for improvement in run.trace]
        self._solving.add(run.wall_s, 0.0)
        # The limits on time and nodes apply to each command.
        self._before_s, self._time_s = run.wall_s, self._time_s + run.wall_s
        self._max_nodes = self._max_nodes and self._max_nodes + self.nodes
        yield self._best_board
        yield Progress(None, self.nodes, None)

    def improve(self, interruption: Interruption) -> Iterator[Event]:
        self._began = time.monotonic()
        for island in self._islands:
            self._begin_island(island)
        while self.status is None:
            with self._solving:
                self._listen(max(0.0, min(WAIT_S, self._time_s - self._solving.wall_s)))
            yield from self._news()
            ended = {island.report.status for island in self._islands}
            self.status = self.status or self._ended(
                continues=Status.EXHAUSTED not in ended, interrupted=interruption.requested
            )
            lacks_memory = Status.MEMORY_LIMIT in ended or self._memory_watch.is_exceeded()
            if self.status is None and lacks_memory:
                self.reason = self._memory.explained()
                raise MemoryError
            self._exchange()
            if time.monotonic() >= self._saved_at + SAVE_S:
                self._save()
        yield from self._last_news()

    def end(self) -> None:
        assert self.status is not None
        self._save()
        self._run.end(self.status)

    def close(self) -> None:
        """End the processes of the islands."""
        for island in self._islands:
            island.child.end()

    def result(self, warm_up_s: float, baseline_bytes: int | None) -> Result:
        return replace(
            super().result(warm_up_s, baseline_bytes),
            counters=Counters(nodes=self.nodes, native=self._counters),
            parallel=replace(self._run.parallel(Division.ISLANDS), same_nodes=False),
            solve_cpu_s=sum(report.cpu_s for report in self._reports),
            peak_bytes=self._memory_watch.peak_bytes or None,
        )

    @property
    def _reports(self) -> list[IslandReport]:
        return [*self._past, *(island.report for island in self._islands)]

    @property
    def nodes(self) -> int:
        """Number of nodes so far, including those of earlier commands."""
        return sum(report.nodes for report in self._reports)

    @property
    def _counters(self) -> dict[str, int]:
        total = Counter[str]()
        for report in self._reports:
            for name, value in report.counters.items():
                total[name] = max(total[name], value) if name in LARGEST else total[name] + value
        return dict(total)

    @property
    def _boards(self) -> list[ScoredBoard]:
        """The boards of all islands in descending order of their scores."""
        boards = [board for report in self._reports for board in report.boards]
        return sorted(boards, key=lambda board: -board[1])

    def _start_island(self, start: Placed | None, nodes: int | None) -> None:
        left_s = max(0.0, self._time_s - self._solving.wall_s)
        job = replace(
            self._job,
            seed=island_seed(self._job.seed, self._drawn),
            start=None if start is None else self._board.partial_board(start),
            limits=replace(self._job.limits, time_s=left_s, nodes=nodes),
        )
        self._drawn += 1
        try:
            child = ChildProcess[Any](Island(job), WORKER, self._notified)
        except OSError as error:
            raise WorkersError(f"an island could not be started ({reason_of(error)})") from None
        self._islands.append(_IslandProcess(f"island {self._drawn}", job, child))

    def _begin_island(self, island: _IslandProcess) -> None:
        if island.ready and self._began:
            island.changed = time.monotonic()
            island.child.send(None)

    def _listen(self, wait_s: float = WAIT_S) -> None:
        """Wait for messages, and handle them."""
        self._notified.wait(wait_s)
        self._notified.clear()
        for island in list(self._islands):
            while not island.report.status and (message := island.child.next_message(0)):
                if not self._handle(island, message):
                    break

    def _handle(self, island: _IslandProcess, message: object) -> bool:
        """Handle a message; return False if it is the last message of the island."""
        match message:
            case Started():
                island.ready = True
                self._begin_island(island)
            case IslandReport():
                if message.score > island.report.score:
                    island.changed = time.monotonic()
                if message.cpu_s > LONG_S:
                    island.failures = 0
                island.report = message
            case MemoryError():
                island.report = replace(island.report, status=Status.MEMORY_LIMIT)
                return False
            case DovetailError():
                raise message
            case EOFError():
                self._replace_island(island)
                return False
        return True

    def _replace_island(self, island: _IslandProcess) -> None:
        """Replace a lost island by another island, unless the run has ended.

        The other island continues from the best board of the lost island, if any. Raises
        `WorkersError` if several islands in a row ended soon after their start.
        """
        report, reason = island.report, island.child.death()
        self._islands.remove(island)
        island.child.end()
        self._past.append(replace(report, status=Status.FAILED))
        self._replaced.append(WorkerReplaced(island.name, reason))
        if self.status is None:
            failures = island.failures + 1
            if failures >= FAILED_STARTS:
                raise WorkersError(f"islands ended soon after their start: {reason}")
            nodes = island.job.limits.nodes
            start = self._start if not report.boards else report.boards[0][0]
            self._start_island(start, nodes and max(1, nodes - report.nodes))
            self._islands[-1].failures = failures

    def _news(self) -> Iterator[Event]:
        """Yield an event for each replaced island, and the events of a better board."""
        for replaced in self._replaced:
            self._run.write("lost")
            yield replaced
        self._replaced.clear()
        for placed, score in self._boards[:1]:
            yield from self._take_better(placed, score)

    def _last_news(self) -> Iterator[Event]:
        """End all searches, and yield the events of their last reports."""
        wait_s = SOLVED_REPORTS_S if self.status == Status.SOLVED else LAST_REPORTS_S
        last, searching = time.monotonic() + wait_s, [*self._islands]
        for island in searching:
            island.child.send(None)
        while not all(island.report.status or not island.ready for island in self._islands):
            self._listen()
            if time.monotonic() > last:
                break
        yield from self._news()

    def _exchange(self) -> None:
        """Send a board to each island that has stagnated."""
        now, best = time.monotonic(), max(report.score for report in self._reports)
        patience_s = max(MIN_STAGNANT_S, STAGNANT_SHARE * (now - self._began))
        for island in self._islands:
            report = island.report
            if not report.boards or report.status or now < island.changed + patience_s:
                continue
            board = report.boards[0][0]
            offers = [
                (score if report.score < best else 0, tiles_apart(placed, board), placed)
                for other in self._reports
                for placed, score in other.boards
                if other is not report and is_good(score, best)
            ]
            *_, apart, placed = max(offers, key=lambda offer: offer[:2], default=(0, 0, board))
            if apart:
                island.changed = now
                island.child.send(placed)

    def _held_bytes(self, limit: int) -> int:
        processes = [process for island in self._islands for process in island.child.processes]
        return held_bytes(processes, limit)

    def _save(self) -> None:
        others = {
            placed.tobytes(): [placed.tolist(), score]
            for placed, score in self._boards
            if score <= self._score  # a higher score was found to be wrong
        }
        best = [self._best.tolist(), self._score]
        self._run.improved(
            [list(vars(improvement).values()) for improvement in self._trace],
            [best, *(board for board in others.values() if board != best)],
            self._solving.wall_s - self._run.wall_s,
            bound=self._bound,
            nodes=self.nodes,
            cpu_s=sum(report.cpu_s for report in self._reports),
            drawn=self._drawn,
            counters=self._counters,
        )
        self._saved_at = time.monotonic()


def improve_on_islands(
    job: Job, options: ParallelOptions, run: CheckpointRun, interruption: Interruption | None
) -> Iterator[Event]:
    """Yield the events of `improving.improve` for a run on islands.

    Raises the errors of `improve`, and `ConfigError` if the options name a cluster.
    """
    if options.cluster is not None:
        raise ConfigError("boards can be improved only on this machine; expected no cluster")
    interruption = interruption or Interruption()
    with closing(_IslandsRun(job, run, options.workers, interruption)) as islands:
        yield from improve(job, interruption, islands)
