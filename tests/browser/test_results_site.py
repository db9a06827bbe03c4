"""The results site, walked by its links."""

from __future__ import annotations

import posixpath
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

import pytest

from browser.appearance import overflow
from cli.command import dovetail

if TYPE_CHECKING:
    from browser.conftest import Opener

RECORDS = Path(__file__).parent / "records"
QUICK = 16  # of its runs
HREFS = "[...document.links].map(link => link.href).filter(href => href.startsWith('file:'))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a published table and of the beginning of the quick suite."""
    folder, begun = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("runs") / "quick.jsonl"
    with (RECORDS / "quick.jsonl").open() as lines:
        begun.write_text("".join(islice(lines, QUICK)))
    done = dovetail("site", begun, RECORDS / "fila-table1.jsonl", "-o", folder)
    wrote = f"wrote {folder / 'index.html'}: 32 files, 21 records\n"
    assert (done.returncode, done.stderr) == (0, wrote)
    return folder


def test_every_page_is_reached_and_fits_a_phone(site: Path, open_page: Opener) -> None:
    """By links from the home page; none is broken, none complains, none is too wide."""
    page = open_page(site / "index.html", width=390, scheme="dark", within=site)
    waiting, reached = [page.url], set[str]()
    while waiting:
        address = waiting.pop()
        if address in reached:
            continue
        reached.add(address)
        path = site / posixpath.relpath(address, site.resolve().as_uri())
        assert path.is_file(), address
        if path.suffix == ".html":
            page.goto(address, wait_until="domcontentloaded")
            assert overflow(page) == 0, address
            waiting += [urldefrag(href).url for href in page.evaluate(HREFS)]
    assert len(reached) == sum(path.suffix != "" for path in site.rglob("*.*"))


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
