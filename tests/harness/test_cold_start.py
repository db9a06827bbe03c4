"""Runs that begin with an empty cache of compiled kernels."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Progress
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import finish, run
from dovetail.harness.workers.watched_run import run_watched
from dovetail.jit import CODE_SUFFIX
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.platform.processes import PREFIX
from dovetail.puzzles.loading import load
from harness.known import known

WARM = Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "rows")  # the least to compile
LONG = replace(WARM, puzzle=load("edges-12-9-1"))
COLD = replace(WARM, cold_start=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def caches(folder: Path) -> list[Path]:
    """The folders of processes, which hold the caches of cold starts."""
    return list(folder.glob(f"{PREFIX}*"))


def test_a_cache_for_each_run(folder: Path) -> None:
    """A cold start compiles into the folder of its process; a warm start does not."""
    for cold, compiled in ((True, True), (True, True), (False, False)):
        events = run_watched(replace(LONG, cold_start=cold))
        next(event for event in events if isinstance(event, Progress))
        assert any(folder.glob(f"{PREFIX}*/kernels-*/**/*{CODE_SUFFIX}")) == compiled
        events.close()  # type: ignore[attr-defined]
        assert caches(folder) == []


def test_compiling_is_warm_up(folder: Path) -> None:
    """It takes longer than to load kernels from the user's cache."""
    finish(run_watched(WARM))  # the user's may have been empty until now
    warm, cold = finish(run_watched(WARM)), finish(run(COLD))
    assert caches(folder) == []
    assert cold.answer == warm.answer
    assert known(cold.warm_up_s) > known(warm.warm_up_s)


def test_an_end_before_the_end(folder: Path) -> None:
    """An interruption, an iterator that is closed: nothing is left."""
    interruption = Interruption()
    interruption.request()
    assert finish(run_watched(COLD, interruption)).status == Status.INTERRUPTED
    events = run_watched(replace(COLD, backend="constraint"))
    next(events)
    assert len(caches(folder)) == 1
    events.close()  # type: ignore[attr-defined]
    assert caches(folder) == []


def test_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run has failed, with the reason."""
    monkeypatch.setattr(tempfile, "tempdir", "/proc/nowhere")
    finished = finish(run_watched(COLD))
    assert finished.status == Status.FAILED
    assert finished.reason == "a process could not be started (No such file or directory)"
