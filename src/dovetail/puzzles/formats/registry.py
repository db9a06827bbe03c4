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
    "csv": "dovetail.puzzles.formats.edge_csv:EdgeCsv",
    "edges": "dovetail.puzzles.formats.edge_text:EdgeText",
    "eternity2": "dovetail.puzzles.formats.eternity2_json:Eternity2Json",
    "json": "dovetail.puzzles.formats.edge_json:EdgeJson",
    "eternity2-viewer": "dovetail.puzzles.formats.viewer.puzzles:Eternity2Viewer",
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
    """The format of a file: by its suffix where only one has it, else by its content.

    That is its first line, and for a format that `contains` something any line. A format whose
    suffix ends with that of another, `.e2.json` and `.json`, is recognised by its content under
    either. The suffixes of formats that are only written do not count. Raises `FormatError` when
    nothing identifies one.
    """
    by_suffix = [one for one in _formats_with(file.path) if one.readable]
    line, first = next(file.content(), (None, ""))
    if len(by_suffix) == 1:
        variants = (one for one in puzzle_formats().values() if _is_variant(one, by_suffix[0]))
        found = (one for one in variants if _has_content(one, file, first))
        return next(found, by_suffix[0])
    if line is None:
        raise file.error("the file is empty; expected a puzzle")
    for puzzle_format in puzzle_formats().values():
        if _has_content(puzzle_format, file, first):
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


def _is_variant(one: PuzzleFormat[Any], other: PuzzleFormat[Any]) -> bool:
    """Whether the suffix of a format ends with that of another."""
    return one is not other and one.suffixes[0].endswith(other.suffixes[0])


def _has_content(puzzle_format: PuzzleFormat[Any], file: TextFile, first: str) -> bool:
    """Whether a file that begins with the line `first` has a format, by its content."""
    begins, contains = puzzle_format.begins, puzzle_format.contains
    if begins is None or not re.match(begins, first):
        return False
    return contains is None or any(re.search(contains, line) for line in file.lines)


def _checked_name(one: PuzzleFormat[Any]) -> str:
    """Its name; raises if the format would spoil the search for that of a file."""
    re.compile(one.begins or "")
    re.compile(one.contains or "")
    if not (one.summary and one.suffixes and one.writes):
        raise ValueError("it has no summary, suffix or class of puzzles")
    return one.name


def _formats_with(path: Path) -> list[PuzzleFormat[Any]]:
    """The formats with the longest suffix that the name of a file ends with."""
    name = path.name.lower().removesuffix(".gz")
    length = {
        one: max((len(suffix) for suffix in one.suffixes if name.endswith(suffix)), default=0)
        for one in puzzle_formats().values()
    }
    longest = max(length.values())
    return [one for one, found in length.items() if found == longest > 0]


def _beginnings() -> Iterator[str]:
    """How files of each format begin, those last that only their names identify."""
    readable = (one for one in puzzle_formats().values() if one.readable)
    formats = sorted(readable, key=lambda one: not one.first_line)
    for one in formats:
        yield f"{one.first_line or f'a file called {one.suffixes[0]}'} ({one.name})"
