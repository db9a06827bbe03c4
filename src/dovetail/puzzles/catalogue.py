"""The catalogue: puzzles by stable names.

An entry is a pattern of names, since most puzzles come in several sizes. catalogue.toml has all
entries. In a name, two sizes are height x width, and three are depth x height x width. With four
sizes, too, the last size is the extent along x. Two puzzles keep the names of their publications,
which put the width first: hexominoes-parallelogram-15x14 and heptominoes-33x23.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from dovetail.errors import ConfigError, did_you_mean, list_first, shorten
from dovetail.models.task import Puzzle
from dovetail.printable import Shown

MAX_PATTERNS_SHOWN = 300  # maximum number of characters of the list of patterns in a message

# Regular expressions for the words in capitals of a pattern. Their groups are named after the
# arguments of the functions that build puzzles.
VARIABLES = {
    "D": r"(?P<depth>\d{1,3})",
    "H": r"(?P<height>\d{1,3})",
    "W": r"(?P<width>\d{1,3})",
    "N": r"(?P<n>\d{1,3})",
    "LETTERS": r"(?P<letters>[A-Z]{1,12})",
    "NAME": r"(?P<left_out>[1-9A-Z])",
    "SHAPE": r"(?P<shape>[a-z0-9-]+)",
    "SIZE": r"(?P<height>\d{1,2})(?:x(?P<width>\d{1,2}))?",
    "COLOURS": r"(?:b(?P<border_colours>\d{1,5})i)?(?P<inner_colours>\d{1,5})",
    "SEED": r"(?P<seed>\d{1,9})",
}
TEXTS = ("letters", "left_out", "shape")  # arguments that are not numbers


@dataclass(frozen=True, repr=False)
class CatalogueEntry(Shown):
    """Puzzles of the catalogue with a common pattern of names.

    >>> next(entry for entry in catalogue() if "queens-8" in entry.examples).pattern
    'queens-N'
    """

    pattern: str  # words in capitals stand for sizes, numbers or names
    summary: str
    examples: tuple[str, ...]  # names of puzzles

    def __str__(self) -> str:
        return f"{self.pattern}: {self.summary} ({list_first(self.examples, 3)})"


@dataclass(frozen=True)
class _Builder:
    """A function that builds the puzzles of an entry, and the pattern of their names."""

    expression: re.Pattern[str]
    function: str  # module:function in `dovetail.puzzles`
    arguments: Mapping[str, Any]  # fixed arguments; in a text, {…} stands for a value in the name
    bounds: tuple[str, int, int] | None  # of the number n: noun for messages, minimum, maximum

    def __call__(self, matched: re.Match[str]) -> Puzzle:
        values = {
            key: value if value is None or key in TEXTS else int(value)
            for key, value in matched.groupdict().items()
            if key not in VARIABLES
        }
        if self.bounds is not None:
            what, least, most = self.bounds
            if not least <= (n := int(matched["n"])) <= most:
                raise ConfigError(f"the number of {what} is {n}; expected {least} to {most}")
        given = {
            key: value.format_map(values) if isinstance(value, str) else value
            for key, value in self.arguments.items()
        }
        puzzle: Puzzle = resolve_name(f"dovetail.puzzles.{self.function}")(**given, **values)
        return puzzle


@cache
def _entries() -> dict[CatalogueEntry, _Builder]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    found = {}
    for pattern, table in tomllib.loads(text).items():
        capitals = re.search("[A-Z].*", pattern)
        beginning = pattern[: capitals.start()] if capitals else pattern
        examples = tuple(beginning + each for each in table.get("examples", "").split())
        expression = re.sub(
            "[A-Z]+", lambda match: f"(?P<{match[0]}>{VARIABLES[match[0]]})", pattern
        )
        if digits := table.get("digits"):
            expression = expression.replace("{1,3}", f"{{1,{digits}}}")
        entry = CatalogueEntry(pattern, table["summary"], examples or (pattern,))
        given = table.get("arguments", {}), table.get("bounds")
        found[entry] = _Builder(re.compile(expression, re.ASCII), table["build"], *given)
    return found


def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return the entries of the catalogue, in its order."""
    return tuple(_entries())


def variables_of(name: str) -> dict[str, str]:
    """Return the values in a puzzle's name by the words in capitals of its pattern.

    In `pentominoes-6x10`, H is 6 and W is 10. The name must fit an entry of the catalogue.
    """
    matches = (builder.expression.fullmatch(name) for builder in _entries().values())
    found = next(filter(None, matches)).groupdict()
    return {capitals: found[capitals] for capitals in VARIABLES if capitals in found}


def is_catalogue_name(name: str) -> bool:
    """Return True if `name` fits an entry of the catalogue; its sizes may still be impossible."""
    return any(builder.expression.fullmatch(name) for builder in _entries().values())


@lru_cache(maxsize=4)  # puzzles are immutable, and checking takes as long as a short search
def catalogue_puzzle(name: str) -> Puzzle:
    """Return the puzzle called `name`.

    Raises `ConfigError` for a name that fits no entry, with the first patterns in the message, and
    for a number out of bounds. Raises `PuzzleError` for impossible sizes, such as a rectangle of
    the wrong area.
    """
    for builder in _entries().values():
        if matched := builder.expression.fullmatch(name):
            return builder(matched)
    patterns = ", ".join(entry.pattern for entry in catalogue())
    names = [name for entry in catalogue() for name in entry.examples]
    raise ConfigError(
        f"no puzzle is called {shorten(name)!r} and there is no such file; "
        f"{did_you_mean(name, names)}valid: "
        f"{shorten(patterns, MAX_PATTERNS_SHOWN)} (dovetail list puzzles)"
    )
