"""The checkpoint: every sub-problem of a command's runs, and each result once.

Only the process that coordinates a run writes to the file, and holds a lock on it while it does.
Readers may look at it at any time. What is written together is there together after a kill: the
result of a sub-problem, the parts that it left, and the time that was spent. After a power cut the
last of it may be missing, and is searched again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.errors import ConfigError
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import (
    packed_rows,
    part_text,
    read_part,
    read_result,
    result_text,
)
from dovetail.harness.workers.checkpoint_file import (
    Seal,
    check_rows,
    damaged,
    lock_checkpoint,
    open_checkpoint,
)
from dovetail.harness.workers.part_tree import CUT, DONE, PENDING
from dovetail.harness.workers.versions import versions_here
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem


@dataclass(frozen=True)
class StoredPart:
    """A sub-problem in the order of the search.

    The `result` is that of a `worker` in a `sitting`; it is `audited` if another one was the same,
    and `disputed` says how another one differed.
    """

    key: bytes
    part: SubProblem
    state: str = PENDING
    result: Result | None = None
    worker: str | None = None
    sitting: int = 0
    audited: bool = False
    disputed: str | None = None


class Journal:
    """The checkpoint of a command, in memory if there is no file.

    `questions` are the digests of what the command is to answer, in their order, and `names` what
    messages call them. Raises `ConfigError` for a file that is no checkpoint, of another question
    or version, in use, or that cannot be written.
    """

    def __init__(
        self, path: Path | None, questions: Sequence[str], names: Sequence[str] = ()
    ) -> None:
        self.path = path
        self._lock = None if path is None else lock_checkpoint(path)
        try:
            self._database = open_checkpoint(path)
            self._seal = None if path is None else Seal(self._database)
            with self.writing():
                rows = self._database.execute("SELECT question, version FROM run ORDER BY number")
                known, version = rows.fetchall(), versions_here()["dovetail"]
                before = [question for question, _ in known]
                if not before:
                    self._database.executemany(
                        "INSERT INTO run (number, question, name, version) VALUES (?, ?, ?, ?)",
                        (
                            (number, question, names[number] if names else question, version)
                            for number, question in enumerate(questions)
                        ),
                    )
                elif before != list(questions):
                    raise ConfigError(f"{path}: {self._other_question(questions, before)}")
                elif known[0][1] != version:
                    raise ConfigError(
                        f"{path}: a checkpoint of dovetail {known[0][1]}; this is {version}, whose "
                        "searches may be divided elsewhere"
                    )
        except BaseException:
            self.close()
            raise

    def run(self, number: int) -> JournalRun:
        """Return one of the command's runs."""
        return JournalRun(self, number)

    def close(self) -> None:
        """Finish writing, so that the file alone holds everything."""
        database = getattr(self, "_database", None)
        if database is not None:
            with suppress(sqlite3.Error):  # a reader is in the way
                database.execute("PRAGMA journal_mode = DELETE")
            with suppress(sqlite3.Error):
                database.close()
        if self._lock is not None:
            os.close(self._lock)  # last: closing any descriptor of the file ends SQLite's locks
            self._lock = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return what a query finds."""
        with self._reporting():
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Within, what is written is there as a whole or not at all."""
        seal = self._seal
        forgetting = nullcontext() if seal is None else seal.transaction()
        with self._reporting(), forgetting, self._database:
            self._database.execute("BEGIN IMMEDIATE")
            yield self._database
            if seal is not None:
                seal.write()

    def intact(self, table: str, condition: str, *values: object) -> list[Any]:
        """Return the rows of a table that meet a condition.

        Raises `ConfigError` for a row that has changed since this process has written it.
        """
        rows = self.rows(f"SELECT * FROM {table} WHERE {condition}", *values)
        if self._seal is not None:
            with self._reporting():
                for row in rows:
                    self._seal.compare(table, row)
        return rows

    def check(self) -> None:
        """Raise `ConfigError` if rows have changed or are missing."""
        if self.path is not None:
            with self._reporting():
                check_rows(self._database, self.path)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            fault = None if self._seal is None else self._seal.fault
            raise ConfigError(f"{self.path}: {damaged(fault) if fault else error}") from None

    def _other_question(self, questions: Sequence[str], before: Sequence[str]) -> str:
        """Say which question the file is a checkpoint of."""
        rows = self._database.execute("SELECT name FROM run ORDER BY number").fetchall()
        named = ", ".join(row[0] for row in rows[:3]) + (", ..." if len(rows) > 3 else "")
        if len(before) != len(questions):
            return f"a checkpoint of other runs ({named}); expected the command that it is of"
        return (
            f"a checkpoint of another question ({named}); the puzzle, backend, settings, "
            "reductions, symmetry, seed, order and limit on solutions must be the same"
        )


