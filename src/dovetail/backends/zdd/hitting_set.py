"""A few members that every set has one of, found greedily."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def hitting_set(sets: NDArray[np.integer], members: NDArray[np.integer]) -> list[int]:
    """Return members such that each set has one of them, the member of most sets first.

    Member `members[k]` is in set `sets[k]`.
    """
    chosen = []
    while len(sets):
        best = int(np.bincount(members).argmax())
        chosen.append(best)
        left = ~np.isin(sets, sets[members == best])
        sets, members = sets[left], members[left]
    return chosen
