"""Which item a search branches on, found out by short trials: it decides everything.

Sources of the three choices: the first open item, as the diagrams of Nishino and others (AAAI 2017)
have it; the one with fewest options (Knuth's Algorithm X); and the first open one unless another
has a single option left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.zdd.counting import Counting
from dovetail.backends.zdd.item_order import narrow_order
from dovetail.backends.zdd.kernels import layout
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status

AUTO = "auto"
CHOICES = {"fixed": layout.FIXED, "forced": layout.FORCED, "fewest": layout.FEWEST}
ORDERS: dict[str, Callable[[CoverProblem, NDArray[np.int64]], NDArray[np.int64]]] = {
    "given": lambda _, items: items,
    "narrow": narrow_order,
}
FIRST_WORK = 2**16
ROUNDS = 5
FIRST_COMPARED = 2  # the round after which searches are given up
BEHIND = 2.5  # times what the best is thought to need: what needs more is given up


def item_orders(
    cover: CoverProblem, items: NDArray[np.int64], order: str
) -> list[NDArray[np.int64]]:
    """Return the orders of the items to be tried: the one called `order`, or all that differ."""
    names = ORDERS if order == AUTO else [order]
    found: list[NDArray[np.int64]] = []
    for name in names:
        made = ORDERS[name](cover, items)
        if not any(np.array_equal(made, known) for known in found):
            found.append(made)
    return found


def choices(choice: str) -> list[int]:
    """Return the choices to be tried: the one called `choice`, or all."""
    return list(CHOICES.values()) if choice == AUTO else [CHOICES[choice]]


@dataclass(eq=False)
class RaceFigures:
    """The kernels' states of the searches of a race, which outlive their tables.

    `best` is that of the search whose figures are reported: at first the one that is ahead.
    """

    searches: list[NDArray[np.uint64]]
    best: NDArray[np.uint64]

    def of_best(self, entry: int) -> int:
        """Return an entry of the best search's state."""
        return int(self.best[entry])

    def of_all(self, entry: int) -> int:
        """Return the sum of an entry over all searches."""
        return sum(int(state[entry]) for state in self.searches)


class Race:
    """Trial searches for the same solutions, run by turns; `best` is the one that goes on.

    The share of the tree that is done grows by orders of magnitude, and its logarithm about in
    proportion to the work. The forecast is what the logarithm lacks divided by the last round's
    gain. Searches that are expected to take `BEHIND` times as long as the best are given up.
    """

    def __init__(self, running: list[Counting]) -> None:
        self._running = running
        states = [counting.stack.state for counting in running]
        self.figures = RaceFigures(states, states[0])

    @property
    def best(self) -> Counting:
        return self._running[0]

    def steps(
        self, advance: Callable[[Counting, int], Iterator[Status | None]]
    ) -> Iterator[Status | None]:
        """Advance all by turns, with `advance`, until one has ended or is ahead of the others."""
        lacking = dict.fromkeys(self._running, inf)
        for number in range(ROUNDS):
            if len(self._running) == 1:
                return
            left: dict[Counting, float] = {}
            for counting in self._running:
                yield from advance(counting, FIRST_WORK << max(0, number - 1))
                if counting.is_over:
                    self._go_on_with([counting])
                    return
                before, lacking[counting] = lacking[counting], _lacking(counting)
                left[counting] = _rounds_left(before, lacking[counting])
            ranked = sorted(self._running, key=lambda one: (left[one], lacking[one]))
            if number >= FIRST_COMPARED:
                enough = BEHIND * left[ranked[0]]
                ranked = [one for one in ranked if left[one] <= enough]
                lacking = {one: lacking[one] for one in ranked}
            self._go_on_with(ranked)
        self._go_on_with(self._running[:1])

    def _go_on_with(self, running: list[Counting]) -> None:
        """Keep these searches alone, the best first."""
        self._running = running
        self.figures.best = self.best.stack.state


def _lacking(counting: Counting) -> float:
    """How far the logarithm of the share done is from that of the whole."""
    return -log(counting.share) if counting.share else inf


def _rounds_left(before: float, lacking: float) -> float:
    """Estimate the remaining rounds from what was lacking before and after the last one."""
    if inf in (before, lacking) or before <= lacking:
        return inf
    return lacking / (before - lacking)
