"""Tiny boards, boards of one colour, and settings and times at their ends: no warning of numpy."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import pytest

from dovetail.api import improve
from dovetail.backends.base import Budget
from dovetail.errors import BackendError, ConfigError
from dovetail.improvers.registry import improver_config, improver_named
from dovetail.improvers.shared.board import board_arrays
from dovetail.models.edges import EdgePuzzle, Tile

SIZES = [(1, 1), (1, 3), (2, 2), (4, 4)]
SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("beam", {}),
    ("beam", {"weight": 1000.0, "softness": 1000.0}),
    ("beam", {"weight": 5e-324, "softness": 5e-324}),
    ("breaks", {}),
    ("breaks", {"boards": 1.7e308}),
    ("breaks", {"boards": 5e-324, "restart_nodes": 1}),
    ("repair", {"temperature": 1.7e308}),
    ("repair", {"temperature": 5e-324, "refill": "greedy", "noise": 1000.0}),
    ("portfolio", {}),
]


def board(width: int, height: int, *, matching: bool) -> EdgePuzzle:
    """A board of one inner colour, or of as many as there are sides, so that none match."""
    colours = iter(range(1, 5 * width * height))

    def colour(on_frame: bool) -> int:
        return 0 if on_frame else 1 if matching else next(colours)

    tiles: list[Tile] = [
        (colour(y == height - 1), colour(x == width - 1), colour(y == 0), colour(x == 0))
        for x in range(width)
        for y in range(height)
    ]
    return EdgePuzzle(f"{width} x {height}", width, height, tuple(tiles))


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
@pytest.mark.parametrize("matching", [True, False])
def test_no_number_overflows(name: str, settings: dict[str, object], matching: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for size in SIZES:
            puzzle = board(*size, matching=matching)
            try:
                result = improve(puzzle, name, config=settings, time_limit=0.05)
            except BackendError:
                assert name == "breaks"
                assert 1 in size
            else:
                assert result.best is not None
                assert result.best.score <= result.best.bound


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"weight": 1e308}, "weight is 1e+308; expected a number from 0 to 1,000"),
        ({"softness": 0.0}, "softness is 0.0; expected a number above 0 to 1,000"),
    ],
)
def test_weights_have_bounds(settings: dict[str, object], expected: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(expected)):
        improve(board(2, 2, matching=False), "beam", config=settings)


def test_beams_have_a_width_for_any_time() -> None:
    improver, arrays = improver_named("beam"), board_arrays(board(3, 3, matching=False))
    search = improver.begin(arrays, improver_config("beam", {}), 1, None)
    budget = Budget(10_000, seconds=1.7e308)
    while search.counters["beams"] < 3:
        search.advance(budget)
    search.advance(replace(budget, seconds=5e-324))
