"""The options of a puzzle that is a bare cover problem: its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import CoverProblem
from dovetail.models.request import Symmetry
from dovetail.models.solution import CoverSolution


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

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        if symmetry == Symmetry.ALL:
            return self.cover.symmetries[:1]
        return self.cover.symmetries

    def solution(self, chosen: Sequence[int]) -> CoverSolution:
        return CoverSolution(tuple(sorted(int(option) for option in chosen)))
