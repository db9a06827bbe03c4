"""`repair` with each of its refills: no board is lost, and slices change nothing."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dovetail.backends.base import Budget
from dovetail.errors import ConfigError
from dovetail.improvers.repair.improver import (
    DESTROY,
    RefillName,
    Repair,
    RepairConfig,
    window_sizes,
)
from dovetail.improvers.shared.board import score
from improvers.repair.boards import filled


@pytest.mark.parametrize("refill", get_args(RefillName))
def test_repairs(refill: RefillName) -> None:
    """From a board filled greedily to a better one, the same whatever the slices."""
    by_cpsat = refill == "cpsat"
    if by_cpsat:
        pytest.importorskip("ortools")
    board, placed = filled(6, 6, 1, hints=2)
    config = RepairConfig(tuple(DESTROY), refill, cells=6 if by_cpsat else 0, width=16)
    found = []
    for work in (300, 5_000):
        search = Repair().begin(board, config, 1, placed)
        while search.counters["repairs"] < 8:
            assert search.advance(Budget(work))
        while not by_cpsat and search.nodes < 9_000:
            search.advance(Budget(min(work, 9_000 - search.nodes)))
        assert search.score == score(board, search.best) > score(board, placed)
        found.append((search.nodes, search.score, search.best.tolist()))
    assert found[0] == found[1]


def test_sizes_of_windows() -> None:
    """As set, or as suits the refill; never more than the cells without hints."""
    assert window_sizes(RepairConfig(cells=10), 200) == (6, 10)
    assert window_sizes(RepairConfig(), 200) == (48, 80)
    assert window_sizes(RepairConfig(refill="assignment"), 20) == (12, 20)
    assert window_sizes(RepairConfig(cells=1), 20) == (1, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"destroy": ("rectangel",)}, "did you mean 'rectangle'"),
        ({"destroy": ()}, "destroy is empty; expected some of"),
        ({"width": 0}, "width is 0; expected a whole number of 1 or more"),
        ({"cells": -1}, "cells is -1; expected a whole number of 0 or more"),
        ({"cells": 65, "refill": "exact"}, "exact fills 64 at most"),
        ({"noise": -0.1}, "noise is -0.1; expected a number from 0 to 1,000"),
        ({"temperature": -1.0}, "temperature is -1.0; expected a number of 0 or more"),
    ],
)
def test_settings_that_cannot_be_used(values: dict[str, Any], message: str) -> None:
    """Errors name the valid ones."""
    with pytest.raises(ConfigError, match=message):
        RepairConfig(**values)
