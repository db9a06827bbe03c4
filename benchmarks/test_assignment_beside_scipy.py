"""The assignment of `repair` beside `scipy.optimize.linear_sum_assignment`.

Run with `pytest benchmarks -s`. SciPy's cannot be called within a kernel, and SciPy is no
dependency. Nothing is asserted about time; what the tiles are worth in all is.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np
import pytest

from dovetail.improvers.repair.improver import window_of
from dovetail.improvers.repair.kernels import refills
from dovetail.improvers.repair.kernels.windows import PER_EDGE, Window
from dovetail.random_stream import random_words

ROUNDS = 300
assign: Any = refills.assign


@pytest.mark.parametrize("count", [12, 20, 40, 60])
def test_beside_scipy(count: int) -> None:
    """Tiles that match one or two edges in most cells, and three or four in that they come from."""
    optimize = pytest.importorskip("scipy.optimize")
    window = window_of(256, count)
    ours, call, theirs = [], [], []
    for number in range(ROUNDS):
        window.worth[:] = worths(count, number)
        worth = window.worth.astype(float)
        timed(window, 0)  # what it reads is in the cache then
        call.append(timed(window, 0))
        ours.append(timed(window, count))
        begun = time.thread_time()
        places, tiles = optimize.linear_sum_assignment(worth, maximize=True)
        theirs.append(time.thread_time() - begun)
        held = window.held[1 : count + 1] - 1
        assert worth[held, range(count)].sum() == worth[places, tiles].sum()
    kernel_s = median(ours) - median(call)
    print(
        f"\n{count} tiles: kernel {1e6 * kernel_s:.1f} µs and {1e6 * median(call):.0f} µs for a "
        f"call from Python, which rounds of repair do not need; SciPy {1e6 * median(theirs):.1f} µs"
    )


def worths(count: int, seed: int) -> Any:
    """What tiles are worth in cells, with noise, shape (count, count), int64."""
    random = random_words(seed, 0, count * (count + 1))
    matched = (random[: count * count].reshape(count, count) >> np.uint64(8)) % np.uint64(3)
    place = np.arange(count)
    matched[place, place] = 3 + (random[count * count :] % np.uint64(2))
    noise = (random[: count * count].reshape(count, count) >> np.uint64(20)) % np.uint64(800)
    return (matched * np.uint64(PER_EDGE) + noise).astype(np.int64)


def timed(window: Window, count: int) -> float:
    """Seconds of the thread's processor time that one assignment takes."""
    begun = time.thread_time()
    assign(window, count)
    return time.thread_time() - begun
