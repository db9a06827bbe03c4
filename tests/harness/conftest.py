"""What the harness's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dovetail.harness.workers.watched_run import IDLE_PROCESS

ENTRY_POINT = "[dovetail.backends]\nrude = rude_backend:Rude\n"


@pytest.fixture(autouse=True)
def nothing_waits() -> None:
    """No child of an earlier test waits for another call of the API."""
    IDLE_PROCESS.end()


@pytest.fixture
def rude_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes started from here have one backend more, which misbehaves as its config asks."""
    installed = tmp_path / "rude-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: rude\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(ENTRY_POINT)
    source = Path(__file__).parent / "rude"
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(filter(None, [str(tmp_path), str(source), *before]))
    monkeypatch.setenv("PYTHONPATH", path)
