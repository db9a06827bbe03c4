"""Searches that cannot be sliced: they run in a thread, and their solutions are taken meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterable
from threading import Event, Lock

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.models.outcome import Counters

MAX_WAITING = 10_000
LONGEST_WAIT_S = 0.5


class FoundSolutions:
    """A bag of solutions that one thread fills and another empties, in turn.

    The two share an interpreter: whatever the one does while the other works, slows it. So
    the thread that fills pauses, when it has many or after half a second, until what it found
    has been seen to; `paused_s` is how long it has waited in all, and no part of solving.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[list[int]] = []
        self._due = time.monotonic() + LONGEST_WAIT_S
        self._paused, self._resumed = Event(), Event()
        self.count = 0
        self.paused_s = 0.0

    @property
    def paused(self) -> bool:
        """Whether the thread that fills waits for `resume`."""
        return self._paused.is_set()

    def add(self, options: Iterable[int]) -> None:
        """Add one solution, the options chosen."""
        chosen = list(options)
        with self._lock:
            self._waiting.append(chosen)
            self.count += 1
        if len(self._waiting) >= MAX_WAITING or time.monotonic() >= self._due:
            self._pause()

    def take(self) -> NDArray[np.int32]:
        """Those added since the last call, shape (n, k), short rows padded with −1."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        width = max((len(chosen) for chosen in waiting), default=0)
        rows = [chosen + [-1] * (width - len(chosen)) for chosen in waiting]
        return np.array(rows, dtype=np.int32).reshape(len(rows), width)

    def resume(self) -> None:
        """Let the thread go on that has paused."""
        self._paused.clear()
        self._resumed.set()

    def _pause(self) -> None:
        begun = time.perf_counter()
        self._resumed.clear()
        self._paused.set()
        self._resumed.wait()
        self._due = time.monotonic() + LONGEST_WAIT_S
        self.paused_s += time.perf_counter() - begun


class ThreadedSearch(Search):
    """A search that cannot be sliced: `advance` runs to its end, in a thread.

    What it finds goes into `found`, which `take` empties.
    """

    def __init__(self) -> None:
        self.found = FoundSolutions()

    @property
    def counters(self) -> Counters:
        return Counters()

    @property
    def count(self) -> int:
        return self.found.count

    def take(self) -> NDArray[np.int32]:
        return self.found.take()
