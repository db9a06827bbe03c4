"""The checkpoint of a command: the parts of its runs, with a single result for each part.

The state of a run is rebuilt from the entries of the log, in their order. Only the process that
coordinates the runs appends entries, and it locks the file; other processes may read the file at
any time. An entry is written as a whole. Even if the process is killed, the file therefore has a
result only together with the unexplored parts of its search. After a power failure, the last
entries may be missing, and their parts are searched again.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from dovetail.errors import ConfigError, shorten
from dovetail.harness.run.collector import SearchTotals, SolutionCollector
from dovetail.harness.run.events import Found
from dovetail.harness.run.result import Parallel, Result
from dovetail.harness.workers.base import (
    WHOLE,
    branches_of,
    divided_part,
    level_of,
    packed_rows,
    parent_key,
    part_key,
    part_number,
    read_result,
    result_text,
    show_key,
    versions_here,
)
from dovetail.harness.workers.checkpoint_file import CheckpointFile, Entry
from dovetail.harness.workers.tree_estimate import PartCost, TreeEstimate, estimate_tree
from dovetail.models.outcome import Counters, Status, added
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle

# Minimum pause between two estimates: seconds, and a multiple of the last estimate's duration.
MIN_PAUSE_S, PAUSES = 0.1, 50
PENDING, CUT, DONE = "pending", "cut", "done"
# A search that ended with one of these statuses has no unexplored parts.
ENDED = (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.REMAINING_LIMIT)


class Division(StrEnum):
    """The ways to divide a plan into parts."""

    CUT = "cut"  # unexplored parts that a search of the tree returns
    TASK = "task"  # puzzles with some options placed, for backends that cannot return parts
    TRIALS = "trials"  # single trials
    WHOLE = "whole"  # no division
    ISLANDS = "islands"  # searches for better boards, which exchange boards


@dataclass
class RunTotals:
    """The totals of the results of a run over all commands that have worked on it."""

    counters: Counters | None = None  # None before the first result
    count: int | None = 0  # None if a result has no count
    verified: int = 0
    prepare_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int = 0
    done: int = 0  # parts that were searched to the end
    cut: int = 0  # parts that were replaced by their unexplored parts
    redone: int = 0  # assignments that were lost with their workers
    audited: int = 0  # parts that were searched again with the same result

    @property
    def nodes(self) -> int:
        """Number of nodes; 0 if the backend does not count nodes."""
        return 0 if self.counters is None else self.counters.nodes or 0

    @property
    def counts_nodes(self) -> bool:
        """Whether the backend counts nodes; True before the first result."""
        return self.counters is None or self.counters.nodes is not None

    def add(self, result: Result) -> None:
        """Add the result of a part to the totals, except to the numbers of parts."""
        before = self.counters
        self.counters = result.counters if before is None else added(before, result.counters)
        if self.count is not None:
            self.count = None if result.count is None else self.count + result.count
        self.verified += result.verified
        self.prepare_s += result.prepare_s
        self.solve_cpu_s += result.solve_cpu_s or 0.0
        self.check_s += result.check_s
        self.peak_bytes = max(self.peak_bytes, result.peak_bytes or 0)


@dataclass(slots=True)
class CheckpointPart:
    """A part of a search without its result; see `CheckpointRun.result`."""

    key: bytes
    part: SubProblem
    state: str = PENDING
    cost_s: float | None = None  # seconds that a worker needed
    worker: str | None = None
    sitting: int = 0  # sitting in which the part was searched, counted from 1
    audited: bool = False  # whether the part was searched again with the same result
    disputed: str | None = None  # difference between the result and a second result
    entry: int = 0  # number of the entry with its result


class Checkpoint:
    """The checkpoint of a command in the file `path`, or in memory if `path` is None.

    `questions` are the digests of the jobs of the command, and `names` are the names of the jobs in
    messages. Raises `ConfigError` for a file that is not a checkpoint, belongs to other questions
    or another version, is in use, or cannot be written; the file then stays unchanged.
    """

    def __init__(
        self, path: Path | None, questions: Sequence[str], names: Sequence[str] = ()
    ) -> None:
        self.path, self._file = path, CheckpointFile(path)
        self._runs = list[CheckpointRun]()
        version = versions_here()["dovetail"]
        runs = zip(questions, names or questions, repeat(version))
        try:
            if path is not None:
                self._file.lock()
                self._runs = read_runs(self._file)
            if self._runs:
                self._check(questions, version)
            self._file.open()
            if not self._runs:
                contents = enumerate(map(json.dumps, runs))
                entries = [Entry(place + 1, place, "run", None, text) for place, text in contents]
                self._file.append(*entries)
                self._runs = [CheckpointRun(self._file, entry) for entry in entries]
        except BaseException:
            self.close()
            raise

    def run(self, number: int) -> CheckpointRun:
        """Return a run by its number, and set its `sitting` to 0: this command has not begun it."""
        run = self._runs[number]
        run.sitting = 0
        return run

    def close(self) -> None:
        """Finish writing; the checkpoint is then a single file, unless another process reads it."""
        self._file.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, questions: Sequence[str], version: str) -> None:
        """Raise `ConfigError` if the runs in the file have other questions or another version."""
        known = [run.question for run in self._runs]
        named = ", ".join(run.name for run in self._runs[:3]) + (", ..." if len(known) > 3 else "")
        if len(known) != len(questions):
            problem = (
                f"it is a checkpoint of other runs ({named}); use it with the command that began it"
            )
        elif known != list(questions):
            problem = differing_settings(known[0], questions[0], named) or (
                f"it is a checkpoint of another question ({named}); only the limits on time, nodes "
                "and memory may differ"
            )
        elif (before := self._runs[0].version) != version:
            problem = (
                f"it is a checkpoint of dovetail {before}; this is {version}, whose searches may "
                "be divided differently"
            )
        else:
            return
        raise ConfigError(f"{self.path}: {problem}")


def differing_settings(known: str, asked: str, name: str) -> str | None:
    """Describe how a checkpoint of an improvement differs from the requested improvement.

    Returns None unless both `known` and `asked` are settings of improvements.
    """
    if not known.startswith("{") or not asked.startswith("{"):
        return None
    before, now = json.loads(known), json.loads(asked)
    differing = [
        f"{key} {shorten(json.dumps(before[key]), 60)}" if key in before else f"no {key}"
        for key in {**before, **now}
        if before.get(key) != now.get(key)
    ]
    return f"it is a checkpoint of another run ({name}), with {', '.join(differing)}"


def read_runs(file: CheckpointFile) -> list[CheckpointRun]:
    """Return the runs of a checkpoint in a consistent state; empty for an empty file.

    Another process may be writing the file. Raises `ConfigError` for a file that is not a
    checkpoint or is damaged.
    """
    runs = list[CheckpointRun]()
    for entry in file.entries():
        try:
            if entry.kind == "run":
                runs.append(CheckpointRun(file, entry))
            else:
                result = None if entry.result is None else read_result(entry.result, None)
                runs[entry.run].apply(entry, result)
        except (ConfigError, LookupError, AttributeError, TypeError, ValueError) as error:
            raise file.damaged(f"entry {entry.number}: {error}") from None
    return runs


class CheckpointRun:
    """A run of a command: its plan, its parts and their results.

    Methods that write raise `ConfigError` if writing fails; the file and the run then stay
    unchanged.
    """

    def __init__(self, file: CheckpointFile, entry: Entry) -> None:
        self._file, self.number = file, entry.run
        self.question, self.name, self.version = json.loads(entry.content)
        # The plan as JSON, and its division; None before planning and after `forget`.
        self.plan: str | None = None
        self.division: str | None = None
        # The sub-problems of the plan by key; `begin` and `forget` clear the mapping in place.
        self.parts: dict[bytes, CheckpointPart] = {}
        # The sums of all results of the plan; `begin` and `forget` replace the object.
        self.totals = RunTotals()
        # State of an improvement. `trace`: the fields of each `Improved`. `boards`: lists of a
        # `Placed` array and a score, the best board first. `totals_improved`: the bound, nodes,
        # processor seconds, counters, and number of island seeds used.
        self.trace: list[list[Any]] = []
        self.boards: list[list[Any]] = []
        self.totals_improved: dict[str, Any] = {}
        # The status with which the last command ended.
        self.status: str | None = None
        # Seconds of the search in all sittings, including the time after the last result.
        self.wall_s = 0.0
        # The minimum and maximum number of workers of each sitting; see `sit_down`.
        self.sittings: list[tuple[int, int]] = []
        # The number of the current sitting; 0 before `sit_down`.
        self.sitting = 0
        self._estimate: TreeEstimate | None = None
        self._estimate_due = 0.0

    @property
    def estimate(self) -> TreeEstimate | None:
        """A recent estimate of the search tree, in worker seconds; None if there is none.

        See `estimate_tree`.
        """
        began = time.monotonic()
        if began >= self._estimate_due and self.totals.counters is not None:
            costs = {
                key: PartCost(level_of(part.part), branches_of(part.part), part.cost_s)
                for key, part in self.parts.items()
            }
            self._estimate = estimate_tree(costs)
            ended = time.monotonic()
            self._estimate_due = ended + max(MIN_PAUSE_S, PAUSES * (ended - began))
        return self._estimate

    def share(self, under_way_s: float = 0.0) -> float | None:
        """Return the share of the trials that are done, or of the time of the search.

        `under_way_s` is the time of the running searches so far. The share of the time is an
        estimate; None if there is none.
        """
        if self.division == Division.TRIALS:
            return self.totals.done / len(self.parts)
        estimate = self.estimate
        return None if estimate is None else estimate.share(under_way_s)

    @property
    def is_waiting(self) -> bool:
        """Whether any part has no result yet."""
        return self.totals.done + self.totals.cut < len(self.parts)

    @property
    def workers(self) -> tuple[int, int]:
        """Smallest and largest number of workers over all sittings; 0 before the first sitting."""
        fewest, most = zip(*self.sittings or [(0, 0)], strict=True)
        return min(fewest), max(most)

    @property
    def last_workers(self) -> int:
        """Largest number of workers of the last sitting; 0 before the first sitting."""
        return self.sittings[-1][1] if self.sittings else 0

    def parallel(self, division: str) -> Parallel:
        """Return `Result.parallel`: the numbers of parts, and of workers in the last sitting."""
        totals, sittings = self.totals, max(1, len(self.sittings))
        numbers = (totals.done, totals.cut, totals.redone, totals.audited, sittings)
        return Parallel(self.last_workers, division, *numbers)

    def count_workers(self, number: int) -> None:
        """Update the smallest and the largest number of workers of the current sitting.

        `end` writes these numbers.
        """
        if self.sitting:
            fewest, most = self.sittings[-1]
            self.sittings[-1] = (min(fewest, number), max(most, number))

    def begin(self, plan: str, division: str, parts: Sequence[SubProblem]) -> list[CheckpointPart]:
        """Write a plan and its first parts, which replace all earlier parts."""
        return self.write("plan", plan=plan, division=division, parts=list(map(vars, parts)))

    def sit_down(self, workers: int) -> None:
        """Begin a sitting, the work of this command on the run, and set `sitting`.

        `workers` is the number of workers at the beginning. A sitting that has begun continues.
        """
        if self.sitting:  # another backend follows a backend that has given up
            self.count_workers(workers)
            return
        begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.write("sitting", begun=begun, workers=workers)
        self.sitting = len(self.sittings)

    def record(
        self,
        key: bytes,
        result: Result,
        children: Sequence[SubProblem],
        worker: str,
        wall_s: float = 0.0,
    ) -> list[CheckpointPart]:
        """Write the result of a part, and return the unexplored parts as new parts.

        `children` are the `remaining` parts of the result, possibly divided further. Raises
        `ConfigError` for other `children`, and for a part that already has a result.
        """
        parts = list(map(vars, children))
        return self.write("result", key, result, worker=worker, wall_s=wall_s, parts=parts)

    def improved(
        self, trace: list[list[Any]], boards: list[Any], wall_s: float, **totals: object
    ) -> None:
        """Write the new `trace`, `boards` and `totals_improved` of an improvement.

        `wall_s` is the number of seconds since the last entry.
        """
        trace, changed = trace[len(self.trace) :], None if boards == self.boards else boards
        self.write("boards", wall_s=wall_s, totals=totals, trace=trace, boards=changed)

    def settle(self, status: Status) -> None:
        """Write the status of a run that did not need a search."""
        self.write("end", status=status, wall_s=0.0, workers=None)

    def end(self, status: Status, wall_s: float = 0.0) -> None:
        """Write the status at the end of the sitting, and the seconds since the last result.

        Without a sitting, only the status is written.
        """
        complete = not self.is_waiting or self.division == Division.TRIALS
        assert status is not Status.EXHAUSTED or complete, "a part has no result"
        if self.sitting:
            self.write("end", status=status, wall_s=wall_s, workers=self.sittings[-1])
        else:
            self.settle(status)

    def check(self) -> None:
        """Raise `ConfigError` if entries of the file were changed or are missing.

        Does nothing for a checkpoint in memory.
        """
        if self._file.path.name:
            deque(self._file.entries(), maxlen=0)

    def result(self, key: bytes, *, with_rows: bool = False) -> Result | None:
        """Return the result of a part, or None if the part has no result.

        With `with_rows`, the result includes its rows of solutions. Raises `ConfigError` if the
        entry was changed after it was written.
        """
        part = self.parts.get(key)
        if part is None or part.state == PENDING:
            return None
        entry = self._file.entry(part.entry)
        return read_result(str(entry.result), entry.rows if with_rows else None)

    def next_part(self, after: bytes | None) -> CheckpointPart | None:
        """Return the part after the part with the key `after`, in the order of the search.

        A part comes before its unexplored parts. If `after` is None, returns the first part.
        Returns None at the end.
        """
        key = part_key(after or WHOLE, 0)
        if after is None and WHOLE in self.parts:
            key = WHOLE
        while key not in self.parts:
            above = parent_key(key)
            if above == WHOLE:
                return None
            key = part_key(parent_key(above), part_number(above) + 1)
        return self.parts[key]

    def apply(
        self, entry: Entry, result: Result | None, *, writes: bool = False
    ) -> list[CheckpointPart]:
        """Apply an entry to the state, and return the parts that the entry adds.

        With `writes`, the entry is appended to the file first. Raises `ConfigError` for an entry
        that contradicts earlier entries.
        """
        content = json.loads(entry.content)
        part = None if entry.key is None else self.parts[entry.key]
        added = _added_parts(entry, content, part, result)
        if writes:
            self._file.append(entry)
        match entry.kind:
            case "plan" | "forget":
                self.plan, self.division = content.get("plan"), content.get("division")
                self.parts.clear()
                self._estimate = None
                old = self.totals
                self.totals = RunTotals(redone=old.redone)
            case "sitting":
                self.sittings.append((content["workers"], content["workers"]))
            case "lost":
                self.totals.redone += 1
            case "end":
                self.status = content["status"]
                self.wall_s += content["wall_s"]
                if content["workers"] is not None:
                    self.sittings[-1] = tuple(content["workers"])
            case "result" if part and result:
                part.state, part.entry = CUT if added else DONE, entry.number
                part.worker, part.sitting = content["worker"], len(self.sittings)
                part.cost_s = result.prepare_s + result.solve_s
                self.totals.cut += bool(added)
                self.totals.done += not added
                self.totals.add(result)
                self.wall_s += content["wall_s"]
            case "boards":
                self.wall_s += content["wall_s"]
                self.trace += content["trace"]
                self.boards = content["boards"] or self.boards
                self.totals_improved = content["totals"]
            case "audited" if part:
                self.totals.audited += not part.audited
                part.audited = True
            case "disputed" if part:
                part.disputed = content["difference"]
            case _:
                raise ConfigError(f"it is not a valid entry of kind {entry.kind!r}")
        self.parts.update((part.key, part) for part in added)
        return added

    def write(
        self, kind: str, key: bytes | None = None, result: Result | None = None, **content: object
    ) -> list[CheckpointPart]:
        """Append an entry and apply it; return the parts that it adds.

        Kinds of entries that no other method writes:

        * `forget`: the plan and its results are dropped, because the backend has given up.
        * `lost`: a worker was lost with an assignment.
        * `audited`: the `worker` has searched a part again, with the same result.
        * `disputed`: a second result of a part has a `difference`; the run stays wrong.
        """
        text, rows = (None, None) if result is None else (result_text(result), packed_rows(result))
        number, values = self._file.count + 1, json.dumps(content)
        entry = Entry(number, self.number, kind, key, values, text, rows)
        return self.apply(entry, result, writes=True)


def _added_parts(
    entry: Entry, content: dict[str, Any], part: CheckpointPart | None, result: Result | None
) -> list[CheckpointPart]:
    """Return the parts that an entry adds.

    Raises `ConfigError` if the entry contradicts earlier entries.
    """
    parts = [SubProblem(**_with_tuples(fields)) for fields in content.get("parts", ())]
    if part and result:
        _check_result(part, result, parts)
    elif len(parts) == 1 and content["division"] == Division.CUT:
        return [CheckpointPart(WHOLE, parts[0])]
    above = entry.key or WHOLE
    return [CheckpointPart(part_key(above, place), subtree) for place, subtree in enumerate(parts)]


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if type(value) is list else value for key, value in fields.items()}


def _check_result(part: CheckpointPart, result: Result, children: Sequence[SubProblem]) -> None:
    """Raise `ConfigError` if a part already has a result, or for wrong `children`.

    `children` must be the unexplored parts of the result, possibly divided further.
    """
    if part.state != PENDING:
        raise ConfigError(f"a sub-problem has two results: {show_key(part.key)}")
    remaining = () if result.status in ENDED else result.remaining or ()
    if _branches(children) != _branches(remaining):
        raise ConfigError(f"the parts of {show_key(part.key)} differ from the parts in its result")


def _branches(parts: Sequence[SubProblem]) -> list[SubProblem]:
    return list(chain.from_iterable(map(divided_part, parts)))


class Listing:
    """Passes the solutions of recorded results to a collector, each exactly once.

    By default, solutions are passed on in the order of a serial search: the solutions of a part
    wait until all earlier parts have a result. With `any_order`, the solutions of a part are passed
    on as soon as its result is recorded. A trial that exhausts the puzzle is the last that counts.
    """

    def __init__(
        self,
        run: CheckpointRun,
        collector: SolutionCollector,
        lowered: LoweredPuzzle,
        *,
        any_order: bool,
    ) -> None:
        self.collector = collector
        self._run, self._lowered, self._any_order = run, lowered, any_order
        self._passed: bytes | None = None
        self.trials = SearchTotals()  # totals of the trials that were passed on
        self.is_exhausted = False  # whether one of these trials has exhausted the puzzle

    def begin(self) -> Iterator[Found]:
        """Pass on the solutions that earlier commands have recorded; yield solutions to list."""
        if not self._any_order:
            yield from self._in_order()
            return
        for key, part in self._run.parts.items():
            if part.state != PENDING:
                yield from self._pass_on(self._run.result(key, with_rows=True))

    def add(self, result: Result) -> Iterator[Found]:
        """Pass on the solutions whose turn it is once `result` is recorded.

        Yields solutions to list.
        """
        yield from self._pass_on(result) if self._any_order else self._in_order()

    def _in_order(self) -> Iterator[Found]:
        while not (self.collector.complete or self.is_exhausted):
            part = self._run.next_part(self._passed)
            if part is None or part.state == PENDING:
                return
            self._passed = part.key
            yield from self._pass_on(self._run.result(part.key, with_rows=True))

    def _pass_on(self, result: Result | None) -> Iterator[Found]:
        if result is None:
            return
        if result.searched is not None:
            trial = result.searched
            assert trial.cpu_s is not None, "the trial has ended"
            self.collector.begin_search()
            self.trials.add(trial.found, trial.cpu_s, trial.with_trigger)
            self.is_exhausted = result.status is Status.EXHAUSTED
        if result.rows is not None and result.rows.size:
            for options in self.collector.add(result.rows, lambda: False):
                yield Found(options, self._lowered)


@dataclass(frozen=True)
class RunStatus:
    """The state of a run in a checkpoint."""

    name: str
    status: str | None  # status with which the last command ended; None before a command has ended
    division: str | None
    workers: int  # maximum number of workers in the last sitting
    sittings: int
    done: int
    cut: int
    waiting: int
    redone: int
    audited: int
    share: float | None  # estimated share of the search time that is done
    # Number of solutions, a lower bound unless the status is `exhausted`; None for an improvement,
    # and for trials, which may find a solution several times. If solutions are listed, the number
    # before symmetry expansion.
    count: int | None
    nodes: int | None
    wall_s: float
    nodes_per_s: float | None  # rate of all workers together
    left_s: tuple[float, float] | None  # range of the seconds left for the same number of workers
    # Score of the best board of an improvement, and score of a solution; None for other runs.
    score: int | None = None
    bound: int | None = None

    @property
    def is_divided(self) -> bool:
        """Whether the run has parts; the checkpoint stores no results of an undivided run."""
        return self.division is not None and self.division != Division.WHOLE

    @property
    def is_over(self) -> bool:
        """Whether the search is complete."""
        if self.is_divided and self.division != Division.ISLANDS and not self.waiting:
            return True
        return self.status in (Status.EXHAUSTED, Status.SOLVED)


def checkpoint_status(path: Path) -> list[RunStatus]:
    """Return the state of each run in a checkpoint, even if another process uses the checkpoint.

    Raises `ConfigError` for a file that is not a checkpoint or is damaged.
    """
    runs = read_runs(CheckpointFile(path))
    if not runs:
        raise ConfigError(f"{path}: it is empty and therefore not a checkpoint")
    return list(map(_run_status, runs))


def _run_status(run: CheckpointRun) -> RunStatus:
    totals, workers = run.totals, run.last_workers
    estimate = run.estimate
    nodes = totals.nodes if totals.counts_nodes else None
    improved, score = run.totals_improved, None
    if improved:
        (_, score), nodes = run.boards[0], improved["nodes"]
    return RunStatus(
        run.name,
        run.status,
        run.division,
        workers,
        len(run.sittings),
        totals.done,
        totals.cut,
        len(run.parts) - totals.done - totals.cut,
        totals.redone,
        totals.audited,
        run.share(),
        None if run.division in (Division.TRIALS, Division.ISLANDS) else totals.count,
        nodes,
        run.wall_s,
        nodes / run.wall_s if nodes and run.wall_s else None,
        None if estimate is None else estimate.left_s(workers),
        score,
        improved.get("bound"),
    )
