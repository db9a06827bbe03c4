"""Solutions as JSON lines and as JSON.

A solution is an object: `{"placed": [["A", [[0, 0], …]], …]}` for a packing,
`{"cells": [[[tile, rotation], …], …]}` with the bottom row first for a board, and
`{"options": [0, 5, …]}` for a cover. JSON lines have one on every line. JSON is one object
with all of them:

    {"puzzle": "soma-cube", "digest": "…", "solutions": [
    {"placed": …},
    {"placed": …}
    ]}

The name and the digest name the puzzle; a reader uses only the solutions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count

from dovetail.errors import PuzzleError, how_many
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, UnboundedWriter, read_each
from dovetail.puzzles.formats.solution_text import edge_solution, first_line, max_entries

_LIST = re.compile(r'"solutions"\s*:\s*\[')
_BETWEEN = re.compile(r"\s*(,?)\s*")


class JsonLines(Format):
    """A line for each solution."""

    name = "solution-lines"
    summary = "solutions: JSON lines, an object for each"
    suffixes = (".jsonl",)
    holds_solutions = True

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True if the first line is a whole object, and a solution."""
        try:
            value = json.loads(first_line(file)[1])
        except (ValueError, RecursionError):
            return False
        return isinstance(value, dict) and "solutions" not in value

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        return read_each(file, puzzle, _of_json_lines(file), _solution)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        return UnboundedWriter("", lambda _, solution: solution_json(solution) + "\n")


class Json(Format):
    """One object with all solutions."""

    name = "solution-json"
    summary = "solutions: JSON, one object with all"
    suffixes = (".json",)
    begins = r"\{"
    holds_solutions = True

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        return read_each(file, puzzle, _of_json(file), _solution)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        head = json.dumps({"puzzle": puzzle.name, "digest": puzzle.digest, "solutions": []})

        def one(number: int, solution: Solution) -> str:
            return ("" if number == 1 else ",\n") + solution_json(solution)

        return UnboundedWriter(head.removesuffix("]}") + "\n", one, "\n]}\n")


def solution_json(solution: Solution) -> str:
    """Return a solution as one line of JSON."""
    match solution:
        case PackingSolution():
            return json.dumps({"placed": solution.placed})
        case EdgeSolution():
            return json.dumps({"cells": solution.cells})
        case CoverSolution():
            return json.dumps({"options": solution.options})


def _solution(puzzle: Puzzle, value: object) -> Solution:
    """Return the solution in an object; raises `PuzzleError` for an object that is no solution."""
    from pydantic import ValidationError

    from dovetail.files.validation import problem_of
    from dovetail.puzzles.formats.json_documents import CoverObject, LaidObject, PackingObject

    try:
        match puzzle:
            case PackingPuzzle():
                return _packing(puzzle, PackingObject.model_validate(value).placed)
            case EdgePuzzle():
                rows = LaidObject.model_validate(value).cells
                return edge_solution(puzzle, tuple(map(tuple, rows)))
            case CoverProblem():
                return CoverSolution(tuple(CoverObject.model_validate(value).options))
    except ValidationError as error:
        found = problem_of(error).found or "not an object"
        raise PuzzleError(f"not a valid solution: {found}") from None


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
    for number, line in enumerate(file.lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            raise file.error("not JSON; expected one object per line", number) from None


def _of_json(file: TextFile) -> Iterator[tuple[int, object]]:
    """Yield the entries of the list called `solutions` of the object that the file is.

    They are read one by one, since all solutions of a file may take much memory; then the object
    is read without them.
    """
    from dovetail.files.validation import parse_json

    # A solution is no longer than it may be in JSON lines.
    content = (
        "one object per line, or one with all solutions, each of at most "
        f"{LONGEST_LINE:,} characters"
    )
    text = "\n".join(file.lines)
    if found := _LIST.search(text):
        place = found.end()
        line = text.count("\n", 0, place) + 1
        for number in count():
            between = _BETWEEN.match(text, place)
            assert between is not None
            line += text.count("\n", place, between.end())
            place = between.end()
            if not between[1] and text.startswith("]", place):
                break
            if bool(between[1]) != (number > 0):
                raise file.error("not JSON; expected ','", line)
            try:
                value, length = json.JSONDecoder().raw_decode(text[place : place + LONGEST_LINE])
            except (ValueError, RecursionError):
                raise file.error(f"not JSON; expected {content}", line) from None
            yield line, value
            line += text.count("\n", place, place + length)
            place += length
        text = text[: found.end()] + text[place:]
    whole = parse_json(file, text, content)
    if not isinstance(whole, dict) or whole.get("solutions") != []:
        raise file.error('no "solutions"; expected a list of them')
