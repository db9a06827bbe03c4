"""The kernel beside its twin: nodes by cells open, and the boards; the rules of the twin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.colorpair.twin import (
    Board,
    ContradictionError,
    DescentsTwin,
    State,
    Twin,
    apply_pairs,
    check_ring,
    check_shared_edges,
    propagate,
    seize,
)
from backends.searches import fewer_options, near
from dovetail.backends.base import Budget, Search
from dovetail.backends.colorpair.backend import ColorPair
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.tables import ColorPairSizes
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.backends.shared.tiles import zoned_board
from dovetail.errors import ConfigError
from dovetail.models.board_geometry import Position
from dovetail.models.edges import EdgePuzzle, Tile, TileClass
from dovetail.models.options.edges import edge_options
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from oracle.brute_force import boards
from oracle.strategies import laid_boards

SIZES = ((1, 1), (2, 1), (1, 4), (6, 1), (2, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 4))
SMALL = ((1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4))  # for brute force
PATTERNS = ("four", "three", "surrounded", "two-surrounded")
CHOICES = (
    "min-offer",
    "min-expected-offer",
    "min-expected-gap",
    "min-expected-ratio",
    "max-expected-filtering",
)
VALUE_ORDERS = ("given", "probability")
SHAVING = ("none", "2", "3", "4", "5", "all")


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A tile restricted, or options missing anywhere, or all of them there."""
    puzzle = draw(laid_boards(SIZES))
    if draw(st.integers(0, 2)) == 0:
        reductions = (Reduction.parse("redundancy"),)
        return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reductions))
    return draw(fewer_options(build_task(puzzle, Request(Symmetry.ALL))))


def configured(**values: object) -> ColorPairConfig:
    """The config with some values that are not its defaults."""
    return build_config(ColorPairConfig, values, "colorpair")


@st.composite
def tasks_and_configs(draw: st.DrawFn) -> tuple[Task, ColorPairConfig]:
    """A task, and switches that fit its board, see `compiled_before`."""
    task = draw(tasks())
    return task, compiled_before(task, draw(configs()))


def compiled_before(task: Task, config: ColorPairConfig) -> ColorPairConfig:
    """Have both single colours and an order of values, or neither.

    The kernel is compiled for each number of planes, with and without either, in five seconds each
    time. It has both where domains have one plane, neither with two, and either way with four.
    """
    planes = planes_of(task)
    both = config.single_colours if planes == 4 else planes == 1
    return replace(config, single_colours=both, value_order="probability" if both else "given")


def planes_of(task: Task) -> int:
    """How many planes the domains of a board have."""
    return ColorPairSizes.of(zoned_board(task)).planes


def configs() -> st.SearchStrategy[ColorPairConfig]:
    """Every switch on or off."""
    patterns = st.lists(st.sampled_from(PATTERNS), unique=True)
    return st.builds(
        ColorPairConfig,
        contradiction=st.booleans(),
        instantiation=st.booleans(),
        opposite=st.booleans(),
        single_colours=st.booleans(),
        preemption=st.booleans(),
        shared_edges=st.booleans(),
        cycles=st.booleans(),
        backjumping=st.booleans(),
        patterns=patterns.map(lambda names: tuple(names) or ("none",)),
        choice=st.sampled_from(CHOICES),
        value_order=st.sampled_from(VALUE_ORDERS),
        shaving=st.sampled_from(SHAVING),
        seed=st.integers(0, 3),
    )


WHOLE = 10**9


Solution = tuple[int, ...]


def prepared(task: Task, config: ColorPairConfig) -> Search:
    """A search that has not begun."""
    backend = backend_named("colorpair")
    assert backend.refuses(task, config) is None
    return backend.prepare(task, config)


