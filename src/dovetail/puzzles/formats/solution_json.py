"""Solutions as JSON lines and as JSON.

A solution is an object: `{"placed": [["A", [[0, 0], …]], …]}` for a packing, `{"cells": [[[tile,
rotation], …], …]}` with the bottom row first for a board, and `{"options": [0, 5, …]}` for a cover.
JSON lines have a solution on every line. JSON is a single object with all of them:

    {"puzzle": "soma-cube", "digest": "…", "solutions": [
    {"placed": …},
    {"placed": …}
    ]}

The name and the digest identify the puzzle; a reader uses only the solutions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dovetail.errors import FormatError, PuzzleError, how_many
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, UnboundedWriter, read_each
from dovetail.puzzles.formats.solution_text import edge_solution, first_line, max_entries

if TYPE_CHECKING:
    from dovetail.files.validation import Object

# A solution is no longer than it may be in JSON lines.
CONTENT = (
    f"one object per line, or one with all solutions, each of at most {LONGEST_LINE:,} characters"
)


class JsonLines(Format):
    """A line for each solution."""

    name = "solution-lines"
    summary = "solutions: JSON lines, an object for each"
    suffixes = (".jsonl",)
    holds_solutions = True

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True if the first line is a complete object that is a solution."""
        from dovetail.files.validation import parse_json

        number, first = first_line(file)
        try:
            value = parse_json(file, first, CONTENT, number) if first.lstrip()[:1] == "{" else None
        except FormatError:
            return False
        return isinstance(value, dict) and "solutions" not in value

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        return read_each(file, puzzle, _of_json_lines(file), _solution)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        return UnboundedWriter("", lambda _, solution: solution_json(solution) + "\n")


class Json(Format):
    """A single object with all solutions."""

    name = "solution-json"
    summary = "solutions: JSON, one object with all"
    suffixes = (".json",)
    begins = r"\{"
    holds_solutions = True

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        from dovetail.files.validation import json_entries

        return read_each(file, puzzle, json_entries(file, "solutions", CONTENT), _solution)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        head = json.dumps({"puzzle": puzzle.name, "digest": puzzle.digest, "solutions": []})

        def one(number: int, solution: Solution) -> str:
            return ("" if number == 1 else ",\n") + solution_json(solution)

        return UnboundedWriter(head.removesuffix("]}") + "\n", one, "\n]}\n")


def solution_json(solution: Solution) -> str:
    """Return a solution as a line of JSON."""
    match solution:
        case PackingSolution():
            return json.dumps({"placed": solution.placed})
        case EdgeSolution():
            return json.dumps({"cells": solution.cells})
        case CoverSolution():
            return json.dumps({"options": solution.options})


def _solution(puzzle: Puzzle, value: object) -> Solution:
    """Return the solution in an object; raise `PuzzleError` for another object."""
    from dovetail.puzzles.formats.json_documents import CoverObject, LaidObject, PackingObject

    match puzzle:
        case PackingPuzzle():
            return _packing(puzzle, _checked(value, PackingObject).placed)
        case EdgePuzzle():
            return edge_solution(puzzle, tuple(map(tuple, _checked(value, LaidObject).cells)))
        case CoverProblem():
            return CoverSolution(tuple(_checked(value, CoverObject).options))


def _checked(value: object, model: type[Object]) -> Object:
    from dovetail.files.validation import check_json

    try:
        return check_json(value, model)
    except PuzzleError as error:
        raise PuzzleError(f"not a valid solution ({error})") from None


def _packing(puzzle: PackingPuzzle, placed: list[tuple[str, list[list[int]]]]) -> PackingSolution:
    axes = len(puzzle.lattice.axes)
    if sum(len(cells) for _, cells in placed) > max_entries(puzzle):
        raise PuzzleError(f"more than {max_entries(puzzle):,} cells in one solution")
    for cell in (cell for _, cells in placed for cell in cells):
        if len(cell) != axes:
            raise PuzzleError(f"a cell has {how_many(len(cell), 'coordinate')} instead of {axes}")
    pieces = tuple((name, tuple(map(tuple, cells))) for name, cells in placed)
    return PackingSolution(pieces, puzzle.lattice)


def _of_json_lines(file: TextFile) -> Iterator[tuple[int, object]]:
    from dovetail.files.validation import parse_json

    for number, line in enumerate(file.lines, start=1):
        if line.strip():
            yield number, parse_json(file, line, "one object per line", number)
