"""The doctor: what it finds in order, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.backends.registry import backends
from dovetail.harness import diagnosis
from dovetail.harness.diagnosis import SELF_TEST, backend_states, kernel_cache, self_test
from dovetail.harness.events import ended
from dovetail.models.outcome import Status


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
    """It is told without a warning."""
    import dovetail.jit

    monkeypatch.setenv("DOVETAIL_CACHE_DIR", "/proc/nowhere")
    dovetail.jit.cache_directory.cache_clear()
    try:
        assert kernel_cache().directory is None
    finally:
        dovetail.jit.cache_directory.cache_clear()


def test_the_self_test_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well with the right counts; with a wrong one every backend is found out."""
    monkeypatch.setattr(diagnosis, "SELF_TEST", {"queens-6": SELF_TEST["queens-6"]})
    tests = list(self_test())
    assert {test.backend for test in tests} >= {"dlx"}
    assert [test.problem for test in tests] == [None] * len(tests)
    monkeypatch.setattr(diagnosis, "SELF_TEST", {"queens-6": 5})
    found = {test.problem for test in self_test() if test.refusal is None}
    assert found == {"4 solutions, 4 verified; expected 5"}


def test_a_refused_self_test_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason; it is no problem."""
    refused = ended(Status.SKIPPED, "it has no colours")
    monkeypatch.setattr(diagnosis, "backend_states", lambda: {"xcover": None})
    monkeypatch.setattr(diagnosis, "execute_isolated", lambda job: iter([refused]))
    tests = list(self_test())
    assert [test.puzzle for test in tests] == list(SELF_TEST)
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
