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
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattice import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.solutions.words import LARGEST_NUMBER, board, most_entries
from dovetail.puzzles.formats.text_file import LONGEST_LINE, TextFile

MOST_MEMBERS = 100

JsonObject = dict[str, Any]

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def solution_json(solution: Solution) -> str:
    """One solution as one line of JSON."""
    match solution:
        case PackingSolution():
            return json.dumps({"placed": solution.placed})
        case EdgeSolution():
            return json.dumps({"cells": solution.cells})
        case CoverSolution():
            return json.dumps({"options": solution.options})


def envelope(puzzle: Puzzle) -> tuple[str, str]:
    """What comes before and after the solutions in JSON."""
    head = json.dumps({"puzzle": puzzle.name, "digest": puzzle.digest, "solutions": []})
    return head.removesuffix("]}") + "\n", "\n]}\n"


def json_objects(file: TextFile, first: str) -> Iterator[tuple[int, JsonObject]]:
    """The solutions' objects, and the line each begins in, of JSON lines or JSON.

    `first` is the first line that is not blank: in JSON lines it is an object, and a solution.
    """
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        value = None
    lines = isinstance(value, dict) and "solutions" not in value
    return _of_json_lines(file) if lines else _JsonReader(file).solutions()


def solution_from_json(puzzle: Puzzle, value: JsonObject) -> Solution:
    """The solution that an object is.

    Raises `PuzzleError`, `TypeError`, `ValueError` or `KeyError` for one that is none.
    """
    match puzzle:
        case PackingPuzzle():
            dimension = puzzle.lattice.dimension
            if sum(len(cells) for _, cells in value["placed"]) > most_entries(puzzle):
                raise PuzzleError(f"more than {most_entries(puzzle):,} cells in one solution")
            placed = tuple(
                (_name(name), tuple(_cell(cell, dimension) for cell in cells))
                for name, cells in value["placed"]
            )
            return PackingSolution(placed)
        case EdgePuzzle():
            rows = tuple(
                tuple((_whole(tile), _whole(rotation)) for tile, rotation in row)
                for row in value["cells"]
            )
            return board(puzzle, rows)
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


class _JsonReader:
    """Goes through one JSON object by hand, so that every solution in it has a line."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._text = "\n".join(file.lines)
        self._starts = [0, *accumulate(len(line) + 1 for line in file.lines)]
        self._place = 0

    def solutions(self) -> Iterator[tuple[int, JsonObject]]:
        """The objects in the list called `solutions`."""
        seen = False
        for number, key in enumerate(self._members("{", "}")):
            if number == MOST_MEMBERS:
                raise self._error(f"more than {MOST_MEMBERS} keys; expected a list of solutions")
            if key != "solutions":
                self._value()
                continue
            if seen:
                raise self._error("a second list of solutions; expected one")
            seen = True
            for _ in self._members("[", "]"):
                line = self._line()
                value = self._value()
                if not isinstance(value, dict):
                    raise self._file.error("not an object; expected a solution", line)
                yield line, value
        if self._peek():
            raise self._error("more after the end of the object; expected nothing")
        if not seen:
            raise self._error('no "solutions"; expected a list of them')

    def _members(self, opening: str, closing: str) -> Iterator[object]:
        """Stops before every value of an object or list; says its key, None in a list."""
        self._take(opening)
        if self._peek() == closing:
            self._take(closing)
            return
        while True:
            key = None
            if closing == "}":
                key = self._value()
                self._take(":")
            yield key
            if self._peek() == closing:
                self._take(closing)
                return
            self._take(",")

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._error(f"not JSON; expected {mark!r}")
        self._place += 1

    def _peek(self) -> str:
        """The next character that is not a space, or nothing at the end."""
        space = _SPACE.match(self._text, self._place)
        assert space is not None
        self._place = space.end()
        return self._text[self._place : self._place + 1]

    def _value(self) -> object:
        """What stands here. A solution is no longer than it may be in JSON lines."""
        self._peek()
        near = self._text[self._place : self._place + LONGEST_LINE]
        try:
            value, length = _DECODER.raw_decode(near)
        except (ValueError, RecursionError):
            raise self._error(
                "not JSON; expected one object per line, or one with all solutions, each of "
                f"at most {LONGEST_LINE:,} characters"
            ) from None
        self._place += length
        return value

    def _line(self) -> int:
        self._peek()
        return min(bisect_right(self._starts, self._place), len(self._file.lines))

    def _error(self, message: str) -> Exception:
        return self._file.error(message, self._line())


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _cell(value: list[object], dimension: int) -> Cell:
    if len(value) != dimension:
        raise PuzzleError(f"a cell has {len(value)} coordinates instead of {dimension}")
    return tuple(_whole(coordinate) for coordinate in value)


def _whole(value: object) -> int:
    """A JSON number without a fraction, and not one that would flood a message."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_NUMBER:
        raise TypeError
    return value
