"""The guide: every command and script in it does what the page says."""

from __future__ import annotations

import re
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


def test_pages_are_numbered_and_short() -> None:
    """None is longer than one reads at a sitting."""
    numbers = sorted(int(page.name.split("-")[0]) for page in PAGES)
    assert numbers == list(range(1, len(PAGES) + 1))
    assert all(len(page.read_text().splitlines()) <= 200 for page in PAGES)


def test_links_lead_somewhere() -> None:
    """Every relative link of the guide is a file."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).is_file(), (page.name, target)


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [("a 1\nb\n", "a …\nb\n", True), ("a 1\nc\n", "a …\nb\n", False), ("x\na\n", "a\n", False)],
)
def test_what_is_printed_is_compared(printed: str, expected: str, same: bool) -> None:
    """All of it, save what the page leaves open."""
    assert matches(printed, expected) == same
