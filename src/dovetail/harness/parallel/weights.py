"""Estimated shares of a search tree, from how it branches: for what is left, and for how long.

Branches of a node are taken to be equally large. They are not, so what is derived from a share is
shown as a range.
"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.models.sub_problem import SubProblem

# Of a branch that was under way, taken to be left.
HALF = 0.5


def weights_left(weight: float, parts: Sequence[SubProblem]) -> list[float]:
    """Divide what is left of a sub-problem of so much `weight` among the parts that it left.

    The parts are in the order of the search, the deepest first, as a search leaves them: each has
    the branches that are left of a node, and the next deeper one is what is left of the branch
    before these. Of the first branch that was under way at the root of the sub-problem nothing is
    known, so that half of the weight is taken to be left, but for a single part all of it.
    """
    if len(parts) == 1:
        return [weight]
    weights = [0.0] * len(parts)
    left = weight * HALF
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
