"""The list of formats of puzzle files, and which of them a file has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dovetail.errors import shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.models.task import Puzzle
from dovetail.plugins import Registry, with_plugins
from dovetail.puzzles.formats.base import PuzzleFormat

ENTRY_POINT_GROUP = "dovetail.formats"
# Where they are: those that are read, then those that are written for solvers.
OWN = {
    "polycube": "dovetail.puzzles.formats.polycube:Polycube",
    "toml": "dovetail.puzzles.formats.toml_puzzle:TomlPuzzle",
    "burrtools": "dovetail.puzzles.formats.burrtools:BurrTools",
    "edges": "dovetail.puzzles.formats.edge_text:EdgeText",
    "json": "dovetail.puzzles.formats.edge_json:EdgeJson",
    "viewer": "dovetail.puzzles.formats.viewer.puzzles:Viewer",
    "knuth": "dovetail.puzzles.formats.knuth:Knuth",
    "dimacs": "dovetail.puzzles.formats.solver_input.dimacs:Dimacs",
    "opb": "dovetail.puzzles.formats.solver_input.opb:Opb",
    "minizinc": "dovetail.puzzles.formats.solver_input.minizinc:MiniZinc",
    "xcsp3": "dovetail.puzzles.formats.solver_input.xcsp3:Xcsp3",
}


@cache
def registry() -> Registry[PuzzleFormat[Any]]:
    """All formats by name: dovetail's own, then those that other distributions add.

    An entry point in the group `dovetail.formats` names a subclass of `PuzzleFormat`. One that
    cannot be used is left out with a warning, see `with_plugins`.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, PuzzleFormat, _checked_name)


def puzzle_formats() -> Mapping[str, PuzzleFormat[Any]]:
    """All formats that can be used, by name."""
    return registry().found


def format_named(name: str) -> PuzzleFormat[Any]:
    """The format called `name`; `ConfigError` lists the valid names."""
    if name not in puzzle_formats():
        raise unknown_name("format", name, puzzle_formats())
    return puzzle_formats()[name]


def format_of_file(file: TextFile) -> PuzzleFormat[Any]:
    """The format of a file: by its suffix where only one has it, else by its first line.

    The suffixes of formats that are only written do not count. Raises `FormatError` when neither
    identifies one.
    """
    by_suffix = [one for one in _formats_with(file.path) if one.readable]
    if len(by_suffix) == 1:
        return by_suffix[0]
    line, first = next(file.content(), (None, ""))
    if line is None:
        raise file.error("the file is empty; expected a puzzle")
    for puzzle_format in puzzle_formats().values():
        if puzzle_format.begins is not None and re.match(puzzle_format.begins, first):
            return puzzle_format
    *others, last = _beginnings()
    raise file.error(
        f"{shorten(first)!r} is not the beginning of a puzzle; expected {', '.join(others)}, "
        f"or {last}",
        line,
    )


def format_to_write(path: Path, puzzle: Puzzle) -> PuzzleFormat[Any]:
    """The format that a file called so is written in: of those with its suffix, the puzzle's.

    Raises `ConfigError` for a suffix of no format.
    """
    candidates = _formats_with(path)
    if not candidates:
        valid = {suffix for one in puzzle_formats().values() for suffix in one.suffixes}
        raise unknown_name("suffix of a puzzle file", path.suffix, valid)
    fitting = [one for one in candidates if isinstance(puzzle, one.writes)]
    return (fitting or candidates)[0]


def _checked_name(one: PuzzleFormat[Any]) -> str:
    """Its name; raises if the format would spoil the search for that of a file."""
    re.compile(one.begins or "")
    if not (one.summary and one.suffixes and one.writes):
        raise ValueError("it has no summary, suffix or class of puzzles")
    return one.name


def _formats_with(path: Path) -> list[PuzzleFormat[Any]]:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    formats = puzzle_formats().values()
    return [one for one in formats if suffixes and suffixes[-1] in one.suffixes]


def _beginnings() -> Iterator[str]:
    """How files of each format begin, those last that only their names identify."""
    readable = (one for one in puzzle_formats().values() if one.readable)
    formats = sorted(readable, key=lambda one: not one.first_line)
    for one in formats:
        yield f"{one.first_line or f'a file called {one.suffixes[0]}'} ({one.name})"
