"""Tables that sort and filter, and charts that highlight a series."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.report_checks import UNFOLD
from dovetail.cli.main import run
from dovetail.harness.sizes import show_size
from dovetail.reports.numbers import ABSENT, show_rounded, show_seconds
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from dovetail.reports.table import Table, text_table

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.conftest import Opener

RECORDS = Path(__file__).parent / "records"
SHOWN: dict[str, Callable[[float], str]] = {
    "seconds": show_seconds,
    "rounded": show_rounded,
    "size": lambda value: show_size(int(value)),
}


def column(table: Locator, number: int) -> list[str]:
    """The texts of a column in the order in which they stand, of rows that are shown."""
    texts = "(rows, number) => rows.map(row => row.cells[number].innerText)"
    return list(table.locator("tbody tr:visible").evaluate_all(texts, number))


def page_of(table: Table) -> str:
    return page_html(Page("title", [Section("one", "One", [table])]))


def test_figures_sort_by_their_values(open_page: Opener) -> None:
    """With their units, ascending at the first click and descending at the second, none last."""
    lots = random.Random(1)
    ordered, columns = [], []
    for kind, show in SHOWN.items():
        values = [10 ** lots.uniform(0 if kind == "size" else -5, 10) for _ in range(40)]
        ordered.append([show(value) for value in sorted(values)])
        columns.append([ABSENT, *map(show, values), "refused"])
    rows = tuple((f"r{n}", *texts) for n, texts in enumerate(zip(*columns, strict=True)))
    page = open_page(page_of(text_table(("name", *SHOWN), rows)))
    table = page.locator("table")
    for number, (kind, texts) in enumerate(zip(SHOWN, ordered, strict=True), start=1):
        page.get_by_role("button", name=kind).click()
        assert column(table, number) == [*texts, ABSENT, "refused"]
        assert table.locator("th").nth(number).get_attribute("aria-sort") == "ascending"
        page.get_by_role("button", name=kind).click()
        assert column(table, number)[-2:] == [ABSENT, "refused"]
        assert column(table, number)[0] == texts[-1]
    page.get_by_role("button", name="name").click()
    assert column(table, 0) == [f"r{n}" for n in range(len(rows))]
    assert table.locator("th").nth(number).get_attribute("aria-sort") is None


def test_rows_are_filtered(open_page: Opener) -> None:
    """By all words that are typed, in any column; short tables have no box."""
    rows = tuple((f"puzzle {n}", "dlx" if n % 2 else "fila", str(n)) for n in range(20))
    page = open_page(page_of(text_table(("name", "solver", "n"), rows, words=2)))
    table, box = page.locator("table"), page.locator(".filter input")
    box.fill("DLX 1")
    expected = [f"puzzle {n}" for n in (1, 11, 13, 15, 17, 19)]
    assert column(table, 0) == expected
    assert page.locator(".filter span").inner_text() == "6 of 20"
    page.get_by_role("button", name="n", exact=True).click()
    page.get_by_role("button", name="n", exact=True).click()
    assert column(table, 0) == expected[::-1]
    box.fill("")
    assert len(column(table, 0)) == 20
    short = open_page(page_of(text_table(("name", "solver", "n"), rows[:5], words=2)))
    assert short.locator(".filter").count() == 0


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the quick suite."""
    page = tmp_path_factory.mktemp("report") / "report.html"
    assert run(["report", str(RECORDS / "quick.jsonl"), "-o", str(page)]) == 0
    return page


def test_a_solver_is_highlighted(open_page: Opener, report: Path) -> None:
    """In all charts its curve and marks alone keep their strength; a second click ends that."""
    page = open_page(report)
    page.evaluate(UNFOLD)
    figure = page.locator("#cactus figure").first
    button = figure.get_by_role("button", name="dlx")
    drawn = figure.locator("svg.chart [data-series]")
    dimmed = figure.locator("svg.chart .dimmed")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    series = button.get_attribute("data-series")
    own = figure.locator(f"svg.chart [data-series='{series}']")
    assert 0 < own.count() < drawn.count()
    assert dimmed.count() == drawn.count() - own.count()
    assert float(dimmed.first.evaluate("mark => getComputedStyle(mark).opacity")) < 0.3
    others = page.locator("#performance figure").first
    assert others.get_by_role("button", name="dlx").get_attribute("aria-pressed") == "true"
    own = others.locator(f"svg.chart [data-series='{series}']")
    drawn = others.locator("svg.chart [data-series]")
    assert others.locator("svg.chart .dimmed").count() == drawn.count() - own.count() > 0
    button.click()
    assert page.locator("svg.chart .dimmed").count() == 0


def test_the_contents_open_a_folded_section(open_page: Opener, report: Path) -> None:
    """And one that is within a folded one."""
    page = open_page(report)
    assert page.locator("#cactus figure").first.is_hidden()
    page.locator("nav[aria-label=contents] a[href='#cactus']").click()
    page.locator("#cactus figure").first.wait_for(state="visible")
    page.evaluate("location.hash = '#ranking-1'")
    page.locator("#ranking-1 table").first.wait_for(state="visible")
