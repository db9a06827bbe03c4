"""Writes a puzzle as an xmpuzzle file, and solutions as the text of assemblies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import escape

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.text_drawing import corner_of
from dovetail.printable import is_printable
from dovetail.puzzles.formats.burrtools.grids import (
    Allowance,
    Colouring,
    Grid,
    grid_of,
    min_corner,
    moved,
    opposite,
)
from dovetail.puzzles.formats.burrtools.reader import (
    AXES,
    MAX_CELLS,
    MAX_COPIES,
    MAX_SIDE,
    Part,
    Shape,
)


def write_burrtools(puzzle: PackingPuzzle, solutions: Iterable[PackingSolution] = ()) -> str:
    """Return `puzzle` as an uncompressed xmpuzzle file of one problem, with `solutions` of it.

    Raises `PuzzleError` for what BurrTools cannot say, and for solutions of another puzzle.
    """
    sheet = BurrToolsSheet(puzzle)
    return sheet.head + "".join(map(sheet.solution, solutions)) + sheet.tail


class BurrToolsSheet:
    """The parts of the file of a puzzle: its head, a line for each solution, its tail.

    The region and every piece are moved to the origin, as near as the lattice has translations; a
    puzzle in the plane becomes one layer of cubes. Equal pieces that stand for one another become
    copies of the first, since BurrTools tells shapes apart; markings become colours of the region,
    without any of pieces. The problem's state is "not solved", since
    nobody says that the solutions are all. Raises `PuzzleError` for what BurrTools cannot say.
    """

    tail = "   </solutions>\n  </problem>\n </problems>\n <comment/>\n</puzzle>\n"

    def __init__(self, puzzle: PackingPuzzle) -> None:
        grid = _checked_grid(puzzle)
        self._puzzle = puzzle
        self._grid = grid
        self._corner = _corner(grid, grid.positions(puzzle.region))
        pieces, self._counted_as = [], dict[str, str]()
        for piece, same in _counted(puzzle):
            self._counted_as |= {one.name: piece.name for one in same}
            positions = grid.positions(piece.cells)
            home = tuple(sorted(moved(positions, opposite(_corner(grid, positions)))))
            shape = Shape(piece.name, _hotspot(grid, home), home, (), {})
            pieces.append(Part(piece.name, shape, piece.min_count, piece.max_count))
        self._assemblies = AssemblyWriter(grid, pieces, self._corner)
        self.head = "".join(f"{line}\n" for line in self._head(pieces))
        longest = max(map(len, self.head.encode().splitlines()))
        if longest > LONGEST_LINE:
            raise PuzzleError(
                f"the xmpuzzle file would have a line of {longest:,} characters; "
                f"expected at most {LONGEST_LINE:,}"
            )

    def solution(self, solution: PackingSolution) -> str:
        """Return the line of a solution, written with the least transformations."""
        names = self._counted_as
        placed = tuple((names.get(name, name), cells) for name, cells in solution.placed)
        return self._assemblies.line(replace(solution, placed=placed))

    def _head(self, pieces: list[Part]) -> list[str]:
        puzzle, positions = self._puzzle, self._grid.positions
        home = opposite(self._corner)
        region = moved(positions(puzzle.region), home)
        optional = moved(positions(puzzle.optional), home)
        colours = {
            cell: number
            for number, cells in enumerate(puzzle.markings, 1)
            for cell in moved(positions(cells), home)
        }
        title = f' name="{_quoted(puzzle.name)}"' if is_printable(puzzle.name) else ""
        return [
            '<?xml version="1.0"?>',
            '<puzzle version="2">',
            f' <gridType type="{self._grid.kind}"/>',
            *_colours(len(puzzle.markings)),
            " <shapes>",
            *(_voxel(piece.shape) for piece in pieces),
            _voxel(Shape("", (0, 0, 0), region, optional, colours)),
            " </shapes>",
            " <problems>",
            f'  <problem{title} state="0">',
            "   <shapes>",
            *(f'    <shape id="{n}" {_count(piece)}/>' for n, piece in enumerate(pieces)),
            "   </shapes>",
            f'   <result id="{len(pieces)}"/>',
            "   <bitmap/>",
            "   <solutions>",
        ]


class AssemblyWriter:
    """Writes solutions of a problem with these pieces, each with the least transformations.

    `corner` is the position of the solutions that the origin of the result's grid is.
    """

    def __init__(self, grid: Grid, pieces: Sequence[Part], corner: Cell) -> None:
        self._grid = grid
        self._pieces = pieces
        self._corner = corner
        self._orientations = {piece.name: _orientations(grid, piece) for piece in pieces}

    def line(self, solution: PackingSolution) -> str:
        """Return the line of a solution; `PuzzleError` if it is of another puzzle."""
        places: dict[str, list[Cell]] = {piece.name: [] for piece in self._pieces}
        for name, cells in solution.placed:
            if name not in places:
                raise PuzzleError(f"a solution places an unknown piece {shorten(name)}")
            places[name].append(self._placement(name, cells))
        words: list[str] = []
        for piece in self._pieces:
            copies = sorted(places[piece.name])
            if not piece.min_count <= len(copies) <= piece.max_count:
                raise PuzzleError(
                    f"a solution uses piece {shorten(piece.name)} "
                    f"{how_many(len(copies), 'time')}; expected {piece.min_count} to "
                    f"{piece.max_count}"
                )
            words += [f"{x} {y} {z} {t}" for t, x, y, z in copies]
            words += ["x"] * (piece.max_count - len(copies))
        return f"    <solution><assembly>{' '.join(words)}</assembly></solution>\n"

    def _placement(self, name: str, cells: Cells) -> Cell:
        """Return the transformation, and the position in the result's grid."""
        try:
            positions = self._grid.positions(cells)
            lying = self._orientations[name].get(self._key(positions))
        except (PuzzleError, ValueError):  # no cells, or of another lattice
            lying = None
        if lying is None:
            raise PuzzleError(
                f"a solution gives piece {shorten(name)} another shape, or turns it as no "
                "transformation of BurrTools does"
            )
        number, goal = lying
        there = zip(min_corner(positions), self._corner, goal, strict=True)
        return (number, *(place - origin + before for place, origin, before in there))

    def _key(self, positions: Cells) -> Cells:
        return self._grid.lattice.normalise(self._grid.cells(positions))


