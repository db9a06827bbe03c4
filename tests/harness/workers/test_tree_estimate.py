"""Estimates of what is left of a tree, on trees whose size is known."""

from __future__ import annotations

import random

import pytest

from dovetail.harness.workers.base import (
    WHOLE,
    branches_of,
    divided_part,
    level_of,
    part_key,
)
from dovetail.harness.workers.tree_estimate import PartCost, estimate_tree
from dovetail.models.sub_problem import SubProblem
from harness.known import known

WHOLE_TREE = PartCost(-1, 1)


class Regular:
    """A tree with so many branches at each node of a level, each node at a cost of 1."""

    def __init__(self, branching: list[int]) -> None:
        self._branching = branching

    def cost(self, level: int) -> int:
        """What a branch of a level costs."""
        if level + 1 >= len(self._branching):
            return 1
        return 1 + self._branching[level + 1] * self.cost(level + 1)

    def search(self, part: PartCost, draw: random.Random) -> tuple[float, list[PartCost]]:
        """Search some branches and cut within the next; return the cost and the parts left."""
        level, begun = part.level, draw.randrange(part.branches)
        cost: float = begun * self.cost(level) + 1
        parts = list[PartCost]()
        if level + 1 < len(self._branching):
            below = PartCost(level + 1, self._branching[level + 1])
            if draw.random() < 0.5:
                more, parts = self.search(below, draw)
                cost += more
            else:
                parts = [below]
        rest = part.branches - begun - 1
        return cost, [*parts, PartCost(level, rest)] if rest else parts


def searched_in_part(tree: Regular, draw: random.Random) -> dict[bytes, PartCost]:
    """Search a tree from the root, cutting some sub-problems and ending some."""
    parts, waiting = {WHOLE: WHOLE_TREE}, [WHOLE]
    for _ in range(draw.randrange(1, 60)):
        if not waiting:
            break
        key = waiting.pop(draw.randrange(len(waiting)))
        part = parts[key]
        cost: float = part.branches * tree.cost(part.level)
        left = list[PartCost]()
        if key == WHOLE or draw.random() < 0.7:
            cost, left = tree.search(part, draw)
        parts[key] = PartCost(part.level, part.branches, cost)
        for number, one in enumerate(left):
            parts[part_key(key, number)] = one
            waiting.append(part_key(key, number))
    return parts


def levels(parts: dict[bytes, PartCost], *, done: bool) -> set[int]:
    """The levels of the sub-problems that are done, or wait."""
    return {part.level for part in parts.values() if (part.cost is not None) == done}


def begun_levels(parts: dict[bytes, PartCost]) -> set[int]:
    """The levels of which a branch was begun."""
    found = set()
    for key, part in parts.items():
        left = [one for other, one in parts.items() if other[:-4] == key and other != key]
        rest = sum(one.branches for one in left if one.level == part.level)
        if part.cost is not None and part.branches > rest:
            found.add(part.level)
    return found


def test_a_tree_whose_branches_are_alike_is_estimated_exactly() -> None:
    """Wherever it was cut, once a branch of each level was begun."""
    draw, estimated = random.Random(1), 0
    for _ in range(500):
        tree = Regular([draw.randrange(1, 5) for _ in range(draw.randrange(1, 6))])
        parts = searched_in_part(tree, draw)
        estimate = estimate_tree(parts)
        if not levels(parts, done=False) <= begun_levels(parts):
            continue
        estimated += 1
        assert estimate is not None
        assert estimate.done + estimate.left == pytest.approx(tree.cost(-1))
    assert estimated > 100


def test_branches_that_are_dead_are_no_share_of_the_tree() -> None:
    """Nine of ten cost nothing, one costs 1000 and another such one waits: half is done.

    Branches are counted, so the nine are expected again where as many wait.
    """
    parts = {WHOLE: PartCost(-1, 1, 1.0)}
    for number in range(20):
        cost = None if number % 10 else (1000.0 if number < 10 else None)
        parts[part_key(WHOLE, number)] = PartCost(0, 1, 0.0 if 0 < number < 10 else cost)
    estimate = known(estimate_tree(parts))
    assert estimate.share() == pytest.approx(0.5, abs=0.01)


def test_nothing_is_known_before_a_branch_is_begun() -> None:
    """There is no estimate, rather than one of nothing; a deeper level is one."""
    assert estimate_tree({WHOLE: WHOLE_TREE}) is None
    begun = {WHOLE: PartCost(-1, 1, 7.0), part_key(WHOLE, 0): PartCost(0, 2)}
    assert estimate_tree(begun) is None
    begun[part_key(WHOLE, 1)] = PartCost(1, 1, 3.0)
    estimate = known(estimate_tree(begun))
    assert estimate.left == pytest.approx(6)


def test_no_estimate_of_a_tree_whose_squared_cost_is_no_float() -> None:
    """A tree of 300 levels with four branches at each node, of which one has been begun."""
    parts, key = {WHOLE: PartCost(-1, 1, 1.0)}, WHOLE
    for level in range(300):
        if level > 0:
            parts[part_key(key, 1)] = PartCost(level - 1, 3)
        key = part_key(key, 0)
        parts[key] = PartCost(level, 4, 1.0)
    assert estimate_tree(parts) is None


def test_the_range_covers_random_trees() -> None:
    """What is left of trees with random branches lies in the range nine times in ten."""
    draw, covered, estimated = random.Random(3), 0, 0
    for _ in range(300):
        costs = [draw.expovariate(1.0) ** 2 for _ in range(60)]
        done = draw.randrange(10, 50)
        parts = {
            part_key(WHOLE, number): PartCost(0, 1, cost if number < done else None)
            for number, cost in enumerate(costs)
        }
        estimate = known(estimate_tree(parts))
        low, high = estimate.range_left()
        estimated += 1
        covered += low <= sum(costs[done:]) <= high
    assert covered > 0.9 * estimated


def test_branches_of_a_sub_problem() -> None:
    """Options untried are branches of the node, and the last option taken is one above it."""
    part = SubProblem((4, 2), (7, 9), "dlx")
    assert (level_of(part), branches_of(part)) == (2, 2)
    assert divided_part(part) == [
        SubProblem((4, 2), (7,), "dlx"),
        SubProblem((4, 2), (9,), "dlx"),
    ]
    assert (level_of(SubProblem((4, 2))), branches_of(SubProblem((4, 2)))) == (1, 1)
    assert level_of(SubProblem()) == -1
