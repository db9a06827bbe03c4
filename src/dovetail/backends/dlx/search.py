"""A search by dancing links: the kernel's arrays, and their readout.

The stack holds for each level the item branched on and the node of the option taken. The column of
an item that is covered exactly once does not change while the item is branched on, so that the
options below that node are still to be tried. While an item with other bounds is branched on, its
options are removed one by one, so that the search cannot be cut at such a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, memory_refusal
from dovetail.backends.dlx.heuristics import MIN_FIT, Ranks, build_rules
from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.layout import DOWN, ENTRIES, DlxStack
from dovetail.backends.dlx.tables import build_links
from dovetail.backends.shared.hooks import HookedSearch
from dovetail.backends.shared.kernel_search import (
    BUFFERED_SOLUTIONS,
    NO_LIMIT,
    NOT_BRANCHED,
    Level,
)
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.backends.shared.schedule import Stage
from dovetail.errors import ConfigError
from dovetail.kernels.layout import LEVEL, PHASE, WORK
from dovetail.models.cover import CoverProblem, cover
from dovetail.models.options.base import CellItems

if TYPE_CHECKING:
    from dovetail.backends.dlx.kernels.filters import DlxHooks

# `links` has four entries per node, and their offsets have to fit 32 bits.
MAX_NODES = 2**30
# Limit on the size of `choices`, which has an entry for each level and item.
MAX_STACK_BYTES = 2**31


class DlxSearch(HookedSearch):
    """State of a search: the kernel's arrays, see `kernels.layout`, and their readout.

    Stages that pick cells need the problem's `cells`. `ranks` returns the ranks of the cells in the
    order with a given name; by default they are computed from `cells`. `hooks` are triggers,
    filters and a trace, for solutions with a fixed number of placements. With `stop_at_remaining`,
    the search ends when a placement is removed and this many are left to be made. `member_order` is
    as in a `Task`.

    With `hand_over`, from 1 to the number of placements of a solution, the search yields sets of
    options instead of solutions. A set has at least `hand_over` options, in the order in which they
    were taken, and is padded with −1. Every item left open by a set has at least two choices. Each
    `take` returns at most one set, because `left` belongs to the set that was returned last.
    """

    native = MappingProxyType({"updates": WORK})

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage] = (MIN_FIT,),
        cells: CellItems | None = None,
        hand_over: int | None = None,
        ranks: Ranks | None = None,
        hooks: DlxHooks | None = None,
        stop_at_remaining: int | None = None,
        member_order: NDArray[np.int64] | None = None,
    ) -> None:
        from dovetail.backends.dlx.kernels.search import search

        self._kernel = search
        self._matrix, first_row = build_links(cover, member_order)
        max_taken = max(_max_options(cover), placements_per_solution or 0)
        depth = _depth(cover, max_taken)
        until = NO_LIMIT
        if stop_at_remaining is not None:
            until = (placements_per_solution or 0) - stop_at_remaining
        self._stack = DlxStack(
            choices=np.zeros(depth * cover.item_count, dtype=np.int32),
            first_row=first_row,
            level_item=np.zeros(depth, dtype=np.uint32),
            level_node=np.zeros(depth, dtype=np.uint32),
            level_removed=np.zeros(depth, dtype=np.uint32),
            level_width=np.zeros(depth, dtype=np.uint32),
            level_tried=np.zeros(depth, dtype=np.uint32),
            removed=np.zeros(cover.option_count + 1, dtype=np.uint32),
            fits=np.zeros(depth, dtype=np.int64),
            state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
            until=np.uint64(until),
        )
        self._stack.choices[: cover.item_count] = first_row
        self._left = np.empty(cover.option_count, dtype=np.int32)
        self._rules = build_rules(
            stages,
            cover.item_count,
            cells,
            placements_per_solution,
            max_taken,
            hand_over,
            ranks,
        )
        width = max_taken if placements_per_solution is None else placements_per_solution
        max_rows = BUFFERED_SOLUTIONS if hand_over is None else 1
        fits, state = self._stack.fits, self._stack.state
        super().__init__(state, width, placements_per_solution, fits, fits, max_rows=max_rows)
        self._dlx_hooks, self._hooks = hooks, None if hooks is None else hooks.search
        self.levels = depth

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        return self._kernel(
            self._matrix,
            self._rules,
            self._stack,
            solutions,
            self._dlx_hooks,
            self._guide or NO_DESCENTS,
            np.uint64(work),
            np.uint64(nodes),
        )

    def _can_be_cut(self) -> bool:
        items = self._stack.level_item[: int(self._state[LEVEL])]
        return bool(self._state[PHASE] == layout.DONE or self._matrix.once[items].all())

    def _levels(self) -> list[Level]:
        stack, last = self._stack, int(self._state[LEVEL])
        if self._state[PHASE] == layout.DONE:
            return []
        levels = [
            Level(self._option(taken), [list(map(self._option, self._below(item, taken)))])
            for item, taken in np.column_stack([stack.level_item, stack.level_node])[:last].tolist()
        ]
        # the search has not branched yet below the option taken last
        return levels + [NOT_BRANCHED] * int(self._state[PHASE] == layout.DESCEND)

    def _keep(self, options: Sequence[int]) -> None:
        depth = int(self._state[LEVEL]) - 1
        fresh = depth >= 0 and self._state[PHASE] == layout.NEXT
        item = int(self._stack.level_item[depth]) if fresh else 0
        header = ENTRIES * item
        nodes = self._below(item, header) if fresh and self._matrix.once[item] else []
        kept = [node for node in nodes if self._option(node) in set(options)]
        if len(kept) != len(options):
            raise ConfigError("sub-problem: dlx does not branch on these options")
        for before, after in zip([header, *kept], [*kept, header], strict=True):
            self._matrix.links[before + DOWN] = after
        self._stack.level_width[depth] = len(kept)

    def _below(self, item: int, node: int) -> list[int]:
        """Return the nodes of an item's column below a node, or below its header."""
        nodes, header = [], ENTRIES * item
        while (node := int(self._matrix.links[node + DOWN])) != header:
            nodes.append(node)
        return nodes

    def _option(self, node: int) -> int:
        return int(self._matrix.option[node // ENTRIES])

    def _branches(self) -> list[tuple[int, int]]:
        level = int(self._state[LEVEL])
        width = self._stack.level_width[:level].astype(int)
        untried = width - self._stack.level_tried[:level]
        return list(zip(width.tolist(), untried.tolist(), strict=True))

    @property
    def left(self) -> NDArray[np.int32]:
        """Options that may complete the set that was yielded last, in ascending order.

        For an item with other bounds than exactly once, options tried before are left out, because
        their solutions complete sets that were yielded earlier.
        """
        from dovetail.backends.dlx.kernels.links import options_left

        options_of_open: Any = options_left
        count = options_of_open(self._matrix, self._rules.cells, self._left)
        return np.sort(self._left[:count])

    def _is_within_branch(self) -> bool:
        return bool(self._state[PHASE] == layout.DESCEND)


def warm_up() -> None:
    """Compile the kernels, and run a small search with items of every kind."""
    tiny = cover(  # one item of each kind
        ["a", ("b", 0, 2)], [["a", ("c", 1)], ["a", "b"]], secondary=["c"], name="warm-up"
    )
    DlxSearch(tiny, None).advance(Budget(work=1000))
    assert len(DlxSearch(tiny, None).left) == tiny.option_count


def too_large(cover: CoverProblem) -> str | None:
    """Return why the arrays for a cover problem would be too large, or None."""
    nodes = cover.item_count + cover.option_count + len(cover.item)
    if nodes >= MAX_NODES:
        return f"the matrix would have {nodes:,} nodes; the limit is {MAX_NODES:,}"
    size = 4 * cover.item_count * _depth(cover, _max_options(cover))
    return memory_refusal("its stack", size, MAX_STACK_BYTES)


def _depth(cover: CoverProblem, max_taken: int) -> int:
    """Return the largest number of levels, for a search that takes at most `max_taken` options.

    There is a further level for each item with other bounds than exactly once, and for the leaf.
    """
    once = (cover.lower == 1) & (cover.upper == 1)
    return max_taken + int(np.count_nonzero(~once)) + 1


def _max_options(cover: CoverProblem) -> int:
    """Return an upper bound on the number of options in a solution."""
    size = np.bincount(cover.item, minlength=cover.item_count)[: cover.primary_count]
    capacity = int(np.minimum(cover.upper, size).sum())
    primaries = cover.option_of_member[cover.item < cover.primary_count]
    fewest = int(np.bincount(primaries).min()) if len(primaries) else 1
    return min(capacity // fewest, cover.option_count)
