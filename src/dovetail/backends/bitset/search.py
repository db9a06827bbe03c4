"""A search by sets of options: the kernel's arrays, and the levels of its stack.

A level has the set of its alive options, numbered as in its frame (see `kernels.frames`), and the
lane of the item branched on. The alive options of this item are still to be tried. A level of lists
has the options that it branches on as words of items instead (see `kernels.item_masks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.item_masks import PAIR_SIZE
from dovetail.backends.bitset.kernels.layout import (
    BRANCH_SIZE,
    FRAME_SIZE,
    LANES,
    LIST_SIZE,
    BitsetStack,
    Counts,
    OptionLists,
)
from dovetail.backends.bitset.tables import (
    DEFAULT_PRICES,
    BitsetSizes,
    ListPrices,
    build_frames,
    build_lists,
    build_rows,
    sizes_of,
)
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, KernelSearch, Level
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.errors import ConfigError
from dovetail.kernels.bits import bits_of, members_of
from dovetail.kernels.layout import LEVEL, PHASE, WORD_BITS
from dovetail.models.cover import CoverProblem, cover

_NONE = np.empty(0, dtype=np.int64)
# Cost of packing an option. The unit is the cost of reading a word of a block of items. The time
# hardly changes for costs from 10 to 80.
PRICE = 20


class BitsetSearch(KernelSearch):
    """State of a search: the kernel's arrays, see `kernels.layout`, and their readout.

    Options are tried in the order of their numbers. `price` decides when options are packed, and
    `list_prices` when options are listed. The prices change only the time.
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

        self._kernel = search
        sizes = sizes_of(cover, placements_per_solution)
        self._sizes = sizes
        self._rows = build_rows(cover)
        self._frames = build_frames(self._rows, sizes)
        self._stack = _stack(cover, sizes, price)
        self._counts = _counts(cover, sizes)
        self._cover, self._list_prices = cover, list_prices
        fits = self._stack.fits
        super().__init__(self._stack.state, sizes.max_taken, placements_per_solution, fits, fits)

    @cached_property
    def _lists(self) -> OptionLists | None:
        """Arrays for lists of options; None if some item has other bounds than exactly once."""
        return build_lists(self._cover, self._sizes, self._list_prices)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        return self._kernel(
            self._rows,
            self._frames,
            self._stack,
            self._counts,
            self._lists,
            solutions,
            self._guide or NO_DESCENTS,
            layout.SliceLimits(np.uint64(work), np.uint64(nodes)),
        )

    def _can_be_cut(self) -> bool:
        # With other bounds than exactly once, a branch also excludes the options tried before it.
        return self._counts is None

    def _levels(self) -> Iterator[Level]:
        branches = self._stack.branches.reshape(-1, BRANCH_SIZE)
        if self._state[PHASE]:
            return
        if not branches[0, layout.TRIED]:
            yield NOT_BRANCHED
            return
        last = int(self._state[LEVEL])
        for level in range(1, last + 1):
            taken: NDArray[Any] = branches[level, layout.TAKEN, None]
            if level >= self._first_listed:
                untried = self._names(self._untried_words(level))
                taken = self._names(taken) if level < last else taken
            else:
                untried = self._untried(level)[1]
            yield Level(int(taken[0]) if level < last else None, [untried.tolist()])

    def _keep(self, options: Sequence[int]) -> None:
        level = int(self._state[LEVEL])
        if self._lists is not None and level >= self._first_listed:
            words = self._untried_words(level)
            kept = np.isin(self._names(words), options)
            count = np.count_nonzero(kept)
            words[:count] = words[kept]
            self._lists.levels.reshape(-1, LIST_SIZE)[level, [layout.CHECKED, layout.VIABLE]] = 0
        else:
            numbers, names = self._untried(level) if level else (_NONE, _NONE)
            kept = np.isin(names, options)
            count, dropped = np.count_nonzero(kept), numbers[~kept]
            places = level * int(self._stack.words) + dropped // WORD_BITS
            bits = np.uint64(1) << (dropped % WORD_BITS).astype(np.uint64)
            np.bitwise_and.at(self._stack.alive, places, ~bits)
        if count != len(options):
            raise ConfigError("sub-problem: bitset does not branch on these options")
        branch = self._stack.branches.reshape(-1, BRANCH_SIZE)[level]
        branch[layout.TRIED], branch[layout.WIDTH] = 0, count

    def _branches(self) -> list[tuple[int, int]]:
        level = int(self._state[LEVEL])
        branches = self._stack.branches.reshape(-1, BRANCH_SIZE)[: level + 1].astype(int)
        width, tried = branches[:, layout.WIDTH], branches[:, layout.TRIED]
        return list(zip(width.tolist(), (width - tried).tolist(), strict=True))

    @property
    def _first_listed(self) -> int:
        """First level of lists; if no level has lists, a level that is never reached."""
        listed = 0 if self._lists is None else int(self._state[layout.LISTED])
        return listed or len(self._stack.branches)

    def _untried(self, level: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the untried options of a level: their numbers in its frame and in the problem."""
        frames, stack = self._frames, self._stack
        rows = frames.frames.reshape(-1, FRAME_SIZE)
        last = int(self._state[layout.FRAME])
        frame = max(f for f in range(last + 1) if f == 0 or rows[f, layout.PACKED_AT] <= level)
        entries = rows[frame].astype(np.int64)
        words, stride = int(entries[layout.WORDS]), int(entries[layout.BLOCKS]) * LANES
        lane = int(stack.branches[level * BRANCH_SIZE + layout.LANE])
        first = int(entries[layout.PLANES]) + lane
        at = level * int(stack.words)
        row = stack.alive[at : at + words] & frames.planes[first : first + words * stride : stride]
        numbers = members_of(row)
        return numbers, frames.names[int(entries[layout.NAMES]) + numbers].astype(np.int64)

    def _untried_words(self, level: int) -> NDArray[np.uint64]:
        """Return the untried options of a level of lists, as a view of their words."""
        assert self._lists is not None
        first = int(self._lists.levels[level * LIST_SIZE + layout.BRANCHES_AT])
        tried, width = self._stack.branches[level * BRANCH_SIZE :][[layout.TRIED, layout.WIDTH]]
        return self._lists.masks[first + int(tried) : first + int(width)]

    def _names(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the numbers, in the problem, of options that are given as words of items."""
        assert self._lists is not None
        pairs = int(self._lists.levels[self._first_listed * LIST_SIZE + layout.PAIRS])
        every = self._lists.masks[: pairs * PAIR_SIZE]
        order = np.argsort(every, kind="stable")
        found = order[np.searchsorted(every, words, sorter=order)]
        return self._lists.names[found].astype(np.int64)


def warm_up(min_count: int = 1) -> None:
    """Compile the kernels for items covered exactly once; for other bounds if `min_count` is 0."""
    tiny = cover([("a", min_count, 1)], [["a"]], name="warm-up")
    BitsetSearch(tiny, None).advance(Budget(work=1000))


def _stack(cover: CoverProblem, sizes: BitsetSizes, price: int) -> BitsetStack:
    """Return the stack at the root, where all options are alive."""
    alive = np.zeros(sizes.levels * sizes.words, dtype=np.uint64)
    alive[: sizes.words] = bits_of(np.ones(cover.option_count, dtype=bool), sizes.words)
    branches = np.zeros((sizes.levels, layout.BRANCH_SIZE), dtype=np.uint64)
    branches[0, layout.LANE] = sizes.items  # a lane without an item; see `kernels.search`
    branches[0, layout.WIDTH] = 1
    branches[0, layout.ITEMS_LEFT] = cover.item_count
    branches[0, layout.CLOSED] = sizes.lanes - sizes.items - 1
    return BitsetStack(
        alive=alive,
        words=np.uint64(sizes.words),
        branches=branches.reshape(-1),
        fits=np.zeros(sizes.max_taken + 1, dtype=np.int64),
        state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
        price=np.uint64(price),
    )


def _counts(cover: CoverProblem, sizes: BitsetSizes) -> Counts | None:
    """Return the counts at the root; None if all items have to be covered exactly once."""
    if cover.unit_bounds:
        return None
    need = np.ones(sizes.levels * sizes.lanes, dtype=np.int64)
    need[: sizes.items] = np.minimum(cover.lower, cover.option_count + 1)
    capacity = np.ones_like(need)
    capacity[: sizes.items] = cover.upper
    return Counts(need, capacity, np.uint64(sizes.lanes))
