"""The list of formats of files of solutions; which of them to write, and which a file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.plugins import Registry, with_plugins
from dovetail.puzzles.formats.base import SolutionFormat, SolutionReader, SolutionWriter
from dovetail.puzzles.formats.registry import possible_formats
from dovetail.puzzles.formats.solutions.text import Text
from dovetail.puzzles.formats.solver_output.recognition import solver_output

ENTRY_POINT_GROUP = "dovetail.solution_formats"
OWN = {  # where they are
    ".txt": "dovetail.puzzles.formats.solutions.text:Text",
    ".jsonl": "dovetail.puzzles.formats.solutions.json_values:JsonLines",
    ".json": "dovetail.puzzles.formats.solutions.json_values:Json",
    ".csv": "dovetail.puzzles.formats.solutions.csv_rows:Csv",
    ".url": "dovetail.puzzles.formats.viewer.solutions:ViewerSolutions",
    ".e2.url": "dovetail.puzzles.formats.viewer.solutions:Eternity2Solutions",
    ".xmpuzzle": "dovetail.puzzles.formats.burrtools.solutions:BurrToolsSolutions",
}


@cache
def registry() -> Registry[SolutionFormat]:
    """All formats by suffix: dovetail's own, then those that other distributions add.

    An entry point in the group `dovetail.solution_formats` names a subclass of `SolutionFormat`.
    One that cannot be used is left out with a warning, see `with_plugins`.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, SolutionFormat, lambda one: one.suffix)


def solution_formats() -> Mapping[str, SolutionFormat]:
    """All formats that can be used, by suffix."""
    return registry().found


def read_solutions(
    file: TextFile, puzzle: Puzzle, fold: Mapping[str, str] | None = None
) -> Iterator[tuple[int, Solution]]:
    """The solutions in `file` with the line each begins in; the content identifies the format.

    In layered text a symbol in `fold` stands for the piece it maps to, so that a piece may
    be drawn with several symbols.

    Raises `FormatError` for what cannot be a solution of this kind of puzzle.
    """
    for line, solution in _format_of(file, puzzle, fold).read(file, puzzle):
        try:
            yield line, solution()
        except (PuzzleError, ValueError, TypeError, LookupError) as error:
            reason = str(error) if isinstance(error, PuzzleError) else "not a valid solution"
            raise file.error(f"{reason}; expected a solution of {puzzle.name}", line) from None


def solution_writer(
    suffix: str, puzzle: Puzzle, source: TextFile | None = None, *, also: Iterable[str] = ()
) -> SolutionWriter:
    """How solutions of `puzzle` are written into a file with this suffix.

    They are written back into `source`, the file that the puzzle came from, if their format
    `extends` it: what else it says is kept. The caller knows what to do with the suffixes `also`,
    which an error names too.

    Raises `ConfigError` for a suffix of no format and `PuzzleError` where the format cannot
    say what such a puzzle's solutions are.
    """
    if suffix not in solution_formats():
        valid = ", ".join([*solution_formats(), *also])
        raise ConfigError(f"unknown suffix {shorten(suffix)!r}; valid: {valid}")
    extended = source if source is not None and extends(suffix, source) else None
    return solution_formats()[suffix].writer(puzzle, extended)


def extends(suffix: str, source: TextFile) -> bool:
    """Whether solutions in a file with this suffix are written back into `source`, a puzzle's."""
    chosen = solution_formats().get(suffix)
    if chosen is None or chosen.extends is None:
        return False
    return any(one.name == chosen.extends for one in possible_formats(source))


def _format_of(file: TextFile, puzzle: Puzzle, fold: Mapping[str, str] | None) -> SolutionReader:
    """The format that the first line identifies, a solver's among them, else text.

    Raises `FormatError` for a file of blank lines and comments: the number of its solutions is not
    0 but unknown.
    """
    lines = (
        (number, line)
        for number, line in enumerate(file.lines, start=1)
        if line.strip() and not line.startswith("#")
    )
    printed = solver_output(file, puzzle)
    number, first = next(lines, (None, ""))
    if printed is None and number is None:
        raise file.error(f"no solutions found; expected solutions of {puzzle.name}")
    formats = (one for one in solution_formats().values() if one.begins(first, puzzle))
    found = printed or next(formats, None)
    if found is None:
        return Text(fold)
    if fold:
        raise file.error(
            "not a picture; expected layered text, whose symbols can be folded", number
        )
    return found
