"""Pages on paper, on a phone, and as they are read aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser.appearance import FRAMES
from dovetail.reports.charts.chart import Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import STEPS
from dovetail.reports.numbers import show_rounded
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from dovetail.reports.table import text_table
from reports.charts.pairs import scatter_of

if TYPE_CHECKING:
    from browser.conftest import Opener

PAPER = 718  # the width of A4 in pixels, without margins of 1 cm
COLUMNS = ("backend", "solutions", "nodes", "attempts", *"abcdefg")
FIGURES = ("≥ 8,387,259", "8,387,259", "24,378,343", *["11.5 ms"] * 3, "149 MiB", *["12.3"] * 3)
NAME = "frontier (redundancy=no, first-piece=X) up to reflections"
ROWS = ((NAME, *FIGURES), ("dlx", *FIGURES))
TEXTS = """svg => [...svg.querySelectorAll("text")].map(text => {
  const frame = svg.getBoundingClientRect(), box = text.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a;
  const inside = box.left >= frame.left && box.right <= frame.right
    && box.top >= frame.top && box.bottom <= frame.bottom;
  return [text.textContent, size, inside];
})"""
UNSHOWN = """nodes => nodes.filter(node => !node.checkVisibility()
  || !node.getBoundingClientRect().height).length"""


def page_text() -> str:
    """Charts, and tables folded once and twice."""
    axis = logarithmic_axis("nodes, of all questions", [1, 1000], show_rounded)
    curve = Series("one", 0, (Point(10, 1, name="a"),))
    steps = Chart("S", "", axis, axis, (curve,), STEPS)
    table = text_table(COLUMNS, ROWS, marked=lambda row: row is ROWS[1])
    folded = text_table(COLUMNS, ROWS, "levels", folded=True)
    within = Section("within", "Within", [steps, table, folded], folded=True)
    charts = (scatter_of(2, 2), steps)
    return page_html(Page("title", [Section("one", "One", [*charts, within])]))


def test_all_is_on_paper(open_page: Opener) -> None:
    """Also what is folded away on a screen; no table is wider than the paper."""
    page = open_page(page_text(), width=PAPER, scheme="dark")
    folded = page.locator("details table, details svg")
    assert folded.evaluate_all(UNSHOWN) == folded.count() == 4
    page.emulate_media(media="print")
    page.evaluate(FRAMES)
    assert folded.evaluate_all(UNSHOWN) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == PAPER
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--paper')"
    assert page.evaluate(paper) == "#ffffff"


def test_charts_are_legible_on_a_phone(open_page: Opener) -> None:
    """Letters of ten pixels at least, all within the picture, with the longest names too."""
    page = open_page(page_text(), width=360)
    page.locator("select.across").select_option("2")
    for svg in page.locator("section > .side-by-side > figure > svg").all():
        texts = svg.evaluate(TEXTS)
        assert min(size for _, size, _ in texts) >= 10
        assert [words for words, _, inside in texts if not inside] == []
