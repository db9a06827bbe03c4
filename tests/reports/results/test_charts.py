"""The three parts with charts on one page: together, and with many records."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from dovetail.reports.html import page_html
from dovetail.reports.page import Page
from dovetail.reports.results.solvers import cactus_section, performance_section, scatter_section
from harness.evaluation.contested import contests_of
from reports.results.synthetic import many_results


def test_five_thousand_records() -> None:
    """Small enough, every solver in every chart, every question a mark in the scatter charts."""
    results = many_results(500, 10)
    profiles = performance_section(contests_of(results))
    parts = [cactus_section(results), scatter_section(results), profiles]
    shown = [part for part in parts if part is not None]
    text = page_html(Page("title", "", (), tuple(shown)))
    assert len(shown) == 3
    assert len(text.encode()) < 2_000_000
    assert text.count("<circle") == 2 * 500
    assert text.count(' curve"') == 3 * 10
    assert text.count('.csv"') == 5
    assert text.count('"across":') == 2


def test_styles_are_the_same_in_all_charts() -> None:
    """And as many as there are solvers."""
    results = many_results(20, 30)
    styles = []
    for part in (cactus_section(results), performance_section(contests_of(results))):
        assert part is not None
        styles += [_styles(chart.draw("chart")) for chart in part.charts]
    assert styles[0] == styles[1] == styles[2]
    assert len(set(styles[0])) == 30


def _styles(svg: Element) -> list[str | None]:
    return [path.get("class") for path in svg.iter("path") if "curve" in path.get("class", "")]
