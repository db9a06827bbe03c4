"""The bitset kernel against its twin in plain Python, brute force and dancing links."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from backends.bitset.twin import Twin
from backends.cover_searches import searched
from dovetail.backends.base import Budget
from dovetail.backends.bitset.search import PRICE, BitsetSearch
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from oracle.brute_force import covers
from oracle.strategies import cover_problems, hinted_boards, packing_puzzles

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
    search, solutions = searched(BitsetSearch(problem, None, ALWAYS))
    assert solutions == twin.solutions
    assert {tuple(sorted(solution)) for solution in solutions} == covers(problem)
    assert nodes_by_depth(search) == dict(twin.nodes)


@pytest.mark.parametrize("price", [ALWAYS, PRICE, NEVER])
@pytest.mark.parametrize("seed", range(6))
def test_packing_changes_nothing(seed: int, price: int) -> None:
    """Options of several words, with bounds and colours, packed or not."""
    problem = wide_problem(seed)
    twin = Twin(problem)
    search, solutions = searched(BitsetSearch(problem, None, price))
    assert solutions == twin.solutions
    assert nodes_by_depth(search) == dict(twin.nodes)
    if price != PRICE:
        assert (search.counters.native["packs"] > 0) == (price == ALWAYS)


@given(cover_problems())
@settings(max_examples=35)
def test_nodes_of_dancing_links(problem: CoverProblem) -> None:
    """The same items are branched on, so that nodes are the same at every depth."""
    links = DlxSearch(problem, None)
    while links.advance(Budget(10**7)) is None:
        links.take()
    search, _ = searched(BitsetSearch(problem, None, ALWAYS))
    assert nodes_by_depth(search) == nodes_by_depth(links)


@given(packing_puzzles() | hinted_boards())
@settings(max_examples=20)
def test_small_puzzles(puzzle: PackingPuzzle | EdgePuzzle) -> None:
    """Packings and boards: counts and nodes by pieces remaining are those of dancing links."""
    assert_same_as_links(puzzle)


@pytest.mark.parametrize(
    "puzzle",
    [load("soma-cube"), load("pentominoes-5x6-FLNPUY"), queens(9), random_board(5, 5, 4, 1, 4)],
    ids=lambda puzzle: puzzle.name,
)
def test_larger_puzzles(puzzle: Puzzle) -> None:
    """The same where options take several words."""
    assert_same_as_links(puzzle)


def assert_same_as_links(puzzle: Puzzle) -> None:
    """Count and counters, packing always."""
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    pieces = options.placements_per_solution
    both = (
        BitsetSearch(options.cover, pieces, ALWAYS),
        DlxSearch(options.cover, pieces),
    )
    for search in both:
        while search.advance(Budget(10**7)) is None:
            search.take()
    ours, theirs = both
    assert ours.count == theirs.count
    assert ours.counters.nodes == theirs.counters.nodes
    assert ours.counters.fits_by_remaining == theirs.counters.fits_by_remaining


@pytest.mark.parametrize("problem", [langford(7), wide_problem(0)], ids=lambda each: each.name)
@pytest.mark.parametrize("work", [1, 70, 1000])
def test_slices_change_nothing_where_frames_are_packed(problem: CoverProblem, work: int) -> None:
    """A search cut into the smallest slices makes the same nodes and solutions, packing always."""
    whole, solutions = searched(BitsetSearch(problem, None, ALWAYS))
    sliced, same = searched(BitsetSearch(problem, None, ALWAYS), work)
    assert same == solutions
    assert sliced.counters == whole.counters


def test_random_probes_estimate_the_size_of_the_tree() -> None:
    """Unbiased: within four standard errors; one stream gives the same again."""
    cover = build_task(load("pentominoes-5x6-FLNPUY"), Request(Symmetry.ALL)).cover
    whole, _ = searched(BitsetSearch(cover, None))
    nodes = whole.counters.nodes
    assert nodes is not None
    estimator = GuidedTreeEstimator(BitsetSearch(cover, 6), 6, 1, 1)
    sizes = estimator.totals(20_000)
    error = sizes.std(ddof=1) / 20_000**0.5
    assert 0 < error < nodes / 20
    assert abs(sizes.mean() - nodes) < 4 * error
    assert 20_000 < estimator.nodes < 20_000 * 6
    again = GuidedTreeEstimator(BitsetSearch(cover, 6), 6, 1, 1)
    halves = [again.totals(10_000) for _ in range(2)]
    assert np.array_equal(np.concatenate(halves), sizes)


def test_descents_through_a_path() -> None:
    """Exact where no item has a choice; nothing is made where an item has none."""
    path = cover_problem("path", ["a", "b"], [["a"], ["b"]])
    assert probed(path) == ([2.0, 2.0], 4)
    assert probed(cover_problem("no", ["a"], [])) == ([0.0, 0.0], 0)


def probed(problem: CoverProblem) -> tuple[list[float], int]:
    """What two descents tell."""
    estimator = GuidedTreeEstimator(BitsetSearch(problem, None), None, 0, 1)
    return estimator.totals(2).tolist(), estimator.nodes
