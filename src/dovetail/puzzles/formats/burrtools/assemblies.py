"""Solutions as the text of assemblies: where each copy of each piece lies, and how it is turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.burrtools.grids import Grid, min_corner


@dataclass(frozen=True)
class AssembledPiece:
    """A piece in the order of the problem: its positions, its hotspot and its counts."""

    name: str
    positions: Cells
    hotspot: Cell
    min_count: int
    max_count: int


class AssemblyWriter:
    """Writes solutions of a problem with these pieces, each with the least transformations.

    `corner` is the position of the solutions that the origin of the result's grid is.
    """

    def __init__(self, grid: Grid, pieces: Sequence[AssembledPiece], corner: Cell) -> None:
        self._grid = grid
        self._pieces = pieces
        self._corner = corner
        self._orientations = {piece.name: _orientations(grid, piece) for piece in pieces}

    def line(self, solution: PackingSolution) -> str:
        """The element of one solution in a line; `PuzzleError` if it is of another puzzle."""
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
        """The transformation, and the position in the result's grid."""
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


def _orientations(grid: Grid, piece: AssembledPiece) -> dict[Cells, tuple[int, Cell]]:
    """For each way a piece can lie, the least transformation and the hotspot.

    The hotspot is seen from the corner of the box around the piece.
    """
    found: dict[Cells, tuple[int, Cell]] = {}
    for number in range(grid.rotations):
        turned = grid.turned(piece.positions, piece.hotspot, number)
        if turned is not None:
            positions, hotspot = turned
            corner = min_corner(positions)
            goal = tuple(at - low for at, low in zip(hotspot, corner, strict=True))
            found.setdefault(grid.lattice.normalise(grid.cells(positions)), (number, goal))
    return found
