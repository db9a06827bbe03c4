"""The sub-problems of a run that are waiting, in the order in which they are handed out."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from dovetail.harness.parallel.journal import StoredPart

UNRANKED = -math.inf


@dataclass
class Waiting:
    """A sub-problem that has no result yet, and how often it was handed out in vain.

    One that is searched `to_end` is not cut: its search does not say what it has left.
    """

    stored: StoredPart
    failures: int = 0
    to_end: bool = False

    @property
    def key(self) -> bytes:
        return self.stored.key

    @property
    def depth(self) -> int:
        """How many options it has taken."""
        return len(self.stored.part.taken)


class WorkList:
    """Waiting sub-problems: the first by the order of the search, or the shallowest one.

    An entry of a heap counts while it has the number that its sub-problem was added with last.
    """

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[int, Waiting]] = {}
        self._in_order: list[tuple[float, bytes, int]] = []
        self._by_depth: list[tuple[float, bytes, int]] = []
        self._added = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Waiting, rank: float | None = None) -> None:
        """Add a sub-problem; those without a rank come first, in the order of the search."""
        self._added += 1
        self._waiting[item.key] = (self._added, item)
        rank = UNRANKED if rank is None else rank
        heapq.heappush(self._in_order, (rank, item.key, self._added))
        heapq.heappush(self._by_depth, (item.depth, item.key, self._added))

    @property
    def first_is_ranked(self) -> bool:
        """Whether the first sub-problem has a rank, so that all have one."""
        self._drop_old(self._in_order)
        return self._in_order[0][0] != UNRANKED

    def next(self) -> Waiting:
        """Remove and return the first sub-problem."""
        return self._pop(self._in_order)

    def shallowest(self) -> Waiting:
        """Remove and return the sub-problem with the fewest options taken."""
        return self._pop(self._by_depth)

    def _pop(self, heap: list[tuple[float, bytes, int]]) -> Waiting:
        self._drop_old(heap)
        _, key, _ = heapq.heappop(heap)
        return self._waiting.pop(key)[1]

    def _drop_old(self, heap: list[tuple[float, bytes, int]]) -> None:
        """Remove the first entries of a heap as long as they do not count."""
        while self._waiting.get(heap[0][1], (0,))[0] != heap[0][2]:
            heapq.heappop(heap)
