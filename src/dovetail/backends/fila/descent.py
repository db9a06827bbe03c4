"""The search of one sub-problem: the kernel's arrays, and what they say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.tables import ImageLists, SubProblem, as_words, image_lists
from dovetail.backends.slices import node_limit, status_of
from dovetail.models.outcome import Status

BUFFERED_SOLUTIONS = 4096


class Descent:
    """What is below some placements made already (`root`, numbers of all placements).

    `heuristic` is by pieces remaining, see `Stages.by_remaining`; `counters` are attempts and
    fits by pieces remaining, shape (pieces + 1,) uint64, which go on counting here.
    """

    def __init__(
        self,
        problem: SubProblem,
        root: NDArray[np.int64],
        heuristic: NDArray[np.uint64],
        counters: tuple[NDArray[np.uint64], NDArray[np.uint64]],
        *,
        nof: bool,
    ) -> None:
        from dovetail.backends.fila.kernels import search as kernel  # imports numba

        self._kernel, self._problem = kernel, problem
        self._root = root.astype(np.int32)
        pieces = problem.pieces
        first = image_lists(problem, ordered=True, nof=nof)
        lists, any_base = [first], 0
        if np.any(heuristic[1 : pieces + 1] != kernel.FIRST):
            lists.append(image_lists(problem, ordered=False, nof=nof))
            any_base = (len(first.start) - 1) // len(problem.copies)
        free = lists[-1]
        available = as_words(problem.copies[None, :] > 0)[0]
        self._tables = [
            problem.masks.ravel(),
            problem.shape.astype(np.uint32),
            *(first.free, first.free_count, first.state_bits),
            *(free.free, free.free_count, free.state_bits, np.uint64(any_base)),
            *_joined(lists),
            heuristic,
            problem.copies.astype(np.uint64),
            available,
            problem.unfilled(),
            *(np.zeros(pieces, dtype=np.uint64) for _ in range(3)),
            np.zeros(pieces * len(available), dtype=np.uint64),
            np.zeros(pieces, dtype=np.uint64),
            *counters,
        ]
        rows = max(1, min(BUFFERED_SOLUTIONS, 2**22 // max(1, pieces)))
        self._solutions = np.empty((rows, pieces), dtype=np.int32)
        self._progress = np.zeros(kernel.PROGRESS_SIZE, dtype=np.uint64)

    @property
    def solutions(self) -> int:
        """How many have been found."""
        return int(self._progress[self._kernel.SOLUTIONS])

    def advance(self, budget: Budget) -> Status | None:
        """Search on; the status that ended it, `exhausted` for this sub-problem alone."""
        kernel, before = self._kernel, self.solutions
        room = len(self._solutions)
        if budget.solutions is not None:
            room = min(room, budget.solutions)
        limit = node_limit(budget, int(self._progress[kernel.NODES]))
        reason = kernel.search(
            *self._tables,
            self._solutions[:room],
            self._progress,
            np.uint64(budget.work),
            np.uint64(limit),
        )
        return status_of(reason, budget, self.solutions - before)

    def take(self) -> NDArray[np.int32]:
        """The solutions found since the last call, by the numbers of all placements."""
        count = int(self._progress[self._kernel.BUFFERED])
        self._progress[self._kernel.BUFFERED] = 0
        found = self._problem.options[self._solutions[:count]]
        return np.hstack([np.broadcast_to(self._root, (count, len(self._root))), found])


def _joined(lists: list[ImageLists]) -> tuple[object, ...]:
    """Lists of several kinds, one behind the other: `full`, `start` and `images`."""
    starts, images = [], 0
    for one in lists:
        starts.append(one.start[:-1].astype(np.int64) + images)
        images += int(one.start[-1])
    start = np.concatenate([*starts, [images]]).astype(np.uint32)
    return (
        np.concatenate([one.full for one in lists]),
        start,
        np.concatenate([one.images[: one.start[-1]] for one in lists]),
    )
