"""One search by dancing links: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.dlx.heuristics import MIN_FIT, Ranks, build_rules
from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.layout import Stack
from dovetail.backends.dlx.parts import keep_branches, parts_left
from dovetail.backends.dlx.tables import build_links
from dovetail.backends.shared.hooks import NO_TRACE, count_backtracks, take_trace
from dovetail.backends.shared.parts import replay, replay_until_found
from dovetail.backends.shared.schedule import Stage
from dovetail.backends.shared.slices import NO_LIMIT, node_limit, status_of
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.options.cells import CellItems
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

if TYPE_CHECKING:
    from dovetail.backends.dlx.kernels.filters import DlxHooks

# A node is an offset into `links`, four entries each, that has to fit 32 bits.
MAX_NODES = 2**30
# Every level of the search has a row of counters, one per item.
MAX_STACK_BYTES = 2**31
BUFFERED_SOLUTIONS = 4096


class DlxSearch(Search):
    """The kernel's arrays, and what they say. See `kernels.layout` for their meaning.

    `stages` other than min-fit alone need the problem's `cells`. With `stop` or `hand_over`, from 1
    to the number of placements in every solution, the search yields sets of options that it takes
    one after another, in their order, instead of solutions: one at a time, so that `left` is about
    the one that `take` returns. With `stop` they are all sets of so many options; the last has been
    taken but not looked at: it may leave some item without a choice. With `hand_over` they are
    those of so many options and more, padded with −1, that leave every item two choices or nothing
    to be done. `ranks` are those of the cells by the name of an order, by default those by
    the `cells` themselves. `hooks` are triggers, filters and a trace, where solutions have a fixed
    number of placements. The search ends whenever a `stop_at_remaining` leaves so many placements
    to be made.
    """

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage] = (MIN_FIT,),
        cells: CellItems | None = None,
        stop: int | None = None,
        hand_over: int | None = None,
        ranks: Ranks | None = None,
        hooks: DlxHooks | None = None,
        stop_at_remaining: int | None = None,
    ) -> None:
        from dovetail.backends.dlx.kernels.search import search

        self._kernel: Any = search
        self._matrix, self._first_choices = build_links(cover)
        self._placements = placements_per_solution
        max_taken = max(_max_options(cover), placements_per_solution or 0)
        levels = _levels(cover, max_taken)
        self._stack = Stack(
            choices=np.zeros(levels * cover.item_count, dtype=np.int32),
            first_row=np.empty(cover.item_count, dtype=np.int32),
            level_item=np.zeros(levels, dtype=np.uint32),
            level_node=np.zeros(levels, dtype=np.uint32),
            level_removed=np.zeros(levels, dtype=np.uint32),
            level_width=np.zeros(levels, dtype=np.uint32),
            level_tried=np.zeros(levels, dtype=np.uint32),
            removed=np.zeros(cover.option_count + 1, dtype=np.uint32),
            fits=np.zeros(levels, dtype=np.int64),
            state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
        )
        self._stack.choices[: cover.item_count] = self._first_choices
        self._state, self._fits = self._stack.state, self._stack.fits
        self._left = np.empty(cover.option_count, dtype=np.int32)
        self._rules = build_rules(
            stages,
            cover.item_count,
            cells,
            placements_per_solution,
            max_taken,
            stop,
            hand_over,
            ranks,
        )
        width = max_taken if placements_per_solution is None else placements_per_solution
        rows = max(1, min(BUFFERED_SOLUTIONS, 2**22 // max(1, width)))
        if stop is not None:
            rows, width = 1, stop
        if hand_over is not None:
            rows = 1
        self._solutions = np.empty((rows, width), dtype=np.int32)
        self._hooks = hooks
        self._until = (
            NO_LIMIT
            if stop_at_remaining is None
            else (placements_per_solution or 0) - stop_at_remaining
        )

    @property
    def count(self) -> int:
        return int(self._state[layout.SOLUTIONS])

    @property
    def counters(self) -> Counters:
        nodes = int(self._state[layout.NODES])
        by_remaining = None
        if self._placements is not None:
            by_remaining = {
                self._placements - taken: int(self._fits[taken])
                for taken in range(self._placements)
            }
        updates = int(self._state[layout.UPDATES])
        backtracks_by_trigger = (
            None if self._hooks is None else count_backtracks(self._hooks.search)
        )
        return Counters(
            nodes, nodes, by_remaining, by_remaining, {"updates": updates}, backtracks_by_trigger
        )

    def advance(self, budget: Budget) -> Status | None:
        buffered, capacity = int(self._state[layout.BUFFERED]), len(self._solutions)
        if buffered == capacity:
            return None  # nothing can be done before `take`
        if budget.solutions is not None:
            if budget.solutions <= 0:
                return Status.SOLUTION_LIMIT
            capacity = min(capacity, buffered + budget.solutions)
        limit = node_limit(budget, int(self._state[layout.NODES]))
        before = self.count
        reason = self._kernel(
            self._matrix,
            self._rules,
            self._stack,
            self._solutions[:capacity],
            self._hooks,
            np.uint64(self._until),
            np.uint64(budget.work),
            np.uint64(limit),
        )
        return status_of(reason, budget, self.count - before)

    def take(self) -> NDArray[np.int32]:
        buffered = int(self._state[layout.BUFFERED])
        self._state[layout.BUFFERED] = 0
        return self._solutions[:buffered].copy()

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call, see `Hooks.trace`."""
        return NO_TRACE if self._hooks is None else take_trace(self._hooks.search)

    def begin_within(self, part: SubProblem) -> None:
        replay(self, part, self._keep_branches)
        self._clear_counts()

    def begin_until_found(self, part: SubProblem) -> SubProblem | None:
        """Begin within a part of this search and of those that go on below what it finds.

        Returns the part below what it has found, which is there to be taken; None where this
        search goes on first.
        """
        below = replay_until_found(self, part, self._keep_branches)
        self._clear_counts()
        return below

    def remaining(self) -> tuple[SubProblem, ...] | None:
        return parts_left(self._matrix, self._stack)

    def _keep_branches(self, options: Sequence[int]) -> None:
        keep_branches(self._matrix, self._stack, options)

    def _clear_counts(self) -> None:
        """Count no node of the way to where the search begins."""
        self._state[layout.NODES] = self._state[layout.UPDATES] = 0
        self._fits[:] = 0

    @property
    def left(self) -> NDArray[np.int32]:
        """The options that may complete the set that was yielded last, in ascending order.

        Those taken before them for an item that is covered several times are not among these:
        the solutions they have in common belong to the sets yielded then.
        """
        from dovetail.backends.dlx.kernels import left

        options_left: Any = left.options_left
        count = options_left(self._matrix, self._rules.cells, self._left)
        return np.sort(self._left[:count])

    def progress(self) -> float:
        """The share of the tree, were all branches of a node equally large."""
        done, branch = self.shares()
        # else the branch begun last has come to its end, on level 0 all of it
        descends = self._state[layout.PHASE] == layout.DESCEND
        return done if descends else done + branch

    def shares(self) -> tuple[float, float]:
        """The shares of what is done before the branch begun last, and of that branch."""
        level = int(self._state[layout.LEVEL])
        width = self._stack.level_width[:level].tolist()
        tried = self._stack.level_tried[:level].tolist()
        share, done = 1.0, 0.0
        for branches, begun in zip(width, tried, strict=True):
            share /= branches
            done += share * max(0, begun - 1)
        return done, share


