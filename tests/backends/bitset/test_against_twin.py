"""The kernels of `bitset` beside the twin of `dlx`, node for node; what `bitset` refuses."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from backends.dlx.twin import Twin
from backends.searches import run_out
from dovetail.backends.base import Budget
from dovetail.backends.bitset import backend
from dovetail.backends.bitset.backend import Bitset, BitsetConfig
from dovetail.backends.bitset.search import PRICE, BitsetSearch
from dovetail.backends.bitset.tables import MAX_BYTES, ListPrices, stack_too_large
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.cover import CoverProblem, Member, cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
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
    return cover(primary, options, secondary=secondary, name=f"wide-{seed}")


@given(cover_problems())
@settings(max_examples=50)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, the same nodes at every depth; and the solutions are right."""
    twin = Twin(problem)
    search = BitsetSearch(problem, None, ALWAYS)
    solutions = run_out(search)
    assert run_out(search_with(problem, LIST_ALWAYS)) == solutions == twin.solutions
    assert {tuple(sorted(solution)) for solution in solutions} == covers(problem)
    assert nodes_by_depth(search) == dict(twin.nodes)


@pytest.mark.parametrize("price", [ALWAYS, PRICE, NEVER])
@pytest.mark.parametrize("seed", range(2))
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


LIST_ALWAYS, LIST_NEVER = ListPrices(cost=0, price=0), ListPrices(max_items=-1)


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
    return cover(["p0", "p1", "p2", "p3"], options, secondary=others, name="rich")


SMALL = (langford(7), queens(8), packing("pentominoes-5x6-FLNPUY"))


@pytest.mark.parametrize(
    ("problem", "work"),
    [*[(problem, work) for problem in SMALL for work in (1, 10**7)], (packing("soma-cube"), 500)],
    ids=lambda value: getattr(value, "name", value),
)
def test_listing_changes_nothing(problem: CoverProblem, work: int) -> None:
    """The same solutions in order, the same nodes at every depth, in slices of any size."""
    whole = search_with(problem, LIST_NEVER)
    solutions = run_out(whole)
    listing = search_with(problem, LIST_ALWAYS)
    assert run_out(listing, work) == solutions
    assert np.array_equal(listing._fits, whole._fits)
    assert lists_made(listing) > lists_made(whole) == 0


@pytest.mark.parametrize("width", [8, 32])
def test_items_with_more_options_than_a_lane_counts_to(width: int) -> None:
    """The scarcest item is the same where numbers overflow."""
    problem = rich_problem(width)
    searches = [search_with(problem, prices) for prices in (LIST_ALWAYS, LIST_NEVER)]
    for search in searches:
        while (search.counters.nodes or 0) < 3000 and search.advance(
            Budget(10**6, nodes=3000)
        ) is None:
            search.take()
    listing, whole = searches
    assert np.array_equal(listing._fits, whole._fits)
    assert np.array_equal(listing.take(), whole.take())
    assert lists_made(listing) > 0


@pytest.mark.parametrize("nodes", [1, 20, 333])
def test_what_is_left_is_the_rest(nodes: int) -> None:
    """Parts of a search that was stopped in lists, or was not, have the rest of its solutions."""
    problem = packing("pentominoes-5x6-FLNPUY")
    whole = search_with(problem, LIST_NEVER)
    solutions = run_out(whole)
    begun = search_with(problem, LIST_ALWAYS)
    begun.advance(Budget(10**7, nodes=nodes))
    found = [[o for o in row if o >= 0] for row in begun.take().tolist()]
    made = begun.counters.nodes or 0
    assert lists_made(begun) > 0
    for part in begun.remaining() or ():
        for prices in (LIST_ALWAYS, LIST_NEVER):
            search = search_with(problem, prices)
            search.begin_within(part)
            same = run_out(search)
            if prices == LIST_ALWAYS:
                found += same
                made += search.counters.nodes or 0
            else:
                assert same == found[len(found) - len(same) :]
    assert found == solutions
    assert made == whole.counters.nodes


