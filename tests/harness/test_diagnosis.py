"""The doctor: what it finds in order, and what not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.registry import backends
from dovetail.harness import diagnosis
from dovetail.harness.diagnosis import (
    backend_states,
    kernel_cache,
    self_test,
    self_test_questions,
)
from dovetail.harness.execution.execute import execute
from dovetail.harness.run.events import ended
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from oracle.brute_force import boards, covers


def test_every_backend_has_a_state() -> None:
    """Ready, or what it needs."""
    assert set(backend_states()) == set(backends())
    assert backend_states()["dlx"] is None


def test_the_kernel_cache() -> None:
    """The tests have compiled something by now."""
    cache = kernel_cache()
    assert cache.directory is not None
    assert cache.kernels > 0
    assert cache.size_bytes > 0


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported without a warning."""
    import dovetail.jit

    monkeypatch.setenv("DOVETAIL_CACHE_DIR", "/proc/nowhere")
    dovetail.jit.cache_directory.cache_clear()
    try:
        assert kernel_cache().directory is None
    finally:
        dovetail.jit.cache_directory.cache_clear()


def test_what_the_self_test_expects() -> None:
    """Brute force has it so; every kind of item is among what is asked."""
    counted = {}
    for puzzle, expected in self_test_questions():
        match puzzle:
            case CoverProblem():
                found = len(covers(puzzle)) if puzzle.option_count < 10 else expected
            case EdgePuzzle():
                found = len(boards(puzzle))
            case PackingPuzzle():
                found = expected
        counted[puzzle.name] = (found, expected)
    assert {"colours", "multiplicities"} <= set(counted)
    assert all(found == expected for found, expected in counted.values())


def test_the_self_test_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well with the right counts; with a wrong one every backend is found out."""
    monkeypatch.setattr(diagnosis, "backend_states", lambda: dict.fromkeys(["dlx", "cpsat"]))
    queens = load("queens-6")
    monkeypatch.setattr(diagnosis, "self_test_questions", lambda: [(queens, 4)])
    tests = list(self_test())
    assert [test.backend for test in tests] == ["dlx", "cpsat"]
    assert [test.problem for test in tests] == [None] * len(tests)
    monkeypatch.setattr(diagnosis, "self_test_questions", lambda: [(queens, 5)])
    found = {test.problem for test in self_test() if test.refusal is None}
    assert found == {"counted 4, verified 4; expected 5"}


class Careless(Dlx):
    """Takes every cover problem, and leaves out a part of what it says."""

    name = "careless"

    def __init__(self, changed: Callable[[CoverProblem], CoverProblem]) -> None:
        self._changed = changed

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if isinstance(task.puzzle, CoverProblem):
            task = build_task(self._changed(task.puzzle), task.request)
        return super().prepare(task, config)


def without_secondary_items(cover: CoverProblem) -> CoverProblem:
    """The same primary items and options."""
    primary = cover.item < cover.primary_count
    sizes = np.add.reduceat(primary, cover.start[:-1], dtype=np.int64)
    return replace(
        cover,
        item_names=cover.item_names[: cover.primary_count],
        start=np.concatenate([[0], np.cumsum(sizes)]),
        item=cover.item[primary],
        colour=cover.colour[primary],
    )


def without_colours(cover: CoverProblem) -> CoverProblem:
    """Each coloured item may be used once only."""
    return replace(cover, colour=np.zeros_like(cover.colour))


def covered_once(cover: CoverProblem) -> CoverProblem:
    """Each primary item."""
    ones = np.ones_like(cover.lower)
    return replace(cover, lower=ones, upper=ones)


@pytest.mark.parametrize(
    ("ignores", "caught_by"),
    [
        (without_secondary_items, {"queens-6", "colours"}),
        (without_colours, {"colours"}),
        (covered_once, {"multiplicities"}),
    ],
)
def test_careless_backends_are_found(
    ignores: Callable[[CoverProblem], CoverProblem],
    caught_by: set[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the puzzles in which it matters, and by no others."""
    monkeypatch.setitem(backends(), "careless", Careless(ignores))
    monkeypatch.setattr(diagnosis, "backend_states", lambda: {"careless": None})
    monkeypatch.setattr(diagnosis, "execute_isolated", execute)
    assert {test.puzzle for test in self_test() if test.problem is not None} == caught_by


def test_a_refused_self_test_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason; it is no problem."""
    refused = ended(Status.SKIPPED, "it has no colours")
    monkeypatch.setattr(diagnosis, "backend_states", lambda: {"xcover": None})
    monkeypatch.setattr(diagnosis, "execute_isolated", lambda job: iter([refused]))
    tests = list(self_test())
    assert [test.puzzle for test in tests] == [puzzle.name for puzzle, _ in self_test_questions()]
    assert {(test.problem, test.refusal) for test in tests} == {(None, "it has no colours")}


def test_stale_folders_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other versions beside the present one."""
    import dovetail.jit

    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels-0").mkdir()
    dovetail.jit.cache_directory.cache_clear()
    try:
        assert (kernel_cache().kernels, kernel_cache().stale) == (0, 1)
    finally:
        dovetail.jit.cache_directory.cache_clear()
