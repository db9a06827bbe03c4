"""Digests of content, connected parts, and ragged arrays (concatenated or padded rows)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

PADDING = -1  # fills short rows of numbers, which are not negative


def content_digest(content: object) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of `content` as canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


MEMBERS_AT_ONCE = 1 << 17


def row_blocks(start: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """Yield blocks of consecutive rows: the slice of the rows and the slice of their members.

    Row r has the members from `start[r]` to `start[r + 1]` − 1. A block of more than 1 row has at
    most `MEMBERS_AT_ONCE` members.
    """
    begin = 0
    while begin < len(start) - 1:
        end = int(np.searchsorted(start, start[begin] + MEMBERS_AT_ONCE, side="right")) - 1
        end = max(begin + 1, end)
        yield slice(begin, end), slice(int(start[begin]), int(start[end]))
        begin = end


def chosen_rows(
    start: NDArray[np.int64], member: NDArray[np.int32], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the `start` and `member` arrays of the chosen rows, in the order of `chosen`."""
    sizes = np.diff(start)[chosen]
    new_start = np.concatenate([[0], np.cumsum(sizes)])
    back = start[chosen] - new_start[:-1]
    rows = np.empty(new_start[-1], dtype=np.int32)
    for block, members in row_blocks(new_start):
        number = np.arange(members.start, members.stop)
        rows[members] = member[number + np.repeat(back[block], sizes[block])]
    return new_start, rows


def connected_parts(
    cells: Iterable[int], neighbours: Sequence[Sequence[int]] | Mapping[int, Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the connected parts of `cells`, in the order of their first cells in `cells`."""
    unseen = dict.fromkeys(cells)
    while unseen:
        part = [next(iter(unseen))]
        del unseen[part[0]]
        for cell in part:  # grows during the loop
            near = unseen.keys() & neighbours[cell]
            part += near
            for other in near:
                del unseen[other]
        yield part


class LineTable:
    """Table of lines, each a row of numbers padded with −1. Lines can be appended.

    Line −1 is empty, so that short rows of line numbers can be padded with −1 too.
    """

    def __init__(self) -> None:
        self._count = 0
        self._rows = np.full((1, 0), PADDING, np.int32)  # the last row stays empty, for line −1

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, lines: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of `lines`, shape (*lines.shape, width)."""
        return self._rows[lines]

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        """Append lines, in amortised constant time per line if the width does not grow."""
        capacity, width = self._rows.shape
        width, needed = max([width, *map(len, rows)]), self._count + len(rows)
        if needed >= capacity or width > self._rows.shape[1]:
            grown = np.full((max(needed + 1, 2 * capacity), width), PADDING, np.int32)
            grown[: self._count, : self._rows.shape[1]] = self._rows[: self._count]
            self._rows = grown
        padded = [(*row, *(PADDING,) * (width - len(row))) for row in rows]
        self._rows[self._count : needed] = np.array(padded, np.int32).reshape(len(rows), width)
        self._count = needed