def _orientations(grid: Grid, piece: Part) -> dict[Cells, tuple[int, Cell]]:
    """Return, for each way a piece can lie, the least transformation and the hotspot.

    The hotspot is seen from the corner of the box around the piece.
    """
    found: dict[Cells, tuple[int, Cell]] = {}
    for number in range(grid.rotations):
        turned = grid.turned(piece.shape.filled, piece.shape.hotspot, number)
        if turned is not None:
            positions, hotspot = turned
            corner = min_corner(positions)
            goal = tuple(at - low for at, low in zip(hotspot, corner, strict=True))
            found.setdefault(grid.lattice.normalise(grid.cells(positions)), (number, goal))
    return found


def _corner(grid: Grid, positions: Cells) -> Cell:
    """Return the position that becomes the origin if shapes are moved to it."""
    return corner_of(grid.lattice, positions)[0]


def _hotspot(grid: Grid, positions: Cells) -> Cell:
    """Return the origin, or a sphere if rotations need not carry positions to positions."""
    if grid.divisor == 1:
        return (0, 0, 0)
    return min(positions, key=lambda one: (sum(v * v for v in one), one))


def _unsupported(what: str) -> PuzzleError:
    return PuzzleError(f"BurrTools files do not support {what}")


def _checked_grid(puzzle: PackingPuzzle) -> Grid:
    """Return the grid of a puzzle; raises `PuzzleError` for what BurrTools cannot express."""
    grid = grid_of(puzzle.lattice)
    reason = None
    if puzzle.fixed:
        reason = f"pieces that cannot be moved ({shorten(puzzle.fixed[0].name)})"
    for piece in puzzle.pieces:
        if piece.motions is not Motions.FREE:
            reason = f"{piece.motions} motions (piece {shorten(piece.name)})"
        elif piece.placements is not None and _listed(grid, puzzle, piece) != set(piece.placements):
            reason = f"listed placements (piece {shorten(piece.name)})"
        elif piece.placements is None and _listed(grid, puzzle, piece) is not None:
            reason = (
                f"piece {shorten(piece.name)}, which is scattered: its rotations do not make every "
                "way that it can lie"
            )
        elif piece.max_count > MAX_COPIES:
            reason = f"more than {MAX_COPIES:,} copies (piece {shorten(piece.name)})"
        elif not is_printable(piece.name) or not piece.name.strip():
            reason = f"a name that is not printable ({shorten(piece.name)!r})"
    if reason:
        raise _unsupported(reason)
    volume = 0
    for cells in (puzzle.region, *(piece.cells for piece in puzzle.pieces)):
        box = 1
        for axis in zip(*grid.positions(cells), strict=True):
            side = max(axis) - min(axis) + 1
            volume += MAX_CELLS if side > MAX_SIDE else 0
            box *= side
        volume += box
    if volume > MAX_CELLS:
        raise PuzzleError(
            "the boxes around the region and the pieces are too large for BurrTools; expected "
            f"sides of at most {MAX_SIDE:,} and at most {MAX_CELLS:,} cells"
        )
    return grid