def warm_up() -> None:
    """Compile the kernels and run every branch of the search once."""
    tiny = cover_problem(  # one item of each kind
        "warm-up", ["a", ("b", 0, 2)], [["a", ("c", 1)], ["a", "b"]], secondary=["c"]
    )
    DlxSearch(tiny, None).advance(Budget(work=1000))
    assert len(DlxSearch(tiny, None).left) == tiny.option_count


def too_large(cover: CoverProblem) -> str | None:
    """Why the arrays for a cover problem would not fit, None if they do."""
    nodes = cover.item_count + cover.option_count + len(cover.item)
    if nodes >= MAX_NODES:
        return f"the matrix would have {nodes:,} nodes; the limit is {MAX_NODES:,}"
    size = 4 * cover.item_count * _levels(cover, _max_options(cover))
    if size > MAX_STACK_BYTES:
        return f"its stack would take {size:,} bytes; the limit is {MAX_STACK_BYTES:,}"
    return None


def _levels(cover: CoverProblem, max_taken: int) -> int:
    """How deep the search can go: options taken, items closed, the leaf."""
    once = (cover.lower == 1) & (cover.upper == 1)
    return max_taken + int(np.count_nonzero(~once)) + 1


def _max_options(cover: CoverProblem) -> int:
    """An upper bound on the number of options in a solution."""
    size = np.bincount(cover.item, minlength=cover.item_count)[: cover.primary_count]
    capacity = int(np.minimum(cover.upper, size).sum())
    primaries = cover.option_of_member[cover.item < cover.primary_count]
    fewest = int(np.bincount(primaries).min()) if len(primaries) else 1
    return min(capacity // fewest, cover.option_count)
