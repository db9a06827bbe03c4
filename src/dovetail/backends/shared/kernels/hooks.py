"""Actions of a search besides placing pieces: triggers, repeated filters, a trace.

A kernel takes `Hooks` or None. For None, the compiler leaves out the code of all hooks. Source:
Busche 2011, "Backtrack Triggers" and "Image Filters".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.models.reductions.kernels.parts import all_fillable, label_parts

# Entries of `state`. PARITY: index into `parity_reachable` of the parity of the open cells, in the
# row of the pieces left. VOLUMES: index at which the row of `volume_reachable` for the pieces left
# begins. STAMP: first unused stamp for `mark`. TRACED: number of filled rows of `trace`. MIN_CELLS:
# `Trigger.min_cells` of the volume trigger, or 0.
PARITY, VOLUMES, STAMP, TRACED, MIN_CELLS = range(5)
STATE_SIZE = 5

# Bits of `post_placement_actions`.
PARITY_TRIGGER, VOLUME_TRIGGER, PARITY_FILTER, VOLUME_FILTER, FIT_FILTER, TRACE = (
    np.uint64(1 << bit) for bit in range(6)
)
FILTERS = PARITY_FILTER | VOLUME_FILTER | FIT_FILTER

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Hooks(NamedTuple):
    """Arrays of triggers, filters and trace, for p pieces to be placed, n placements and c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `post_placement_actions` | (p + 1,) | uint64 | bits of actions, by pieces remaining |
    | `state` | (STATE_SIZE,) | uint64 | the entries from PARITY to MIN_CELLS |
    | `parity_reachable` | see `SumTable` | uint8 | parities that the pieces left can have |
    | `parity_step` | (n,) | uint64 | decrease of `state[PARITY]` by a placement |
    | `volume_reachable` | see `SumTable` | uint8 | volumes that the pieces left can have |
    | `volume_step` | (n,) | uint64 | decrease of `state[VOLUMES]` by a placement |
    | `backtracks` | (2, p + 1) | uint64 | out: firings of parity and volume, by pieces remaining |
    | `neighbours` | (c, degree) | int32 | neighbours of each cell, −1 for a missing neighbour |
    | `optional` | (c,) | bool | True for cells that may stay empty |
    | `open_cell` | (c,) | uint8 | scratch: 1 for an open cell, input of `parts.label_parts` |
    | `part`, `volume`, `empty`, `waiting` | (c,) | int32 | scratch of `parts.label_parts` |
    | `mark` | (c,) | int64 | scratch of `parts.leaves_unfillable` |
    | `trace` | (rows, 2) | int32 | out: placement, or ~placement taken back; pieces remaining |
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


# The inlined helpers below have no branches: if a function has branches, numba counts references to
# its array arguments at every call.


@kernel(inline=True)
def move_sums(placement, state, parity_step, volume_step):
    """Update the parity and volume entries of `state` for a placement that was made."""
    state[PARITY] -= parity_step[placement]
    state[VOLUMES] -= volume_step[placement]


@kernel(inline=True)
def move_sums_back(placement, state, parity_step, volume_step):
    """Update the parity and volume entries of `state` for a placement that was taken back."""
    state[PARITY] += parity_step[placement]
    state[VOLUMES] += volume_step[placement]


@kernel(inline=True)
def record(number, remaining, trace, state):
    """Add a row to the trace: `number`, and the number of pieces remaining after the step.

    `number` is the number of a placement made, or ~number of a placement taken back.
    """
    row = state[TRACED]
    trace[row, 0] = number
    trace[row, 1] = remaining
    state[TRACED] = row + ONE


@kernel
def volume_fires(hooks, remaining):
    """Return whether the volume trigger fires, and count its firing in `backtracks`.

    The trigger fires if the pieces that remain cannot fill a part of the open cells exactly or, if
    `MIN_CELLS` is set, two parts of at least this many cells.
    """
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
