"""The solutions of a lane as they come: how many, and the first ones, kept to be shown."""

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
    """The bytes that the solutions of all lanes may take together."""

    def __init__(self, max_bytes: int = MAX_ALL_BYTES) -> None:
        self._lock, self._left = Lock(), max_bytes

    def take(self, size: int) -> bool:
        """Whether so many bytes were left, which are taken then."""
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give_back(self, size: int) -> None:
        """Bytes that were taken are left again."""
        with self._lock:
            self._left += size


class KeptSolutions:
    """Filled by the thread of a run, read by others.

    `found` counts all; the first are kept, up to `MAX_KEPT` and `MAX_KEPT_BYTES`, as long as
    the `store` has bytes left.
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
        """How many can be read."""
        return len(self._options)

    def add(self, found: Found) -> None:
        """Add what a search has found; the puzzle has been lowered."""
        with self._lock:
            self._lowered = found.lowered
            self.found += len(found.options)
            for options in found.options[: MAX_KEPT - len(self._options)]:
                if self._is_full:
                    return
                kept = options[options >= 0].copy()
                fits = self._bytes + kept.nbytes <= MAX_KEPT_BYTES
                if not (fits and self._store.take(kept.nbytes)):
                    self._is_full = True  # for good: the first ones are kept
                    return
                self._options.append(kept)
                self._bytes += kept.nbytes

    def forget(self) -> None:
        """Keep none any more."""
        with self._lock:
            self._options.clear()
            self._store.give_back(self._bytes)
            self._bytes, self._is_full = 0, True

    def read(self, first: int = 0, count: int = MAX_KEPT) -> list[Solution]:
        """The kept solutions from the one with number `first` on, 0 being the first of all."""
        with self._lock:
            options, lowered = list(islice(self._options, first, first + count)), self._lowered
        if lowered is None:
            return []
        return [lowered.solution(one.tolist()) for one in options]
