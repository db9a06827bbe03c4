"""The sub-problems of a run that are waiting, in the order in which they are handed out."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from dovetail.harness.parallel.journal import StoredPart

UNRANKED = -math.inf


@dataclass
class Waiting:
    """A sub-problem that has no result yet, and how often it was handed out in vain."""

    stored: StoredPart
    failures: int = 0

    @property
    def key(self) -> bytes:
        return self.stored.key

    @property
    def depth(self) -> int:
        """How many options it has taken."""
        return len(self.stored.part.taken)


class WorkList:
    """Waiting sub-problems: the first by the order of the search, or the shallowest one."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, Waiting] = {}
        self._in_order: list[tuple[float, bytes]] = []
        self._by_depth: list[tuple[float, bytes]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Waiting, rank: float | None = None) -> None:
        """Add a sub-problem; those without a rank come first, in the order of the search."""
        self._waiting[item.key] = item
        heapq.heappush(self._in_order, (UNRANKED if rank is None else rank, item.key))
        heapq.heappush(self._by_depth, (item.depth, item.key))

    @property
    def first_rank(self) -> float | None:
        """The rank of the first sub-problem, if it has one."""
        while self._in_order[0][1] not in self._waiting:
            heapq.heappop(self._in_order)
        rank = self._in_order[0][0]
        return None if rank == UNRANKED else rank

    def next(self) -> Waiting:
        """Remove and return the first sub-problem."""
        return self._pop(self._in_order)

    def shallowest(self) -> Waiting:
        """Remove and return the sub-problem with the fewest options taken."""
        return self._pop(self._by_depth)

    def _pop(self, heap: list[tuple[float, bytes]]) -> Waiting:
        while True:
            _, key = heapq.heappop(heap)
            if key in self._waiting:
                return self._waiting.pop(key)
