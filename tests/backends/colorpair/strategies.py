"""Boards that the twin of `colorpair` can search, and switches, for hypothesis."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from backends.searches import fewer_options
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.tables import ColorPairSizes
from dovetail.backends.config import build_config
from dovetail.backends.shared.tiles import zoned_board
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
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
    return fewer_options(draw, build_task(puzzle, Request(Symmetry.ALL)))


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
