"""The SQLite file of a checkpoint: a log of entries, with digests that reveal damage.

Entries are only appended. The digest of an entry is keyed with the identity of its file and covers
the previous digest, so that changed, lost, repeated and moved entries and entries of another file
are detected. The table `head` has the identity, the number of entries and the last digest.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import ConfigError, reason_of, shorten
from dovetail.platform.system import lock

APPLICATION_ID = 0x444F5645  # "DOVE" in ASCII
# Version of the tables, the entries and the numbering of parts; other versions are refused.
VERSION = 7

_DIGEST_BYTES = 16
_CHANGED = "has changed, is missing or is of another checkpoint"
_TABLES = (
    "CREATE TABLE entry (number INTEGER PRIMARY KEY, run INTEGER, kind TEXT, key BLOB, "
    "content TEXT, result TEXT, rows BLOB, digest BLOB)",
    "CREATE TABLE head (identity BLOB, entries INTEGER, digest BLOB)",
)


class Entry(NamedTuple):
    """An entry of a checkpoint: an event of a run or of a part."""

    number: int  # number of the entry, counted from 1
    run: int  # number of the run, counted from 0
    kind: str
    key: bytes | None  # key of the sub-problem; None for an entry about the run
    content: str  # fields in JSON, depending on `kind`
    result: str | None = None  # see `base.result_text`
    rows: bytes | None = None  # see `base.packed_rows`


class CheckpointFile:
    """The file of a checkpoint; its entries are kept in memory if `path` is None."""

    def __init__(self, path: Path | None) -> None:
        self.path = path or Path()
        self._address = path.absolute() if path else ":memory:"
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None  # open if this process writes
        self._head: tuple[bytes, int, bytes] = (b"", 0, b"")  # last written row of `head`

    @property
    def count(self) -> int:
        """Number of entries; 0 if this process does not write the file."""
        return self._head[1]

    def lock(self) -> None:
        """Lock the file until it is closed or the process ends; create it if it is missing.

        The lock is independent of SQLite's locks. Raises `ConfigError` if another process holds the
        lock, or if the file cannot be written.
        """
        try:
            self._lock = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            lock(self._lock)
        except BlockingIOError:
            raise ConfigError(f"{self.path}: the checkpoint is in use by another process") from None
        except (OSError, ValueError) as error:  # `ValueError`: a null byte
            raise ConfigError(f"{self.path}: cannot be written ({reason_of(error)})") from None
        if self.path.with_name(f"{self.path.name}-journal").exists():
            # A command was killed while it closed the file: SQLite rolls its transaction back.
            with self._reporting(), closing(sqlite3.connect(self._address)) as database:
                _number(database, "schema_version")

    def open(self) -> None:
        """Open the file to append to it; an empty file becomes a checkpoint."""
        with self._reporting():
            database = self._database = sqlite3.connect(
                self._address, isolation_level=None, check_same_thread=False, timeout=10
            )
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            if _number(database, "application_id") == 0:
                database.executescript(
                    f"BEGIN; {'; '.join(_TABLES)}; "
                    f"INSERT INTO head VALUES (randomblob({_DIGEST_BYTES}), 0, x''); "
                    f"PRAGMA application_id = {APPLICATION_ID}; "
                    f"PRAGMA user_version = {VERSION}; COMMIT;"
                )
            self._head = database.execute("SELECT * FROM head").fetchone()

    def append(self, *entries: Entry) -> None:
        """Append entries in a single transaction.

        Raises `ConfigError` if writing fails; the file then contains none of these entries.
        """
        assert self._database is not None
        identity, number, digest = self._head
        with self._reporting(), self._database as database:
            database.execute("BEGIN IMMEDIATE")
            for entry in entries:
                number, digest = entry.number, _digest(identity, digest, entry)
                places = ", ".join("?" * (len(entry) + 1))
                database.execute(f"INSERT INTO entry VALUES ({places})", (*entry, digest))
            database.execute("UPDATE head SET entries = ?, digest = ?", (number, digest))
        self._head = identity, number, digest

    def entry(self, number: int) -> Entry:
        """Return an entry other than the first; raise `ConfigError` if it is changed or missing."""
        assert self._database is not None
        query = (
            "SELECT entry.*, before.digest FROM entry JOIN entry AS before "
            "ON before.number = entry.number - 1 WHERE entry.number = ?"
        )
        with self._reporting():
            for *values, digest, before in self._database.execute(query, (number,)):
                if digest == _digest(self._head[0], before, Entry(*values)):
                    return Entry(*values)
        raise self.damaged(f"entry {number} {_CHANGED}")

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of a consistent state of the file; an empty file has no entries.

        Another process may be writing the file. Raises `ConfigError` for a file that is not a
        checkpoint of this version, is damaged, or lacks entries that this process has written.
        """
        if not os.path.isfile(self.path):  # False for a path that is too long
            exists = os.path.exists(self.path)
            problem = "is not a regular file" if exists else "there is no such file"
            raise ConfigError(f"{self.path}: {problem}")
        with self._reporting(), closing(self._read_only()) as database:
            database.execute("BEGIN")
            if _number(database, "application_id") == 0 and _number(database, "page_count") <= 1:
                return
            self._check_format(database)
            heads = database.execute("SELECT * FROM head").fetchall()
            if len(heads) != 1 or type(heads[0][0]) is not bytes:
                raise self.damaged("its identity is missing")
            identity, number, digest = heads[0][0][:_DIGEST_BYTES], 0, b""
            for *values, stored in database.execute("SELECT * FROM entry ORDER BY number"):
                number, entry = number + 1, Entry(*values)
                digest = _digest(identity, digest, entry)
                if entry.number != number or stored != digest:
                    raise self.damaged(f"entry {number} {_CHANGED}")
                yield entry
            head = identity, number, digest
            if heads != [head] or (self._database is not None and self._head != head):
                raise self.damaged(f"the last entries are missing; entries found: {number}")

    def close(self) -> None:
        """Finish writing; the file then contains all entries, unless another process reads it."""
        if self._database is not None:
            # Leaving WAL mode fails while another process reads the file.
            with closing(self._database) as database, suppress(sqlite3.Error):
                database.execute("PRAGMA journal_mode = DELETE")
        if self._lock is not None:
            # Last, because closing any descriptor of the file ends SQLite's locks.
            os.close(self._lock)
            self._lock = None

    def damaged(self, fault: str) -> ConfigError:
        """Return the error for a damaged file."""
        advice = "use an intact copy or another file"
        return ConfigError(f"{self.path}: the checkpoint is damaged: {fault}; {advice}")

    def _read_only(self) -> sqlite3.Connection:
        log = self.path.with_name(f"{self.path.name}-wal")
        if not self.path.stat().st_size and log.is_file() and log.stat().st_size:
            raise self.damaged(f"it is empty, but {log.name} is not")
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, isolation_level=None, timeout=10)

    def _check_format(self, database: sqlite3.Connection) -> None:
        """Raise `ConfigError` if a file is damaged or is not a checkpoint of this version."""
        if _number(database, "application_id") != APPLICATION_ID:
            raise ConfigError(f"{self.path}: not a checkpoint of dovetail, but another SQLite file")
        version = _number(database, "user_version")
        if version != VERSION:
            raise ConfigError(f"{self.path}: a checkpoint of version {version}; expected {VERSION}")
        fault = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise self.damaged(" ".join(fault.split()))
        tables = database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
        if tables != [(table,) for table in _TABLES]:
            raise self.damaged("its tables have changed")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Convert errors of SQLite to `ConfigError`; their texts may contain arbitrary bytes."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            reason = shorten(" ".join(str(error).split()), 200)
            raise ConfigError(f"{self.path}: cannot be used as a checkpoint ({reason})") from None


def _digest(identity: bytes, before: bytes, entry: Entry) -> bytes:
    """Return the digest of an entry together with the previous digest."""
    values = [before, *entry]
    text = json.dumps([[len(value)] if type(value) is bytes else value for value in values])
    data = b"".join([text.encode(), *(value for value in values if type(value) is bytes)])
    return blake2b(data, digest_size=_DIGEST_BYTES, key=identity).digest()


def _number(database: sqlite3.Connection, pragma: str) -> int:
    """Return the value of a PRAGMA."""
    return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])
