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
