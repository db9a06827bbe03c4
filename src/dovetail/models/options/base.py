"""What all puzzle kinds have in common once they are lowered: numbered options.

A backend searches for sets of options. An `Options` object knows what each option means in
the puzzle's own terms, which exact-cover problem the options make, and how the puzzle's
symmetries permute them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import CoverProblem
from dovetail.models.options.cells import CellItems
from dovetail.models.request import Symmetry
from dovetail.models.solution import CoverSolution, Solution


class Options(Protocol):
    """The options of one puzzle under one request."""

    @property
    def option_count(self) -> int:
        """How many there are; they are numbered from 0."""
        ...

    @property
    def placements_per_solution(self) -> int | None:
        """How many options every solution has; None where that varies."""
        ...

    @property
    def cover(self) -> CoverProblem:
        """The exact-cover problem over these options, built when first asked for."""
        ...

    @property
    def cells(self) -> CellItems | None:
        """The items that are cells of a lattice; None where no geometry is known."""
        ...

    def subset(self, kept: NDArray[np.int64]) -> Options:
        """Some of the options, by their numbers in ascending order."""
        ...

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """The puzzle's symmetry group as permutations, shape (g, options), identity first."""
        ...

    def solution(self, chosen: Sequence[int]) -> Solution:
        """The solution that a set of options is."""
        ...


@dataclass(frozen=True, eq=False)
class BareOptions:
    """Option o is option o of the problem; its symmetries are those it declares."""

    cover: CoverProblem

    @property
    def option_count(self) -> int:
        return self.cover.option_count

    @property
    def placements_per_solution(self) -> int | None:
        return None

    @property
    def cells(self) -> None:
        return None

    def subset(self, kept: NDArray[np.int64]) -> BareOptions:
        return BareOptions(self.cover.subset(kept))

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        if symmetry == Symmetry.ALL:
            return self.cover.symmetries[:1]
        return self.cover.symmetries

    def solution(self, chosen: Sequence[int]) -> CoverSolution:
        return CoverSolution(tuple(sorted(int(option) for option in chosen)))
