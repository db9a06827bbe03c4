"""The SQLite file of a checkpoint: its tables, opening it, and digests that show damage.

Each row has a digest of its other columns, keyed with the identity of its file: it shows that a row
was changed, lost, doubled or copied. The table `seal` has the identity, the number of rows and the
sum of their digests as of the last transaction.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from dovetail.errors import ConfigError, reason_of, shorten
from dovetail.harness.workers.part_tree import check_runs
from dovetail.platform.system import lock

IDENTITY_BYTES = DIGEST_BYTES = 16
# The sealed tables, and how a statement finds a row of each.
TABLES = {
    "run": "number = NEW.number",
    "part": "run = NEW.run AND key = NEW.key",
    "sitting": "run = NEW.run AND number = NEW.number",
}
_MODULUS = 1 << 8 * DIGEST_BYTES


def row_digest(identity: bytes, table: str, values: Sequence[Any]) -> bytes:
    """Return the digest of a row of a table, from its values without the digest."""
    blobs = [value for value in values if type(value) is bytes]
    text = json.dumps(
        [table, *([len(value)] if type(value) is bytes else value for value in values)]
    )
    data = b"".join([text.encode(), *blobs])
    return blake2b(data, digest_size=DIGEST_BYTES, key=identity).digest()


class Seal:
    """Keeps the digests of a checkpoint that this process writes.

    Triggers on the connection compute the digest of each row that a statement writes, and compare
    that of each row that it changes or deletes. `fault` is what such a comparison has found.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self.fault: str | None = None
        seal = database.execute("SELECT identity, rows, digests FROM seal").fetchone()
        self._identity, self._rows = seal[:2]
        self._sum = int.from_bytes(seal[2], "big")
        database.create_function("sealed", -1, self._sealed)
        database.create_function("unsealed", -1, self._unsealed)
        for table, condition in TABLES.items():
            database.executescript(_triggers(table, _columns(database, table), condition))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Around a transaction, forget the rows that it has not written after all."""
        before = self._rows, self._sum
        try:
            yield
        except BaseException:
            self._rows, self._sum = before
            raise

    def write(self) -> None:
        """At the end of a transaction, write the number of rows and the sum of their digests."""
        self._database.execute(
            "UPDATE seal SET rows = ?, digests = ?", (self._rows, _sum_bytes(self._sum))
        )

    def compare(self, table: str, values: Sequence[Any]) -> bytes:
        """Return the digest of a row, the last of its values.

        Raises `sqlite3.DatabaseError` if the row has changed since it was written.
        """
        *others, digest = values
        if digest != row_digest(self._identity, table, others):
            self.fault = changed(table)
            raise sqlite3.DatabaseError(self.fault)
        return bytes(digest)

    def _sealed(self, table: str, *values: Any) -> bytes:
        digest = row_digest(self._identity, table, values)
        self._rows += 1
        self._sum += int.from_bytes(digest, "big")
        return digest

    def _unsealed(self, table: str, *values: Any) -> None:
        self._rows -= 1
        self._sum -= int.from_bytes(self.compare(table, values), "big")


def check_seal(database: sqlite3.Connection) -> None:
    """Raise `ConfigError` unless the rows of a checkpoint are those that were written last."""
    seals = database.execute("SELECT identity, rows, digests FROM seal").fetchall()
    if len(seals) != 1:
        raise ConfigError("the digest of all rows is missing")
    identity, rows, digests = seals[0]
    if type(identity) is not bytes or len(identity) != IDENTITY_BYTES:
        raise ConfigError("its identity has changed")
    found = total = 0
    for table in TABLES:
        for *values, digest in database.execute(f"SELECT * FROM {table}"):
            if digest != row_digest(identity, table, values):
                raise ConfigError(changed(table))
            found += 1
            total += int.from_bytes(digest, "big")
    if (found, _sum_bytes(total)) != (rows, digests):
        raise ConfigError(f"rows were lost, added or replaced ({found} rows, expected {rows})")


def changed(table: str) -> str:
    """Say that a row of a table is not as it was written."""
    return f"a row of the table {table!r} has changed or is of another checkpoint"


def _sum_bytes(total: int) -> bytes:
    return (total % _MODULUS).to_bytes(DIGEST_BYTES, "big")


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table without the digest, which is the last one."""
    *names, digest = (row[1] for row in database.execute(f"PRAGMA table_info({table})"))
    assert digest == "digest"
    return names


def _triggers(table: str, columns: Sequence[str], condition: str) -> str:
    """Return the statements that create the triggers of a table, for this connection alone."""
    new, old = (", ".join(f"{row}.{name}" for name in columns) for row in ("NEW", "OLD"))
    unseal = f"SELECT unsealed('{table}', {old}, OLD.digest);"
    seal = f"UPDATE {table} SET digest = sealed('{table}', {new}) WHERE {condition};"
    updated = f"UPDATE OF {', '.join(columns)}"
    return "".join(
        f"CREATE TEMP TRIGGER {table}_{name} AFTER {event} ON {table} BEGIN {actions} END;"
        for name, event, actions in (
            ("inserted", "INSERT", seal),
            ("updated", updated, unseal + seal),
            ("deleted", "DELETE", unseal),
        )
    )


APPLICATION_ID = 0x444F5645  # DOVE
# Of the tables below, and of how sub-problems are numbered and divided: another version is refused.
VERSION = 5

