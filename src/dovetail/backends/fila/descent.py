"""The search of one sub-problem: what the two kernels have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.kernels import layout
from dovetail.backends.shared.hooks import NO_TRACE, count_backtracks, take_trace
from dovetail.backends.shared.slices import node_limit, status_of
from dovetail.models.outcome import Counters, Status
from dovetail.models.remainder import Remainder
from dovetail.models.sub_problem import SubProblem

if TYPE_CHECKING:
    from dovetail.backends.shared.kernels.hooks import Hooks

BUFFERED_SOLUTIONS = 4096


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


class Descent:
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
        self._pieces = problem.pieces
        numbers = {"f": layout.FIRST, "e": layout.ESTIMATE, "s": layout.SIZE}
        self._heuristic = np.array(
            [layout.FIRST, *(numbers[name] for name in heuristics)], dtype=np.uint64
        )
        if first_by_fits:
            self._heuristic[-1] = layout.SIZE
        # The kinds of lists: those of cells filled in order, and in any order where need be.
        self._ordered = (True,) if set(heuristics) == {"f"} else (True, False)
        self._work_per_node = max((self.work_per_node[name] for name in heuristics), default=1)
        self._progress = np.zeros(layout.PROGRESS_SIZE, dtype=np.uint64)
        self._reset(stop)
        self._hooks = hooks
        self._build(problem, nof, variant)

    def _build(self, problem: Remainder, nof: bool, variant: Variant) -> None:
        """Build the kernel's tables."""
        raise NotImplementedError

    @classmethod
    def bits_for(cls, cells: int, shapes: int) -> int:
        """How many bits a board of so many cells has, with so many shapes to be placed."""
        raise NotImplementedError

    @property
    def stops(self) -> bool:
        """Whether it ends before all pieces are placed."""
        return self._stop > 0

    @property
    def depth(self) -> int:
        """How many pieces a row of `take` has."""
        return self._pieces - self._stop

    @property
    def found(self) -> int:
        """How many rows have been found."""
        return int(self._progress[layout.SOLUTIONS])

    @property
    def nodes(self) -> int:
        """How many placements have been made."""
        return int(self._fits()[self._stop + 1 : self._pieces + 1].sum())

    @property
    def remaining(self) -> int:
        """How many pieces remain to be placed where the search is."""
        return int(self._progress[layout.REMAINING])

    @property
    def counters(self) -> Counters:
        fits = self._by_remaining(self._fits())
        attempted = self._attempts()
        backtracks_by_trigger = None if self._hooks is None else count_backtracks(self._hooks)
        if attempted is None:
            return Counters(
                self.nodes, None, None, fits, backtracks_by_trigger=backtracks_by_trigger
            )
        attempts = self._by_remaining(attempted)
        return Counters(
            self.nodes,
            sum(attempts.values()),
            attempts,
            fits,
            backtracks_by_trigger=backtracks_by_trigger,
        )

    def advance(self, budget: Budget) -> Status | None:
        """Search on; the status that ended it, `exhausted` for this sub-problem alone."""
        from dovetail.kernels.slices import NODE_LIMIT, WORK_SPENT

        if budget.nodes is not None and budget.nodes <= 0:
            return Status.NODE_LIMIT
        capacity = len(self._solutions) - int(self._progress[layout.BUFFERED])
        if capacity == 0:
            return None  # nothing can be done before `take`
        if budget.solutions is not None:
            capacity = min(capacity, budget.solutions)
        max_nodes = node_limit(budget, 0)
        nodes = min(max_nodes, max(1, budget.work // self._work_per_node))
        made, found = self.nodes, self.found
        buffered = int(self._progress[layout.BUFFERED])
        reason = self._search(self._solutions[: buffered + capacity], np.uint64(nodes))
        if reason == WORK_SPENT and self.nodes - made >= max_nodes:
            reason = NODE_LIMIT
        return status_of(reason, budget, self.found - found)

    def take(self) -> NDArray[np.int32]:
        """The rows found since the last call, shape (n, pieces − stop)."""
        count = int(self._progress[layout.BUFFERED])
        self._progress[layout.BUFFERED] = 0
        return self._solutions[:count].copy()

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call, see `Hooks.trace`."""
        return NO_TRACE if self._hooks is None else take_trace(self._hooks)

    def begin_within(self, part: SubProblem) -> None:
        """Go on where the search that left `part` was, by the numbers of `problem.placements`.

        A row that has all options taken is there to be taken, then. Raises `ConfigError` for a part
        that no search of the sub-problem has left.
        """
        branches: list[tuple[int, ...]] = [(option,) for option in part.taken]
        branches += [] if part.untried is None else [part.untried]
        for number, options in enumerate(branches):
            self._place_one()
            self.take()  # the first image that fits may be the last one to be placed
            self._keep_branches(self._pieces - number, options)
            if number < len(part.taken):
                self._place_one()
        self._clear_counts()

    def remaining_parts(self) -> tuple[SubProblem, ...]:
        """What is left of the tree, in the order of the search."""
        raise NotImplementedError

    def progress(self) -> float:
        """The share of the tree, were all images of a target's lists equally large branches."""
        share, done = 1.0, 0.0
        for begun, images in self._begun():
            share /= images
            done += share * begun
        return done

    def _reset(self, stop: int) -> None:
        """Be where a search begins that places pieces down to `stop` remaining."""
        self._stop = stop
        rows = max(1, min(BUFFERED_SOLUTIONS, 2**22 // max(1, self._pieces)))
        self._solutions = np.empty((rows, self._pieces - stop), dtype=np.int32)
        self._progress[:] = 0
        self._progress[layout.REMAINING] = self._pieces

    def _place_one(self) -> None:
        """Go on until an image has been placed, or to the end."""
        self._search(self._solutions, np.uint64(1))

    def _clear_counts(self) -> None:
        """Count nothing of the way to where the search begins but what is there to be taken."""
        self._fits()[:] = 0
        attempts = self._attempts()
        if attempts is not None:
            attempts[:] = 0
        self._progress[layout.SOLUTIONS] = self._progress[layout.BUFFERED]
        if self._hooks is not None:
            self._hooks.backtracks[:] = 0
            self.take_trace()

    def _by_remaining(self, figures: NDArray[np.uint64]) -> dict[int, int]:
        return {remaining: int(figures[remaining]) for remaining in self._span(self._stop)}

    def _span(self, last: int) -> range:
        """How many pieces remain at each level, down to before `last`."""
        return range(self._pieces, last, -1)

    def _search(self, solutions: NDArray[np.int32], nodes: Any) -> int:
        """Run a slice of the kernel."""
        raise NotImplementedError

    def _keep_branches(self, level: int, options: Sequence[int]) -> None:
        """Leave only some images to be placed where `level` pieces remain.

        The search has placed the first image that fits there. Raises `ConfigError` where the
        options do not all fit.
        """
        raise NotImplementedError

    def _fits(self) -> NDArray[np.uint64]:
        """Placements made, by pieces remaining."""
        raise NotImplementedError

    def _attempts(self) -> NDArray[np.uint64] | None:
        """Placements tried, by pieces remaining; None if that is not counted."""
        return None

    def _begun(self) -> list[tuple[int, int]]:
        """By level: how much of the target's lists is done, and how much there is."""
        raise NotImplementedError
