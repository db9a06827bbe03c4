"""Runs that begin with an empty cache of compiled kernels."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.harness.run.events import Started
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.workers.isolation import (
    CACHE_VARIABLES,
    PREFIX,
    environment_of,
    execute_isolated,
)
from dovetail.harness.workers.launch import finish, run
from dovetail.jit import CODE_SUFFIX
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

WARM = Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "rows")  # the least to compile
COLD = replace(WARM, cold_start=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def caches(folder: Path) -> list[Path]:
    """The caches in the folder."""
    return list(folder.glob(f"{PREFIX}*"))


def test_a_cache_for_each_run(folder: Path) -> None:
    """Empty at its start, and gone at its end; other runs have that of the user."""
    with environment_of(COLD) as first, environment_of(COLD) as second, environment_of(WARM) as own:
        assert own == {}
        assert tuple(first) == tuple(second) == CACHE_VARIABLES
        (one,), (other,) = set(first.values()), set(second.values())
        assert {Path(one), Path(other)} == set(caches(folder))
        assert one != other
        assert not any(list(cache.iterdir()) for cache in caches(folder))
        (caches(folder)[0] / "kernels").mkdir()
    assert caches(folder) == []


def test_compiling_is_warm_up(folder: Path) -> None:
    """The child compiles into its own cache, which takes longer than to load from the user's."""
    finish(execute_isolated(WARM))  # the user's may have been empty until now
    warm = finish(execute_isolated(WARM))
    compiled = 0
    events = []
    for event in run(COLD):
        events.append(event)
        if isinstance(event, Started):
            compiled = max(
                compiled, len(list(folder.glob(f"{PREFIX}*/kernels-*/**/*{CODE_SUFFIX}")))
            )
    cold = finish(iter(events))
    assert compiled > 0
    assert caches(folder) == []
    assert cold.answer == warm.answer
    assert cold.warm_up_s is not None
    assert warm.warm_up_s is not None
    assert cold.warm_up_s > warm.warm_up_s


def test_an_end_before_the_end(folder: Path) -> None:
    """An interruption, an iterator that is closed: nothing is left."""
    interruption = Interruption()
    interruption.request()
    assert finish(execute_isolated(COLD, interruption)).status == Status.INTERRUPTED
    events = execute_isolated(replace(COLD, backend="constraint"))
    next(events)
    assert len(caches(folder)) == 1
    events.close()  # type: ignore[attr-defined]
    assert caches(folder) == []


def test_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run has failed, with the reason."""
    monkeypatch.setattr(tempfile, "tempdir", "/proc/nowhere")
    finished = finish(execute_isolated(COLD))
    assert finished.status == Status.FAILED
    assert finished.reason == "a process could not be started (No such file or directory)"
