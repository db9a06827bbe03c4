"""The checkpoint: an SQLite file with every sub-problem of a command's runs, and each result once.

Only the process that coordinates a run writes to it, and holds a lock on a file beside it while it
does. Readers may look at it at any time. What is written together is there together after a kill:
the result of a sub-problem, the parts that it left, and the time that was spent.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.errors import ConfigError
from dovetail.harness.parallel.assignment import (
    PartResult,
    packed_rows,
    part_text,
    read_part,
    read_result,
    result_text,
)
from dovetail.models.sub_problem import SubProblem

APPLICATION_ID = 0x444F5645  # DOVE
# Of the tables below, and of how sub-problems are numbered and divided: another version is refused.
VERSION = 1
PENDING, CUT, DONE = "pending", "cut", "done"

_TABLES = """
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    name TEXT NOT NULL,
    plan TEXT,
    notes TEXT,
    division TEXT,
    wall_s REAL NOT NULL DEFAULT 0,
    status TEXT
);
CREATE TABLE part (
    run INTEGER NOT NULL,
    key BLOB NOT NULL,
    state TEXT NOT NULL,
    part TEXT NOT NULL,
    weight REAL NOT NULL,
    result TEXT,
    rows BLOB,
    worker TEXT,
    audited TEXT,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE sitting (
    run INTEGER NOT NULL,
    begun TEXT NOT NULL,
    workers INTEGER NOT NULL,
    wall_s REAL NOT NULL DEFAULT 0,
    redone INTEGER NOT NULL DEFAULT 0
);
"""


@dataclass(frozen=True)
class StoredPlan:
    """A plan and what planning reports beside it, both as JSON, and how the plan is divided."""

    plan: str
    notes: str
    division: str


@dataclass(frozen=True)
class StoredPart:
    """A sub-problem in the order of the search; `weight` is its estimated share of the tree."""

    key: bytes
    part: SubProblem
    weight: float
    state: str = PENDING
    result: PartResult | None = None
    worker: str | None = None
    audited: bool = False


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
        self._lock = None if path is None else _locked(path)
        try:
            self._database = _opened(path)
            with self.writing():
                known = self._database.execute("SELECT question FROM run ORDER BY number")
                before = [row[0] for row in known]
                if not before:
                    self._database.executemany(
                        "INSERT INTO run (number, question, name) VALUES (?, ?, ?)",
                        (
                            (number, question, names[number] if names else question)
                            for number, question in enumerate(questions)
                        ),
                    )
                elif before != list(questions):
                    raise ConfigError(f"{path}: {self._other_question(questions, before)}")
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
        with self._reporting(), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            yield self._database

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(f"checkpoint {self.path}: {error}") from None

    def _other_question(self, questions: Sequence[str], before: Sequence[str]) -> str:
        """Say which question the file is a checkpoint of."""
        rows = self._database.execute("SELECT name FROM run ORDER BY number").fetchall()
        named = ", ".join(row[0] for row in rows[:3]) + (", ..." if len(rows) > 3 else "")
        if len(before) != len(questions):
            return f"a checkpoint of other runs ({named}); expected the command that it is of"
        return (
            f"a checkpoint of another question ({named}); the puzzle, backend, settings, "
            "reductions, symmetry, seed and order must be the same"
        )


class JournalRun:
    """One run of a command: its plan, its sub-problems, and what they came to."""

    def __init__(self, journal: Journal, number: int) -> None:
        self._journal, self.number = journal, number
        self._sitting: int | None = None

    @property
    def plan(self) -> StoredPlan | None:
        """The plan of the run; None before it is made."""
        row = self._row("plan, notes, division")
        return None if row[0] is None else StoredPlan(*row)

    @property
    def sittings(self) -> int:
        """How many commands have worked on the run."""
        query = "SELECT count(*) FROM sitting WHERE run = ?"
        return int(self._journal.rows(query, self.number)[0][0])

    @property
    def wall_s(self) -> float:
        """How long the search has gone on, in all sittings."""
        return float(self._row("wall_s")[0])

    def begin(self, plan: StoredPlan, parts: Iterable[StoredPart]) -> None:
        """Write the plan, and its first sub-problems in place of any others."""
        with self._journal.writing() as database:
            database.execute(
                "UPDATE run SET plan = ?, notes = ?, division = ? WHERE number = ?",
                (plan.plan, plan.notes, plan.division, self.number),
            )
            database.execute("DELETE FROM part WHERE run = ?", (self.number,))
            self._insert(database, parts)

    def forget(self) -> None:
        """Remove the plan and what was done of it: its backend has given up."""
        with self._journal.writing() as database:
            database.execute("UPDATE run SET plan = NULL WHERE number = ?", (self.number,))
            database.execute("DELETE FROM part WHERE run = ?", (self.number,))

    def sit_down(self, workers: int) -> None:
        """Note that so many workers go on from here."""
        begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with self._journal.writing() as database:
            cursor = database.execute(
                "INSERT INTO sitting (run, begun, workers) VALUES (?, ?, ?)",
                (self.number, begun, workers),
            )
            self._sitting = cursor.lastrowid

    def record(
        self,
        key: bytes,
        result: PartResult,
        children: Sequence[StoredPart],
        worker: str,
        wall_s: float = 0.0,
    ) -> None:
        """Write the result of a sub-problem that was pending, and the parts that it has left.

        Raises `ConfigError` for a sub-problem that has a result already.
        """
        with self._journal.writing() as database:
            changed = database.execute(
                "UPDATE part SET state = ?, result = ?, rows = ?, worker = ? "
                "WHERE run = ? AND key = ? AND state = ?",
                (
                    CUT if children else DONE,
                    result_text(result),
                    packed_rows(result),
                    worker,
                    self.number,
                    key,
                    PENDING,
                ),
            )
            if changed.rowcount != 1:
                raise ConfigError(f"checkpoint {self._journal.path}: a sub-problem has two results")
            self._insert(database, children)
            self._add_time(database, wall_s)

    def audited(self, key: bytes, worker: str) -> None:
        """Note that a worker has searched a sub-problem again with the same result."""
        with self._journal.writing() as database:
            database.execute(
                "UPDATE part SET audited = ? WHERE run = ? AND key = ?", (worker, self.number, key)
            )

    def end(self, status: str, wall_s: float, redone: int) -> None:
        """Note how the run ended for now, the time since the last result, and repetitions."""
        with self._journal.writing() as database:
            database.execute("UPDATE run SET status = ? WHERE number = ?", (status, self.number))
            database.execute(
                "UPDATE sitting SET redone = ? WHERE rowid = ?", (redone, self._sitting)
            )
            self._add_time(database, wall_s)

    def parts(self, after: bytes | None = None, *, with_rows: bool = False) -> Iterator[StoredPart]:
        """Yield the sub-problems, or those behind `after`, in the order of the search.

        Their results have solutions only if these are asked for.
        """
        bound, sign = (b"", ">=") if after is None else (after, ">")
        rows = "rows" if with_rows else "NULL"
        lot = 20 if with_rows else 1000
        while True:
            found = self._journal.rows(
                f"SELECT key, part, weight, state, result, {rows}, worker, audited FROM part "
                f"WHERE run = ? AND key {sign} ? ORDER BY key LIMIT {lot}",
                self.number,
                bound,
            )
            yield from map(_stored_part, found)
            if len(found) < lot:
                return
            bound, sign = found[-1][0], ">"

    def part(self, key: bytes) -> StoredPart:
        """Return one sub-problem, with its solutions."""
        (row,) = self._journal.rows(
            "SELECT key, part, weight, state, result, rows, worker, audited FROM part "
            "WHERE run = ? AND key = ?",
            self.number,
            key,
        )
        return _stored_part(row)

    def _row(self, columns: str) -> Any:
        (row,) = self._journal.rows(f"SELECT {columns} FROM run WHERE number = ?", self.number)
        return row

    def _insert(self, database: sqlite3.Connection, parts: Iterable[StoredPart]) -> None:
        database.executemany(
            "INSERT INTO part (run, key, state, part, weight) VALUES (?, ?, ?, ?, ?)",
            ((self.number, one.key, PENDING, part_text(one.part), one.weight) for one in parts),
        )

    def _add_time(self, database: sqlite3.Connection, wall_s: float) -> None:
        for table, place, value in (
            ("run", "number", self.number),
            ("sitting", "rowid", self._sitting),
        ):
            database.execute(
                f"UPDATE {table} SET wall_s = wall_s + ? WHERE {place} = ?", (wall_s, value)
            )


def _stored_part(row: Any) -> StoredPart:
    key, part, weight, state, result, rows, worker, audited = row
    read = None if result is None else read_result(result, rows)
    return StoredPart(
        key,
        read_part(part),
        weight,
        state,
        read,
        worker,
        audited is not None,
    )


def _locked(path: Path) -> int:
    """Lock the file of a checkpoint until the process ends or the descriptor is closed.

    The lock is none of those that SQLite takes. Raises `ConfigError` when another process has it,
    or the file cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise ConfigError(f"{path}: the checkpoint is in use by another process") from None
    return descriptor


def _opened(path: Path | None) -> sqlite3.Connection:
    """Open a checkpoint, or make one; raises `ConfigError` for a file that is none."""
    if path is None:
        database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        database.executescript(_TABLES)
        return database
    try:
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    except sqlite3.Error as error:
        raise ConfigError(f"{path}: cannot be opened ({error})") from None
    try:
        _check(database, path)
        database.execute("PRAGMA journal_mode = WAL")
        if database.execute("PRAGMA application_id").fetchone()[0] == 0:
            database.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION_ID}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        database.close()
        raise ConfigError(f"{path}: {_not_a_checkpoint(error)}") from None
    except ConfigError:
        database.close()
        raise
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a checkpoint that another process may be writing, to look at it.

    Raises `ConfigError` for a file that is none.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        _check(database, path)
        if database.execute("PRAGMA application_id").fetchone()[0] == 0:
            raise ConfigError(f"{path}: not a checkpoint of dovetail, it is empty")
    except sqlite3.Error as error:
        raise ConfigError(f"{path}: {_not_a_checkpoint(error)}") from None
    return database


def _check(database: sqlite3.Connection, path: Path) -> None:
    """Raise `ConfigError` unless a file is empty, or a checkpoint of this version."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == 0 and tables == 0:
        return
    if application != APPLICATION_ID:
        raise ConfigError(f"{path}: not a checkpoint of dovetail, but another SQLite file")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise ConfigError(f"{path}: a checkpoint of version {version}; expected {VERSION}")
    fault = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise ConfigError(f"{path}: damaged ({' '.join(fault.split())})")


def _not_a_checkpoint(error: sqlite3.Error) -> str:
    if isinstance(error, sqlite3.OperationalError):
        return f"cannot be used as a checkpoint ({error})"
    return f"not a checkpoint of dovetail, or damaged ({error})"
