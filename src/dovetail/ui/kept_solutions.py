"""The solutions of a lane: their number, and the first solutions, kept for display."""

from __future__ import annotations

from itertools import islice
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.events import Found
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle

MAX_KEPT = 10_000
MAX_KEPT_BYTES = 32 * 2**20
MAX_ALL_BYTES = 256 * 2**20


class Store:
    """Limit of bytes shared by the solutions of all lanes."""

    def __init__(self, max_bytes: int = MAX_ALL_BYTES) -> None:
        self._lock, self._left = Lock(), max_bytes

    def take(self, size: int) -> bool:
        """Reserve `size` bytes; return False if too few are left."""
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give_back(self, size: int) -> None:
        """Release reserved bytes."""
        with self._lock:
            self._left += size


class KeptSolutions:
    """Solutions of a run; the thread of the run adds them, and other threads read them.

    `found` counts all solutions. The first solutions are kept, up to `MAX_KEPT` and
    `MAX_KEPT_BYTES`, while the `store` has bytes left.
    """

    def __init__(self, store: Store) -> None:
        self.found = 0
        self._store = store
        self._is_full = False
        self._lock = Lock()
        self._options: list[NDArray[np.int32]] = []
        self._bytes = 0
        self._lowered: LoweredPuzzle | None = None

    @property
    def kept(self) -> int:
        """Number of kept solutions."""
        return len(self._options)

    def add(self, found: Found) -> None:
        """Add solutions that a search has found; the puzzle must have been lowered."""
        with self._lock:
            self._lowered = found.lowered
            self.found += len(found.options)
            for options in found.options[: MAX_KEPT - len(self._options)]:
                if self._is_full:
                    return
                kept = options[options >= 0].copy()
                fits = self._bytes + kept.nbytes <= MAX_KEPT_BYTES
                if not (fits and self._store.take(kept.nbytes)):
                    self._is_full = True  # permanently: only the first solutions are kept
                    return
                self._options.append(kept)
                self._bytes += kept.nbytes

    def forget(self) -> None:
        """Drop all kept solutions, and keep no more."""
        with self._lock:
            self._options.clear()
            self._store.give_back(self._bytes)
            self._bytes, self._is_full = 0, True

    def read(self, first: int = 0, count: int = MAX_KEPT) -> list[Solution]:
        """Return the kept solutions from number `first` on; the first solution has the number 0."""
        with self._lock:
            options, lowered = list(islice(self._options, first, first + count)), self._lowered
        if lowered is None:
            return []
        return [lowered.solution(one.tolist()) for one in options]