def _listed(grid: Grid, puzzle: PackingPuzzle, piece: Piece) -> set[Cells] | None:
    """Return the placements that BurrTools' rotations make of a piece; None if they make all."""
    region = dict.fromkeys(grid.positions(puzzle.region), 0)
    positions = grid.positions(grid.lattice.normalise(piece.cells))
    colouring = Colouring(grid, region, frozenset(), Allowance())
    listed = colouring.places(dict.fromkeys(positions, 0), positions[0]).listed
    return None if listed is None else set(listed)


def _voxel(shape: Shape) -> str:
    """Return the element of a shape whose coordinates are 0 or more."""
    columns, rows, layers = (max(axis) + 1 for axis in zip(*shape.cells, strict=True))
    states = ["_"] * (columns * rows * layers)
    for state, cells in (("#", shape.filled), ("+", shape.variable)):
        for x, y, z in cells:
            states[x + columns * (y + rows * z)] = f"{state}{shape.colours.get((x, y, z), '')}"
    called = f' name="{_quoted(shape.name)}"' if shape.name else ""
    size = f'x="{columns}" y="{rows}" z="{layers}"'
    called += "".join(f' h{axis}="{v}"' for axis, v in zip(AXES, shape.hotspot, strict=True) if v)
    return f'  <voxel {size}{called} type="0">{"".join(states)}</voxel>'


def _quoted(name: str) -> str:
    return escape(name, {'"': "&quot;"})


def _counted(puzzle: PackingPuzzle) -> Iterator[tuple[Piece, list[Piece]]]:
    """Yield the pieces to write, each with the interchangeable pieces that become its copies."""
    if not puzzle.interchangeable:
        yield from ((piece, [piece]) for piece in puzzle.pieces)
        return
    for first in dict.fromkeys(puzzle.equal_pieces):
        same = [
            piece
            for piece, its in zip(puzzle.pieces, puzzle.equal_pieces, strict=True)
            if its == first
        ]
        max_count = sum(piece.max_count for piece in same)
        if max_count > MAX_COPIES:
            raise _unsupported(f"more than {MAX_COPIES:,} copies (piece {shorten(same[0].name)})")
        min_count = sum(piece.min_count for piece in same)
        yield replace(same[0], min_count=min_count, max_count=max_count), same


def _colours(count: int) -> list[str]:
    """Return the element of `count` colours, from blue to yellow."""
    if not count:
        return [" <colors/>"]
    shades = [255 * n // count for n in range(count)]
    ones = [f'  <color red="{n}" green="{n}" blue="{255 - n}"/>' for n in shades]
    return [" <colors>", *ones, " </colors>"]


def _count(piece: Part) -> str:
    if piece.min_count == piece.max_count:
        return f'count="{piece.max_count}"'
    return f'min="{piece.min_count}" max="{piece.max_count}"'
