"""Writes a puzzle, and solutions of it, as an xmpuzzle file."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import LONGEST_LINE
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import require_squares
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.printable import is_printable
from dovetail.puzzles.formats.burrtools.assemblies import (
    AssembledPiece,
    AssemblyWriter,
    min_corner,
    spatial,
)
from dovetail.puzzles.formats.burrtools.reader import MAX_CELLS, MAX_COPIES, MAX_SIDE, SPACE
from dovetail.puzzles.formats.burrtools.transformations import moved, opposite


def write_burrtools(puzzle: PackingPuzzle, solutions: Iterable[PackingSolution] = ()) -> str:
    """`puzzle` as an uncompressed xmpuzzle file of one problem, with `solutions` of it.

    Raises `PuzzleError` for what BurrTools cannot say, and for solutions of another puzzle.
    """
    sheet = BurrToolsSheet(puzzle)
    return sheet.head + "".join(map(sheet.solution, solutions)) + sheet.tail


class BurrToolsSheet:
    """The parts of the file of a puzzle: its head, a line for each solution, its tail.

    The region and every piece are moved to the origin; a puzzle in the plane becomes one
    layer of cubes. The problem's state is "not solved", since nobody says that the solutions
    are all. Raises `PuzzleError` for what BurrTools cannot say.
    """

    tail = "   </solutions>\n  </problem>\n </problems>\n <comment/>\n</puzzle>\n"

    def __init__(self, puzzle: PackingPuzzle) -> None:
        _check(puzzle)
        self._puzzle = puzzle
        self._corner = min_corner(puzzle.region)
        shapes = {piece.name: SPACE.normalise(spatial(piece.cells)) for piece in puzzle.pieces}
        pieces = [
            AssembledPiece(piece.name, shapes[piece.name], piece.min_count, piece.max_count)
            for piece in puzzle.pieces
        ]
        self._assemblies = AssemblyWriter(pieces, self._corner)
        self.head = "".join(f"{line}\n" for line in self._head(shapes))
        longest = max(map(len, self.head.encode().splitlines()))
        if longest > LONGEST_LINE:
            raise PuzzleError(
                f"the xmpuzzle file would have a line of {longest:,} characters; "
                f"expected at most {LONGEST_LINE:,}"
            )

    def solution(self, solution: PackingSolution) -> str:
        """The line of one solution, written with the least transformations."""
        return self._assemblies.line(solution)

    def _head(self, shapes: dict[str, Cells]) -> list[str]:
        puzzle = self._puzzle
        home = opposite(self._corner)
        region = moved(spatial(puzzle.region), home)
        optional = moved(spatial(puzzle.optional), home)
        title = f' name="{_quoted(puzzle.name)}"' if is_printable(puzzle.name) else ""
        return [
            '<?xml version="1.0"?>',
            '<puzzle version="2">',
            ' <gridType type="0"/>',
            " <colors/>",
            " <shapes>",
            *(_voxel(cells, name=name) for name, cells in shapes.items()),
            _voxel(region, optional),
            " </shapes>",
            " <problems>",
            f'  <problem{title} state="0">',
            "   <shapes>",
            *(f'    <shape id="{n}" {_count(piece)}/>' for n, piece in enumerate(puzzle.pieces)),
            "   </shapes>",
            f'   <result id="{len(shapes)}"/>',
            "   <bitmap/>",
            "   <solutions>",
        ]


def _check(puzzle: PackingPuzzle) -> None:
    """What BurrTools cannot say of a puzzle is refused."""
    require_squares(puzzle.lattice, "a BurrTools file")
    reason = None
    if puzzle.lattice.dimension not in (2, 3):
        reason = f"cells of a lattice that is not cubic ({puzzle.lattice.name})"
    elif puzzle.fixed:
        reason = f"pieces that cannot be moved ({shorten(puzzle.fixed[0].name)})"
    for piece in puzzle.pieces:
        if piece.motions is not Motions.FREE:
            reason = f"{piece.motions} motions (piece {shorten(piece.name)})"
        elif piece.placements is not None:
            reason = f"listed placements (piece {shorten(piece.name)})"
        elif piece.max_count > MAX_COPIES:
            reason = f"more than {MAX_COPIES:,} copies (piece {shorten(piece.name)})"
        elif not is_printable(piece.name) or not piece.name.strip():
            reason = f"a name that is not printable ({shorten(piece.name)!r})"
    if reason:
        raise PuzzleError(f"BurrTools files do not support {reason}")
    volume = 0
    for cells in (puzzle.region, *(piece.cells for piece in puzzle.pieces)):
        box = 1
        for axis in zip(*cells, strict=True):
            side = max(axis) - min(axis) + 1
            volume += MAX_CELLS if side > MAX_SIDE else 0
            box *= side
        volume += box
    if volume > MAX_CELLS:
        raise PuzzleError(
            "the boxes around the region and the pieces are too large for BurrTools; expected "
            f"sides of at most {MAX_SIDE:,} and at most {MAX_CELLS:,} cells"
        )


def _voxel(cells: Cells, variable: Cells = (), name: str = "") -> str:
    """A shape whose least coordinates are 0."""
    columns, rows, layers = (max(axis) + 1 for axis in zip(*cells, strict=True))
    states = ["_"] * (columns * rows * layers)
    for state, some in (("#", cells), ("+", variable)):
        for x, y, z in some:
            states[x + columns * (y + rows * z)] = state
    called = f' name="{_quoted(name)}"' if name else ""
    size = f'x="{columns}" y="{rows}" z="{layers}"'
    return f'  <voxel {size}{called} type="0">{"".join(states)}</voxel>'


def _quoted(name: str) -> str:
    return escape(name, {'"': "&quot;"})


def _count(piece: Piece) -> str:
    if piece.min_count == piece.max_count:
        return f'count="{piece.max_count}"'
    return f'min="{piece.min_count}" max="{piece.max_count}"'
