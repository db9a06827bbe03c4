"""The bitset kernel against its twin in plain Python, brute force and dancing links."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from backends.dlx.twin import Twin
from backends.searches import run_out
from dovetail.backends.bitset.search import PRICE, BitsetSearch
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator
from dovetail.models.cover import CoverProblem, Member, cover_problem
from oracle.brute_force import covers
from oracle.strategies import cover_problems

ALWAYS, NEVER = 0, 2**40  # prices: pack whenever there is a smaller frame, or not at all


def nodes_by_depth(search: BitsetSearch | DlxSearch) -> dict[int, int]:
    """How many options were taken when so many had been."""
    return {int(d): int(search._fits[d]) for d in np.flatnonzero(search._fits)}


def wide_problem(seed: int) -> CoverProblem:
    """A problem with bounds and colours whose options take several words."""
    random = Random(seed)
    bounds = [(1, 1), (1, 1), (1, 1), (0, 1), (1, 2), (2, 2), (0, 2)]
    primary = [(f"p{i}", *random.choice(bounds)) for i in range(20)]
    options: list[list[Member]] = []
    for _ in range(random.randrange(100, 260)):
        size = random.randrange(4, 6)
        members: list[Member] = [name for name, _, _ in random.sample(primary, size)]
        for item in random.sample(["s0", "s1", "s2", "s3"], 2):
            colour = random.randrange(4)
            members.append((item, colour) if colour else item)
        options.append(members)
    secondary = ["s0", "s1", "s2", "s3"]
    return cover_problem(f"wide-{seed}", primary, options, secondary=secondary)


@given(cover_problems())
@settings(max_examples=50)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, the same nodes at every depth; and the solutions are right."""
    twin = Twin(problem)
    search = BitsetSearch(problem, None, ALWAYS)
    solutions = run_out(search)
    assert solutions == twin.solutions
    assert {tuple(sorted(solution)) for solution in solutions} == covers(problem)
    assert nodes_by_depth(search) == dict(twin.nodes)


@pytest.mark.parametrize("price", [ALWAYS, PRICE, NEVER])
@pytest.mark.parametrize("seed", range(6))
def test_packing_changes_nothing(seed: int, price: int) -> None:
    """Options of several words, with bounds and colours, packed or not."""
    problem = wide_problem(seed)
    twin = Twin(problem)
    search = BitsetSearch(problem, None, price)
    solutions = run_out(search)
    assert solutions == twin.solutions
    assert nodes_by_depth(search) == dict(twin.nodes)
    if price != PRICE:
        assert (search.counters.native["packs"] > 0) == (price == ALWAYS)


def test_descents_through_a_path() -> None:
    """Exact where no item has a choice; nothing is made where an item has none."""
    path = cover_problem("path", ["a", "b"], [["a"], ["b"]])
    assert probed(path) == ([2.0, 2.0], 4)
    assert probed(cover_problem("no", ["a"], [])) == ([0.0, 0.0], 0)


def probed(problem: CoverProblem) -> tuple[list[float], int]:
    """What two descents tell."""
    estimator = GuidedTreeEstimator(BitsetSearch(problem, None), None, 0, 1)
    return estimator.totals(2).tolist(), estimator.nodes
