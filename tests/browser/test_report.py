"""The report of a bench, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from browser.report_checks import (
    UNFOLD,
    check_report,
    choose_another,
    downloaded,
    linked,
    places_of_marks,
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
PARTS = {
    "disagreements",
    "overview",
    "cactus",
    "scatter",
    "performance",
    "questions",
    "profiles",
    "published",
}


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


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1000, "light")])
def test_every_plot_is_there(
    open_page: Opener, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    """On a phone and on a screen, in both schemes."""
    page = open_page(report, width=width, scheme=scheme)
    check_report(page)
    there = page.locator("section, details").evaluate_all("parts => parts.map(part => part.id)")
    assert set(there) >= PARTS
    for part in ("cactus", "scatter", "performance", "questions", "profiles"):
        assert page.locator(f"#{part} figure svg").count() > 0
    for part in ("cactus", "scatter"):  # by time and by nodes
        assert page.locator(f"#{part} figure").count() == 2


def test_schemes_differ(open_page: Opener, report: Path) -> None:
    """In paper and in ink."""
    colours = "(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))"
    light = open_page(report, scheme="light").evaluate(colours)
    dark = open_page(report, scheme="dark").evaluate(colours)
    assert light[0] != dark[0]
    assert light[1] != dark[1]


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


def test_another_pair_of_solvers(open_page: Opener, report: Path) -> None:
    """The boxes move the marks and name the solver; print has no boxes."""
    page = open_page(report)
    page.evaluate(UNFOLD)
    figure = page.locator("figure:has(select)").first
    before = places_of_marks(figure)
    name = choose_another(figure)
    assert places_of_marks(figure) != before
    assert name in (figure.locator("svg").text_content() or "")
    page.emulate_media(media="print")
    assert figure.locator("select").first.is_hidden()
    assert figure.locator("svg").is_visible()
