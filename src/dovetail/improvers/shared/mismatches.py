"""From which depth on a search may leave edges that do not match.

L. Verhaard (2008) and J. Blackwood (2020) unlock mismatches one after another, late, from tables
that they made for the Eternity II board. Here the depths follow from the number of partial boards
that B. Owen's model expects: a search that can make so many nodes sees a branch that has that share
of the tree, and beyond the depth with most boards about that share of those expected. A mismatch
unlocks where the boards seen would run out, and no earlier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dovetail.models.expected_boards import Filling


def allowed_by_model(filling: Filling, nodes: float, boards: float) -> list[int]:
    """Return how many mismatches a search of `nodes` nodes may have after each step.

    They unlock so that about `boards` boards are seen at each depth.
    """
    allowed = [0] * len(filling.steps)
    while True:
        short = _first_short(filling, allowed, nodes, boards)
        if short is None:
            return allowed
        allowed[short:] = [one + 1 for one in allowed[short:]]


def _first_short(
    filling: Filling, allowed: Sequence[int], nodes: float, boards: float
) -> int | None:
    """The first step at which a further mismatch helps and fewer boards than wanted are seen."""
    expected = filling.logs(allowed)
    seen = expected + min(0.0, np.log(nodes) - np.logaddexp.reduce(expected))
    for number in range(int(expected.argmax()) + 1, len(filling.steps)):
        unlocks = allowed[number] > allowed[number - 1]
        if filling.steps[number].new_inside and not unlocks and seen[number] < np.log(boards):
            return number
    return None
