"""From the suffix of a file to what is written into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.burrtools.write_back import BurrToolsSource
from dovetail.puzzles.formats.burrtools.writer import BurrToolsSheet
from dovetail.puzzles.formats.registry import format_of_file
from dovetail.puzzles.formats.solutions.csv_rows import csv_header, csv_rows, csv_text
from dovetail.puzzles.formats.solutions.json_values import envelope, solution_json
from dovetail.puzzles.formats.solutions.text import check_text, solution_text
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.formats.viewer.solutions import solution_url
from dovetail.puzzles.formats.viewer.urls import check_showable

BURRTOOLS = ".xmpuzzle"


@dataclass(frozen=True)
class SolutionWriter:
    """The parts of a file: what comes first, each solution with its number from 1, what is last.

    A file that ends after any solution, its `tail` written, is whole.
    """

    head: str
    one: Callable[[int, Solution], str]
    tail: str = ""

    @property
    def left_out(self) -> int:
        """How many solutions are not in the file: none, however many there are."""
        return 0


def solution_writer(
    suffix: str, puzzle: Puzzle, source: TextFile | None = None, *, also: Iterable[str] = ()
) -> SolutionWriter:
    """How solutions of `puzzle` are written into a file with this suffix.

    Where `source`, the file that the puzzle came from, is a BurrTools file, those in a
    BurrTools file are written back into it: what else it says is kept. The caller knows what to
    do with the suffixes `also`, which an error names too.

    Raises `ConfigError` for a suffix of no format and `PuzzleError` where the format cannot
    say what such a puzzle's solutions are.
    """
    if suffix not in WRITERS:
        valid = ", ".join([*WRITERS, *also])
        raise ConfigError(f"{shorten(suffix)!r}: unknown kind of file; valid: {valid}")
    if suffix == BURRTOOLS and source is not None and _is_burrtools(source):
        return _burrtools(puzzle, source)
    return WRITERS[suffix](puzzle)


def _text(puzzle: Puzzle) -> SolutionWriter:
    check_text(puzzle)
    return SolutionWriter("", lambda _, solution: solution_text(puzzle, solution) + "\n\n")


def _json_lines(_: Puzzle) -> SolutionWriter:
    return SolutionWriter("", lambda _, solution: solution_json(solution) + "\n")


def _json(puzzle: Puzzle) -> SolutionWriter:
    head, tail = envelope(puzzle)

    def one(number: int, solution: Solution) -> str:
        return ("" if number == 1 else ",\n") + solution_json(solution)

    return SolutionWriter(head, one, tail)


def _csv(puzzle: Puzzle) -> SolutionWriter:
    head = csv_text([csv_header(puzzle)])
    return SolutionWriter(head, lambda number, solution: csv_text(csv_rows(number, solution)))


def _urls(puzzle: Puzzle) -> SolutionWriter:
    if not isinstance(puzzle, EdgePuzzle):
        raise PuzzleError(f"a viewer URL shows boards; {puzzle.name} is no edge-matching puzzle")
    check_showable(puzzle)

    def one(_: int, solution: Solution) -> str:
        assert isinstance(solution, EdgeSolution)
        return solution_url(puzzle, solution) + "\n"

    return SolutionWriter("", one)


def _burrtools(puzzle: Puzzle, source: TextFile | None = None) -> SolutionWriter:
    if not isinstance(puzzle, PackingPuzzle):
        raise PuzzleError(f"BurrTools has no puzzles like {puzzle.name}, only packings")
    sheet = BurrToolsSheet(puzzle) if source is None else BurrToolsSource(source, puzzle)

    def one(_: int, solution: Solution) -> str:
        assert isinstance(solution, PackingSolution)
        return sheet.solution(solution)

    return SolutionWriter(sheet.head, one, sheet.tail)


def _is_burrtools(file: TextFile) -> bool:
    return format_of_file(file).name == "burrtools"


WRITERS: dict[str, Callable[[Puzzle], SolutionWriter]] = {
    ".txt": _text,
    ".jsonl": _json_lines,
    ".json": _json,
    ".csv": _csv,
    ".url": _urls,
    BURRTOOLS: _burrtools,
}
