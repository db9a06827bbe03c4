"""Boards that the twin of `colorpair` can search, and switches, for hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import strategies as st

from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.tables import ColorPairSizes
from dovetail.backends.config import build_config
from dovetail.backends.shared.tiles import zoned_board
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.options.edges import edge_options
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from oracle.strategies import signed_twin

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
def puzzles(draw: st.DrawFn, sizes: Sequence[tuple[int, int]] = SIZES) -> EdgePuzzle:
    """Boards of few colours, with identical tiles and several solutions, some signed or hinted."""
    width, height = draw(st.sampled_from(sizes))
    fewest = 2 if width * height > 9 else 1
    colours = draw(st.integers(fewest, fewest + 2))
    board = random_board(width, height, colours, draw(st.integers(0, 10**6)))
    if draw(st.booleans()) and width * height <= 12:
        board = signed_twin(board, draw(st.integers(0, 10**6)))
    options = edge_options(board)
    hints = list[Hint]()
    for place in draw(st.lists(st.integers(0, options.option_count - 1), max_size=2)):
        hint = Hint(*options.placed(place))
        if all((hint.x, hint.y) != (one.x, one.y) and hint.tile != one.tile for one in hints):
            hints.append(hint)
    return replace(board, hints=tuple(hints))


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A tile restricted, or options missing anywhere, or all of them there."""
    puzzle = draw(puzzles())
    match draw(st.sampled_from(["whole", "restricted", "fewer"])):
        case "restricted":
            reductions = (Reduction.parse("redundancy"),)
            return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reductions))
        case "fewer":
            task, random = (
                build_task(puzzle, Request(Symmetry.ALL)),
                Random(draw(st.integers(0, 99))),
            )
            assert task.edges is not None
            kept = [o for o in range(task.edges.option_count) if random.random() < 0.9]
            return replace(task, options=task.edges.subset(np.array(kept, dtype=np.int64)))
        case _:
            return build_task(puzzle, Request(Symmetry.ALL))


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
