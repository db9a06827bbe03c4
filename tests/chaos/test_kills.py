"""Processes that are killed or stopped in the midst of a run with a checkpoint.

After going on, count, nodes and solutions are those of one search, and no process is left.
`python -m chaos.kills` has the long runs.
"""

from __future__ import annotations

import random
import uuid
from functools import cache
from importlib.util import find_spec

import pytest

from chaos.cluster import Cluster
from chaos.disturbed_run import Place, disturbed
from chaos.machine import Machine
from chaos.search import Ending, Search, serial_ending

# Searches that can be cut anywhere, of some seconds and of a minute, and a search that is divided
# at the start, where each part makes a new table.
CUT, LONG = Search("pentominoes-6x10", "dlx"), Search("edges-6-b3i4-1", "rows")
DIVIDED = Search("pentominoes-6x10", "zdd", lists=False)


class QuickCluster(Cluster):
    """A cluster for a search of some seconds, whose sub-problems are short."""

    moments_s = 1.0, 2.0


@cache
def expected(search: Search) -> Ending:
    """What one process finds, in some seconds."""
    return serial_ending(search)


def disturb(search: Search, place: type[Place], seed: int, wanted: int) -> None:
    """Disturb a run; every disturbance must have hit something."""
    started = place(uuid.uuid4().hex, random.Random(seed))
    report = disturbed(search, expected(search), started, wanted)
    assert report.wrong is None, report.ways
    assert len(report.ways) == wanted


def test_on_one_machine() -> None:
    """Workers, supervisors and coordinators, a full disk, each once."""
    disturb(CUT, Machine, 1, len(Machine.ways))


@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
def test_on_one_cluster() -> None:
    """Dask workers, nannies, the scheduler and the coordinator."""
    disturb(CUT, QuickCluster, 1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("search", [LONG, DIVIDED], ids=str)
@pytest.mark.parametrize("seed", range(100, 110))
def test_on_one_machine_often(search: Search, seed: int) -> None:
    """Five each."""
    disturb(search, Machine, seed, 5)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
@pytest.mark.parametrize("seed", range(5))
def test_on_a_cluster(seed: int) -> None:
    """Three each."""
    disturb(LONG, Cluster, seed, 3)
