"""Numbered options of a lowered puzzle: the methods that all kinds of puzzles have.

A backend searches for sets of options. An `Options` object defines the meaning of each option in
the puzzle's own terms, the exact-cover problem of the options, and the permutation of the options
by each of the puzzle's symmetries. `BareOptions` documents the common methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import CoverProblem
from dovetail.models.request import Symmetry
from dovetail.models.solution import CoverSolution

if TYPE_CHECKING:
    from dovetail.models.options.edges import EdgeOptions
    from dovetail.models.options.packing import PackingOptions


@dataclass(frozen=True, eq=False)
class CellItems:
    """The c cells of a puzzle, by number, as items of its cover problem.

    Cells that must be filled are the first `required` items, in the order of their numbers. Cells
    that may stay empty are secondary items.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `item` | (c,) | int32 | item of each cell |
    | `positions` | (c, dimension) | float64 | position of each cell in space |
    | `neighbours` | (c, degree) | int32 | numbers of each cell's neighbours, −1 for none |
    """

    required: int
    item: NDArray[np.int32]
    positions: NDArray[np.float64]
    neighbours: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class OptionGroups:
    """A partition of the n options: option o is in group `of_option[o]`."""

    noun: str
    """Noun for the things in `names`, such as "piece"."""
    of_option: NDArray[np.int32]
    """Group of each option, shape (n,), int32."""
    names: tuple[tuple[str, ...], ...]
    """Names of the pieces or tiles of each group."""
    once: tuple[bool, ...]
    """True for a group of which every solution has exactly 1 option."""


@dataclass(frozen=True, eq=False)
class BareOptions:
    """Options of a bare cover problem, with the problem's numbers and declared symmetries."""

    cover: CoverProblem
    """Exact-cover problem over these options; other kinds of options build it on first access."""

    @property
    def option_count(self) -> int:
        """Number of options; they are numbered from 0."""
        return self.cover.option_count

    @property
    def placements_per_solution(self) -> int | None:
        """Number of options of every solution; None if it varies or is unknown."""
        return None

    @property
    def cells(self) -> None:
        """Cells of the lattice as items; None if the geometry is unknown."""
        return None

    def subset(self, kept: NDArray[np.int64]) -> BareOptions:
        """Return some of the options, given by number in ascending order."""
        return BareOptions(self.cover.subset(kept))

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return the permutations of the options up to which solutions are counted.

        The shape is (g, options), with the identity first. For `ALL`, only the identity is
        returned.
        """
        if symmetry == Symmetry.ALL:
            return self.cover.symmetries[:1]
        return self.cover.symmetries

    def solution(self, chosen: Sequence[int]) -> CoverSolution:
        """Return the solution that consists of the chosen options."""
        return CoverSolution(tuple(sorted(int(option) for option in chosen)))


Options: TypeAlias = "PackingOptions | EdgeOptions | BareOptions"
