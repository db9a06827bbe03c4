"""The contract in a child process: a backend that dies or hangs costs the check it was in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dovetail.backends.registry import backends, registry
from dovetail.errors import ConfigError
from dovetail.harness.contract.check_backend import check_backend
from dovetail.harness.contract.subject import Judgement
from dovetail.platform.process_tree import descendants

SOURCE = Path(__file__).parent
TESTS = SOURCE.parents[1]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broken backends, by their entry points, here and in child processes."""
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    points = [f"{name} = broken_backends:{name.capitalize()}" for name in ("dies", "hangs")]
    (metadata / "entry_points.txt").write_text("\n".join(["[dovetail.backends]", *points, ""]))
    folders = [str(tmp_path), str(SOURCE)]
    paths = [*folders, *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    for folder in folders:
        monkeypatch.syspath_prepend(folder)
    registry.cache_clear()
    yield
    registry.cache_clear()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "patience_s", "reason"),
    [
        ("dies", 60.0, "it ended with exit status 7"),
        ("hangs", 3.0, "it did not return within 3 s and was killed"),
    ],
)
def test_a_backend_that_is_lost(name: str, patience_s: float, reason: str) -> None:
    """The check has failed, those before and after it are as they are; no process is left."""
    verdicts = list(check_backend(name, ["one-way", "bounds", "empty"], patience_s))
    assert [verdict.check for verdict in verdicts] == ["one-way", "bounds", "empty"]
    ok, failed = Judgement.OK, Judgement.FAILED
    assert [verdict.judgement for verdict in verdicts] == [ok, failed, ok]
    assert verdicts[1].reason == reason
    assert descendants(os.getpid()) == []


@pytest.mark.usefixtures("installed")
def test_a_backend_that_is_lost_again_and_again() -> None:
    """It is given up, and what was not run is not passed."""
    verdicts = list(check_backend("dies", ["bounds", "bounds-and-colours", "bounds", "empty"]))
    assert [verdict.judgement for verdict in verdicts] == [*["failed"] * 3, "not-run"]
    assert all(verdict.is_wrong for verdict in verdicts)
    assert verdicts[-1].reason == "3 processes crashed or were killed before this check"


def test_one_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is run; the message has those that are."""
    with pytest.raises(ConfigError, match=r"unknown backend 'nosuch'; valid: .*dlx"):
        check_backend("nosuch")
    monkeypatch.setattr(type(backends()["xcover"]), "missing", lambda _: "xcover")
    with pytest.raises(ConfigError, match=r"needs xcover: .*; installed: .*dlx, domains"):
        check_backend("xcover")
