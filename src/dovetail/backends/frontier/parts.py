"""The sets of a layer in parts, which threads go through side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layers import PROGRESS_SIZE, SET, STATES, WORK
from dovetail.backends.frontier.kernels.layout import Scratch
from dovetail.backends.frontier.states import States
from dovetail.backends.shared.memory_budget import MemoryBudget

PARTS_OF_THREAD = 8


class Part:
    """Sets that one thread goes through, from `first` to `last` − 1; it may add to `states`.

    `progress` is that of the kernels in `layers`.
    """

    def __init__(self, first: int, last: int, states: States) -> None:
        self.first, self.last, self.states = first, last, states
        self.progress: NDArray[np.int64] = np.zeros(PROGRESS_SIZE, dtype=np.int64)
        self.progress[SET], self.progress[STATES] = first, states.count


def shared_out(lookups: NDArray[np.int64], states: States, threads: int) -> list[Part]:
    """The sets of a layer in parts, by how many states are looked up for each set.

    A thread alone goes through all of them, and adds to `states`. Several get some parts each, of
    states of their own, since parts of as many lookups do not take equally long.
    """
    sets, count = len(lookups), threads * PARTS_OF_THREAD
    if threads == 1:
        return [Part(0, sets, states)]
    done = np.cumsum(lookups)
    cuts = np.searchsorted(done, int(done[-1]) * np.arange(1, count) // count)
    return [Part(first, last, States()) for first, last in pairwise([0, *cuts.tolist(), sets])]


def put_together(parts: list[Part], states: States, run: NDArray[np.int64]) -> None:
    """Add the states of parts to others, one part after another, which then gives its own up.

    `run` has where the states of each set end, counted from the beginning of its part.
    """
    states.reserve(sum(part.states.count for part in parts))
    for part in parts:
        run[part.first + 1 : part.last + 1] += states.count
        states.extend(part.states)
        part.states = States()


def side_by_side(
    parts: list[Part],
    scratch: Sequence[Scratch],
    memory_budget: MemoryBudget,
    work: Callable[[Part, Scratch], bool],
) -> Iterator[None]:
    """Go through all parts, a thread for each scratch; yields when the budgeted work is done.

    A thread takes the next part whenever it is done with one. `work` does as much of a part as the
    `progress` of that has work left, and says whether it is done.
    """
    left = deque(parts)

    def go_on(own: Scratch) -> None:
        budgeted = memory_budget.work
        while budgeted > 0:
            try:
                part = left.popleft()
            except IndexError:
                return
            part.progress[WORK] = budgeted
            if not work(part, own):
                left.appendleft(part)
                return
            budgeted = int(part.progress[WORK])

    if len(scratch) == 1:
        go_on(scratch[0])
        while left:
            yield
            go_on(scratch[0])
        return
    with ThreadPoolExecutor(len(scratch)) as pool:
        list(pool.map(go_on, scratch))
        while left:
            yield
            list(pool.map(go_on, scratch))
