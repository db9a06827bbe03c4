"""The report, pages of the results site and the viewer: axe-core finds nothing serious."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from browser.accessibility import findings, with_axe
from browser.test_viewer import small_page
from dovetail.cli.main import run

if TYPE_CHECKING:
    from browser.conftest import Opener

RECORDS = Path(__file__).parent / "records"
QUICK = 16  # of its runs


@with_axe
def test_written_pages(open_page: Opener, tmp_path: Path) -> None:
    """Of the beginning of a suite and of a published table."""
    report, viewer, site = tmp_path / "report.html", tmp_path / "viewer.html", tmp_path / "site"
    quick, table = tmp_path / "quick.jsonl", RECORDS / "fila-table1.jsonl"
    with (RECORDS / quick.name).open() as lines:
        quick.write_text("".join(islice(lines, QUICK)))
    assert run(["report", str(quick), str(table), "-o", str(report)]) == 0
    assert run(["site", str(quick), str(table), "-o", str(site)]) == 0
    viewer.write_text(small_page(), encoding="utf-8")
    pages = {path.parent: path for path in sorted(site.rglob("*.html"), reverse=True)}
    page = open_page(report, within=tmp_path)
    found = list[object]()
    for path in (report, viewer, *pages.values()):
        page.goto(path.as_uri())
        found += ([path.name, *finding] for finding in findings(page))
    assert found == []
