"""The search of a sub-problem by FILA: the kernel's arrays, and their readout.

Without hooks, the kernel tests all fitting images of a block, each of which is a node, before it
goes on below any of them. A level therefore leaves a part for each image below which the search may
go on, and a part with the images that have not been tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.kernels import layout
from dovetail.backends.fila.kernels.layout import (
    BEGIN,
    BLOCK,
    END,
    FITTING,
    LIVE,
    Begun,
    ImageLists,
)
from dovetail.backends.fila.tables import FULL, ToldBy, Variant, any_order, kernel_lists, shape_bits
from dovetail.backends.shared.hooks import HookedSearch
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.guide import Guide
from dovetail.errors import ConfigError
from dovetail.kernels.bits import aligned, bits_of
from dovetail.kernels.layout import LEVEL, OWN
from dovetail.machine_code.layout import LANES
from dovetail.models.sums import Remainder

if TYPE_CHECKING:
    from dovetail.backends.shared.kernels.hooks import Hooks

RULES = {"f": layout.FIRST, "e": layout.ESTIMATE, "s": layout.SIZE}
WORK_PER_NODE = {"f": 2, "e": 6, "s": 60}  # steps of `Budget.work` for a node


class FilaSearch(HookedSearch):
    """A search that places pieces while more than `stop` of the `problem.pieces` remain.

    `heuristics` has the heuristic (f, e or s) for 1, 2, … `problem.pieces` pieces remaining. With
    `first_by_fits`, s chooses the first target, unless all heuristics are f. With `attempts`,
    attempts are counted as if only the neighbours of a target selected its list, or as if each
    target had a single list if `told_by` is "nothing". `hooks` are triggers and a trace. Rows of
    `take` are placements, numbered as in `problem.placements`.
    """

    makes_a_node = True

    def __init__(
        self,
        problem: Remainder,
        heuristics: Sequence[str],
        stop: int,
        *,
        told_by: ToldBy,
        attempts: bool,
        variant: Variant,
        first_by_fits: bool = False,
        hooks: Hooks | None = None,
    ) -> None:
        from dovetail.backends.fila.kernels.search import search

        self._kernel = search
        self._hooks = hooks
        placements, pieces, words = problem.placements, problem.pieces, variant.words
        heuristic = np.array([layout.FIRST, *(RULES[name] for name in heuristics)], dtype=np.uint64)
        if first_by_fits:
            heuristic[-1] = layout.SIZE
        if stop == 0 and not attempts:  # the last piece fills all open cells: any can be its target
            heuristic[1:2] = layout.FIRST
        in_order = set(heuristics) == {"f"}
        self._work_per_node = max((WORK_PER_NODE[name] for name in heuristics), default=1)
        self._lists, self._tried = kernel_lists(
            placements, told_by, in_order=in_order, attempts=attempts, variant=variant
        )
        self._any_order = None if in_order else any_order(placements, heuristic, variant.cell_words)
        shapes = len(placements.shapes)
        filled = np.ones(64 * words, dtype=bool)
        filled[: placements.cell_count] = problem.filled
        filled[shape_bits(shapes, words) :][:shapes] = False
        self._begun = Begun(
            board=tuple(bits_of(filled[None, :], words)[0]),
            rows=aligned((pieces + 2) * layout.STACK_SIZE),
            pieces=np.uint64(pieces),
            state=np.zeros(OWN, dtype=np.uint64),
            saved=np.zeros(words, dtype=np.uint64),
        )
        self._rows = self._begun.rows.reshape(pieces + 2, -1)
        self._rows.fill(0)
        self._root = self._rows[pieces + 1]
        rows = self._rows[pieces:stop:-1]
        tried = rows[:, layout.ATTEMPTS] if attempts else None
        super().__init__(self._begun.state, pieces - stop, pieces, rows[:, layout.FITS], tried)
        self._begin()

    def descend(self, guide: Guide) -> Iterator[NDArray[np.int32]]:
        try:
            yield from super().descend(guide)
        finally:
            self._begin()

    def _begin(self) -> None:
        """Set the search to its root; the row of the root has the last block, of empty images."""
        last = len(self._lists.images) // LANES - 1
        self._root[[BLOCK, END, FITTING]] = last, last + 1, 1
        self._state[LEVEL] = len(self._rows) - 1

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        left = min(nodes - self.nodes, max(1, work // self._work_per_node))
        reason = self._kernel(
            self._lists,
            self._any_order,
            self._tried if self._guide is None else None,
            self._begun,
            solutions,
            self._hooks,
            self._guide,
            # the kernel counts the empty image at the root until it has been placed
            np.uint64(left) + self._root[FITTING],
        )
        self._begun = self._begun._replace(board=tuple(self._begun.saved))
        return self.why_ended(reason, nodes)

    def _is_within_branch(self) -> bool:
        return True

    def _branches(self) -> list[tuple[int, int]]:
        rows = self._rows[: int(self._state[LEVEL]) : -1][1:].astype(np.int64)
        begin, block, end = (rows[:, entry] for entry in (BEGIN, BLOCK, END))
        return list(zip((end - begin).tolist(), (end - block - 1).tolist(), strict=True))

    def _levels(self) -> Iterator[Level]:
        remaining, images = int(self._state[LEVEL]), self._lists.images
        if remaining == len(self._rows) - 1:  # not begun, or ended
            if self._root[FITTING] or self._root[LIVE]:
                yield NOT_BRANCHED
            return
        board = _OpenBoard(self._lists, self._begun.board)
        levels: list[Level] = []
        for row in self._rows[remaining:-1]:
            block, live = int(row[BLOCK]), _entries(row[BLOCK], row[LIVE])
            taken = None
            if levels:
                entry = live.pop(0)
                taken = int(images[entry])
                board.take_back(entry)
            elif remaining == len(self._rows) - 1 - len(self._fits):
                live = []  # with hooks, the solution found last
            untried = _entries(row[BLOCK], row[FITTING])
            untried += board.fitting(block + 1, int(row[END])).tolist()
            levels.append(Level(taken, [images[untried].tolist()], images[live].tolist()))
        yield from reversed(levels)

    def _keep(self, options: Sequence[int]) -> None:
        """Drop all images but `options` from the list of the next target.

        No node below uses this list, because the cell of the target is filled there. Raises
        `ConfigError` if some of the options are not images that fit at this target.
        """
        level, hooks = int(self._state[LEVEL]) - 1, self._hooks
        sums = None if hooks is None else hooks.state.copy()
        self.advance(Budget(work=1, nodes=1))
        self.take()
        if hooks is not None and sums is not None:  # the placement just made is dropped below
            hooks.state[:] = sums
        row, lists, entries = self._rows[level], self._lists, np.empty(0, dtype=np.int64)
        if int(self._state[LEVEL]) == level:
            board = _OpenBoard(lists, self._begun.board)
            entries = board.fitting(int(row[BEGIN]), int(row[END]))
        wanted = np.isin(lists.images[entries], options)
        if np.count_nonzero(wanted) != len(options):
            raise ConfigError("sub-problem: fila does not branch on these options")
        masks = lists.masks.reshape(-1, len(self._begun.board), LANES)
        masks[entries[~wanted] // LANES, :, entries[~wanted] % LANES] = FULL
        kept = entries[wanted]
        block = int(kept[0]) // LANES
        row[[BEGIN, BLOCK, END]] = block, block, int(kept[-1]) // LANES + 1
        row[FITTING] = (1 << kept[kept // LANES == block] % LANES).sum()
        row[LIVE] = 0


class _OpenBoard:
    """A board with the placements made, and the kernel's test for images that fit."""

    def __init__(self, lists: ImageLists, board: tuple[np.uint64, ...]) -> None:
        self._board = np.array(board, dtype=np.uint64)
        self._masks = lists.masks.reshape(-1, len(board), LANES)
        self._images, self._repeats = lists.images, lists.repeats
        self._copies = None if lists.repeats is None else lists.repeats.copies.copy()

    def take_back(self, entry: int) -> None:
        """Remove the image of a list entry from the board; its copy is left again."""
        self._board ^= self._masks[entry // LANES, :, entry % LANES]
        if self._repeats is not None:
            assert self._copies is not None
            shape = self._repeats.shape_of[self._images[entry]]
            self._copies[shape] += np.uint64(1)
            if self._copies[shape] > 1:  # the shape's bit was clear, and stays so
                bit = int(self._repeats.shape_bit[shape])
                self._board[bit // 64] ^= np.uint64(1 << bit % 64)

    def fitting(self, block: int, end: int) -> NDArray[np.int64]:
        """Return the entries of blocks `block` to `end` − 1 whose images fit, in their order."""
        taken = (self._masks[block:end] & self._board[:, None]).any(axis=1)
        entries: NDArray[np.int64] = block * LANES + np.flatnonzero(~taken.ravel())
        return entries


def _entries(block: np.uint64, lanes: np.uint64) -> list[int]:
    return [int(block) * LANES + lane for lane in range(LANES) if int(lanes) >> lane & 1]
