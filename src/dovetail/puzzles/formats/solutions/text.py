"""Solutions as text.

Solutions are separated by a blank line; lines that begin with `#` are comments. A packing is
layered text with piece names, copy k of a piece being `name/k` where there may be several
copies; a board is rows of `tile/rotation`, the top row first; a cover is one line of option
numbers:

    V V V W W N N N T I        2/0  0/1        0 5 11
    V Y W W N N T T T I        3/3  1/2
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from operator import add

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OUTSIDE, draw_cells
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Numbered, SolutionFormat, UnboundedWriter
from dovetail.puzzles.formats.layered_text import read_layers
from dovetail.puzzles.formats.solutions.words import board, whole


class Text(SolutionFormat):
    """Pictures, rows of tiles or lines of option numbers: what no other format begins with.

    In pictures a symbol of `fold` stands for the piece it maps to.
    """

    suffix = ".txt"

    def __init__(self, fold: Mapping[str, str] | None = None) -> None:
        self._fold = fold or {}

    def begins(self, _first: str, _puzzle: Puzzle, /) -> bool:
        """Never: a file is text if it begins as none of the others."""
        return False

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        for line, lines in _blocks(file):
            yield line, partial(_solution, puzzle, lines, self._fold)

    def writer(self, puzzle: Puzzle, _source: TextFile | None, /) -> UnboundedWriter:
        check_text(puzzle)
        return UnboundedWriter("", lambda _, solution: solution_text(puzzle, solution) + "\n\n")


def solution_text(puzzle: Puzzle, solution: Solution) -> str:
    """One solution as text, without a newline at the end."""
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            return draw_cells(puzzle.lattice, cell_labels(puzzle, solution), puzzle.region)
        case (EdgePuzzle(), EdgeSolution()) | (CoverProblem(), CoverSolution()):
            return str(solution)
    raise PuzzleError("the solution is for another kind of puzzle")


def check_text(puzzle: Puzzle) -> None:
    """Raises `PuzzleError` for a packing that text cannot show, naming the formats that can."""
    if isinstance(puzzle, PackingPuzzle):
        puzzle.lattice.text_place(puzzle.region[0])


def piece_labels(puzzle: PackingPuzzle, solution: PackingSolution) -> list[str]:
    """What text calls each placed piece: by name, and which copy if there may be several."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    used: Counter[str] = Counter()
    labels = []
    for name, _ in solution.placed:
        used[name] += 1
        labels.append(f"{name}/{used[name]}" if name in several else name)
    return labels


def cell_labels(puzzle: PackingPuzzle, solution: PackingSolution) -> dict[Cell, str]:
    """What text calls the piece in each cell that one covers, fixed pieces included.

    Raises `PuzzleError` for names that cannot be written in text.
    """
    names = {piece.name for piece in puzzle.pieces}
    labels: dict[Cell, str] = {}
    for piece in puzzle.fixed:
        labels |= dict.fromkeys(piece.cells, piece.name)
    called = piece_labels(puzzle, solution)
    for (name, cells), label in zip(solution.placed, called, strict=True):
        if label != name and label in names:
            raise PuzzleError(
                f"in text, the label {shorten(label)!r} of a copy is the name of another piece; "
                "use JSON"
            )
        labels |= dict.fromkeys(cells, label)
    for label in set(labels.values()):
        if label in (OPEN, OUTSIDE) and label not in {piece.name for piece in puzzle.fixed}:
            raise PuzzleError(f"piece name {label!r} has a special meaning in text; use JSON")
        # The first mark of a file tells comments, JSON and XML.
        if re.search(r"[\s,]", label) or label[0] in "#{<" or not is_printable(label):
            raise PuzzleError(f"piece name {shorten(label)!r} cannot be written in text; use JSON")
    return labels


def _blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """The solutions' lines, and the number of the first of them."""
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


def _solution(puzzle: Puzzle, lines: list[str], fold: Mapping[str, str]) -> Solution:
    """The solution that `lines` show; symbols in `fold` stand for the pieces it maps them to."""
    match puzzle:
        case PackingPuzzle():
            check_text(puzzle)
            labels = read_layers(lines)
            return _packing(puzzle, {cell: fold.get(s, s) for cell, s in labels.items()})
        case EdgePuzzle():
            rows = []
            for line in reversed(lines):
                pairs = [word.split("/") for word in line.split()]
                rows.append(tuple((whole(tile), whole(rotation)) for tile, rotation in pairs))
            return board(puzzle, tuple(rows))
        case CoverProblem():
            return CoverSolution(tuple(whole(word) for line in lines for word in line.split()))


def _packing(puzzle: PackingPuzzle, labels: dict[Cell, str]) -> PackingSolution:
    corner = tuple(map(min, zip(*map(puzzle.lattice.text_place, puzzle.region), strict=True)))
    fixed = {cell for piece in puzzle.fixed for cell in piece.cells}
    names = {piece.name for piece in puzzle.pieces}
    placed: dict[str, list[Cell]] = {}
    for place, label in labels.items():
        if len(corner) == 2 and place[2] != 0:
            raise PuzzleError("the picture has several layers; the puzzle is flat")
        moved = tuple(map(add, place, corner))
        cell = puzzle.lattice.text_cell(moved)
        if cell is None:
            raise PuzzleError(f"label {shorten(label)!r} is at a place without a cell")
        if label != OPEN and cell not in fixed:
            placed.setdefault(label, []).append(cell)
    return PackingSolution(
        tuple(
            (label if label in names else label.rpartition("/")[0] or label, tuple(sorted(cells)))
            for label, cells in placed.items()
        ),
        puzzle.lattice,
    )
