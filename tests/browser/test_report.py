"""The report of a bench, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.report_checks import (
    UNFOLD,
    check_report,
    downloaded,
    linked,
)
from dovetail.cli.main import run
from dovetail.harness.records.record_files import read_records
from dovetail.harness.suite.suite_file import read_suite

if TYPE_CHECKING:
    from browser.conftest import Opener

SUITES = Path(__file__).parents[2] / "suites"
FOLDER = Path(__file__).parent / "records"
RECORDS = {suite: FOLDER / f"{suite}.jsonl" for suite in ("quick", "fila-table1")}
RECORDED = {**RECORDS, "catalogue": FOLDER / "catalogue.jsonl"}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the records of two benches, of the quick suite and of a published table."""
    page = tmp_path_factory.mktemp("report") / "report.html"
    assert run(["report", *map(str, RECORDS.values()), "-o", str(page)]) == 0
    return page


@pytest.mark.parametrize("suite", RECORDED)
def test_the_records_are_of_the_suites(suite: str) -> None:
    """As they are now: whoever changes one records it anew (records/README.md)."""
    plan = read_suite(SUITES / f"{suite}.toml")
    plan = plan.only(["quick"]) if suite == "fila-table1" else plan
    recorded = read_records(RECORDED[suite])
    assert recorded.skipped == ()
    assert {record.job.digest for record in recorded.records} == set(plan.jobs)


def test_every_plot_is_there(open_page: Opener, report: Path) -> None:
    """On a phone in the dark: no part is missing, wider than the window or without a title."""
    page = open_page(report, width=360, scheme="dark")
    check_report(page)
    for part in ("cactus", "scatter", "performance", "questions", "profiles"):
        assert page.locator(f"#{part} figure svg").count() > 0
    for part in ("cactus", "scatter"):  # by time and by nodes
        assert page.locator(f"#{part} figure").count() == 2
    for part in ("disagreements", "overview", "published"):
        assert page.locator(f"#{part}").count() == 1


def test_figures_download_as_csv(open_page: Opener, report: Path) -> None:
    """Each link holds a head and rows as long as it; a click gives what the link holds."""
    page = open_page(report)
    page.evaluate(UNFOLD)
    links = page.locator("a[download]").all()
    assert len(links) >= 5
    assert downloaded(page, links[0]) == linked(links[0])
    for link in links:
        head, *rows = linked(link)
        assert rows
        assert all(head)
        assert {len(row) for row in rows} == {len(head)}
