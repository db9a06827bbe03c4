"""The limit on memory that holds where nobody asked for one."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from dovetail.backends.dlx.backend import Dlx
from dovetail.errors import LimitError
from dovetail.harness import memory_limit
from dovetail.harness.draw import draw
from dovetail.harness.events import Finished
from dovetail.harness.execution import execute
from dovetail.harness.isolation import execute_isolated
from dovetail.harness.job import Job, Limits
from dovetail.harness.memory import machine_bytes, resident_bytes
from dovetail.harness.memory_limit import MEMORY_REASON, MemoryLimit, data_limited
from dovetail.harness.run import finish
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load

MIB = 2**20
NAMED = "the default limit is 100 MiB: a third of the machine's memory, or what is left of it"


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which a run may take 100 MiB."""
    monkeypatch.setattr(memory_limit, "machine_bytes", lambda: 300 * MIB)


@pytest.mark.parametrize(("available", "share"), [(250, 100), (60, 60), (None, 100)])
def test_the_default_is_a_share(
    available: int | None, share: int, small_machine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third of the machine's memory, or what is left of it."""
    left = None if available is None else available * MIB
    monkeypatch.setattr(memory_limit, "available_bytes", lambda: left)
    limit = MemoryLimit(None)
    assert limit.bytes == share * MIB
    here = resident_bytes() or 0
    assert abs(limit.in_this_process - here - share * MIB) < MIB  # what is held already is free
    assert MemoryLimit(here + 5 * MIB).room_bytes <= 5 * MIB


def test_the_machine_has_memory() -> None:
    """Between 100 MiB and 100 TiB."""
    assert 100 * MIB < machine_bytes() < 100 * 2**40


def test_only_a_default_is_named(small_machine: None) -> None:
    """Whoever asked for a limit knows it."""
    assert MemoryLimit(5).explained() == MEMORY_REASON
    assert MemoryLimit(5).explained("why") == "why"
    assert NAMED in MemoryLimit(None).explained("why")


def test_allocations_fail_within() -> None:
    """And behind it the process is as it was."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with data_limited(MemoryLimit(None).data_bound()):
        np.zeros(50 * MIB, dtype=np.uint8)
    bound = MemoryLimit((resident_bytes() or 0) + 20 * MIB).data_bound()
    with pytest.raises(MemoryError), data_limited(bound):
        np.zeros(500 * MIB, dtype=np.uint8)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    np.zeros(500 * MIB, dtype=np.uint8)


def test_frontiers_are_refused(small_machine: None) -> None:
    """Before they take more, with the default named."""
    finished = finish(execute(Job(load("pentominoes-3x4x5"), backend="frontier")))
    assert finished.status == Status.MEMORY_LIMIT
    assert (finished.reason or "").startswith("more than ")
    assert NAMED in (finished.reason or "")
    assert finished.prepare_s > 0


def test_preparing_is_limited_too(small_machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends in order, and the process can take memory again."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    monkeypatch.setattr(Dlx, "prepare", lambda *_: np.zeros(200 * MIB, dtype=np.uint8))
    *_, last = execute(Job(load("queens-6"), backend="dlx"))
    assert isinstance(last, Finished)
    assert (last.status, last.count) == (Status.MEMORY_LIMIT, None)
    assert last.reason == MemoryLimit(None).explained()
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    np.zeros(200 * MIB, dtype=np.uint8)


def test_drawing_is_limited_too(small_machine: None) -> None:
    """The error names the default."""
    with pytest.raises(LimitError, match="the default limit is 100 MiB"):
        next(draw(Job(load("pentominoes-3x4x5"), backend="frontier"), 1))


@pytest.mark.usefixtures("rude_backend")
def test_a_child_is_watched(small_machine: None) -> None:
    """With all that it holds, and killed where it takes more."""
    job = Job(load("queens-6"), backend="rude", config={"how": "allocate"})
    finished = finish(execute_isolated(job))
    assert finished.status == Status.MEMORY_LIMIT
    assert NAMED in (finished.reason or "")


def test_a_limit_of_ones_own_comes_first(small_machine: None) -> None:
    """Also where it is more than the default."""
    limits = Limits(memory_bytes=2**31)
    job = Job(load("pentominoes-6x10"), backend="frontier", limits=limits)
    assert finish(execute_isolated(job)).count == 2339
