"""Processes that are killed or stopped in the midst of a run with a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaos.kills import Case, disturbed, serial_case


@pytest.fixture(scope="module")
def case() -> Case:
    """A search of a second, whose solutions are listed."""
    return serial_case("pentominoes-6x10", "dlx")


@pytest.mark.parametrize("seed", [1])
def test_nothing_is_lost_or_doubled(case: Case, seed: int, tmp_path: Path) -> None:
    """After going on, count, nodes and solutions are those of one search; no process is left.

    `python -m chaos.kills 200` is the long run.
    """
    chaos = disturbed(case, seed, tmp_path, 2)
    assert chaos.wrong is None, chaos.ways


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_disturbances(case: Case, seed: int, tmp_path: Path) -> None:
    """Two each."""
    chaos = disturbed(case, seed, tmp_path, 2)
    assert chaos.wrong is None, chaos.ways
