"""Solutions as JSON lines and as JSON.

A solution is an object: `{"placed": [["A", [[0, 0], …]], …]}` for a packing,
`{"cells": [[[tile, rotation], …], …]}` with the bottom row first for a board, and
`{"options": [0, 5, …]}` for a cover. JSON lines have one on every line. JSON is one object
with all of them:

    {"puzzle": "soma-cube", "digest": "…", "solutions": [
    {"placed": …},
    {"placed": …}
    ]}

The name and the digest say where the solutions come from. A reader goes by the solutions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from dovetail.errors import PuzzleError, how_many
from dovetail.files.json_file import JsonReader
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format, UnboundedWriter, read_each
from dovetail.puzzles.formats.solution_text import edge_solution, first_line, max_entries

MAX_MEMBERS = 100
LARGEST_NUMBER = 999_999_999

JsonObject = dict[str, Any]


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

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        assert puzzle is not None
        solution = partial(_solution, puzzle)
        return Document(solutions=read_each(file, puzzle, _of_json_lines(file), solution))

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        return UnboundedWriter("", lambda _, solution: solution_json(solution) + "\n")


class Json(Format):
    """One object with all solutions."""

    name = "solution-json"
    summary = "solutions: JSON, one object with all"
    suffixes = (".json",)
    begins = r"\{"
    holds_solutions = True

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        assert puzzle is not None
        solution = partial(_solution, puzzle)
        return Document(solutions=read_each(file, puzzle, _of_json(file), solution))

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        head = json.dumps({"puzzle": puzzle.name, "digest": puzzle.digest, "solutions": []})

        def one(number: int, solution: Solution) -> str:
            return ("" if number == 1 else ",\n") + solution_json(solution)

        return UnboundedWriter(head.removesuffix("]}") + "\n", one, "\n]}\n")


def solution_json(solution: Solution) -> str:
    """One solution as one line of JSON."""
    match solution:
        case PackingSolution():
            return json.dumps({"placed": solution.placed})
        case EdgeSolution():
            return json.dumps({"cells": solution.cells})
        case CoverSolution():
            return json.dumps({"options": solution.options})


def _solution(puzzle: Puzzle, value: JsonObject) -> Solution:
    """The solution that an object is.

    Raises `PuzzleError`, `TypeError`, `ValueError` or `KeyError` for one that is none.
    """
    match puzzle:
        case PackingPuzzle():
            axes = len(puzzle.lattice.axes)
            if sum(len(cells) for _, cells in value["placed"]) > max_entries(puzzle):
                raise PuzzleError(f"more than {max_entries(puzzle):,} cells in one solution")
            placed = tuple(
                (_name(name), tuple(_cell(cell, axes) for cell in cells))
                for name, cells in value["placed"]
            )
            return PackingSolution(placed, puzzle.lattice)
        case EdgePuzzle():
            rows = tuple(
                tuple((_whole(tile), _whole(rotation)) for tile, rotation in row)
                for row in value["cells"]
            )
            return edge_solution(puzzle, rows)
        case CoverProblem():
            return CoverSolution(tuple(_whole(option) for option in value["options"]))


def _of_json_lines(file: TextFile) -> Iterator[tuple[int, JsonObject]]:
    for number, line in enumerate(file.lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise file.error("not JSON; expected one object per line", number) from None
        if not isinstance(value, dict):
            raise file.error("not an object; expected one object per line", number)
        yield number, value


def _of_json(file: TextFile) -> Iterator[tuple[int, JsonObject]]:
    """The objects in the list called `solutions` of the one object that the file is."""
    # A solution is no longer than it may be in JSON lines.
    reader = JsonReader(
        file,
        "one object per line, or one with all solutions, each of at most "
        f"{LONGEST_LINE:,} characters",
    )
    seen = False
    for number, (_, key) in enumerate(reader.members()):
        if number == MAX_MEMBERS:
            raise reader.error(f"more than {MAX_MEMBERS} keys; expected a list of solutions")
        if key != "solutions":
            reader.value()
            continue
        if seen:
            raise reader.error("a second list of solutions; expected one")
        seen = True
        for line in reader.entries():
            value = reader.value()
            if not isinstance(value, dict):
                raise file.error("not an object; expected a solution", line)
            yield line, value
    reader.end()
    if not seen:
        raise reader.error('no "solutions"; expected a list of them')


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _cell(value: list[object], axes: int) -> Cell:
    if len(value) != axes:
        raise PuzzleError(f"a cell has {how_many(len(value), 'coordinate')} instead of {axes}")
    return tuple(_whole(coordinate) for coordinate in value)


def _whole(value: object) -> int:
    """A JSON number without a fraction, and not one that would flood a message."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_NUMBER:
        raise TypeError
    return value
