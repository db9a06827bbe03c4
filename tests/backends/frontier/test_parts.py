"""Sets shared out among threads."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dovetail.backends.frontier.kernels.layers import SET, WORK_LEFT, GatherScratch
from dovetail.backends.frontier.layers import (
    LayerStates,
    SetRange,
    put_together,
    shared_out,
    side_by_side,
)
from dovetail.backends.shared.state_search import MemoryBudget
from dovetail.kernels.layout import EXHAUSTED, WORK_SPENT

NOTHING = np.zeros(0, dtype=np.uint64)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 3), st.integers(1, 30))
def test_each_set_is_gone_through_once(lookups: list[int], threads: int, work: int) -> None:
    """In whatever slices, and its states end up in the order of sets: one for each lookup."""
    states, run = LayerStates(), np.zeros(len(lookups) + 1, dtype=np.int64)
    parts = shared_out(len(lookups), lambda: np.array(lookups, dtype=np.int64), states, threads)
    times = np.zeros(len(lookups), dtype=np.int64)

    def go_through(part: SetRange, scratch: GatherScratch) -> int:
        while part.progress[SET] < part.last:
            if part.progress[WORK_LEFT] <= 0:
                return WORK_SPENT
            here = int(part.progress[SET])
            times[here] += 1
            part.progress[WORK_LEFT] -= lookups[here] + 1
            part.progress[SET] += 1
            part.states.reserve(lookups[here])
            part.states.node[part.states.count : part.states.count + lookups[here]] = here
            part.states.count += lookups[here]
            run[here + 1] = part.states.count
        return EXHAUSTED

    scratch = [GatherScratch(NOTHING, NOTHING, NOTHING) for _ in range(threads)]
    for _ in side_by_side(parts, scratch, MemoryBudget(work), go_through):
        pass
    if threads > 1:
        put_together(parts, states, run)
    assert times.tolist() == [1] * len(lookups)
    assert run.tolist() == [0, *np.cumsum(lookups).tolist()]
    assert (
        states.node[: states.count].tolist() == np.repeat(np.arange(len(lookups)), lookups).tolist()
    )
