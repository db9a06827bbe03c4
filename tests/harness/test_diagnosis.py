"""The doctor: what it finds in order, and what not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dovetail.backends.registry import backends
from dovetail.harness import diagnosis
from dovetail.harness.contract.checks import CHECKS, SELF_TEST
from dovetail.harness.contract.subject import CheckVerdict, Judgement
from dovetail.harness.diagnosis import backend_states, kernel_cache, self_test
from dovetail.jit import cache_directory


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


def test_a_file_that_is_renamed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has begun to write it; it is not counted."""
    directory = cache_directory()
    assert directory is not None
    (directory / "renamed").touch()
    is_file = Path.is_file

    def and_renamed(path: Path) -> bool:
        found = is_file(path)
        if path.name == "renamed":
            path.unlink()
        return found

    monkeypatch.setattr(Path, "is_file", and_renamed)
    assert kernel_cache().directory == directory


@pytest.fixture
def forgotten_cache() -> Iterator[None]:
    """The directory of the cache is found anew, in the test and after it."""
    cache_directory.cache_clear()
    yield
    cache_directory.cache_clear()


@pytest.mark.usefixtures("forgotten_cache")
def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported without a warning."""
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", "/proc/nowhere")
    assert kernel_cache().directory is None


@pytest.mark.usefixtures("forgotten_cache")
@pytest.mark.parametrize("named", ["", "~/cache"])
def test_a_home_folder(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands for the tilde; without one, no folder of this name is made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", named)
    with monkeypatch.context() as patch:
        patch.setattr(os.path, "expanduser", lambda path: path)  # as for an unknown user
        assert kernel_cache().directory is None
        assert not list(tmp_path.iterdir())
    cache_directory.cache_clear()
    home = tmp_path / "home"
    monkeypatch.setattr(os.path, "expanduser", lambda path: path.replace("~", str(home), 1))
    directory = kernel_cache().directory
    assert directory is not None
    assert directory.parent == home / (named[2:] or ".cache/dovetail")


def test_the_self_test_runs_what_each_backend_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The puzzles that it refuses are left out."""
    monkeypatch.setattr(
        diagnosis, "backend_states", lambda: {"dlx": None, "rows": None, "xcover": "not installed"}
    )
    verdicts = list(self_test())
    assert {verdict.judgement for verdict in verdicts} == {Judgement.OK}
    run = {
        name: [verdict.check for verdict in verdicts if verdict.backend == name]
        for name in ("dlx", "rows", "xcover")
    }
    assert run == {"dlx": list(SELF_TEST), "rows": ["edges", "listing"], "xcover": []}


def test_a_backend_that_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first refusal stands for all."""

    def refused(name: str, checks: Iterable[str]) -> Iterator[CheckVerdict]:
        for check in checks:
            yield CHECKS[check].judged(name, Judgement.REFUSED, f"it takes no {check}")

    monkeypatch.setattr(diagnosis, "backend_states", lambda: {"picky": None})
    monkeypatch.setattr(diagnosis, "check_backend", refused)
    (verdict,) = self_test()
    assert (verdict.is_wrong, verdict.reason) == (False, "it takes no packing")


@pytest.mark.usefixtures("forgotten_cache")
def test_stale_folders_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other versions beside the present one."""
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels-0").mkdir()
    assert (kernel_cache().kernels, kernel_cache().stale) == (0, 1)
