"""Solutions in the puzzle's own terms. `str` of a solution draws it as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.text_drawing import draw_cells
from dovetail.printable import Shown, printable


@dataclass(frozen=True, repr=False)
class PackingSolution(Shown):
    """Solution of a packing puzzle."""

    placed: tuple[tuple[str, Cells], ...]
    """(name, cells) of each piece, without fixed pieces."""
    lattice: Lattice | None = field(default=None, compare=False, repr=False)
    """Lattice for drawing a solution without its puzzle; None for squares or cubes."""

    def __str__(self) -> str:
        """Return layered text of the pieces; `repr` without pieces or if text cannot show them.

        Other places in the drawing, such as those of fixed pieces, have a `*`.
        """
        labels = self._labels()
        if not labels:
            return repr(self)
        region = tuple(labels)
        lattice = self.lattice or SquareLattice(len(region[0]))
        try:
            return draw_cells(lattice, labels, region)
        except PuzzleError:
            return repr(self)

    def _labels(self) -> dict[Cell, str]:
        """Return the label of each covered cell: the piece, and the copy if there are several."""
        uses = Counter(name for name, _ in self.placed)
        used: Counter[str] = Counter()
        labels: dict[Cell, str] = {}
        for name, cells in self.placed:
            used[name] += 1
            label = f"{name}/{used[name]}" if uses[name] > 1 else name
            labels |= dict.fromkeys(cells, printable(label))
        return labels


def board_text(cells: Sequence[Sequence[tuple[int, int] | None]]) -> str:
    """Return rows of `tile/rotation`, the top row first; `-` for an empty cell or a hole.

    `cells[y][x]` has the tile and its rotation; row 0 is the bottom row.
    """
    words = [["-" if cell is None else f"{cell[0]}/{cell[1]}" for cell in row] for row in cells]
    width = max((len(word) for row in words for word in row), default=0)
    return "\n".join(" ".join(word.rjust(width) for word in row) for row in reversed(words))


@dataclass(frozen=True, repr=False)
class EdgeSolution(Shown):
    """Solution of an edge-matching puzzle."""

    cells: tuple[tuple[tuple[int, int] | None, ...], ...]
    """`cells[y][x]` is (tile number, rotation), or None for a hole; row 0 is the bottom row."""

    def __str__(self) -> str:
        """Return rows of `tile/rotation`, the top row first."""
        return board_text(self.cells)


@dataclass(frozen=True, repr=False)
class CoverSolution(Shown):
    """Solution of a cover problem."""

    options: tuple[int, ...]
    """Numbers of the chosen options, ascending."""

    def __str__(self) -> str:
        """Return the numbers, separated by spaces."""
        return " ".join(map(str, self.options))


Solution = PackingSolution | EdgeSolution | CoverSolution