_TABLES = """
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    plan TEXT,
    division TEXT,
    first_parts INTEGER NOT NULL DEFAULT 0,
    status TEXT,
    digest BLOB
);
CREATE TABLE part (
    run INTEGER NOT NULL,
    key BLOB NOT NULL,
    state TEXT NOT NULL,
    part TEXT NOT NULL,
    result TEXT,
    rows BLOB,
    worker TEXT,
    sitting INTEGER,
    wall_s REAL NOT NULL DEFAULT 0,
    audited TEXT,
    disputed TEXT,
    digest BLOB,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE sitting (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    begun TEXT NOT NULL,
    fewest_workers INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    wall_s REAL NOT NULL DEFAULT 0,
    redone INTEGER NOT NULL DEFAULT 0,
    digest BLOB,
    PRIMARY KEY (run, number)
);
CREATE TABLE seal (
    identity BLOB NOT NULL,
    rows INTEGER NOT NULL,
    digests BLOB NOT NULL
);
"""


def lock_checkpoint(path: Path) -> int:
    """Lock the file of a checkpoint until the process ends or the descriptor is closed.

    The lock is none of those that SQLite takes. Raises `ConfigError` when another process has it,
    or the file cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({reason_of(error)})") from None
    try:
        lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise ConfigError(f"{path}: the checkpoint is in use by another process") from None
    return descriptor


def open_checkpoint(path: Path | None) -> sqlite3.Connection:
    """Open a checkpoint to write, or create one.

    Raises `ConfigError` for a file that is not a checkpoint or is damaged, and leaves it as it is.
    """
    if path is None:
        database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        database.executescript(_TABLES)
        return database
    with _reporting(path):
        if _has_open_transaction(path):
            with closing(sqlite3.connect(path)) as database:
                _number(database, "schema_version")  # SQLite takes it back
    with reading(path, may_be_new=True):
        pass  # the file is intact
    with _reporting(path):
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            if _number(database, "application_id") == 0:
                database.executescript(
                    f"BEGIN; {_TABLES} INSERT INTO seal VALUES "
                    f"(randomblob({IDENTITY_BYTES}), 0, zeroblob({DIGEST_BYTES})); "
                    f"PRAGMA application_id = {APPLICATION_ID}; "
                    f"PRAGMA user_version = {VERSION}; COMMIT;"
                )
            database.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error:
            database.close()
            raise
    return database


@contextmanager
def reading(path: Path, *, may_be_new: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads an intact checkpoint, as it is at one moment.

    Another process may be writing it. Raises `ConfigError` for a file that is not a checkpoint or
    is damaged, and for an empty one unless it `may_be_new`.
    """
    if not path.is_file():
        problem = "is no file" if path.exists() else "there is no such file"
        raise ConfigError(f"{path}: {problem}")
    with _reporting(path), closing(_read_only(path)) as database:
        database.execute("BEGIN")
        if not _is_new(database):
            _check(database, path)
        elif not may_be_new:
            raise ConfigError(f"{path}: not a checkpoint of dovetail, it is empty")
        yield database


def _read_only(path: Path) -> sqlite3.Connection:
    log = path.with_name(f"{path.name}-wal")
    if not path.stat().st_size and log.is_file() and log.stat().st_size:
        raise ConfigError(f"{path}: {damaged(f'it is empty, but {log.name} is not')}")
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=10)


def _has_open_transaction(path: Path) -> bool:
    """Return whether a command was killed in the midst of its last transaction, at its end."""
    try:
        with closing(_read_only(path)) as database:
            _number(database, "schema_version")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
    return False


def _is_new(database: sqlite3.Connection) -> bool:
    """Return whether nothing has been written to the file yet."""
    return _number(database, "application_id") == 0 and _number(database, "page_count") <= 1


def _check(database: sqlite3.Connection, path: Path) -> None:
    """Raise `ConfigError` unless a file is an intact checkpoint of this version."""
    if _number(database, "application_id") != APPLICATION_ID:
        raise ConfigError(f"{path}: not a checkpoint of dovetail, but another SQLite file")
    version = _number(database, "user_version")
    if version != VERSION:
        raise ConfigError(f"{path}: a checkpoint of version {version}; expected {VERSION}")
    check_rows(database, path)


def check_rows(database: sqlite3.Connection, path: Path) -> None:
    """Raise `ConfigError` unless a checkpoint has the rows that were written last."""
    try:
        fault = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise ConfigError(" ".join(fault.split()))
        with closing(open_checkpoint(None)) as intact:
            if _schema(database) != _schema(intact):
                raise ConfigError("its tables have changed")
        check_seal(database)
        check_runs(database)
    except ConfigError as error:
        raise ConfigError(f"{path}: {damaged(str(error))}") from None


def damaged(fault: str) -> str:
    """Say that a checkpoint is damaged, and what to do."""
    return f"the checkpoint is damaged: {fault}; use an intact copy or another file"


def _schema(database: sqlite3.Connection) -> list[tuple[str, str]]:
    query = "SELECT name, sql FROM sqlite_master ORDER BY name"
    return database.execute(query).fetchall()


def _number(database: sqlite3.Connection, pragma: str) -> int:
    """Return the value of a PRAGMA."""
    return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    """Raise errors of SQLite as `ConfigError`; its messages may have bytes of a damaged file."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        reason = shorten(" ".join(str(error).split()), 200)
        if isinstance(error, sqlite3.OperationalError):
            raise ConfigError(f"{path}: cannot be used as a checkpoint ({reason})") from None
        raise ConfigError(f"{path}: not a checkpoint of dovetail, or damaged ({reason})") from None
