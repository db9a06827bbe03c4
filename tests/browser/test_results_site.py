"""The results site, walked by its links."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.appearance import overflow
from dovetail.cli.main import run

if TYPE_CHECKING:
    from browser.conftest import Opener

RECORDS = Path(__file__).parent / "records"
QUICK = 16  # of its runs


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a published table and of the beginning of the quick suite."""
    folder, begun = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("runs") / "quick.jsonl"
    with (RECORDS / "quick.jsonl").open() as lines:
        begun.write_text("".join(islice(lines, QUICK)))
    assert run(["site", str(begun), str(RECORDS / "fila-table1.jsonl"), "-o", str(folder)]) == 0
    return folder


def test_a_page_of_each_kind_fits_a_phone(site: Path, open_page: Opener) -> None:
    """None complains, and none is too wide."""
    pages = {path.parent: path for path in sorted(site.rglob("*.html"))}
    assert len(pages) == 6
    page = open_page(site / "history.html", width=390, scheme="dark", within=site)
    for path in pages.values():
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        assert overflow(page) == 0, path


def test_a_leader_leads_to_its_results(site: Path, open_page: Opener) -> None:
    """A click on a solver opens what its settings came to, with the keyboard, too."""
    page = open_page(site / "index.html", within=site)
    leader = page.locator("#leaders tbody a[href*='#settings-']").first
    name = leader.inner_text()
    leader.focus()
    page.keyboard.press("Enter")
    part = page.locator("details:target")
    part.wait_for()
    assert part.get_by_role("heading").inner_text() == name
    part.locator("tbody a").first.click()
    page.locator("#machine-1-question-1 svg[role=img]").wait_for()
