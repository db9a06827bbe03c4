"""One search by sets of options: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.layout import Counts, Lists, Stack
from dovetail.backends.bitset.levels import keep_branches, levels
from dovetail.backends.bitset.lists import DEFAULT_PRICES, ListPrices, build_lists
from dovetail.backends.bitset.rows import build_rows
from dovetail.backends.bitset.tables import Sizes, build_frames, sizes_of
from dovetail.backends.shared.bit_sets import bits_of
from dovetail.backends.shared.kernel_search import KernelSearch, Level
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.models.cover import CoverProblem, cover_problem

# What packing an option costs, in words of a block looked at. The cubes take about as long from
# 10 to 80.
PRICE = 20


class BitsetSearch(KernelSearch):
    """The kernel's arrays, and what they say. See `kernels.layout` for their meaning.

    Options are tried in the order of their numbers. `price` is what decides when options are
    packed, and `list_prices` when they are listed, which change the time and nothing else.
    """

    native = MappingProxyType({"packs": layout.PACKS, "lists": layout.LISTS})

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        price: int = PRICE,
        list_prices: ListPrices = DEFAULT_PRICES,
    ) -> None:
        from dovetail.backends.bitset.kernels.search import search

        self._kernel: Any = search
        sizes = sizes_of(cover, placements_per_solution)
        self._sizes = sizes
        self._rows = build_rows(cover)
        self._frames = build_frames(self._rows, sizes)
        self._stack = _stack(cover, sizes, price)
        self._counts = _counts(cover, sizes)
        self._cover, self._list_prices = cover, list_prices
        fits, state = self._stack.fits, self._stack.state
        solutions = SolutionBuffer(sizes.max_taken, np.int32, state)
        super().__init__(state, solutions, fits, fits, placements_per_solution)
        self.levels = sizes.max_taken

    @cached_property
    def _lists(self) -> Lists | None:
        """Built when it is needed."""
        return build_lists(self._cover, self._sizes, self._list_prices)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        reason: int = self._kernel(
            self._rows,
            self._frames,
            self._stack,
            self._counts,
            self._lists,
            solutions,
            self._guide,
            layout.Limits(np.uint64(work), np.uint64(nodes)),
        )
        return reason

    def _levels(self) -> Iterator[Level] | None:
        if self._counts is not None:  # a level may have taken options out of the problem
            return None
        return levels(self._frames, self._stack, self._lists)

    def _keep(self, options: Sequence[int]) -> None:
        keep_branches(self._frames, self._stack, self._lists, options)

    def _branches(self) -> list[tuple[int, int]]:
        level = int(self._state[LEVEL])
        branches = self._stack.branches.reshape(-1, layout.BRANCH_SIZE)[: level + 1].astype(int)
        width, tried = branches[:, layout.WIDTH], branches[:, layout.TRIED]
        return list(zip(width.tolist(), (width - tried).tolist(), strict=True))


def warm_up(min_count: int = 1) -> None:
    """Compile the kernels for items that are covered once, or with `min_count` 0 for others."""
    tiny = cover_problem("warm-up", [("a", min_count, 1)], [["a"]])
    BitsetSearch(tiny, None).advance(Budget(work=1000))


def _stack(cover: CoverProblem, sizes: Sizes, price: int) -> Stack:
    """The stack at the root, where all options are alive."""
    alive = np.zeros(sizes.levels * sizes.words, dtype=np.uint64)
    alive[: sizes.words] = bits_of(np.ones(cover.option_count, dtype=bool), sizes.words)
    branches = np.zeros((sizes.levels, layout.BRANCH_SIZE), dtype=np.uint64)
    branches[0, layout.LANE] = sizes.items  # of no item: see the kernel
    branches[0, layout.WIDTH] = 1
    branches[0, layout.ITEMS_LEFT] = cover.item_count
    branches[0, layout.CLOSED] = sizes.lanes - sizes.items - 1
    return Stack(
        alive=alive,
        words=np.uint64(sizes.words),
        branches=branches.reshape(-1),
        fits=np.zeros(sizes.max_taken + 1, dtype=np.int64),
        state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
        price=np.uint64(price),
    )


def _counts(cover: CoverProblem, sizes: Sizes) -> Counts | None:
    """The counts at the root; None where all items are to be covered exactly once."""
    if cover.unit_bounds:
        return None
    need = np.ones(sizes.levels * sizes.lanes, dtype=np.int64)
    need[: sizes.items] = np.minimum(cover.lower, cover.option_count + 1)
    capacity = np.ones_like(need)
    capacity[: sizes.items] = cover.upper
    return Counts(need, capacity, np.uint64(sizes.lanes))
