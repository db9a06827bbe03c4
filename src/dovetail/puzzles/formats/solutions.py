"""Solutions as text and as JSON lines, written and read.

Text: solutions are separated by a blank line; lines that begin with `#` are comments. A
packing is layered text with piece names, copy k of a piece being `name/k` where there may be
several copies; a board is rows of `tile/rotation`, the top row first; a cover is one line of
option numbers. JSON lines: one object per line, `{"placed": [["A", [[0, 0], …]], …]}`,
`{"cells": [[[tile, rotation], …], …]}` with the bottom row first, or `{"options": [0, 5, …]}`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from dovetail.errors import PuzzleError, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattice import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.layered_text import OPEN, OUTSIDE, draw_layers, read_layers
from dovetail.puzzles.formats.text_file import TextFile


def solution_text(puzzle: Puzzle, solution: Solution) -> str:
    """One solution as text, without a newline at the end."""
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            return draw_layers(_cell_labels(puzzle, solution), puzzle.region)
        case EdgePuzzle(), EdgeSolution():
            width = len(f"{len(puzzle.tiles) - 1}/3")
            rows = reversed(solution.cells)
            return "\n".join(" ".join(f"{t}/{r}".rjust(width) for t, r in row) for row in rows)
        case CoverProblem(), CoverSolution():
            return " ".join(map(str, solution.options))
    raise PuzzleError("the solution is not one of this kind of puzzle")


def solution_json(solution: Solution) -> str:
    """One solution as one line of JSON."""
    match solution:
        case PackingSolution():
            return json.dumps({"placed": solution.placed})
        case EdgeSolution():
            return json.dumps({"cells": solution.cells})
        case CoverSolution():
            return json.dumps({"options": solution.options})


def read_solutions(file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
    """The solutions in `file` with the line each begins in; the format is told by the content.

    Raises `FormatError` for what cannot be a solution of this kind of puzzle.
    """
    first = next((line for line in file.lines if line.strip()), "")
    blocks = _json_lines(file) if first.lstrip().startswith("{") else _text_blocks(file)
    for line, block in blocks:
        try:
            if isinstance(block, dict):
                yield line, _from_json(puzzle, block)
            else:
                yield line, _from_text(puzzle, block)
        except (PuzzleError, ValueError, TypeError, KeyError, IndexError) as error:
            reason = str(error) if isinstance(error, PuzzleError) else "not such a solution"
            kind = type(puzzle).__name__
            raise file.error(f"{reason}; expected a solution of a {kind}", line) from None


def _cell_labels(puzzle: PackingPuzzle, solution: PackingSolution) -> dict[Cell, str]:
    several = {piece.name for piece in puzzle.pieces if piece.most > 1}
    used: Counter[str] = Counter()
    labels: dict[Cell, str] = {}
    for piece in puzzle.fixed:
        labels |= dict.fromkeys(piece.cells, piece.name)
    for name, cells in solution.placed:
        used[name] += 1
        labels |= dict.fromkeys(cells, f"{name}/{used[name]}" if name in several else name)
    for label in set(labels.values()):
        if label in (OPEN, OUTSIDE) and label not in {piece.name for piece in puzzle.fixed}:
            raise PuzzleError(f"piece name {label!r} has a meaning of its own in text; use JSON")
        if re.search(r"[\s,]", label) or label[0] in "#{":
            raise PuzzleError(f"piece name {shorten(label)!r} cannot stand in text; use JSON")
    return labels


def _json_lines(file: TextFile) -> Iterator[tuple[int, dict[str, Any]]]:
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


def _text_blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    block: list[str] = []
    start = 0
    for number, line in enumerate([*file.lines, ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            yield start, block
            block = []


def _from_json(puzzle: Puzzle, value: dict[str, Any]) -> Solution:
    match puzzle:
        case PackingPuzzle():
            placed = tuple(
                (str(name), tuple(tuple(_whole(c) for c in cell) for cell in cells))
                for name, cells in value["placed"]
            )
            return PackingSolution(placed)
        case EdgePuzzle():
            rows = tuple(
                tuple((_whole(tile), _whole(rotation)) for tile, rotation in row)
                for row in value["cells"]
            )
            return _board(puzzle, rows)
        case CoverProblem():
            return CoverSolution(tuple(_whole(option) for option in value["options"]))


def _whole(value: object) -> int:
    """A JSON number without a fraction."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return value


def _from_text(puzzle: Puzzle, lines: list[str]) -> Solution:
    match puzzle:
        case PackingPuzzle():
            return _packing_from_layers(puzzle, read_layers(lines))
        case EdgePuzzle():
            rows = []
            for line in reversed(lines):
                pairs = [word.split("/") for word in line.split()]
                rows.append(tuple((int(tile), int(rotation)) for tile, rotation in pairs))
            return _board(puzzle, tuple(rows))
        case CoverProblem():
            return CoverSolution(tuple(int(word) for line in lines for word in line.split()))


def _board(puzzle: EdgePuzzle, rows: tuple[tuple[tuple[int, int], ...], ...]) -> EdgeSolution:
    if len(rows) != puzzle.height or any(len(row) != puzzle.width for row in rows):
        raise PuzzleError(f"the board is not {puzzle.width} wide and {puzzle.height} high")
    return EdgeSolution(rows)


def _packing_from_layers(puzzle: PackingPuzzle, labels: dict[Cell, str]) -> PackingSolution:
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        raise PuzzleError(f"layered text shows two or three dimensions, not {dimension}")
    corner = [min(cell[axis] for cell in puzzle.region) for axis in range(dimension)]
    fixed = {cell for piece in puzzle.fixed for cell in piece.cells}
    names = {piece.name for piece in puzzle.pieces}
    placed: dict[str, list[Cell]] = {}
    for cell, label in labels.items():
        if dimension == 2 and cell[2] != 0:
            raise PuzzleError("the picture has several layers; the puzzle is flat")
        place = tuple(c + least for c, least in zip(cell[:dimension], corner, strict=True))
        if label != OPEN and place not in fixed:
            placed.setdefault(label, []).append(place)
    return PackingSolution(
        tuple(
            (label if label in names else label.rpartition("/")[0] or label, tuple(sorted(cells)))
            for label, cells in placed.items()
        )
    )
