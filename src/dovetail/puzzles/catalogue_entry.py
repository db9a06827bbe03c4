"""What an entry of the catalogue is: a pattern of names, and how to make the puzzle with a name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dovetail.models.task import Puzzle


@dataclass(frozen=True)
class Entry:
    """Puzzles of one kind: how their names read, and how to make the one with a name.

    `pattern` is for people; `examples` are complete names; `expression` matches a name whole
    and its groups are what `build` is called with.
    """

    pattern: str
    summary: str
    examples: tuple[str, ...]
    expression: str
    build: Callable[..., Puzzle]

    def match(self, name: str) -> tuple[str | None, ...] | None:
        """What the name says, or None if it is not one of this entry's."""
        found = re.fullmatch(self.expression, name, re.ASCII)
        return None if found is None else found.groups()
