"""Checks every solution that a run lists, and a fair sample of those it only counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.task import Task
from dovetail.models.verification.dispatch import Verifier, verifier_for
from dovetail.random_stream import random_words

CHECKED_FIRST, CHECKED_FIRST_OF_PART = 1_000, 2
ONE_IN = 64
DISTINCT_AMONG_FIRST = 50_000


class SolutionChecker:
    """Verifies solutions as they are found.

    All of them where the request lists solutions; otherwise the first 1,000 and one in 64 of
    the rest, drawn by the word of a random stream with a solution's number, so that the
    sample does not depend on how the search is cut. The first 50,000 are also compared with
    one another: a solution found twice is an error.

    Of the many parts of a search, each with a checker that has the others' `verifier`, only the
    first two are verified without being drawn, listed or not: whoever collects the solutions of
    all parts verifies those that are listed.

    `example` is a copy of the first solution that was verified, padded with −1; None if there is
    none yet, and always for a part of a search.
    """

    def __init__(self, task: Task, seed: int, verifier: Verifier | None = None) -> None:
        self._task = task
        self._verifier = verifier or verifier_for(task)
        self._first = CHECKED_FIRST if verifier is None else CHECKED_FIRST_OF_PART
        self._is_part = verifier is not None
        self._seed = seed
        self._distinct: set[bytes] = set()
        self.seen = 0
        self.verified = 0
        self.error: str | None = None
        self.example: NDArray[np.int32] | None = None

    def check(self, solutions: NDArray[np.int32]) -> None:
        """Look at the next solutions, shape (n, k); `error` keeps the first thing wrong."""
        first = self.seen
        self.seen += len(solutions)
        if self.error is not None or not len(solutions):
            return
        chosen = solutions
        if self._is_part or not self._task.request.listing:
            chosen = solutions[self._sampled(first, len(solutions))]
        self.error = self._verifier.check(chosen) or self._repeated(solutions, first)
        if self.error is not None:
            return
        self.verified += len(chosen)
        if self.example is None and len(chosen) and not self._is_part:
            self.example = chosen[0].copy()

    def _sampled(self, first: int, count: int) -> NDArray[np.bool_]:
        drawn: NDArray[np.bool_] = random_words(self._seed, first, count) % np.uint64(ONE_IN) == 0
        return drawn | (np.arange(first, first + count) < self._first)

    def _repeated(self, solutions: NDArray[np.int32], first: int) -> str | None:
        if first >= DISTINCT_AMONG_FIRST:
            return None
        for number, key in enumerate(_keys(solutions), start=first + 1):
            if key in self._distinct:
                return f"solution {number} was found before"
            self._distinct.add(key)
        return None


def _keys(solutions: NDArray[np.int32]) -> list[bytes]:
    """What tells solutions apart, padded with −1 to whatever width and in whatever order."""
    ascending = np.sort(solutions, axis=1)  # the padding is in front
    padded = np.count_nonzero(ascending < 0, axis=1)
    keys = [b""] * len(solutions)
    for width in sorted(set(padded.tolist())):
        numbers = np.flatnonzero(padded == width)
        text = np.ascontiguousarray(ascending[numbers, width:]).tobytes()
        size = len(text) // len(numbers)
        for place, number in enumerate(numbers.tolist()):
            keys[number] = text[place * size : (place + 1) * size]
    return keys
