"""Solutions on their way from a solver that runs in a thread to whoever takes them."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

import numpy as np
from numpy.typing import NDArray


class FoundSolutions:
    """A bag of solutions that one thread fills and another empties."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[list[int]] = []
        self.count = 0

    def add(self, options: Iterable[int]) -> None:
        """Add one solution, the options chosen."""
        chosen = list(options)
        with self._lock:
            self._waiting.append(chosen)
            self.count += 1

    def take(self) -> NDArray[np.int32]:
        """Those added since the last call, shape (n, k), short rows padded with −1."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        width = max((len(chosen) for chosen in waiting), default=0)
        rows = [chosen + [-1] * (width - len(chosen)) for chosen in waiting]
        return np.array(rows, dtype=np.int32).reshape(len(rows), width)
