"""Ragged rows in an array: row r has the members from `start[r]` to `start[r + 1]`.

Many rows are processed in blocks that fit into a cache of the processor.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

MEMBERS_AT_ONCE = 1 << 17


def row_blocks(start: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """Yield blocks of rows with their members; each block has at least 1 row."""
    begin = 0
    while begin < len(start) - 1:
        end = int(np.searchsorted(start, start[begin] + MEMBERS_AT_ONCE, side="right")) - 1
        end = max(begin + 1, end)
        yield slice(begin, end), slice(int(start[begin]), int(start[end]))
        begin = end


def chosen_rows(
    start: NDArray[np.int64], member: NDArray[np.int32], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return `start` and members of the chosen rows, in the order of `chosen`."""
    sizes = np.diff(start)[chosen]
    new_start = np.concatenate([[0], np.cumsum(sizes)])
    back = start[chosen] - new_start[:-1]
    rows = np.empty(new_start[-1], dtype=np.int32)
    for block, members in row_blocks(new_start):
        number = np.arange(members.start, members.stop)
        rows[members] = member[number + np.repeat(back[block], sizes[block])]
    return new_start, rows
