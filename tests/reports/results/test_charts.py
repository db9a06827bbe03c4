"""The three parts with charts on one page: together, and with many records."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from dovetail.reports.results.solvers import cactus_section, performance_section
from harness.evaluation.contested import contests_of
from reports.results.synthetic import many_results


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
