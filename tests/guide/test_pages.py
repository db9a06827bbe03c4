"""The guide: every command and script in it does what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from guide.pages import run_page

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
