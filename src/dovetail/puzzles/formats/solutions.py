"""Solutions as text, CSV, JSON lines and JSON, and boards as text.

In text, solutions are separated by a blank line. Lines that begin with `#` are comments. A packing
is layered text with piece names; if a piece may have several copies, copy k is called `name/k`. A
board is rows of `tile/rotation`, the top row first. A cover is one line of option numbers, or `-`
without an option:

    V V V W W N N N T I        2/0  0/1        0 5 11
    V Y W W N N T T T I        3/3  1/2

A partial board has `-` for an empty cell. A rotation counts turns by one side anticlockwise; see
`models.boards.edges.turned`.

CSV has a header and rows for spreadsheets and data frames. A packing has one row per cell, with a
column for each coordinate of its lattice (`x`, `y`, `z`, `w`, `x5` and `x6` in six dimensions).
`copy` distinguishes the copies of a piece:

    solution,piece,copy,x,y
    1,F,1,0,0

A board has one row per cell (`solution,x,y,tile,rotation`, (0, 0) at the bottom left), a cover one
row per option (`solution,option`). Solutions are numbered from 1, and the rows of a solution stand
together. A solution without cells or options is a row with nothing but its number.

In JSON a solution is an object: `{"placed": [["A", [[0, 0], …]], …]}` for a packing, `{"cells":
[[[tile, rotation], …], …]}` with the bottom row first for a board, and `{"options": [0, 5, …]}` for
a cover. JSON lines have a solution on every line. JSON is a single object with all solutions:

    {"puzzle": "soma-cube", "digest": "…", "solutions": [
    {"placed": …},
    {"placed": …}
    ]}

The name and the digest identify the puzzle; a reader uses only the solutions.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, islice, repeat
from operator import add, itemgetter
from typing import TYPE_CHECKING

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile, whole_number
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import Laid, PartialBoard
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OUTSIDE, draw_cells
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Format, UnboundedWriter, read_each
from dovetail.puzzles.formats.layered_text import read_picture
from dovetail.puzzles.polyominoes import min_corner

if TYPE_CHECKING:
    from dovetail.files.validation import Object


EMPTY = "-"

_LAID = re.compile(r"([0-9]{1,9})/([0-9]|1[01])")

Row = list[str]


class Text(Format):
    """Pictures, rows of tiles or lines of option numbers: files that no other format recognises."""

    name = "text"
    summary = "solutions: pictures, rows of tiles or option numbers; boards: rows of tiles"
    suffixes = (".txt",)
    holds_solutions = holds_boards = True

    def __init__(self, fold: Mapping[str, str] | None = None) -> None:
        """Use `fold`, the names of pieces by the symbols that stand for the pieces in pictures."""
        self._fold = fold or {}

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        solution = partial(_solution_from_text, self._fold)
        return read_each(file, puzzle, _paragraphs(file), solution)

    def read_boards(self, file: TextFile, puzzle: EdgePuzzle) -> Iterator[tuple[int, PartialBoard]]:
        rows = []
        for line, content in file.content():
            with file.at(line):
                row = tuple(map(_laid, content.split()))
                if len(row) != puzzle.width:
                    raise PuzzleError(f"{how_many(len(row), 'cell')}; expected {puzzle.width}")
                rows.append(row)
        if len(rows) != puzzle.height:
            raise file.error(f"{how_many(len(rows), 'row')}; expected {puzzle.height}")
        yield 1, PartialBoard(tuple(reversed(rows)))

    def write_boards(self, puzzle: EdgePuzzle, boards: Sequence[PartialBoard]) -> str:
        return "".join(f"{board}\n" for board in boards)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        if isinstance(puzzle, PackingPuzzle):
            puzzle.lattice.text_place(puzzle.region[0])  # raises if text cannot show the lattice
        return UnboundedWriter("", lambda _, solution: solution_text(puzzle, solution) + "\n\n")


class SolutionCsv(Format):
    """CSV with a header, and a row for each cell, tile or option."""

    name = "solution-csv"
    summary = "solutions: a row for each cell, tile or option"
    suffixes = (".csv",)
    begins = "solution,(piece,copy|x,y,tile|option)"
    holds_solutions = True

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        return read_each(file, puzzle, _blocks(file, puzzle), _solution_from_rows)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        return UnboundedWriter(
            _csv_text([csv_header(puzzle)]),
            lambda number, solution: _csv_text(
                [number, *values] for values in _values(solution) or [()]
            ),
        )


def first_line(file: TextFile) -> tuple[int | None, str]:
    """Return the number and text of the first line that is neither blank nor a comment.

    Returns None and an empty text if there is no such line.
    """
    lines = enumerate(file.lines, start=1)
    return next((line for line in lines if line[1].strip() and line[1][0] != "#"), (None, ""))


def max_entries(puzzle: Puzzle) -> int:
    """Return the maximum number of cells, tiles or options that are read for one solution.

    The maximum leaves room for wrong solutions, and depends only on the size of the puzzle.
    """
    match puzzle:
        case PackingPuzzle():
            entries = len(puzzle.region)
        case EdgePuzzle():
            entries = puzzle.width * puzzle.height
        case CoverProblem():
            entries = puzzle.option_count
    return 10 * entries + 100


def edge_solution(puzzle: EdgePuzzle, rows: tuple[tuple[Laid | None, ...], ...]) -> EdgeSolution:
    """Return the solution with `rows`, the bottom row first.

    Raises `PuzzleError` for rows of another size, and for an empty cell.
    """
    if len(rows) != puzzle.height or any(len(row) != puzzle.width for row in rows):
        raise PuzzleError(f"the size of the board is not {puzzle.width} x {puzzle.height}")
    for x, y in puzzle.geometry.positions:
        if rows[y][x] is None:
            raise PuzzleError(f"cell {(x, y)} is empty")
    return EdgeSolution(rows)


def solution_text(puzzle: Puzzle, solution: Solution) -> str:
    """Return a solution as text, without a newline at the end.

    Raises `PuzzleError` for a solution of another class of puzzles, and for a lattice or piece
    names that text cannot show.
    """
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            return draw_cells(puzzle.lattice, cell_labels(puzzle, solution), puzzle.region)
        case EdgePuzzle(lattice="hexagonal"), EdgeSolution():
            return _slanted(str(solution), puzzle.width)
        case (EdgePuzzle(), EdgeSolution()) | (CoverProblem(), CoverSolution()):
            return str(solution) or EMPTY
    raise PuzzleError("the solution is for another kind of puzzle")


def _slanted(text: str, width: int) -> str:
    """Return rows of `width` words, each row half a word farther right than the row below it."""
    rows = text.split("\n")
    step = (len(rows[0]) + 1) // width
    return "\n".join(
        " " * (y * step // 2) + row for y, row in zip(reversed(range(len(rows))), rows, strict=True)
    )


def piece_labels(puzzle: PackingPuzzle, solution: PackingSolution) -> list[str]:
    """Return the label of each placed piece.

    A label is the name, or `name/k` for copy k of a piece that may have several copies.
    """
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    used: Counter[str] = Counter()
    labels = []
    for name, _ in solution.placed:
        used[name] += 1
        labels.append(f"{name}/{used[name]}" if name in several else name)
    return labels


def cell_labels(puzzle: PackingPuzzle, solution: PackingSolution) -> dict[Cell, str]:
    """Return the labels of pieces, fixed pieces included, by the cells that they cover.

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
    for label in dict.fromkeys(labels.values()):
        if label in (OPEN, OUTSIDE) and label not in {piece.name for piece in puzzle.fixed}:
            raise PuzzleError(f"piece name {label!r} has a special meaning in text; use JSON")
        # The first character of a file identifies comments, JSON and XML.
        if re.search(r"[\s,]", label) or label[0] in "#{<" or not is_printable(label):
            raise PuzzleError(f"piece name {shorten(label)!r} cannot be written in text; use JSON")
    return labels


