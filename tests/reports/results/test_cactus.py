"""Questions finished against time and nodes: who is counted, and with what."""

from __future__ import annotations

from dovetail.reports.charts.chart import Chart
from dovetail.reports.page import Section
from dovetail.reports.results.solvers import cactus_section
from reports.present import present
from reports.results.synthetic import cut, result

RESULTS = [
    result("a", "dlx", 2.0, nodes=500),
    result("b", "dlx", 0.5, nodes=7),
    cut("c", "dlx"),
    result("a", "rows", 1.0, status="wrong"),
    result("b", "rows", 1.0, status="failed"),
    result("c", "cpsat", 4.0, nodes=None),
    result("a", "fila", status="skipped"),
]


def charts_of(part: Section | None) -> list[Chart]:
    assert part is not None
    return list(part.charts)


def test_against_time() -> None:
    """Of prepare and solve; what is cut, wrong, failed or refused is not counted."""
    chart = charts_of(cactus_section(RESULTS))[0]
    assert (chart.x.low, chart.x.high, chart.x.logarithmic) == (0.1, 10.0, True)
    assert (chart.y.low, chart.y.high) == (0, 3)
    drawn = [(c.name, c.style, [(s.x, s.name) for s in c.points]) for c in chart.series]
    assert drawn == [
        ("dlx (of 3)", 0, [(0.5, "b"), (2.0, "a")]),
        ("cpsat (of 1)", 2, [(4.0, "c")]),
    ]
    assert chart.alt_text == (
        "time, prepare + solve on a logarithmic scale, for 2 solvers and 3 questions. "
        "Result: dlx (of 3) 2, cpsat (of 1) 1."
    )


def test_against_nodes() -> None:
    """Only solvers that count them, with the looks that they have against time."""
    charts = charts_of(cactus_section(RESULTS))
    assert [chart.name for chart in charts] == ["time", "nodes"]
    drawn = [(c.name, c.style, [s.x for s in c.points]) for c in charts[1].series]
    assert drawn == [("dlx (of 3)", 0, [7, 500])]


def test_without_nodes() -> None:
    """No second picture, and nothing said of it."""
    part = present(
        cactus_section([result("a", "cpsat", nodes=None), result("b", "cpsat", nodes=None)])
    )
    assert (len(part.charts), len(part.definitions)) == (1, 1)


def test_the_table_of_solvers() -> None:
    """All of them, sums of what they finished."""
    part = present(cactus_section(RESULTS))
    assert part.tables[0].rows == (
        ("dlx", "3", "0", "2", "1", "2.5 s", "507"),
        ("rows", "2", "0", "0", "0", "–", "–"),
        ("cpsat", "1", "0", "1", "0", "4 s", "–"),
        ("fila", "1", "1", "0", "0", "–", "–"),
    )


def test_nothing_to_show() -> None:
    """Fewer than two questions were finished."""
    assert cactus_section([]) is None
    assert cactus_section([result("a", "dlx"), result("a", "rows"), cut("b", "dlx")]) is None
