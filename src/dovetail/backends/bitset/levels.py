"""Levels of a search by bit sets: what is left to be tried there, and how to begin there.

A level of a frame has the options that are alive there and the lane of the item branched on; those
alive in that lane are still to be tried. Numbers of options are those of the frame that the level
is in. A level of lists has the options that it branches on, as words of items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.item_masks import PAIR_SIZE
from dovetail.backends.bitset.kernels.layout import (
    BRANCH_SIZE,
    FRAME_SIZE,
    LANES,
    LIST_SIZE,
    Frames,
    Lists,
    Stack,
)
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError
from dovetail.kernels.word_size import WORD_BITS


def levels(frames: Frames, stack: Stack, lists: Lists | None) -> Iterator[Level]:
    """Yield the levels of a search whose items are all to be covered exactly once."""
    branches = stack.branches.reshape(-1, BRANCH_SIZE)
    if stack.state[PHASE]:
        return
    if not branches[0, layout.TRIED]:
        yield NOT_BRANCHED
        return
    last, listed = int(stack.state[LEVEL]), _first_listed(stack, lists)
    for level in range(1, last + 1):
        taken: NDArray[Any] = branches[level, layout.TAKEN, None]
        if lists is not None and level >= listed:
            untried = _names(lists, listed, _untried_words(stack, lists, level))
            taken = _names(lists, listed, taken) if level < last else taken
        else:
            untried = _untried(frames, stack, level)[1]
        yield Level(int(taken[0]) if level < last else None, [untried.tolist()])


def keep_branches(
    frames: Frames, stack: Stack, lists: Lists | None, options: Sequence[int]
) -> None:
    """Leave only some options to be tried on the level that the search is about to branch on.

    Raises `ConfigError` where it branches on an item that does not have them all.
    """
    level = int(stack.state[LEVEL])
    listed = _first_listed(stack, lists)
    if lists is not None and level >= listed:
        words = _untried_words(stack, lists, level)
        kept = np.isin(_names(lists, listed, words), options)
        count = np.count_nonzero(kept)
        words[:count] = words[kept]
        lists.levels.reshape(-1, LIST_SIZE)[level, [layout.CHECKED, layout.VIABLE]] = 0
    else:
        numbers, names = _untried(frames, stack, level) if level else (_NONE, _NONE)
        kept = np.isin(names, options)
        count, dropped = np.count_nonzero(kept), numbers[~kept]
        places = level * int(stack.words) + dropped // WORD_BITS
        bits = np.uint64(1) << (dropped % WORD_BITS).astype(np.uint64)
        np.bitwise_and.at(stack.alive, places, ~bits)
    if count != len(options):
        raise ConfigError("sub-problem: bitset does not branch on its options there")
    branch = stack.branches.reshape(-1, BRANCH_SIZE)[level]
    branch[layout.TRIED], branch[layout.WIDTH] = 0, count


_NONE = np.empty(0, dtype=np.int64)


def _first_listed(stack: Stack, lists: Lists | None) -> int:
    """The first level of lists, one that is never reached where there is none."""
    listed = 0 if lists is None else int(stack.state[layout.LISTED])
    return listed or len(stack.branches)


def _untried(
    frames: Frames, stack: Stack, level: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The options still to be tried on a level, by their frame's numbers and by the problem's."""
    rows = frames.frames.reshape(-1, FRAME_SIZE)
    last = int(stack.state[layout.FRAME])
    frame = max(f for f in range(last + 1) if f == 0 or rows[f, layout.PACKED_AT] <= level)
    entries = rows[frame].astype(np.int64)
    words, stride = int(entries[layout.WORDS]), int(entries[layout.BLOCKS]) * LANES
    lane = int(stack.branches[level * BRANCH_SIZE + layout.LANE])
    first = int(entries[layout.PLANES]) + lane
    at = level * int(stack.words)
    row = stack.alive[at : at + words] & frames.planes[first : first + words * stride : stride]
    numbers = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
    return numbers, frames.names[int(entries[layout.NAMES]) + numbers].astype(np.int64)


def _untried_words(stack: Stack, lists: Lists, level: int) -> NDArray[np.uint64]:
    """The options still to be tried on a level of lists, as a view of them."""
    first = int(lists.levels[level * LIST_SIZE + layout.BRANCHES_AT])
    branch = stack.branches[level * BRANCH_SIZE :]
    return lists.masks[first + int(branch[layout.TRIED]) : first + int(branch[layout.WIDTH])]


def _names(lists: Lists, listed: int, words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The problem's numbers of options that are words of items."""
    pairs = int(lists.levels[listed * LIST_SIZE + layout.PAIRS])
    every = lists.masks[: pairs * PAIR_SIZE]
    order = np.argsort(every, kind="stable")
    return lists.names[order[np.searchsorted(every, words, sorter=order)]].astype(np.int64)
