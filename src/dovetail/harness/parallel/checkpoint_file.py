"""The file of a checkpoint: an SQLite database that one process writes and others may read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from dovetail.errors import ConfigError
from dovetail.platform.disk import lock

APPLICATION_ID = 0x444F5645  # DOVE
# Of the tables below, and of how sub-problems are numbered and divided: another version is refused.
VERSION = 3
# Of checkpoints that can be looked at.
READABLE = (2, VERSION)

_TABLES = """
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
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
    result TEXT,
    rows BLOB,
    worker TEXT,
    sitting INTEGER,
    audited TEXT,
    disputed TEXT,
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
    PRIMARY KEY (run, number)
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
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise ConfigError(f"{path}: the checkpoint is in use by another process") from None
    return descriptor


def open_checkpoint(path: Path | None) -> sqlite3.Connection:
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
        _check(database, path, (VERSION,))
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
        problem = "is no file" if path.exists() else "there is no such file"
        raise ConfigError(f"{path}: {problem}")
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
        _check(database, path, READABLE)
        if database.execute("PRAGMA application_id").fetchone()[0] == 0:
            raise ConfigError(f"{path}: not a checkpoint of dovetail, it is empty")
    except sqlite3.Error as error:
        raise ConfigError(f"{path}: {_not_a_checkpoint(error)}") from None
    return database


def _check(database: sqlite3.Connection, path: Path, versions: Sequence[int]) -> None:
    """Raise `ConfigError` unless a file is empty, or a checkpoint of one of these versions."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == 0 and tables == 0:
        return
    if application != APPLICATION_ID:
        raise ConfigError(f"{path}: not a checkpoint of dovetail, but another SQLite file")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version not in versions:
        raise ConfigError(f"{path}: a checkpoint of version {version}; expected {VERSION}")
    fault = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise ConfigError(f"{path}: damaged ({' '.join(fault.split())})")


def _not_a_checkpoint(error: sqlite3.Error) -> str:
    if isinstance(error, sqlite3.OperationalError):
        return f"cannot be used as a checkpoint ({error})"
    return f"not a checkpoint of dovetail, or damaged ({error})"
