"""The list of formats of puzzle files; which of them a file has, and the puzzles in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from dovetail.errors import PuzzleError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.plugins import Registry, with_plugins
from dovetail.puzzles.formats.base import PuzzleFormat

Several = TypeVar("Several", bound=Sequence[Any])

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
    "matrix": "dovetail.puzzles.formats.matrix:Matrix",
    "dimacs": "dovetail.puzzles.formats.solver_input:Dimacs",
    "opb": "dovetail.puzzles.formats.solver_input:Opb",
    "minizinc": "dovetail.puzzles.formats.solver_input:MiniZinc",
    "xcsp3": "dovetail.puzzles.formats.solver_input:Xcsp3",
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


def possible_formats(file: TextFile) -> list[PuzzleFormat[Any]]:
    """Return the formats that a file may have by its suffix and its first line, at least one.

    A suffix of one format decides, except that a format whose suffix ends with that of another,
    such as `.e2.json` and `.json`, is recognised by its content under either. Under a suffix of
    several formats these are possible if the first line is right, and others if the file `contains`
    what only they have. Otherwise the content alone decides. Suffixes of formats that are only
    written do not count. Raises `FormatError` for a blank file and for an unknown first line.
    """
    if not any(map(str.strip, file.lines)):
        raise file.error("the file is empty; expected a puzzle")
    with_suffix = [each for each in _formats_with(file.path) if each.readable]
    line, first = next(file.content(), (None, ""))
    every = puzzle_formats().values()
    if len(with_suffix) == 1:
        variants = (each for each in every if _is_variant(each, with_suffix[0]))
        return [next((each for each in variants if _fits(each, file, first)), with_suffix[0])]
    if line is None:
        raise file.error("there are only comments; expected a puzzle")
    possible = [each for each in every if _fits(each, file, first, has_suffix=each in with_suffix)]
    if any(each in with_suffix for each in possible):
        possible = [each for each in possible if each in with_suffix or each.contains]
    if not possible:
        *others, last = _beginnings()
        raise file.error(
            f"{shorten(first)!r} is not the beginning of a puzzle; expected {', '.join(others)}, "
            f"or {last}",
            line,
        )
    return [each for each in possible if not any(_is_variant(other, each) for other in possible)]


def read_puzzles(file: TextFile, format_name: str | None = None) -> tuple[Puzzle, ...]:
    """Read all puzzles in a file, in the format called `format_name`, by default its own.

    Raises `ConfigError` for an unknown name, and `FormatError` for a file that cannot be read, for
    one without a puzzle, and for one that several formats read as different puzzles.
    """
    chosen, puzzles = _recognised(file, format_name)
    if puzzles is None:
        puzzles = chosen.read(file)
    return _at_least_one(file, chosen, puzzles)


def puzzle_readers(
    file: TextFile, format_name: str | None = None
) -> Sequence[Callable[[], Puzzle]]:
    """Return a function for each puzzle in a file that reads it; raises as `read_puzzles` does."""
    chosen, _ = _recognised(file, format_name)
    return _at_least_one(file, chosen, chosen.each(file))


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


def _recognised(
    file: TextFile, format_name: str | None
) -> tuple[PuzzleFormat[Any], tuple[Puzzle, ...] | None]:
    """Return the format of a file, and its puzzles if they had to be read to find the format.

    If no possible format can read the file, the format is the one whose reader gets furthest.
    """
    if format_name is not None:
        return format_named(format_name), None
    possible = possible_formats(file)
    if len(possible) == 1:
        return possible[0], None
    read: dict[PuzzleFormat[Any], tuple[Puzzle, ...]] = {}
    reached: dict[PuzzleFormat[Any], int] = {}
    for candidate in possible:
        try:
            read[candidate] = _at_least_one(file, candidate, candidate.read(file))
        except PuzzleError as error:
            reached[candidate] = getattr(error, "line", None) or 0
    if not read:
        return max(reached, key=reached.__getitem__), None
    if len({tuple(puzzle.digest for puzzle in puzzles) for puzzles in read.values()}) > 1:
        readings = "; ".join(
            f"as format {reader.name} it is {shorten(', '.join(map(_in_words, puzzles)), 100)}"
            for reader, puzzles in read.items()
        )
        options = " or ".join(repr(reader.name) for reader in read)
        raise file.error(
            f"the format is ambiguous: {readings}; choose format_name (--from): {options}"
        )
    return next(iter(read.items()))


def _at_least_one(file: TextFile, chosen: PuzzleFormat[Any], puzzles: Several) -> Several:
    """Return `puzzles`, which the format found in a file; raise `FormatError` for none."""
    if not puzzles:
        raise file.error(f"no puzzle found; expected {_beginning(chosen)}")
    return puzzles


def _in_words(puzzle: Puzzle) -> str:
    """Return the sort and the size of a puzzle."""
    match puzzle:
        case EdgePuzzle():
            return f"a board of {puzzle.width} x {puzzle.height} tiles"
        case PackingPuzzle():
            return f"a packing of {how_many(len(puzzle.region), 'cell')}"
        case CoverProblem():
            items = how_many(puzzle.item_count, "item")
            return f"an exact cover of {items} by {how_many(puzzle.option_count, 'option')}"


def _is_variant(one: PuzzleFormat[Any], other: PuzzleFormat[Any]) -> bool:
    """Whether the suffix of a format ends with that of another."""
    return one is not other and one.suffixes[0].endswith(other.suffixes[0])


def _fits(
    puzzle_format: PuzzleFormat[Any], file: TextFile, first: str, *, has_suffix: bool = False
) -> bool:
    """Whether a file that begins with the line `first` may have a format.

    It need not contain what the format `contains` if it has the suffix of the format.
    """
    begins, contains = puzzle_format.begins, puzzle_format.contains
    if begins is None or not re.match(begins, first):
        return False
    if has_suffix or contains is None:
        return True
    return any(re.search(contains, line) for line in file.lines)


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
    yield from map(_beginning, sorted(readable, key=lambda one: not one.first_line))


def _beginning(one: PuzzleFormat[Any]) -> str:
    return f"{one.first_line or f'a file called {one.suffixes[0]}'} ({one.name})"
