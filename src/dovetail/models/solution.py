"""Solutions in the puzzle's own terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from dovetail.models.lattice import Cells, Lattice


@dataclass(frozen=True)
class PackingSolution:
    """Where each piece lies: (piece name, its cells), fixed pieces left out.

    `lattice` is for pictures of a solution whose puzzle is not known; None stands for squares.
    """

    placed: tuple[tuple[str, Cells], ...]
    lattice: Lattice | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class EdgeSolution:
    """Which tile lies where, and how it is turned.

    `cells[y][x]` is (tile number, rotation); row 0 is the bottom row.
    """

    cells: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class CoverSolution:
    """The numbers of the chosen options, ascending."""

    options: tuple[int, ...]


Solution = PackingSolution | EdgeSolution | CoverSolution
