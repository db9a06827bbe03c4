"""Options listed as words of items: the same search, node for node."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from backends.dlx.twin import Twin
from backends.searches import run_out
from dovetail.backends.base import Budget
from dovetail.backends.bitset.search import PRICE, BitsetSearch
from dovetail.backends.bitset.tables import ListPrices
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from oracle.strategies import cover_problems

ALWAYS, NEVER = ListPrices(cost=0, price=0), ListPrices(max_items=-1)


def search_with(problem: CoverProblem, prices: ListPrices) -> BitsetSearch:
    """A search that lists options at some prices."""
    return BitsetSearch(problem, None, PRICE, prices)


def lists_made(search: BitsetSearch) -> int:
    """How often options were listed."""
    made = search.counters.native["lists"]
    assert isinstance(made, int)
    return made


def packing(name: str) -> CoverProblem:
    """The cover problem of a packing puzzle, of all its solutions."""
    return build_task(load(name), Request(Symmetry.ALL)).cover


def rich_problem(width: int) -> CoverProblem:
    """A problem whose items have many options, more than a lane counts to.

    Each of four is in an option with every pair of so many others, which may be left.
    """
    others = [f"s{i}" for i in range(width)]
    options = [[f"p{i}", *pair] for i in range(4) for pair in combinations(others, 2)]
    return cover_problem("rich", ["p0", "p1", "p2", "p3"], options, secondary=others)


SMALL = (langford(7), queens(8), packing("pentominoes-5x6-FLNPUY"))


@given(cover_problems(unit_bounds=True))
@settings(max_examples=35)
def test_search_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, the same nodes at every depth; options may be alike."""
    twin = Twin(problem)
    search = search_with(problem, ALWAYS)
    solutions = run_out(search)
    assert solutions == twin.solutions
    assert {int(d): int(search._fits[d]) for d in np.flatnonzero(search._fits)} == dict(twin.nodes)


@pytest.mark.parametrize(
    ("problem", "work"),
    [
        *[(problem, work) for problem in SMALL for work in (1, 70, 10**7)],
        (packing("soma-cube"), 500),
        (packing("soma-cube"), 10**7),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_listing_changes_nothing(problem: CoverProblem, work: int) -> None:
    """The same solutions in order, the same nodes at every depth, in slices of any size."""
    whole = search_with(problem, NEVER)
    solutions = run_out(whole)
    listing = search_with(problem, ALWAYS)
    assert run_out(listing, work) == solutions
    assert np.array_equal(listing._fits, whole._fits)
    assert lists_made(listing) > lists_made(whole) == 0


@pytest.mark.parametrize("width", [8, 24, 32])
def test_items_with_more_options_than_a_lane_counts_to(width: int) -> None:
    """The scarcest item is the same where numbers overflow."""
    problem = rich_problem(width)
    searches = [search_with(problem, prices) for prices in (ALWAYS, NEVER)]
    for search in searches:
        while (search.counters.nodes or 0) < 3000 and search.advance(
            Budget(10**6, nodes=3000)
        ) is None:
            search.take()
    listing, whole = searches
    assert np.array_equal(listing._fits, whole._fits)
    assert np.array_equal(listing.take(), whole.take())
    assert lists_made(listing) > 0


@pytest.mark.parametrize("nodes", [1, 2, 5, 20, 100, 333, 600])
def test_what_is_left_is_the_rest(nodes: int) -> None:
    """Parts of a search that was stopped in lists, or was not, have the rest of its solutions."""
    problem = packing("pentominoes-5x6-FLNPUY")
    whole = search_with(problem, NEVER)
    solutions = run_out(whole)
    begun = search_with(problem, ALWAYS)
    begun.advance(Budget(10**7, nodes=nodes))
    found = [[o for o in row if o >= 0] for row in begun.take().tolist()]
    made = begun.counters.nodes or 0
    assert lists_made(begun) > 0
    for part in begun.remaining() or ():
        for prices in (ALWAYS, NEVER):
            search = search_with(problem, prices)
            search.begin_within(part)
            same = run_out(search)
            if prices == ALWAYS:
                found += same
                made += search.counters.nodes or 0
            else:
                assert same == found[len(found) - len(same) :]
    assert found == solutions
    assert made == whole.counters.nodes


ALIKE: list[list[Member]] = [["a", "b"], ["b", "a"], ["c"]]


@pytest.mark.parametrize(
    "problem",
    [
        cover_problem("alike", ["a", "b", "c"], ALIKE),
        build_task(random_board(4, 4, 3, 1, 4), Request(Symmetry.ALL)).cover,
    ],
    ids=lambda problem: problem.name,
)
def test_options_that_are_never_listed(problem: CoverProblem) -> None:
    """Two with the same items, and those with colours."""
    search = search_with(problem, ALWAYS)
    run_out(search)
    assert lists_made(search) == 0


def test_prices_of_puzzles() -> None:
    """Cubes are listed; where few options are left in a few words it is not worth it."""
    soma, eight_queens = (BitsetSearch(each, None) for each in (packing("soma-cube"), queens(8)))
    run_out(soma)
    run_out(eight_queens)
    assert lists_made(soma) > lists_made(eight_queens) == 0


def test_an_option_with_all_items_that_a_word_has() -> None:
    """It would look like what fills lists up: such problems are searched in frames."""
    items = [f"i{number}" for number in range(64)]
    options = [["z"], items[:32], items, items[32:]]
    problem = cover_problem("all", ["z", *items], options)
    listed = []
    for prices in (ALWAYS, NEVER):
        search = search_with(problem, prices)
        listed.append(sorted(map(sorted, run_out(search))))
    assert listed[0] == listed[1] == [[0, 1, 3], [0, 2]]
