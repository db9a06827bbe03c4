"""What the colours that are left are worth: how many ways there are to pair their sides.

With r sides of a colour on tiles that do not lie, and f that face empty cells, the f sides can find
partners in r (r − 1) … (r − f + 1) ways, and the r − f others pair up in (r − f − 1) (r − f − 3) …
ways. The logarithm, summed over colours, is largest where few colours are left, so that a beam that
adds a share of it to the matched edges uses up some colours first, and keeps a partner for each
open side. Source: the factors are those of B. Owen's model, `models.expected_boards`; that colours
used up first help is L. Verhaard's and J. Blackwood's experience.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

WEIGHT, SOFTNESS = 0.3, 0.8  # in matched edges; tuned on boards of 16 x 16 with 17 inner colours


def pairing_potential(
    max_sides: int, weight: float = WEIGHT, softness: float = SOFTNESS
) -> NDArray[np.float64]:
    """Return `weight` times the logarithm by (r, f), shape (max_sides + 1, max_sides + 2).

    `softness` is added to each factor, so that an open side without a partner costs a finite value.
    """
    factor = [weight * log(max(left, 0) + softness) for left in range(max_sides + 1)]
    without = weight * log(softness)
    table = np.zeros((max_sides + 1, max_sides + 2))
    for sides in range(max_sides + 1):
        for facing in range(max_sides + 2):
            partners = range(sides - facing + 1, sides + 1)
            paired = sum(factor[left] if left > 0 else without for left in partners)
            rest = sum(factor[left] for left in range(sides - facing - 1, 0, -2))
            table[sides, facing] = paired + rest
    return table