def searched(
    task: Task, config: ColorPairConfig, work: int = WHOLE
) -> tuple[Search, set[Solution]]:
    """A search that is done, slice by slice, and its solutions by option numbers."""
    search, found = prepared(task, config), list[Solution]()
    status = None
    while status is None:
        status = search.advance(Budget(work=work))
        found += [tuple(sorted(row)) for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    assert search.count == len(found) == len(set(found))
    return search, set(found)


def is_small(task: Task, config: ColorPairConfig) -> bool:
    """Whether the twin can do it, which has no backjumping."""
    nodes = 600 if config.shaving == "none" else 80
    search = prepared(task, replace(config, backjumping=False))
    return search.advance(Budget(work=WHOLE, nodes=nodes)) == Status.EXHAUSTED


def check_like_twin(task: Task, config: ColorPairConfig, work: int = WHOLE) -> int:
    """The same boards and nodes; those that are jumped over leave out no board.

    Without the contradiction rule the nodes depend on what is laid first. Returns their number.
    """
    assert task.edges is not None
    twin = Twin(task.edges, config)
    expected = {tuple(sorted(row)) for row in twin.solutions}
    search, found = searched(task, replace(config, backjumping=False), work)
    assert found == expected
    fits = search.counters.fits_by_remaining
    assert fits is not None
    assert search.counters.nodes == sum(fits.values())
    if config.contradiction or not config.instantiation:
        assert Counter(fits) == twin.fits
    assert searched(task, replace(config, backjumping=True), work)[1] == expected
    return twin.fits.total()


@given(case=tasks_and_configs(), work=st.sampled_from([1, 50, WHOLE]))
@settings(max_examples=70)
def test_random_boards(case: tuple[Task, ColorPairConfig], work: int) -> None:
    """Boards of any height, signed or not, with hints, restricted or incomplete; any switches."""
    task, config = case
    assume(is_small(task, config))
    check_like_twin(task, config, work)


@pytest.mark.slow
@given(task=tasks(), config=configs(), work=st.sampled_from([1, 50, WHOLE]))
@settings(max_examples=70)
def test_random_boards_with_any_switches(task: Task, config: ColorPairConfig, work: int) -> None:
    """Those that the test above leaves out as well: a kernel is compiled for each."""
    assume(is_small(task, config))
    check_like_twin(task, config, work)


@given(puzzle=laid_boards(SMALL), config=configs())
@settings(max_examples=50)
def test_every_board_once(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """The boards that laying tile after tile finds."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    assert task.edges is not None
    sides = task.edges.sides.tolist()
    _, found = searched(task, compiled_before(task, config))
    shown = {tuple(tuple(sides[option]) for option in row) for row in found}
    assert len(shown) == len(found)
    assert shown == boards(puzzle)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("pattern", ["three", "surrounded", "none"])
def test_choices(choice: str, pattern: str) -> None:
    """Pairs are chosen where a pattern does not occur: scores to the last bit, random cells."""
    task = build_task(random_board(5, 5, 5, seed=1), Request(Symmetry.ALL))
    config = configured(choice=choice, patterns=(pattern,), seed=7)
    assert check_like_twin(task, config) > 100


@pytest.mark.parametrize(
    ("puzzle", "shaving"),
    [
        *[(random_board(5, 5, 6, seed=2), shaving) for shaving in SHAVING],
        *[(random_board(4, 5, 3, 1, 3), shaving) for shaving in ("none", "3", "all")],
    ],
)
def test_shaving(puzzle: EdgePuzzle, shaving: str) -> None:
    """Every limit on boards on which it differs."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    config = configured(shaving=shaving)
    assert check_like_twin(task, config) > 10


@pytest.mark.parametrize("shaving", ["none", "2", "all"])
@pytest.mark.parametrize("patterns", [PATTERNS, ("none",)])
def test_single_colours_and_value_order(patterns: tuple[str, ...], shaving: str) -> None:
    """With and without backjumping."""
    config = configured(
        patterns=patterns, single_colours=True, value_order="probability", shaving=shaving
    )
    for puzzle in (random_board(4, 4, 4, seed=2), random_board(3, 4, 3, 1, 3)):
        check_like_twin(build_task(puzzle, Request(Symmetry.ALL)), config)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"patterns": "four,five"}, "patterns has 'five'; "),
        (
            {"patterns": "none,four"},
            "patterns has 'none', which cannot be combined with others",
        ),
        ({"seed": -1}, "seed is -1; expected a whole number from 0 to 9,223,372,036,854,775,807"),
        ({"shaving": "6"}, "valid: none, 2, 3, 4, 5, all"),
    ],
)
def test_mistakes(values: dict[str, object], message: str) -> None:
    """They name what is valid."""
    with pytest.raises(ConfigError, match=re.escape(message)):
        configured(**values)


def test_patterns_are_a_set() -> None:
    """In whatever order they are given, the search is the same, and so is the config."""
    assert configured(patterns="three,four,three") == configured(patterns="four,three")


WIDE = 1_000_000


BROKEN = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))


