"""Processes that are killed or stopped in the midst of a run with a checkpoint.

After going on, count, nodes and solutions are those of one search, and no process is left.
`python -m chaos.kills` has the long runs.
"""

from __future__ import annotations

import random
import uuid
from importlib.util import find_spec

import pytest

from chaos.cluster import Cluster
from chaos.disturbed_run import Place, disturbed
from chaos.machine import Machine
from chaos.search import Ending, Search, serial_ending

SEARCH = Search("bedlam-cube", "bitset")


@pytest.fixture(scope="module")
def expected() -> Ending:
    """What one process finds, in some seconds."""
    return serial_ending(SEARCH)


def disturb(expected: Ending, place: type[Place], seed: int, wanted: int) -> None:
    """Disturb a run; something must have been hit."""
    report = disturbed(SEARCH, expected, place(uuid.uuid4().hex, random.Random(seed)), wanted)
    assert report.wrong is None, report.ways
    assert report.ways


def test_on_one_machine(expected: Ending) -> None:
    """Two disturbances of workers and coordinators."""
    disturb(expected, Machine, 1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_on_one_machine_often(expected: Ending, seed: int) -> None:
    """Five each."""
    disturb(expected, Machine, seed, 5)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
@pytest.mark.parametrize("seed", range(5))
def test_on_a_cluster(expected: Ending, seed: int) -> None:
    """Three each."""
    disturb(expected, Cluster, seed, 3)