def test_an_option_with_all_items_that_a_word_has() -> None:
    """It would look like what fills lists up: such problems are searched in frames."""
    items = [f"i{number}" for number in range(64)]
    options = [["z"], items[:32], items, items[32:]]
    problem = cover(["z", *items], options, name="all")
    listed = []
    for prices in (LIST_ALWAYS, LIST_NEVER):
        search = search_with(problem, prices)
        listed.append(sorted(map(sorted, run_out(search))))
    assert listed[0] == listed[1] == [[0, 1, 3], [0, 2]]


def refusal(puzzle: Puzzle, **request: object) -> str | None:
    """Why a puzzle is refused."""
    return Bitset().refuses(build_task(puzzle, Request(**request)), BitsetConfig())  # type: ignore[arg-type]


def symmetry_breaking(
    puzzle: Puzzle, symmetry: str = "unique", *, break_symmetry: bool = True
) -> str | None:
    """The reduction that is asked for."""
    task = build_task(puzzle, Request(Symmetry(symmetry)))
    found = Bitset().symmetry_breaking(task, BitsetConfig(break_symmetry))
    return None if found is None else str(found)


def test_a_table_that_would_not_fit() -> None:
    """A 16x16 board is refused before anything is built, with the number and the bytes."""
    board = random_board(16, 16, 17, 1, 5)
    options = build_task(board, Request()).options.option_count
    size = 8 * options * -(-options // 64)
    assert size > MAX_BYTES
    assert refusal(board) == (
        f"its table of compatible options would take {size:,} bytes for {options:,} "
        f"options; the limit is {MAX_BYTES:,}"
    )


def test_a_stack_that_would_not_fit() -> None:
    """Levels and lanes of counted items: a problem may have few options and be too deep."""
    items = [(f"p{i}", 0, 1) for i in range(12_000)]
    problem = cover(items, [["p0"]], name="deep")
    message = stack_too_large(problem, None)
    assert message is not None
    assert message.startswith("its stack would take 2,30")
    assert refusal(problem) == message
    assert stack_too_large(queens(20), None) is None


@pytest.mark.parametrize("symmetry", ["all", "mirror"])
def test_pieces_of_packings_are_probed(symmetry: str) -> None:
    """Whatever is counted: symmetry expansion restores it."""
    assert symmetry_breaking(load("pentominoes-6x10"), symmetry) == "probe"
    assert symmetry_breaking(load("soma-cube"), symmetry) == "probe"
    assert symmetry_breaking(load("soma-cube"), symmetry, break_symmetry=False) is None


def test_too_large_to_be_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The filter chooses the piece where a search for each would take much memory."""
    monkeypatch.setattr(backend, "MAX_PROBED", 2056)
    assert symmetry_breaking(load("pentominoes-6x10")) == "probe"
    monkeypatch.setattr(backend, "MAX_PROBED", 2055)
    assert symmetry_breaking(load("pentominoes-6x10")) == "redundancy"
    task = build_task(load("pentominoes-6x10"), Request())
    assert Bitset().tree_estimator(task, BitsetConfig(), 0, 1) is None


def test_nothing_to_break() -> None:
    """No symmetry, or no pieces; where pieces are used several times, images are compared."""
    plane = SquareLattice(2)
    stairs = ((0, 0), (1, 0), (2, 0), (0, 1))
    fixed = Piece("A", stairs, motions=Motions.FIXED)
    assert symmetry_breaking(PackingPuzzle("lone", plane, stairs, (fixed,))) is None
    domino = Piece("A", ((0, 0), (1, 0)), min_count=2, max_count=2)
    square = PackingPuzzle("square", plane, box(2, 2), (domino,))
    assert symmetry_breaking(square) == "redundancy"
    assert symmetry_breaking(queens(6)) is None