class JournalRun:
    """One run of a command: its plan, its sub-problems, and what they came to."""

    def __init__(self, journal: Journal, number: int) -> None:
        self._journal, self.number, self.sitting = journal, number, 0

    @property
    def plan(self) -> str | None:
        """The plan of the run as JSON; None before it is made."""
        return self._plan_and_division[0]

    @property
    def division(self) -> str | None:
        """How the plan is divided; None before it is made."""
        return self._plan_and_division[1]

    @property
    def _plan_and_division(self) -> tuple[str | None, str | None]:
        rows = self._journal.intact("run", "number = ?", self.number)
        if not rows:
            raise ConfigError(f"{self._journal.path}: {damaged('a run is missing')}")
        plan, division = rows[0][4:6]
        return plan, division

    @property
    def is_waiting(self) -> bool:
        """Whether a sub-problem has no result yet."""
        query = "SELECT 1 FROM part WHERE run = ? AND state = ? LIMIT 1"
        return bool(self._journal.rows(query, self.number, PENDING))

    @property
    def redone(self) -> int:
        """How many assignments were lost with their workers, in all sittings."""
        query = "SELECT coalesce(sum(redone), 0) FROM sitting WHERE run = ?"
        return int(self._journal.rows(query, self.number)[0][0])

    @property
    def sittings(self) -> int:
        """How many commands have searched."""
        query = "SELECT count(*) FROM sitting WHERE run = ?"
        return int(self._journal.rows(query, self.number)[0][0])

    @property
    def workers(self) -> tuple[int, int]:
        """The fewest and the most workers that any sitting had, 0 before the first."""
        query = (
            "SELECT coalesce(min(fewest_workers), 0), coalesce(max(workers), 0) FROM sitting "
            "WHERE run = ?"
        )
        fewest, largest = self._journal.rows(query, self.number)[0]
        return fewest, largest

    @property
    def wall_s(self) -> float:
        """Seconds of the search, in all sittings: until each result and after the last one."""
        query = (
            "SELECT total(wall_s) FROM (SELECT wall_s FROM part WHERE run = ?1 UNION ALL "
            "SELECT wall_s FROM sitting WHERE run = ?1)"
        )
        return float(self._journal.rows(query, self.number)[0][0])

    def begin(self, plan: str, division: str, parts: Sequence[StoredPart]) -> None:
        """Write the plan, and its first sub-problems in place of any others."""
        with self._journal.writing() as database:
            self._clear(database)
            database.execute(
                "UPDATE run SET plan = ?, division = ?, first_parts = ? WHERE number = ?",
                (plan, division, len(parts), self.number),
            )
            self._insert(database, parts)

    def forget(self) -> None:
        """Remove the plan and what was done of it: its backend has given up."""
        with self._journal.writing() as database:
            self._clear(database)

    def sit_down(self, workers: int) -> None:
        """Note that a command goes on from here, with so many workers; `sitting` is its number."""
        begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with self._journal.writing() as database:
            self.sitting = self.sittings + 1
            database.execute(
                "INSERT INTO sitting (run, number, begun, fewest_workers, workers) "
                "VALUES (?, ?, ?, ?, ?)",
                (self.number, self.sitting, begun, workers, workers),
            )

    def record(
        self,
        key: bytes,
        result: Result,
        children: Sequence[StoredPart],
        worker: str,
        wall_s: float = 0.0,
    ) -> None:
        """Write the result of a sub-problem that was pending, and the parts that it has left.

        Raises `ConfigError` for a sub-problem that has a result already.
        """
        with self._journal.writing() as database:
            changed = database.execute(
                "UPDATE part SET state = ?, result = ?, rows = ?, worker = ?, sitting = ?, "
                "wall_s = ? WHERE run = ? AND key = ? AND state = ?",
                (
                    CUT if children else DONE,
                    result_text(result),
                    packed_rows(result),
                    worker,
                    self.sitting,
                    wall_s,
                    self.number,
                    key,
                    PENDING,
                ),
            )
            if changed.rowcount != 1:
                raise ConfigError(f"checkpoint {self._journal.path}: a sub-problem has two results")
            self._insert(database, children)

    def audited(self, key: bytes, worker: str) -> None:
        """Note that a worker has searched a sub-problem again with the same result."""
        with self._journal.writing() as database:
            database.execute(
                "UPDATE part SET audited = ? WHERE run = ? AND key = ?", (worker, self.number, key)
            )

    def dispute(self, key: bytes, difference: str) -> None:
        """Note how a second result of a sub-problem differs: the run stays wrong."""
        with self._journal.writing() as database:
            database.execute(
                "UPDATE part SET disputed = ? WHERE run = ? AND key = ?",
                (difference, self.number, key),
            )

    def lost(self) -> None:
        """Note that a worker was lost with an assignment."""
        with self._journal.writing() as database:
            database.execute(
                "UPDATE sitting SET redone = redone + 1 WHERE run = ? AND number = ?",
                (self.number, self.sitting),
            )

    def settle(self, status: Status) -> None:
        """Note how a run ended that needed no search."""
        with self._journal.writing() as database:
            database.execute("UPDATE run SET status = ? WHERE number = ?", (status, self.number))

    def end(self, status: Status, wall_s: float = 0.0, workers: tuple[int, int] = (1, 1)) -> None:
        """Note how the run ended for now, the time since the last result, and its workers.

        These are the fewest and the most that the sitting has had.
        """
        assert status is not Status.EXHAUSTED or not self.is_waiting, "not all is searched"
        with self._journal.writing() as database:
            database.execute("UPDATE run SET status = ? WHERE number = ?", (status, self.number))
            database.execute(
                "UPDATE sitting SET fewest_workers = ?, workers = ?, wall_s = wall_s + ? "
                "WHERE run = ? AND number = ?",
                (*workers, wall_s, self.number, self.sitting),
            )

    def check(self) -> None:
        """Raise `ConfigError` if rows of the checkpoint have changed or are missing."""
        self._journal.check()

    def parts(self) -> Iterator[StoredPart]:
        """Yield the sub-problems in the order of the search, without their solutions."""
        lot, bound, sign = 1000, b"", ">="
        while True:
            condition = f"run = ? AND key {sign} ? ORDER BY key LIMIT {lot}"
            rows = self._journal.intact("part", condition, self.number, bound)
            for row in rows:
                yield _stored_part(row, with_solutions=False)
                bound, sign = row[1], ">"
            if len(rows) < lot:
                return

    def next_part(self, after: bytes | None) -> StoredPart | None:
        """Return the sub-problem behind one, or the first, with its solutions; None at the end."""
        bound, sign = (b"", ">=") if after is None else (after, ">")
        return self._one(f"key {sign} ? ORDER BY key LIMIT 1", bound)

    def part(self, key: bytes) -> StoredPart | None:
        """Return one sub-problem, with its solutions; None if there is none with the key."""
        return self._one("key = ?", key)

    def _one(self, condition: str, value: bytes) -> StoredPart | None:
        rows = self._journal.intact("part", f"run = ? AND {condition}", self.number, value)
        return _stored_part(rows[0]) if rows else None

    def _clear(self, database: sqlite3.Connection) -> None:
        """Remove the plan, the sub-problems, and what they came to."""
        database.execute(
            "UPDATE run SET plan = NULL, first_parts = 0 WHERE number = ?", (self.number,)
        )
        database.execute(
            "UPDATE sitting SET wall_s = wall_s + "
            "(SELECT coalesce(sum(wall_s), 0) FROM part WHERE run = ?) "
            "WHERE run = ? AND number = ?",
            (self.number, self.number, self.sitting),
        )
        database.execute("DELETE FROM part WHERE run = ?", (self.number,))

    def _insert(self, database: sqlite3.Connection, parts: Iterable[StoredPart]) -> None:
        database.executemany(
            "INSERT INTO part (run, key, state, part) VALUES (?, ?, ?, ?)",
            ((self.number, one.key, PENDING, part_text(one.part)) for one in parts),
        )


def _stored_part(row: Any, *, with_solutions: bool = True) -> StoredPart:
    _, key, state, part, result, rows, worker, sitting, _, audited, disputed, _ = row
    read = None if result is None else read_result(result, rows if with_solutions else None)
    return StoredPart(
        key,
        read_part(part),
        state,
        read,
        worker,
        sitting or 0,
        audited is not None,
        disputed,
    )
