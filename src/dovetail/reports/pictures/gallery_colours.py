"""Colours of pieces in several pictures of one puzzle: a piece has the same in all of them.

The first picture decides: there neighbours differ. In a later one two pieces of one colour may
touch, and only the line between them, and their names, part them: there are seven colours, and
sooner or later all pieces meet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dovetail.models.lattices.protocol import Lattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.colouring import colour_numbers, touching
from dovetail.reports.pictures.palette import PIECES


class GalleryColours:
    """The colours that pieces have in the pictures so far; `names` are those of all pieces.

    Copies of a piece that may be used several times, one of `several`, cannot be distinguished:
    their colours are chosen anew for each picture.
    """

    def __init__(
        self, lattice: Lattice, names: Sequence[str], several: Collection[str] = ()
    ) -> None:
        self._lattice, self._several = lattice, several
        self._preferred = {name: number % PIECES for number, name in enumerate(names)}
        self._kept = dict[str, int]()

    def of(self, solution: PackingSolution) -> list[int]:
        """A colour number below `PIECES` for each placed piece.

        A piece that has none yet gets the one that goes with its place among the pieces where it
        can, and another one than its neighbours.
        """
        near = touching([cells for _, cells in solution.placed], self._lattice)
        names = [name for name, _ in solution.placed]
        given = {n: self._kept[name] for n, name in enumerate(names) if name in self._kept}
        preferred = [self._preferred[name] for name in names]
        found = colour_numbers(near, PIECES, preferred, given)
        for name, colour in zip(names, found, strict=True):
            if name not in self._several:
                self._kept[name] = colour
        return found


def gallery_colours(puzzle: PackingPuzzle) -> GalleryColours:
    """For pictures of the solutions of a puzzle."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    return GalleryColours(puzzle.lattice, [piece.name for piece in puzzle.pieces], several)
