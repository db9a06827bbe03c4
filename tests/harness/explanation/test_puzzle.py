"""What is said of puzzles of every kind before any search."""

from __future__ import annotations

import pytest

from dovetail.backends.registry import backends
from dovetail.harness.explanation import explain
from dovetail.puzzles.loading import load
from harness.known import known


@pytest.mark.parametrize(
    ("name", "sizes", "unique"),
    [
        ("edges-4x5-b3i4-1", {"columns": 5, "rows": 4, "tiles": 20, "options": 260}, 2),
        ("queens-8", {"primary items": 16, "secondary items": 30, "options": 64}, 8),
    ],
)
def test_boards_and_covers(name: str, sizes: dict[str, int], unique: int) -> None:
    """Sizes, symmetries, and who refuses."""
    explained = explain(load(name))
    assert explained.sizes == sizes
    assert explained.symmetries["unique"] == unique
    assert explained.packing is None
    assert (explained.edges is None) == name.startswith("queens")
    assert [stand.backend for stand in explained.backends] == list(backends())
    refusals = {stand.backend: stand.refusal for stand in explained.backends}
    assert (refusals["dlx"], refusals["fila"]) == (None, "it supports packing puzzles only")


def test_backends_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not asked."""
    monkeypatch.setattr(type(backends()["cpsat"]), "missing", lambda _: "ortools")
    stand = next(s for s in explain(load("queens-6")).backends if s.backend == "cpsat")
    assert stand.refusal is None
    assert known(stand.missing).startswith("backend cpsat needs ortools")
