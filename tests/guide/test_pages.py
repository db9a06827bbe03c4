"""The guide: every command and script in it does what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from guide.pages import matches, run_page

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "guide").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From top to bottom, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    if "$ cc " in page.read_text() and shutil.which("cc") is None:
        pytest.skip("there is no compiler for C")
    assert run_page(page, tmp_path) >= 3


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [("a 1\nb\n", "a …\nb\n", True), ("a 1\nc\n", "a …\nb\n", False), ("x\na\n", "a\n", False)],
)
def test_what_is_printed_is_compared(printed: str, expected: str, same: bool) -> None:
    """All of it, save what the page leaves open."""
    assert matches(printed, expected) == same
