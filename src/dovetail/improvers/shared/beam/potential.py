"""What the colours that are left are worth: how many ways there are to pair their sides.

With r sides of a colour on tiles that do not lie, and f that face empty cells, the f sides can find
partners in r (r − 1) … (r − f + 1) ways, and the r − f others pair up in (r − f − 1) (r − f − 3) …
ways. The logarithm, summed over colours, is largest where few colours are left, so that a beam that
adds a share of it to the matched edges uses up some colours first, and keeps a partner for each
open side. Source: the factors are those of B. Owen's model, `models.expected_boards`; that colours
used up first help is L. Verhaard's and J. Blackwood's experience.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WEIGHT, SOFTNESS = 0.3, 0.8  # in matched edges; tuned on boards of 16 x 16 with 17 inner colours


def pairing_potential(
    max_sides: int, weight: float = WEIGHT, softness: float = SOFTNESS
) -> NDArray[np.float64]:
    """Return `weight` times the logarithm by (r, f), shape (max_sides + 1, max_sides + 2).

    `softness` is added to each factor, so that an open side without a partner costs a finite value.
    """
    factor = weight * np.log(np.maximum(np.arange(-max_sides - 1, max_sides + 1), 0) + softness)
    zero = max_sides + 1  # where the factor of 0 is
    before = np.concatenate([[0.0], np.cumsum(factor)])
    sides, facing = np.arange(max_sides + 1)[:, None], np.arange(max_sides + 2)[None, :]
    paired = before[sides + 1 + zero] - before[np.maximum(sides - facing + 1 + zero, 0)]
    rest = np.zeros(max_sides + 2)  # every second factor, downwards
    for left in range(1, max_sides + 1):
        rest[left] = factor[left + zero] + (rest[left - 2] if left > 1 else 0.0)
    table: NDArray[np.float64] = paired + rest[np.maximum(sides - facing - 1, 0)]
    return table
