"""The suites that come with dovetail."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.harness.suite.suite_file import bundled_suites, load_suite

TINY = 'name = "tiny"\n[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n'


def test_each_has_its_name_and_a_summary() -> None:
    """What lists show is what files say."""
    names = list(bundled_suites())
    assert names == sorted(names)
    assert {"quick", "edges", "catalogue"} <= set(names)
    for name in names:
        plan = load_suite(name)
        assert plan.name == name
        assert plan.about
        assert "\n" not in plan.about


def test_a_file_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one of a puzzle does; a folder is no file."""
    monkeypatch.chdir(tmp_path)
    Path("edges").mkdir()
    assert load_suite("edges").name == "edges"
    Path("quick").write_text(TINY)
    assert load_suite("quick").name == load_suite(tmp_path / "quick").name == "tiny"
