"""What a count will take, from the states of a few samples.

The states of a set of pieces need those of its subsets only. Of a set of half the pieces all
subsets are gathered, and of another all sets that contain it. Were the two chosen at random, every
set of a layer would be as likely to be among them, and the mean number of their states, times the
number of sets in the layer, an unbiased estimate of the states of the layer. They are chosen evenly
instead, so that the same problem has the same forecast.

Measured forecasts were 0.5 to 1.4 times what it came to, since few sets have many of the states; so
memory is forecast with as much again for safety.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Forecast
from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.layered_dp import LayeredDP
from dovetail.backends.frontier.piece_sets import PieceSets
from dovetail.backends.frontier.states import BYTES_PER_STATE, Side
from dovetail.backends.shared.memory_budget import MemoryBudget
from dovetail.kernels.split_mix import MASK, STEP
from dovetail.kernels.word_size import WORD_BITS

SAMPLES = 4
# A state looked up along a link between sets, and one written: fitted to what 5x18, 6x15 and the
# diamond take on one core beyond the work of their sets (docs/solvers/auto-measurements.md).
LOOKUP_S, WRITE_S = 4e-9, 11e-9
SET_S = 3e-7  # a set's own work in all layers
SAFETY = 2.0
LINK_BYTES, EDGE_BYTES, PRESENT_BYTES, SCRATCH_BYTES = 8, 6, 16, 9


def forecast(
    counting: Counting, memory_budget: MemoryBudget, *, keep: bool
) -> Generator[None, None, Forecast]:
    """What counting takes from its automaton on, with all layers kept or only the last ones."""
    problem, automaton, sets = counting.problem, counting.automaton, counting.sets
    assert automaton is not None
    last = 0 if sets is None else len(sets.layers) - 1
    if sets is None or last == 0:
        return Forecast(1, automaton.held_bytes, 0.0)
    near, far, index = np.zeros(last + 1), np.zeros(last + 1), counting.index
    assert index is not None
    for number in range(SAMPLES):
        above = _chosen(sets.layers[min(last, last // 2 + 1)], number)
        within = LayeredDP(problem, automaton, index, sets.below(above), memory_budget)
        yield from _gathered(within, forward=True)
        near += _scaled(within, within.near, sets, 0) / SAMPLES
        below = max(0, (last + 1) // 2 - 1)
        chosen = _chosen(sets.layers[below], number)
        beyond = LayeredDP(problem, automaton, index, sets.above(chosen), memory_budget)
        yield from _gathered(beyond, forward=False)
        far += _scaled(beyond, beyond.far, sets, below) / SAMPLES
    return _of_layers(near, far, sets, automaton, keep=keep)


def _chosen(sets: NDArray[np.uint64], number: int) -> np.uint64:
    """One of some sets; they are spread evenly, as multiples of the golden ratio are."""
    chosen: np.uint64 = sets[((number + 1) * STEP & MASK) * len(sets) >> WORD_BITS]
    return chosen


def _gathered(layered_dp: LayeredDP, *, forward: bool) -> Iterator[None]:
    """Gather all layers of one side."""
    for _ in range(len(layered_dp.sets.layers) - 1):
        yield from layered_dp.advance(forward=forward)


def _scaled(layered_dp: LayeredDP, side: Side, sets: PieceSets, first: int) -> NDArray[np.float64]:
    """The states of each layer of all sets, by those of some, whose first layer is `first`."""
    found = np.zeros(len(sets.layers))
    for number, size in side.sizes.items():
        layer = number + first
        if layer < len(found):
            found[layer] = size * len(sets.layers[layer]) / len(layered_dp.sets.layers[number])
    return found


def _of_layers(
    near: NDArray[np.float64],
    far: NDArray[np.float64],
    sets: PieceSets,
    automaton: Automaton,
    *,
    keep: bool,
) -> Forecast:
    """What it takes to go on with the smaller side until the two meet.

    Unless all layers are kept, that is on either side of a layer.
    """
    first, last = 0, len(near) - 1
    states, held, looked_up = near[first] + far[last], 0.0, 0.0
    gap = 1 if keep else 2
    while first + gap < last:
        forward = near[first] <= far[last] and near[first + 1] > 0
        first, last = (first + 1, last) if forward else (first, last - 1)
        more = near[first] if forward else far[last]
        before = near[first - 1] if forward else far[last + 1]
        looked_up += before * (len(near) - first if forward else last)
        states += more
        held = states if keep else max(held, more + before, near[first] + far[last])
    looked_up += near[first] * (len(near) - last)
    if last - first == 2:
        states += near[first + 1]
        looked_up += far[last] * last
    return Forecast(
        states=round(states),
        memory_bytes=round(held * BYTES_PER_STATE * SAFETY)
        + automaton.held_bytes
        + _tables(sets, automaton),
        solve_s=float(looked_up * LOOKUP_S + states * WRITE_S + sets.count * SET_S),
    )


def _tables(sets: PieceSets, automaton: Automaton) -> int:
    """What else is held: the sets and the links between two layers, edges by kind, scratch."""
    largest = max(map(len, sets.layers))
    present = sets.class_count * automaton.node_count // WORD_BITS
    return (
        sets.held_bytes
        + largest * sets.class_count * LINK_BYTES
        + 2 * (automaton.edge_count * EDGE_BYTES + present * PRESENT_BYTES)
        + automaton.node_count * SCRATCH_BYTES
    )
