"""The script of the scatter charts: it shows what would have been drawn of the chosen pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from browser.conftest import Opener
from dovetail.reports.charts.chart import Chart
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from reports.charts.pairs import close_scatter, scatter_of

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

# What there is to see of a picture: marks that are shown, and the words around them.
SEEN = """() => {
  const figure = document.querySelector("figure:has(.scattered)");
  const shown = [...figure.querySelectorAll("circle")].filter((mark) => mark.checkVisibility());
  const text = (selector) => figure.querySelector(selector).textContent;
  return {
    marks: shown.map((mark) => [
      mark.cx.baseVal.value, mark.cy.baseVal.value, mark.classList.contains("hollow"),
      mark.textContent,
    ]),
    words: ["text.across", "text.up", ".summary", "desc"].map(text),
  };
}"""


def page_of(across: int, up: int) -> str:
    """A page whose first picture is of two series."""
    return page_with(scatter_of(across, up))


def page_with(chart: Chart) -> str:
    """A page with a chart."""
    part = Section("scatter", "Scatter", [chart])
    return page_html(Page("title", [part]))


def seen(tab: Tab) -> dict[str, Any]:
    """What is shown on a page."""
    found: dict[str, Any] = tab.evaluate(SEEN)
    return found


def test_a_pair_that_was_chosen(open_page: Opener) -> None:
    """The same as if it had been shown first; and back again."""
    across, up = 2, 1
    tab = open_page(page_of(0, 1))
    first = seen(tab)
    tab.select_option("select.across", str(across))
    tab.select_option("select.up", str(up))
    assert seen(tab) == seen(open_page(page_of(across, up)))
    tab.select_option("select.across", "0")
    tab.select_option("select.up", "1")
    assert seen(tab) == first


def test_values_that_are_drawn_in_one_place(open_page: Opener) -> None:
    """Which of them is less goes by the values."""
    tab = open_page(page_with(close_scatter(0, 1)))
    first = seen(tab)
    tab.select_option("select.across", "1")
    tab.select_option("select.up", "2")
    assert seen(tab) == seen(open_page(page_with(close_scatter(1, 2))))
    assert seen(tab) != first
