"""The kernel beside its twin: nodes by cells open, and the boards; the rules of the twin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.colorpair.twin import Board, DescentsTwin, State, Twin, propagate, seize
from backends.searches import fewer_options
from dovetail.backends.base import Budget, Search
from dovetail.backends.colorpair.backend import ColorPair
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.tables import ColorPairSizes
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.backends.shared.tiles import zoned_board
from dovetail.errors import ConfigError
from dovetail.models.boards.edges import EdgePuzzle, Tile, TileClass
from dovetail.models.boards.geometry import Position
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
    assume(ColorPairSizes.of(zoned_board(task)).planes != 2)  # one and four have kernels to compile
    return task, compiled_before(task, draw(configs()))


def compiled_before(task: Task, config: ColorPairConfig) -> ColorPairConfig:
    """Have both single colours and an order of values, or neither, and those on four planes only.

    The kernel is compiled for each number of planes, with and without either, in five seconds each
    time.
    """
    planes = ColorPairSizes.of(zoned_board(task)).planes
    both = config.single_colours and planes == 4
    return replace(config, single_colours=both, value_order="probability" if both else "given")


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


def prepared(task: Task, config: ColorPairConfig) -> Search:
    """A search that has not begun."""
    backend = backend_named("colorpair")
    assert backend.refuses(task, config) is None
    return backend.prepare(task, config)


def searched(
    task: Task, config: ColorPairConfig, work: int = WHOLE
) -> tuple[Search, set[tuple[int, ...]]]:
    """A search that is done, slice by slice, and its solutions by option numbers."""
    search, found = prepared(task, config), list[tuple[int, ...]]()
    status = None
    while status is None:
        status = search.advance(Budget(work=work))
        found += [tuple(sorted(row)) for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    assert search.count == len(found) == len(set(found))
    return search, set(found)


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
@settings(max_examples=35)
def test_random_boards(case: tuple[Task, ColorPairConfig], work: int) -> None:
    """Boards of any height, signed or not, with hints, restricted or incomplete; any switches."""
    task, config = case
    nodes = 600 if config.shaving == "none" else 80  # the twin has no backjumping
    search = prepared(task, replace(config, backjumping=False))
    assume(search.advance(Budget(work=WHOLE, nodes=nodes)) == Status.EXHAUSTED)
    check_like_twin(task, config, work)


@given(puzzle=laid_boards(SMALL), config=configs())
@settings(max_examples=20)
def test_every_board_once(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """The boards that laying tile after tile finds."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    assume(ColorPairSizes.of(zoned_board(task)).planes != 2)
    assert task.edges is not None
    sides = task.edges.sides.tolist()
    _, found = searched(task, compiled_before(task, config))
    shown = {tuple(tuple(sides[option]) for option in row) for row in found}
    assert len(shown) == len(found)
    assert shown == boards(puzzle)


@pytest.mark.parametrize(
    ("puzzle", "values"),
    [
        *(
            (random_board(5, 5, 5, seed=1), {"choice": choice, "patterns": "none", "seed": 7})
            for choice in CHOICES
        ),
        *((random_board(5, 5, 6, seed=2), {"shaving": limit}) for limit in ("2", "all")),
        (random_board(4, 5, 3, 1, 3), {"shaving": "3"}),
    ],
)
def test_larger_boards(puzzle: EdgePuzzle, values: dict[str, object]) -> None:
    """Pairs are chosen where no pattern occurs: scores to the last bit, random cells; shaving."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    assert check_like_twin(task, configured(**values)) > 10


def test_patterns_are_a_set() -> None:
    """In whatever order they are given; a pattern that does not exist is named."""
    with pytest.raises(ConfigError, match=re.escape("patterns has 'five'; ")):
        configured(patterns="four,five")
    assert configured(patterns="three,four,three") == configured(patterns="four,three")


WIDE = 1_000_000


@given(puzzle=laid_boards([(3, 3)]), config=configs())
@settings(max_examples=15)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """Its nodes and solutions are those of the twin, and again after descents.

    One kernel serves all: boards with inner cells, whose candidates are not ordered.
    """
    config = replace(config, contradiction=True, single_colours=False, value_order="given")
    task = build_task(puzzle, Request(Symmetry.ALL))
    assume(ColorPairSizes.of(zoned_board(task)).planes == 4)
    assert task.edges is not None
    twin = DescentsTwin(task.edges, config)
    estimator = ColorPair().tree_estimator(task, config, 1, WIDE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


CORNERS = [(0, 0, 1, 1)] * 4


def made(laid: Mapping[Position, Tile], left: Sequence[Tile], side: int) -> State:
    """A square board with tiles that show these sides, matching or not, and some tiles left."""
    tiles = [*laid.values(), *left]
    tiles += [(0, 0, 0, 0)] * (side * side - len(tiles))
    board = Board(edge_options(EdgePuzzle("made", side, side, tuple(tiles))))
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
    options = edge_options(random_board(4, 4, 3, seed))
    without, every = Twin(options, configured(**{rule: False})), Twin(options, ColorPairConfig())
    assert set(without.solutions) == set(every.solutions)
    assert without.fits.total() > every.fits.total()


def test_estimates_of_searches() -> None:
    """The tree has the solutions of a search, and about its nodes without backjumping."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    task = build_task(load("edges-5-b3i3-1"), request)
    (levels,) = ColorPair().tree_estimator(task, ColorPairConfig(), 1, 10**6).levels(1)
    search = ColorPair().prepare(task, ColorPairConfig(backjumping=False))
    while search.advance(Budget(work=10**9)) is None:
        search.take()
    assert levels[-1] == search.count == 98
    assert levels[:-1].sum() == pytest.approx(search.counters.nodes, rel=0.03)
