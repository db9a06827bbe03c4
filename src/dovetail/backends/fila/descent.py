"""The search of one sub-problem: what the two kernels have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.kernels import layout
from dovetail.backends.shared.hooks import NO_TRACE, count_backtracks, take_trace
from dovetail.backends.shared.kernel_search import KernelSearch
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, OWN, SOLUTIONS
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.kernels.slices import NODE_LIMIT
from dovetail.models.remainder import Remainder

if TYPE_CHECKING:
    from dovetail.backends.shared.kernels.hooks import Hooks


@dataclass(frozen=True)
class Variant:
    """What a kernel is compiled for, and all searches of a segment have in common.

    A board has so many `words`, `cell_words` of them for cells; what shapes are available takes
    `shape_words`. `repeats`: some shape may have several copies.
    """

    words: int
    cell_words: int
    shape_words: int
    repeats: bool


class Descent(KernelSearch):
    """Places pieces from `problem.pieces` remaining down to `stop`.

    `heuristics` names the one for 1 to `problem.pieces` remaining: f, e or s; with `first_by_fits`
    the first target is by s, where not all are f. Without `nof` image lists are not distinguished
    by what is occupied. `hooks` are triggers and a trace. Rows of `take` are placements by the
    numbers of `problem.placements`. A kernel's own class builds its tables in `_build`.
    """

    work_per_node: Mapping[str, int]  # of a budget's

    def __init__(
        self,
        problem: Remainder,
        heuristics: Sequence[str],
        stop: int,
        *,
        nof: bool,
        variant: Variant,
        first_by_fits: bool = False,
        hooks: Hooks | None = None,
    ) -> None:
        self._pieces, self._stop, self._hooks = problem.pieces, stop, hooks
        numbers = {"f": layout.FIRST, "e": layout.ESTIMATE, "s": layout.SIZE}
        self._heuristic = np.array(
            [layout.FIRST, *(numbers[name] for name in heuristics)], dtype=np.uint64
        )
        if first_by_fits:
            self._heuristic[-1] = layout.SIZE
        # The kinds of lists: those of cells filled in order, and in any order where need be.
        self._ordered = (True,) if set(heuristics) == {"f"} else (True, False)
        self._work_per_node = max((self.work_per_node[name] for name in heuristics), default=1)
        self._state = np.zeros(OWN, dtype=np.uint64)
        self._state[LEVEL] = self._pieces
        self._build(problem, nof, variant)
        fits, attempts = (
            None if column is None else column[stop + 1 : self._pieces + 1][::-1]
            for column in self._counted_by_remaining()
        )
        assert fits is not None, "placements made are counted"
        solutions = SolutionBuffer(self.depth, np.int32, self._state)
        super().__init__(self._state, solutions, fits, attempts, self._pieces)
        self.levels = self.depth

    @abstractmethod
    def _build(self, problem: Remainder, nof: bool, variant: Variant) -> None:
        """Build the kernel's tables, and its stack at the root."""

    @classmethod
    @abstractmethod
    def bits_for(cls, cells: int, shapes: int) -> int:
        """How many bits a board of so many cells has, with so many shapes to be placed."""

    @property
    def stops(self) -> bool:
        """Whether it ends before all pieces are placed."""
        return self._stop > 0

    @property
    def depth(self) -> int:
        """How many pieces a row of `take` has."""
        return self._pieces - self._stop

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call, see `Hooks.trace`."""
        return NO_TRACE if self._hooks is None else take_trace(self._hooks)

    def _is_within_branch(self) -> bool:
        return True

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        left = min(nodes - self.nodes, max(1, work // self._work_per_node))
        if left <= 0:
            return NODE_LIMIT
        return self.why_ended(self._search(solutions, np.uint64(left)), nodes)

    def _backtracks(self) -> dict[str, dict[int, int]] | None:
        return None if self._hooks is None else count_backtracks(self._hooks)

    def _place_next(self) -> None:
        """Place the first image that fits at the next target, and forget what it completes."""
        self.advance(Budget(work=1, nodes=1))
        self.take()

    def _clear_counts(self) -> None:
        super()._clear_counts()
        self._state[SOLUTIONS] = self._state[BUFFERED]  # what is there to be taken
        if self._hooks is not None:
            self._hooks.backtracks[:] = 0
            self.take_trace()

    @abstractmethod
    def _search(self, solutions: NDArray[np.int32], nodes: Any) -> int:
        """Run a slice of the kernel."""

    @abstractmethod
    def _counted_by_remaining(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64] | None]:
        """Placements made and tried, by pieces remaining; None if those tried are not counted."""
