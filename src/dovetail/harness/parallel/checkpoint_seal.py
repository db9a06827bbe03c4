"""Digests of a checkpoint's rows, which show that a row was changed, lost, doubled or copied.

Each row has a digest of its other columns, keyed with the identity of its file. The table `seal`
has the identity, the number of rows and the sum of their digests as of the last transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from dovetail.errors import ConfigError

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
