"""What must be true of every report, whatever is in it."""

from __future__ import annotations

import csv
from io import TextIOWrapper
from typing import TYPE_CHECKING
from urllib.request import urlopen

from browser.appearance import overflow

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

UNFOLD = "document.querySelectorAll('details').forEach(details => details.open = true)"
EMPTY = """
figure => ![...figure.querySelectorAll("svg")].some(svg => {
  const { width, height } = svg.getBoundingClientRect();
  return width > 0 && height > 0;
})
"""
UNTITLED = 'svg => !svg.querySelector("title")?.textContent.trim()'


def check_report(page: Page) -> None:
    """Every figure has a picture, every picture a title.

    Nothing is wider than the window.
    """
    page.evaluate(UNFOLD)
    figures = page.locator("figure").all()
    assert figures
    assert [figure.inner_html()[:200] for figure in figures if figure.evaluate(EMPTY)] == []
    pictures = page.locator("svg[role=img]").all()
    assert pictures
    assert [svg.inner_html()[:200] for svg in pictures if svg.evaluate(UNTITLED)] == []
    assert overflow(page) == 0


def downloaded(page: Page, link: Locator) -> list[list[str]]:
    """The rows of the CSV file that a click on a link gives."""
    with page.expect_download() as download:
        link.click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def linked(link: Locator) -> list[list[str]]:
    """The rows of the CSV file that a link holds, without a click.

    Chromium 150 lets a page start ten downloads at once and drops the eleventh.
    """
    with urlopen(link.get_attribute("href") or "") as file:
        return list(csv.reader(TextIOWrapper(file, encoding="utf-8", newline="")))