@given(puzzle=laid_boards([(3, 3)]), config=configs())
@settings(max_examples=15)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """Its nodes and solutions are those of the twin, and again after descents.

    One kernel serves all: boards with inner cells, whose candidates are not ordered.
    """
    config = replace(config, contradiction=True, single_colours=False, value_order="given")
    task = build_task(puzzle, Request(Symmetry.ALL))
    assert task.edges is not None
    twin = DescentsTwin(task.edges, config)
    estimator = ColorPair().tree_estimator(task, config, 1, WIDE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


@pytest.mark.parametrize(
    ("population", "config"),
    [
        (1, ColorPairConfig()),
        (30, ColorPairConfig(value_order="probability", single_colours=True)),
        (30, ColorPairConfig(shaving="2")),
    ],
)
def test_samples_come_near_the_tree(population: int, config: ColorPairConfig) -> None:
    """The means are within five standard errors of the whole tree."""
    task = build_task(load("edges-5-b3i3-1"), BROKEN)
    truth = ColorPair().tree_estimator(task, config, 1, WIDE).levels(1)[0]
    estimator = ColorPair().tree_estimator(task, config, 1, 1, population)
    rows = estimator.levels(500)
    assert estimator.probes == 500 * population
    assert np.count_nonzero(near(rows, truth, 20)) > 3


def test_estimates_of_searches() -> None:
    """The tree has the solutions of a search, and about its nodes without backjumping."""
    task, nodes = build_task(load("edges-5-b3i3-1"), BROKEN), []
    rows = ColorPair().tree_estimator(task, ColorPairConfig(), 1, WIDE).levels(1)
    for backjumping in (True, False):
        search = ColorPair().prepare(task, ColorPairConfig(backjumping=backjumping))
        while search.advance(Budget(work=10**9)) is None:
            search.take()
        assert rows[0, -1] == search.count == 98
        nodes.append(search.counters.nodes or 0)
    assert nodes[0] < nodes[1]
    assert rows[0, :-1].sum() == pytest.approx(nodes[1], rel=0.03)


NOWHERE = (0, 0, 0, 0)  # a tile that fits no cell of a board of several


CORNERS = [(0, 0, 1, 1)] * 4


def made(
    laid: Mapping[Position, Tile], left: Sequence[Tile], side: int = 6, *, signed: bool = False
) -> State:
    """A square board with tiles that show these sides, matching or not, and some tiles left."""
    tiles = [*laid.values(), *left]
    tiles += [NOWHERE] * (side * side - len(tiles))
    board = Board(edge_options(EdgePuzzle("made", side, side, tuple(tiles), signed=signed)))
    state = State(board)
    for position, shown in laid.items():
        cell = board.geometry.cell(position)
        colours = tuple(board.colours[colour] for colour in shown)
        state.laid[cell] = next(
            orientation
            for orientation in board.orientations_in_order[cell]
            if board.shown[orientation] == colours
        )
    return state


def diagonal(
    x: int, y: int, below: tuple[int, int], above: tuple[int, int]
) -> dict[Position, Tile]:
    """Two tiles between which (x, y) must show `below` to the north and east.

    And (x + 1, y + 1) must show `above` to the south and west.
    """
    return {(x, y + 1): (1, above[1], below[0], 1), (x + 1, y): (above[0], 1, 1, below[1])}


def sequence(first: int, second: int) -> tuple[TileClass, tuple[str, int, int]]:
    """A pair of inner cells."""
    return TileClass.INNER, ("sequence", first, second)


def test_contradiction_and_instantiation() -> None:
    """Two cells for one tile; one cell for one tile, and that turned in two ways."""
    two = diagonal(2, 2, (2, 3), (2, 3))
    one_tile = made(two, [*CORNERS, (2, 3, 4, 4)])
    with pytest.raises(ContradictionError):
        apply_pairs(one_tile, ColorPairConfig(instantiation=False))
    apply_pairs(one_tile, ColorPairConfig(instantiation=False, contradiction=False))
    assert len(one_tile.laid) == 2
    one = diagonal(2, 2, (2, 2), (4, 4))
    for tile, is_laid in (((2, 3, 4, 2), True), ((3, 2, 2, 2), False)):
        state = made(one, [*CORNERS, tile, (4, 4, 4, 4), (4, 4, 4, 4)])
        apply_pairs(state, ColorPairConfig())
        assert (state.board.geometry.cell((2, 2)) in state.laid) == is_laid


FIGURE_2 = diagonal(2, 2, (2, 3), (2, 3)) | diagonal(6, 6, (3, 4), (5, 5))


FIGURE_2_LEFT = [*CORNERS, (2, 3, 4, 1), (2, 3, 4, 5), (3, 4, 1, 5), *[(5, 5, 5, 5)] * 2]


def test_preemption() -> None:
    """The paper's figure 2, first case: two cells need both tiles with 2, 3, which have 3, 4 too.

    So the tile with 3, 4 that is left goes where 3, 4 is demanded.
    """
    config = ColorPairConfig(shared_edges=False)
    state = made(FIGURE_2, FIGURE_2_LEFT, side=10)
    cells = [state.board.geometry.cell((x, x)) for x in (2, 3, 6)]
    assert state.demand()[sequence(2, 3)] == cells[:2]
    assert state.demand()[sequence(3, 4)] == [cells[2]]
    propagate(state, replace(config, preemption=False))
    assert len(state.laid) == len(FIGURE_2)
    assert len(seize(state)[sequence(2, 3)]) == 2
    propagate(state, config)
    assert len(state.laid) == len(FIGURE_2) + 1
    assert state.board.shown[state.laid[cells[2]]] == (3, 4, 1, 5)


GOES_ON_WITH_2 = (0, 2, 1, 3)  # and comes from 3


GOES_ON_WITH_3 = (0, 3, 1, 2)


BOTH = [GOES_ON_WITH_2, GOES_ON_WITH_3]


@pytest.mark.parametrize(
    ("laid", "left", "fails"),
    [
        ({}, [(0, 0, 1, 1)], True),  # a tile cannot touch itself
        ({(2, 2): (1, 2, 2, 2)}, [(0, 0, 1, 1)], True),
        ({(2, 2): (1, 1, 2, 2)}, [(0, 0, 1, 1)], False),
        ({}, [(0, 0, 1, 2)] * 2, False),
        ({}, [(0, 1, 1, 1)] * 2, True),  # they share one edge
        ({}, [(0, 0, 1, 2), (0, 0, -1, -2)], False),
        ({}, [(0, 0, 1, 2), (0, 0, 1, -2)], True),
    ],
)
def test_shared_edges(laid: dict[Position, Tile], left: list[Tile], fails: bool) -> None:
    """Sides of one colour have to touch unless they are demanded."""
    signed = any(min(tile) < 0 for tile in left)
    with pytest.raises(ContradictionError) if fails else nullcontext():
        check_shared_edges(made(laid, left, signed=signed))


@pytest.mark.parametrize(
    ("laid", "left", "side", "fails"),
    [
        ({}, BOTH, 6, True),
        ({}, [GOES_ON_WITH_2, (0, 4, 1, 2)], 6, False),  # a chain that is open
        ({}, [*BOTH, (0, 2, 1, 4)], 6, False),  # two go on with 2
        ({}, [(0, 2, 1, 2)], 6, True),  # a tile that would have to follow itself
        ({(2, 5): (0, 4, 1, 2)}, BOTH, 6, False),  # one goes there
        ({(2, 4): (2, 2, 2, 2)}, BOTH, 6, True),  # below the ring
        ({}, [(0, 0, 1, 2), (0, 0, 2, 3), (0, 0, 3, 4), (0, 0, 4, 1)], 2, False),  # all round
        ({}, [(0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 3, 4), (0, 0, 4, 3)], 2, True),
    ],
)
def test_ring(laid: dict[Position, Tile], left: list[Tile], side: int, fails: bool) -> None:
    """Tiles of which each has to follow another close no circle before the board is round."""
    with pytest.raises(ContradictionError) if fails else nullcontext():
        check_ring(made(laid, left, side))


def nodes(seed: int, config: ColorPairConfig) -> int:
    """Of a board of 4 x 4, whose boards are found anyway."""
    twin = Twin(edge_options(random_board(4, 4, 3, seed)), config)
    assert set(twin.solutions) == by_all_rules(seed)
    return twin.fits.total()


@cache
def by_all_rules(seed: int) -> set[tuple[int, ...]]:
    """The boards that the default config finds."""
    return set(Twin(edge_options(random_board(4, 4, 3, seed)), ColorPairConfig()).solutions)


@pytest.mark.parametrize(
    ("rule", "seed"),
    [
        ("contradiction", 1),
        ("instantiation", 1),
        ("opposite", 1),
        ("preemption", 1),
        ("shared_edges", 4),
        ("cycles", 5),
    ],
)
def test_every_rule_saves_nodes(rule: str, seed: int) -> None:
    """The same boards at more nodes without it."""
    assert nodes(seed, configured(**{rule: False})) > nodes(seed, ColorPairConfig())
