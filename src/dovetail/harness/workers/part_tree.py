"""Keys of sub-problems, and the check that those of a checkpoint tile the search tree."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from dovetail.errors import ConfigError
from dovetail.harness.workers.assignment import read_part, read_result
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem

BYTES = 4
WHOLE = b""


def part_key(key: bytes, number: int) -> bytes:
    """Return the key of part `number`, counted from 0."""
    return key + number.to_bytes(BYTES, "big")


def parent_key(key: bytes) -> bytes:
    """Return the key of the sub-problem that a part was left by; the part is not `WHOLE`."""
    return key[:-BYTES]


def show_key(key: bytes) -> str:
    """Return a key as people read it, such as `3.0.12`; parts are counted from 1."""
    numbers = (key[at : at + BYTES] for at in range(0, len(key), BYTES))
    return ".".join(str(int.from_bytes(one, "big") + 1) for one in numbers) or "the whole search"


PENDING, CUT, DONE = "pending", "cut", "done"
ENDED = (Status.EXHAUSTED, Status.SOLUTION_LIMIT)


def branches_of(part: SubProblem) -> int:
    """Return the number of branches at the first node of a part, as far as it is known."""
    return 1 if part.untried is None else len(part.untried)


def level_of(part: SubProblem) -> int:
    """Return the number of options above the first node of a part; −1 above the root."""
    return len(part.taken) - (part.untried is None)


def single_branches(part: SubProblem) -> list[SubProblem]:
    """Return a part for each of the branches of a part, in their order."""
    if part.untried is None or len(part.untried) == 1:
        return [part]
    return [SubProblem(part.taken, (option,), part.cut_from) for option in part.untried]


def check_runs(database: sqlite3.Connection) -> None:
    """Raise `ConfigError` unless the sub-problems of each run in a checkpoint tile its search."""
    for run, first_parts in database.execute("SELECT number, first_parts FROM run").fetchall():
        rows = database.execute(
            "SELECT key, state, part, result FROM part WHERE run = ? ORDER BY key", (run,)
        )
        _check_run(rows, first_parts)


@dataclass
class _Open:
    """A sub-problem that was cut, whose parts are being read; or the whole search above all.

    `branches` are those that its parts still have to have, None where they are only counted.
    """

    key: bytes
    branches: deque[SubProblem] | None
    parts: int = 0

    def take(self, key: bytes, part: SubProblem) -> None:
        """Take its next part."""
        if key != part_key(self.key, self.parts):
            raise ConfigError(f"sub-problem {show_key(part_key(self.key, self.parts))} is missing")
        self.parts += 1
        if self.branches is None:
            return
        for branch in single_branches(part):
            if not self.branches or self.branches.popleft() != branch:
                raise ConfigError(f"sub-problem {show_key(key)} is not what its search has left")

    def close(self, parts: int | None = None) -> None:
        """Raise `ConfigError` if parts are missing behind the last one."""
        if self.branches or (parts is not None and parts != self.parts):
            raise ConfigError(f"parts of {show_key(self.key)} are missing")


def _check_run(rows: Iterable[tuple[Any, ...]], first_parts: int) -> None:
    """Check the sub-problems of a run, in the order of the search."""
    whole = _Open(WHOLE, None)
    above = [whole]
    for key, state, text, result in rows:
        part = read_part(text)
        if key == WHOLE:
            whole.parts += 1
        else:
            while not key.startswith(above[-1].key):
                above.pop().close()
            above[-1].take(key, part)
        branches = None if result is None else _branches_left(result)
        if state != (PENDING if branches is None else CUT if branches else DONE):
            raise ConfigError(f"sub-problem {show_key(key)} is stored as {state}")
        if branches:
            above.append(_Open(key, branches))
    while len(above) > 1:
        above.pop().close()
    whole.close(first_parts)


def _branches_left(result: str) -> deque[SubProblem]:
    """Return the branches that are left according to a result, none if its search has ended."""
    figures = json.loads(result)  # much faster than reading all of it
    if figures["status"] in ENDED or not figures.get("remaining"):
        return deque()
    remaining = read_result(result, None).remaining or ()
    return deque(chain.from_iterable(map(single_branches, remaining)))
