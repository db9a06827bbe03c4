"""The kernel and estimates of the tree beside the twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.domains.twin import Twin
from backends.searches import fewer_options, near
from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.domains.backend import Domains
from dovetail.backends.domains.config import Choice, DomainsConfig
from dovetail.backends.domains.tables import DomainsSizes
from dovetail.backends.shared.tiles import zoned_board
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.job import Job
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream
from oracle.strategies import board_variants, laid_boards

CONFIGS = st.builds(
    DomainsConfig,
    choice=st.sampled_from(["per-edge", "fewest"]),
    single_place=st.booleans(),
    lazy_colours=st.integers(1, 4),
    lazy_candidates=st.sampled_from([1, 2, 5, 24]),
)


PLAIN = laid_boards([(1, 1), (1, 5), (4, 1), (2, 5), (4, 2), (3, 3), (4, 5)])
# A kernel is compiled for each number of rotations and of sides: these have one or three more.
VARIANTS = board_variants(largest=9).filter(
    lambda puzzle: puzzle.fixed or not (puzzle.flippable or puzzle.lattice == "hexagonal")
)
BOARDS = PLAIN | VARIANTS


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
@settings(max_examples=100)
def test_random_boards(puzzle: EdgePuzzle, config: DomainsConfig, data: st.DataObject) -> None:
    """Rectangles of one row and more, signed or not, with hints, with identical tiles; variants.

    What a reduction has taken out is not there, whatever the puzzle says.
    """
    task = data.draw(fewer_options(build_task(puzzle, Request(Symmetry.ALL))))
    assume(is_small(task, config))
    like_twin(task, config)


def partly_laid(side: int, colours: int, rows: int) -> EdgePuzzle:
    """A square board on which the tiles above the lowest `rows` are given."""
    random = RandomStream(side * colours)
    upright = {(x, y): 1 + random.below(colours) for x in range(side - 1) for y in range(side)}
    level = {(x, y): 1 + random.below(colours) for x in range(side) for y in range(side - 1)}
    cells = [(x, y) for x in range(side) for y in range(side)]
    tiles = tuple(
        (
            level.get((x, y), 0),
            upright.get((x, y), 0),
            level.get((x, y - 1), 0),
            upright.get((x - 1, y), 0),
        )
        for x, y in cells
    )
    hints = tuple(Hint(x, y, tile, 0) for tile, (x, y) in enumerate(cells) if y >= rows)
    return EdgePuzzle("partly laid", side, side, tiles, hints)


@pytest.mark.parametrize(
    ("choice", "colours", "rows", "words"),
    [
        ("per-edge", 5, 3, 1),
        ("fewest", 80, 12, 2),
    ],
)
def test_sets_of_several_words(choice: Choice, colours: int, rows: int, words: int) -> None:
    """More than 64 types, cells and colours; sets of colours in several chunks."""
    task = build_task(partly_laid(12, colours, rows), Request(Symmetry.ALL))
    assert DomainsSizes.of(zoned_board(task)) == DomainsSizes(
        cells=3, types=2, colours=words, planes=4, sides=4
    )
    assert like_twin(task, DomainsConfig(choice)) > 1


@pytest.mark.parametrize("key", ["lazy_colours", "lazy_candidates"])
def test_nothing_is_lazy(key: str) -> None:
    """At the upper bound the kernel is that of the twin still."""
    task = build_task(random_board(4, 3, 3, seed=4), Request(Symmetry.ALL))
    assert like_twin(task, build_config(DomainsConfig, {key: 2_000_000}, "backend domains")) > 1


WHOLE = 1_000_000


@given(puzzle=BOARDS, config=CONFIGS)
@settings(max_examples=50)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: DomainsConfig) -> None:
    """Its nodes and solutions are those of the twin with the failures of the first nodes."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    if not is_small(task, config):
        return
    assert task.edges is not None
    whole = Twin(task.edges, config)
    twin = Twin(task.edges, config, whole.weight)
    estimator = Domains().tree_estimator(task, config, 1, WHOLE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


@pytest.mark.parametrize("population", [0, 7])
def test_samples_come_near_the_tree(population: int) -> None:
    """The means are within five standard errors of the whole tree."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    task, config = build_task(random_board(4, 5, 3, seed=5), request), DomainsConfig()
    truth = Domains().tree_estimator(task, config, 1, WHOLE).levels(1)[0]
    estimator = Domains().tree_estimator(task, config, 1, 1, population)
    rows = estimator.levels(1000)
    assert estimator.probes == 1000 * max(1, population)
    assert np.count_nonzero(near(rows, truth, 20)) > 3


def test_a_tree_that_failures_steer() -> None:
    """All of it was visited, and yet a search may make other nodes."""
    result = estimate(Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "domains"))
    assert (result.source, result.why, result.descents) == (EstimateSource.TREE, STEERED, 0)
