"""What a search does besides placing pieces: triggers, repeated filters, a trace.

A kernel is given `Hooks`, or None, and then the compiler leaves everything here out. Source:
Busche 2011, "Backtrack Triggers" and "Image Filters".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.models.reductions.kernels.parts import all_fillable, label_parts

# Entries of `state`: where in `parity_reachable` the parity of the open cells is, where the
# row of `volume_reachable` for the pieces left begins, the first unused stamp, how many rows of
# `trace` are filled, and `Trigger.min_cells` of the volume trigger, or 0.
PARITY, VOLUMES, STAMP, TRACED, MIN_CELLS = range(5)
STATE_SIZE = 5

# Bits of `post_placement_actions`.
PARITY_TRIGGER, VOLUME_TRIGGER, PARITY_FILTER, VOLUME_FILTER, FIT_FILTER, TRACE = (
    np.uint64(1 << bit) for bit in range(6)
)
FILTERS = PARITY_FILTER | VOLUME_FILTER | FIT_FILTER

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Hooks(NamedTuple):
    """Plain arrays, for p pieces to be placed, n placements, c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `post_placement_actions` | (p + 1,) | uint64 | bits, by pieces remaining after a placement |
    | `state` | (STATE_SIZE,) | uint64 | see PARITY, … |
    | `parity_reachable` | see `SumTable` | uint8 | parities that the pieces left can have |
    | `parity_step` | (n,) | uint64 | how far back a placement takes state[PARITY] |
    | `volume_reachable` | see `SumTable` | uint8 | volumes that the pieces left can have |
    | `volume_step` | (n,) | uint64 | how far back it takes state[VOLUMES] |
    | `backtracks` | (2, p + 1) | uint64 | out: how often the triggers, parity and volume, fired |
    | `neighbours` | (c, degree) | int32 | of each cell, −1 where there is none |
    | `optional` | (c,) | bool | cells that may stay empty |
    | `open_cell` | (c,) | uint8 | scratch: see `parts.label_parts` for this and the next four |
    | `part`, `volume`, `empty`, `waiting` | (c,) | int32 | scratch |
    | `mark` | (c,) | int64 | scratch of `parts.leaves_unfillable` |
    | `trace` | (rows, 2) | int32 | out: a placement, or ~ placement taken back; pieces remaining |
    """

    post_placement_actions: NDArray[np.uint64]
    state: NDArray[np.uint64]
    parity_reachable: NDArray[np.uint8]
    parity_step: NDArray[np.uint64]
    volume_reachable: NDArray[np.uint8]
    volume_step: NDArray[np.uint64]
    backtracks: NDArray[np.uint64]
    neighbours: NDArray[np.int32]
    optional: NDArray[np.bool_]
    open_cell: NDArray[np.uint8]
    part: NDArray[np.int32]
    volume: NDArray[np.int32]
    empty: NDArray[np.int32]
    waiting: NDArray[np.int32]
    mark: NDArray[np.int64]
    trace: NDArray[np.int32]


# The helpers that follow have no branches: numba counts references to the arrays it hands to a
# function that has, at every call.


@kernel(inline=True)
def move_sums(placement, state, parity_step, volume_step):
    """Account for a placement made."""
    state[PARITY] -= parity_step[placement]
    state[VOLUMES] -= volume_step[placement]


@kernel(inline=True)
def move_sums_back(placement, state, parity_step, volume_step):
    """Account for a placement taken back."""
    state[PARITY] += parity_step[placement]
    state[VOLUMES] += volume_step[placement]


@kernel(inline=True)
def record(number, remaining, trace, state):
    """Add a row to the trace: a placement, or ~ placement taken back, and pieces remaining."""
    row = state[TRACED]
    trace[row, 0] = number
    trace[row, 1] = remaining
    state[TRACED] = row + ONE


@kernel
def volume_fires(hooks, remaining):
    """Return whether a part of the open cells has no volume of remaining pieces."""
    parts = label_parts(
        hooks.open_cell,
        hooks.neighbours,
        hooks.optional,
        hooks.part,
        hooks.volume,
        hooks.empty,
        hooks.waiting,
    )
    row, min_cells = np.int64(hooks.state[VOLUMES]), np.int64(hooks.state[MIN_CELLS])
    if all_fillable(parts, hooks.volume, hooks.empty, hooks.volume_reachable, row, min_cells):
        return False
    hooks.backtracks[1, remaining] += ONE
    return True
