"""Estimated shares of a search tree, from how it branches: for what is left, and for how long.

Branches of a node are taken to be equally large. They are not, so what is derived from a share is
shown as a range.
"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.models.sub_problem import SubProblem

# Of what was under way, taken to be left where nothing is known of it.
HALF = 0.5


def weights_left(weight: float, share: float | None, parts: Sequence[SubProblem]) -> list[float]:
    """Divide what is left of a sub-problem of so much `weight` among the parts that it left.

    `share` is what its search estimates that it has done. The parts are in the order of the search,
    the deepest first: each has the branches that are left of a node, and the next deeper one is
    what is left of the branch before these.
    """
    weights = [0.0] * len(parts)
    left = weight * (1 - (HALF if share is None else min(1.0, max(0.0, share))))
    for place in range(len(parts) - 1, -1, -1):
        if place == 0:
            weights[0] = left
            break
        branches = branches_of(parts[place])
        one = left / (branches + HALF)
        weights[place] = one * branches
        left = one * HALF
    return weights


def branches_of(part: SubProblem) -> int:
    """How many branches a part has at its first node, as far as is known."""
    return 1 if part.untried is None else len(part.untried)


def single_branches(part: SubProblem) -> list[SubProblem]:
    """Return a part for each of the branches of a part, in their order."""
    if part.untried is None or len(part.untried) == 1:
        return [part]
    return [SubProblem(part.taken, (option,), part.cut_from) for option in part.untried]