def _paragraphs(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each solution, and the solution's lines."""
    lines = ((n, line) for n, line in enumerate(file.lines, start=1) if not line.startswith("#"))
    for filled, group in groupby(lines, key=lambda line: bool(line[1].strip())):
        if filled:
            (start, first), *others = group
            yield start, [first, *(line for _, line in others)]


def _solution_from_text(fold: Mapping[str, str], puzzle: Puzzle, lines: list[str]) -> Solution:
    match puzzle:
        case PackingPuzzle():
            puzzle.lattice.text_place(puzzle.region[0])  # raises if text cannot show the lattice
            widths = {tuple(len(b.split()) for b in line.split(",")) for line in lines}
            if len(widths) > 1:
                raise PuzzleError("the lines of a picture have different lengths")
            picture = read_picture(lines, ragged=True)  # layers may differ in width
            return _packing(puzzle, {cell: fold.get(s, s) for cell, s in picture.labels.items()})
        case EdgePuzzle():
            rows = (tuple(map(_numbers, line.split())) for line in reversed(lines))
            return edge_solution(puzzle, tuple(rows))
        case CoverProblem():
            words = " ".join(lines).split()
            return CoverSolution(tuple(map(whole_number, words if words != [EMPTY] else ())))


def _numbers(word: str) -> Laid | None:
    if word == EMPTY:
        return None
    tile, rotation = map(whole_number, word.split("/"))
    return tile, rotation


def _packing(puzzle: PackingPuzzle, labels: dict[Cell, str]) -> PackingSolution:
    corner = min_corner(puzzle.lattice.text_places(puzzle.region))
    fixed = {cell for piece in puzzle.fixed for cell in piece.cells}
    names = {piece.name for piece in puzzle.pieces}
    placed: dict[str, list[Cell]] = {}
    for place in sorted(labels, key=itemgetter(1, 2, 0)):
        label = labels[place]
        if label == OUTSIDE:
            continue
        if len(corner) == 2 and place[2] != 0:
            raise PuzzleError("the picture has several layers; the puzzle is flat")
        cell = puzzle.lattice.text_cell(tuple(map(add, place, corner)))
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


def _laid(word: str) -> Laid | None:
    if word == EMPTY:
        return None
    found = _LAID.fullmatch(word)
    if found is None:
        raise PuzzleError(
            f'{shorten(word)!r}; expected tile/rotation or {EMPTY}, or JSON with "board"'
        )
    return int(found[1]), int(found[2])


def csv_header(puzzle: Puzzle) -> Row:
    """Return the names of the columns for solutions of `puzzle`."""
    match puzzle:
        case PackingPuzzle():
            return ["solution", "piece", "copy", *puzzle.lattice.axes]
        case EdgePuzzle():
            return ["solution", "x", "y", "tile", "rotation"]
        case CoverProblem():
            return ["solution", "option"]


def _csv_text(rows: Iterable[Iterable[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _values(solution: Solution) -> list[tuple[object, ...]]:
    """Return the rows of a solution in CSV, without the number of the solution.

    Raises `PuzzleError` for a piece name that is not printable.
    """
    match solution:
        case PackingSolution():
            bad = next((name for name, _ in solution.placed if not is_printable(name)), None)
            if bad is not None:
                raise PuzzleError(f"piece name {bad!r:.60} cannot be written in CSV; use JSON")
            used: Counter[str] = Counter()
            rows: list[tuple[object, ...]] = []
            for name, cells in solution.placed:
                used[name] += 1
                rows += [(name, used[name], *cell) for cell in cells]
            return rows
        case EdgeSolution():
            return [(*cell, *laid) for cell, laid in PartialBoard(solution.cells).laid.items()]
        case CoverSolution():
            return [(option,) for option in solution.options]


def _blocks(file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, list[Row]]]:
    """Yield the line in which each solution begins, and its rows without the solution's number."""
    header = csv_header(puzzle)
    rows = _rows(file)
    line, names = next(rows, (1, []))
    if names != header:
        raise file.error(f"wrong columns; expected {','.join(header)}", line)
    max_rows = max_entries(puzzle)
    seen: set[str] = set()
    for number, group in groupby(rows, key=lambda row: row[1][0]):
        block = list(islice(group, max_rows + 1))
        start = block[0][0]
        if len(block) > max_rows:
            raise file.error(f"a solution has more than {max_rows:,} rows, the limit", start)
        with file.at(start):
            whole_number(number, "the number of a solution")
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


def _rows(file: TextFile) -> Iterator[tuple[int, Row]]:
    """Yield the line number and the values of each row that is not blank."""
    reader = csv.reader(file.lines, strict=True)
    for line in range(1, len(file.lines) + 1):
        try:
            row = next(reader)
        except csv.Error:
            raise file.error("not CSV; expected comma-separated values", line) from None
        if reader.line_num != line:
            raise file.error("not CSV; expected quotes to end on their line", line)
        if row:
            yield line, row


def _solution_from_rows(puzzle: Puzzle, rows: list[Row]) -> Solution:
    match puzzle:
        case PackingPuzzle():
            copies: dict[tuple[str, int], list[Cell]] = {}
            for piece, copy, *cell in rows:
                key = piece, whole_number(copy)
                copies.setdefault(key, []).append(tuple(map(whole_number, cell)))
            placed = tuple((name, tuple(sorted(cells))) for (name, _), cells in copies.items())
            return PackingSolution(placed, puzzle.lattice)
        case EdgePuzzle():
            laid: dict[Cell, Laid] = {}
            for row in rows:
                x, y, tile, rotation = map(whole_number, row)
                if (x, y) in laid:
                    raise PuzzleError(f"two tiles at ({x}, {y})")
                laid[x, y] = tile, rotation
            cells = [[(x, y) for x in range(puzzle.width)] for y in range(puzzle.height)]
            if laid.keys() != set(puzzle.geometry.positions):
                raise PuzzleError("some cell has no tile, or some tile has no cell")
            return edge_solution(puzzle, tuple(tuple(map(laid.get, row)) for row in cells))
        case CoverProblem():
            return CoverSolution(tuple(whole_number(option) for (option,) in rows))


# The only key of a JSON object for a solution, by the solution's class.
KEYS = {PackingSolution: "placed", EdgeSolution: "cells", CoverSolution: "options"}
# Description of the content in messages. The limit on the length of a line of JSON lines holds for
# a solution in JSON, too.
CONTENT = (
    f"one object per line, or one with all solutions, each of at most {LONGEST_LINE:,} characters"
)


class JsonLines(Format):
    """JSON lines: an object for each solution."""

    name = "solution-lines"
    summary = "solutions: JSON lines, an object for each"
    suffixes = (".jsonl",)
    holds_solutions = True

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True if the first line is a JSON object without the key `solutions`."""
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
    """A single JSON object with all solutions."""

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

        separators = chain([""], repeat(",\n"))

        def one(_: int, solution: Solution) -> str:
            return next(separators) + solution_json(solution)

        return UnboundedWriter(head.removesuffix("]}") + "\n", one, "\n]}\n")


def solution_json(solution: Solution) -> str:
    """Return a solution as a line of JSON."""
    key = KEYS[type(solution)]
    return json.dumps({key: getattr(solution, key)})


def _solution(puzzle: Puzzle, value: object) -> Solution:
    """Return the solution of `puzzle` that `value` states; raise `PuzzleError` for other values."""
    from dovetail.puzzles.formats.json_documents import CoverObject, LaidObject, PackingObject

    match puzzle:
        case PackingPuzzle():
            return _packing_of_objects(puzzle, _checked(value, PackingObject).placed)
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


def _packing_of_objects(
    puzzle: PackingPuzzle, placed: list[tuple[str, list[list[int]]]]
) -> PackingSolution:
    axes = len(puzzle.lattice.axes)
    if sum(len(cells) for _, cells in placed) > max_entries(puzzle):
        raise PuzzleError(f"a solution has more than {max_entries(puzzle):,} cells, the limit")
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
