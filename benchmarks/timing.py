"""Timing solvers beside one another: in turn, in one process, in thread CPU time.

A contender is a function that builds its tables and returns the search on them, a function
that returns what it found; the two are timed apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from dovetail.backends.base import Budget, Search
from dovetail.backends.xcover import solutions
from dovetail.models.cover import CoverProblem

Contender = Callable[[], Callable[[], object]]


@dataclass(frozen=True)
class Timing:
    """Seconds of the thread's processor time, and what the search returned."""

    prepare_s: float
    solve_s: float
    answer: object

    @property
    def total_s(self) -> float:
        return self.prepare_s + self.solve_s


def in_turn(contenders: Mapping[str, Contender], rounds: int) -> dict[str, list[Timing]]:
    """Time each contender once a round; they begin a round in turn."""
    names = list(contenders)
    timings: dict[str, list[Timing]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            timings[name].append(_timed(contenders[name]))
    return timings


def _timed(contender: Contender) -> Timing:
    begun = time.thread_time()
    search = contender()
    prepared = time.thread_time()
    answer = search()
    return Timing(prepared - begun, time.thread_time() - prepared, answer)


def answers(timings: Mapping[str, Sequence[Timing]]) -> list[object]:
    """What all searches returned."""
    return [timing.answer for each in timings.values() for timing in each]


def beside(ours: Sequence[Timing], theirs: Sequence[Timing]) -> str:
    """The ratios of both figures: the median round's, the least and the largest."""
    solve = [our.solve_s / their.solve_s for our, their in zip(ours, theirs, strict=True)]
    total = [our.total_s / their.total_s for our, their in zip(ours, theirs, strict=True)]
    return f"solve {_spread(solve)}, prepare + solve {_spread(total)}"


def seconds(timings: Sequence[Timing]) -> str:
    """The medians of both figures."""
    prepare_s = median(timing.prepare_s for timing in timings)
    return f"{prepare_s:.3f} + {median(timing.solve_s for timing in timings):.3f} s"


def _spread(ratios: Sequence[float]) -> str:
    middle = median(ratios)
    part = f" = 1/{1 / middle:.1f}" if middle < 0.5 else ""
    spread = f" ({min(ratios):.4f} to {max(ratios):.4f})" if len(ratios) > 1 else ""
    return f"{middle:.4f}{part}{spread}"


def sliced(search: Search) -> Callable[[], int]:
    """A search that works in slices; every solution is listed."""

    def run() -> int:
        while search.advance(Budget(work=5_000_000)) is None:
            search.take()
        assert search.count is not None
        return search.count

    return run


def xcover(problem: CoverProblem) -> Callable[[], int]:
    """A search by xcover, which builds its tables while it solves; every solution is listed."""
    found = solutions(problem)
    return lambda: sum(1 for _ in found)
