"""The kernel beside its twin: nodes by cells open, and the boards."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.colorpair.strategies import (
    CHOICES,
    PATTERNS,
    SHAVING,
    SMALL,
    compiled_before,
    configs,
    configured,
    tasks,
    tasks_and_configs,
)
from backends.colorpair.twin import Twin
from dovetail.backends.base import Budget, Search
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from oracle.brute_force import boards
from oracle.strategies import laid_boards

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
