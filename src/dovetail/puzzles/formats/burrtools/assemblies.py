"""Solutions as the text of assemblies: where each copy of each piece lies, and how it is turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.burrtools.reader import SPACE
from dovetail.puzzles.formats.burrtools.transformations import TRANSFORMATIONS, turned


@dataclass(frozen=True)
class AssembledPiece:
    """A piece in the order of the problem: its cells seen from its hotspot, and its counts."""

    name: str
    cells: Cells
    min_count: int
    max_count: int


class AssemblyWriter:
    """Writes solutions of a problem with these pieces, each with the least transformations.

    `corner` is the cell of the solutions that the origin of the result's grid is.
    """

    def __init__(self, pieces: Sequence[AssembledPiece], corner: Cell) -> None:
        self._pieces = pieces
        self._corner = corner
        self._orientations = {piece.name: _orientations(piece.cells) for piece in pieces}

    def line(self, solution: PackingSolution) -> str:
        """The element of one solution in a line; `PuzzleError` if it is of another puzzle."""
        places: dict[str, list[Cell]] = {piece.name: [] for piece in self._pieces}
        for name, cells in solution.placed:
            if name not in places:
                raise PuzzleError(f"a solution places an unknown piece {shorten(name)}")
            places[name].append(self._placement(name, spatial(cells)))
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
        known = cells and all(len(cell) == 3 for cell in cells)
        lying = self._orientations[name].get(SPACE.normalise(cells)) if known else None
        if lying is None:
            raise PuzzleError(f"a solution gives piece {shorten(name)} another shape")
        number, min_count = lying
        there = zip(min_corner(cells), self._corner, min_count, strict=True)
        return (number, *(place - origin - before for place, origin, before in there))


def spatial(cells: Cells) -> Cells:
    """`cells` of the plane as one layer of cubes; those of space as they are."""
    return tuple((*cell, 0)[:3] for cell in cells)


def min_corner(cells: Cells) -> Cell:
    """The least coordinates of `cells`, as a cell in space."""
    return tuple(min(axis) for axis in zip(*spatial(cells), strict=True))


def _orientations(cells: Cells) -> dict[Cells, tuple[int, Cell]]:
    """For each way `cells` can lie, the least transformation and the least coordinates."""
    found: dict[Cells, tuple[int, Cell]] = {}
    for number in range(TRANSFORMATIONS):
        image = turned(cells, number)
        found.setdefault(SPACE.normalise(image), (number, min_corner(image)))
    return found
