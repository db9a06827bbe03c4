"""The kernel and estimates of the tree beside the twin."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.domains.twin import Twin
from backends.searches import fewer_options
from dovetail.backends.base import Budget
from dovetail.backends.domains.backend import Domains
from dovetail.backends.domains.config import DomainsConfig
from dovetail.backends.domains.tables import DomainsSizes, build_tables
from dovetail.backends.shared.tiles import zoned_board
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.job import Job
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.statements import board
from dovetail.random_stream import RandomStream
from oracle.strategies import board_variants, laid_boards

CONFIGS = st.builds(
    DomainsConfig,
    choice=st.sampled_from(["per-edge", "fewest"]),
    single_place=st.booleans(),
    lazy_colours=st.sampled_from([1, 2, 3, 4, 2_000_000]),
    lazy_candidates=st.sampled_from([1, 2, 5, 24, 2_000_000]),
)


PLAIN = laid_boards([(1, 1), (1, 5), (4, 1), (2, 5), (4, 2), (3, 3), (4, 5)])
BOARDS = PLAIN | board_variants(largest=9).filter(lambda puzzle: puzzle.lattice != "hexagonal")


def is_small(task: Task, config: DomainsConfig) -> bool:
    """Whether the twin can do it."""
    search = Domains().prepare(task, config)
    return search.advance(Budget(work=10**9, nodes=3000)) == Status.EXHAUSTED


def like_twin(task: Task, config: DomainsConfig) -> int:
    """The same solutions in the same order, nodes by open cells, cells forced, revisions.

    Returns the number of nodes.
    """
    assert isinstance(task.options, EdgeOptions)
    search, twin = Domains().prepare(task, config), Twin(task.options, config)
    assert search.advance(Budget(work=10**9)) == Status.EXHAUSTED
    counters = search.counters
    assert [tuple(row) for row in search.take().tolist()] == twin.solutions
    assert counters.native == {"forced": twin.forced, "revisions": twin.revisions}
    assert counters.fits_by_remaining is not None
    assert Counter(counters.fits_by_remaining) == twin.fits
    assert counters.nodes == twin.fits.total()
    assert (counters.attempts, counters.attempts_by_remaining) == (None, None)
    return counters.nodes


@given(puzzle=BOARDS, config=CONFIGS, data=st.data())
@settings(max_examples=60)
def test_random_boards(puzzle: EdgePuzzle, config: DomainsConfig, data: st.DataObject) -> None:
    """Rectangles of one row and more, signed or not, with hints, with identical tiles; variants.

    What a reduction has taken out is not there, whatever the puzzle says.
    """
    task = data.draw(fewer_options(build_task(puzzle, Request(Symmetry.ALL))))
    assume(is_small(task, config))
    like_twin(task, config)


def large_board(side: int, colours: int) -> EdgePuzzle:
    """A square board whose edges have random colours."""
    random = RandomStream(side * colours)
    upright = {(x, y): 1 + random.below(colours) for x in range(side - 1) for y in range(side)}
    level = {(x, y): 1 + random.below(colours) for x in range(side) for y in range(side - 1)}
    tiles = tuple(
        (
            level.get((x, y), 0),
            upright.get((x, y), 0),
            level.get((x, y - 1), 0),
            upright.get((x - 1, y), 0),
        )
        for x in range(side)
        for y in range(side)
    )
    return EdgePuzzle("large", side, side, tiles)


def test_sets_of_several_words() -> None:
    """More than 64 types, cells and colours; sets of colours in several chunks."""
    task = build_task(large_board(12, 80), Request(Symmetry.ALL))
    assert DomainsSizes.of(zoned_board(task)) == DomainsSizes(
        cells=3, types=2, colours=2, planes=4, sides=4
    )
    assert like_twin(task, DomainsConfig("fewest")) > 1


WHOLE = 1_000_000


@given(puzzle=laid_boards([(3, 3), (4, 5)]), config=CONFIGS)
@settings(max_examples=20)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: DomainsConfig) -> None:
    """Its nodes and solutions are those of the twin with the failures of the first nodes."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    board = zoned_board(task)
    assume(board.plane_count == 4)  # the kernel with descents is compiled for each number
    assume(is_small(task, config))
    assert task.edges is not None
    whole = Twin(task.edges, config)
    twin = Twin(task.edges, config, whole.weight)
    estimator = Domains().tree_estimator(task, config, 1, WHOLE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


def test_a_tree_that_failures_steer() -> None:
    """All of it was visited, and yet a search may make other nodes."""
    result = estimate(Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "domains"))
    assert (result.source, result.why, result.descents) == (EstimateSource.TREE, STEERED, 0)


def test_descents_do_not_change_the_root() -> None:
    """A lazy propagation of the root leaves something that a second one would remove."""
    tiles = "-1 -1 0 2\n0 -1 1 -1\n1 -2 -2 1\n0 0 -1 1\n-2 -1 0 2\n-2 -2 2 0"
    puzzle = board(f"signed unbounded fixed 3 2\n{tiles}")
    config = DomainsConfig("fewest", lazy_colours=1, lazy_candidates=1)
    task = build_task(puzzle, Request(Symmetry.ALL))
    estimator = Domains().tree_estimator(task, config, 1, WHOLE)
    assert estimator.levels(1).tolist() == [[4, 0, 0, 0, 2, 0, 2]]


def tables_of(tiles: int) -> tuple[str | None, int, int]:
    """Of four cells and so many tiles, without equal sides: a refusal; bytes reckoned and used."""
    shown = tuple((n, n + 1, n + 2, n + 3) for n in range(1, 4 * tiles, 4))
    puzzle = EdgePuzzle("wide", 2, 2, shown, unbounded=True, fixed=True, counts=((0, 1),))
    task = build_task(puzzle, Request(Symmetry.ALL))
    sizes = DomainsSizes.of(zoned_board(task))
    tables = build_tables(zoned_board(task), sizes)[0] if tiles < 100 else None
    used = 0 if tables is None else tables.unions.nbytes + tables.shown.nbytes
    return (
        Domains().refuses(task, config=DomainsConfig()),
        8 * sizes.tables(zoned_board(task)),
        used,
    )


def test_tables_that_need_too_much_memory() -> None:
    """Sets of colours take more than the records, where many tiles share few cells."""
    refusal, reckoned, used = tables_of(99)
    assert (refusal, reckoned) == (None, used)
    refusal, reckoned, _ = tables_of(6000)
    assert refusal == f"its tables would take {reckoned:,} bytes; the limit is 536,870,912"
