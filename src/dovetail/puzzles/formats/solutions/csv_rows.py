"""Solutions as CSV: a header and rows, as spreadsheets and data frames like them.

A packing has one row per cell, with a column for each of its lattice's coordinates (`x` to `w`,
`x5` and `x6` on a square lattice of six dimensions); `copy` tells the copies of one piece apart:

    solution,piece,copy,x,y
    1,F,1,0,0

A board has one row per cell (`solution,x,y,tile,rotation`, (0, 0) at the bottom left), a
cover one row per option (`solution,option`). Solutions are numbered from 1, and the rows of one
stand together. A solution without cells or options is a row with nothing but its number.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby, islice

from dovetail.errors import PuzzleError, how_many
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Numbered, SolutionFormat, UnboundedWriter
from dovetail.puzzles.formats.solutions.words import board, max_entries, whole

Row = list[str]


class Csv(SolutionFormat):
    """A row for each cell, tile or option."""

    suffix = ".csv"

    def begins(self, first: str, _puzzle: Puzzle, /) -> bool:
        return first.startswith(("solution,piece,copy", "solution,x,y,tile", "solution,option"))

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        for line, rows in _blocks(file, puzzle):
            yield line, partial(_solution, puzzle, rows)

    def writer(self, puzzle: Puzzle, _source: TextFile | None, /) -> UnboundedWriter:
        return UnboundedWriter(
            _text([csv_header(puzzle)]), lambda number, solution: _text(_numbered(number, solution))
        )


def csv_header(puzzle: Puzzle) -> Row:
    """The names of the columns."""
    match puzzle:
        case PackingPuzzle():
            return ["solution", "piece", "copy", *puzzle.lattice.axes]
        case EdgePuzzle():
            return ["solution", "x", "y", "tile", "rotation"]
        case CoverProblem():
            return ["solution", "option"]


def _text(rows: Iterable[Iterable[object]]) -> str:
    """`rows` as lines of CSV, each with its newline."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _numbered(number: int, solution: Solution) -> Iterator[list[object]]:
    """The rows of one solution, the one with this `number`."""
    empty = True
    for values in _values(solution):
        yield [number, *values]
        empty = False
    if empty:
        yield [number]


def _blocks(file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, list[Row]]]:
    """The rows of every solution without its number, and the line of the first of them."""
    header = csv_header(puzzle)
    rows = _rows(file)
    line, names = next(rows)
    if names != header:
        raise file.error(f"wrong columns; expected {','.join(header)}", line)
    max_rows = max_entries(puzzle)
    seen: set[str] = set()
    for number, group in groupby(rows, key=lambda row: row[1][0]):
        block = list(islice(group, max_rows + 1))
        start = block[0][0]
        if len(block) > max_rows:
            raise file.error(f"a solution of more than {max_rows:,} rows", start)
        file.integer(number, start, "the number of a solution")
        if number in seen:
            raise file.error(f"solution {number} appears again; expected its rows together", start)
        seen.add(number)
        if len(block) == 1 and not any(block[0][1][1:]):
            yield start, []
            continue
        for line, row in block:
            if len(row) != len(header):
                raise file.error(
                    f"{how_many(len(row), 'value')}; expected {','.join(header)}", line
                )
        yield start, [row[1:] for _, row in block]


def _solution(puzzle: Puzzle, rows: list[Row]) -> Solution:
    """The solution that `rows` are, their numbers left out."""
    match puzzle:
        case PackingPuzzle():
            copies: dict[tuple[str, int], list[Cell]] = {}
            for piece, copy, *cell in rows:
                copies.setdefault((piece, whole(copy)), []).append(tuple(map(whole, cell)))
            placed = tuple((name, tuple(sorted(cells))) for (name, _), cells in copies.items())
            return PackingSolution(placed, puzzle.lattice)
        case EdgePuzzle():
            laid: dict[tuple[int, int], tuple[int, int]] = {}
            for row in rows:
                x, y, tile, rotation = map(whole, row)
                if (x, y) in laid:
                    raise PuzzleError(f"two tiles at ({x}, {y})")
                laid[x, y] = tile, rotation
            cells = [[(x, y) for x in range(puzzle.width)] for y in range(puzzle.height)]
            if set(laid) != set(chain.from_iterable(cells)):
                raise PuzzleError("some cell has no tile, or some tile has no cell")
            return board(puzzle, tuple(tuple(laid[cell] for cell in row) for row in cells))
        case CoverProblem():
            return CoverSolution(tuple(whole(option) for (option,) in rows))


def _values(solution: Solution) -> Iterator[tuple[object, ...]]:
    match solution:
        case PackingSolution():
            used: Counter[str] = Counter()
            for name, cells in solution.placed:
                if not is_printable(name):
                    raise PuzzleError(f"piece name {name!r:.60} cannot be written in CSV; use JSON")
                used[name] += 1
                yield from ((name, used[name], *cell) for cell in cells)
        case EdgeSolution():
            for y, row in enumerate(solution.cells):
                yield from ((x, y, tile, rotation) for x, (tile, rotation) in enumerate(row))
        case CoverSolution():
            yield from ((option,) for option in solution.options)


def _rows(file: TextFile) -> Iterator[tuple[int, Row]]:
    """The rows that say something, with their lines; no value goes over several lines."""
    reader = csv.reader(file.lines, strict=True)
    line = 0
    while True:
        line += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise file.error("not CSV; expected comma-separated values", line) from None
        if reader.line_num != line:
            raise file.error("not CSV; expected quotes to end on their line", line)
        if row:
            yield line, row
