"""Performance profiles: factors of the least time, over what anyone finished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dovetail.harness.records.record import Record
from dovetail.reports.charts.chart import Chart
from dovetail.reports.charts.kinds import PROFILES
from dovetail.reports.page import Section
from dovetail.reports.results.solvers import performance_section
from harness.evaluation.contested import contests_of
from reports.present import present
from reports.results.synthetic import cut, result

RESULTS = [
    result("a", "dlx", 2.0),
    result("a", "rows", 1.0),
    result("b", "dlx", 1.0),
    result("b", "rows", 4.0),
    result("c", "dlx", 1.0),
    result("c", "rows", 0.5, status="failed"),
    cut("d", "dlx"),
    cut("d", "rows"),
    result("d", "cpsat", 3.0),
    *(cut(question, "cpsat") for question in "abc"),
    *(cut("e", solver) for solver in ("dlx", "rows", "cpsat")),
]


def profiles(results: Sequence[Record]) -> Section | None:
    return performance_section(contests_of(results))


def chart_of(part: Section | None) -> Chart:
    assert part is not None
    (chart,) = part.charts
    return chart


def test_factors_of_the_least_time() -> None:
    """Of four questions; what failed is no least time, what nobody finished is left out."""
    chart = chart_of(profiles(RESULTS))
    assert chart.kind is PROFILES
    assert [point.y for point in chart.series[0].points] == [0.25, 0.5, 0.75]
    drawn = [(c.name, c.style, [(s.x, s.name) for s in c.points]) for c in chart.series]
    assert drawn == [
        ("dlx", 0, [(1.0, "b"), (1.0, "c"), (2.0, "a")]),
        ("rows", 1, [(1.0, "a"), (4.0, "b")]),
        ("cpsat", 2, [(1.0, "d")]),
    ]
    assert (chart.x.low, chart.x.high) == (1.0, 10.0)
    assert chart.alt_text == (
        "The share of 4 puzzles that each solver finished within a factor of the "
        "shortest time, with the factor on a logarithmic scale. Fastest: dlx 50 %, rows 25 %, "
        "cpsat 25 %."
    )


def test_the_table_of_a_few_factors() -> None:
    """Every solver, also one that finished nothing."""
    part = present(profiles([*RESULTS, *(cut(question, "fila") for question in "abcde")]))
    (table,) = part.tables
    assert table.titles == ("solver", *(f"within ×{n}" for n in (1, 2, 10, 100)), "finished")
    assert table.rows == (
        ("dlx", "50 %", "75 %", "75 %", "75 %", "75 %"),
        ("rows", "25 %", "25 %", "50 %", "50 %", "50 %"),
        ("cpsat", "25 %", "25 %", "25 %", "25 %", "25 %"),
        ("fila", "0 %", "0 %", "0 %", "0 %", "0 %"),
    )


def test_a_refusal_is_no_penalty() -> None:
    """Shares are of the questions that a solver accepted, in the chart and in the table."""
    times = [(1.0, 2.0), (1.0, 2.0), (2.0, 1.0)]
    results = [
        result(question, solver, seconds)
        for question, pair in zip("abc", times, strict=True)
        for solver, seconds in zip(("dlx", "rows"), pair, strict=True)
    ]
    refused = [result(q, "easy", 3.0) for q in "ab"]
    part = profiles([*results, *refused, result("c", "easy", status="skipped")])
    chart = chart_of(part)
    assert [curve.points[-1].y for curve in chart.series] == [1.0, 1.0, 1.0]
    assert part is not None
    assert part.tables[0].rows[2] == ("easy", "0 %", "0 %", "100 %", "100 %", "100 %")


def test_times_that_no_clock_distinguishes() -> None:
    """They count as a microsecond: everything has a ratio."""
    results = [
        result("a", "dlx", 0.0),
        result("a", "rows", 2e-6),
        result("b", "dlx"),
        cut("b", "rows"),
    ]
    chart = chart_of(profiles(results))
    assert [[step.x for step in curve.points] for curve in chart.series] == [[1.0, 1.0], [2.0]]


def test_one_profile_for_each_family() -> None:
    """A profile for each kind; who was not asked all of it is left out and named, looks stay."""
    packing: dict[str, Any] = {"size": {"cells": 9}}
    edges: dict[str, Any] = {"size": {"tiles": 9}}
    results = [
        *(result(q, s, **packing) for q in "ab" for s in ("constraint", "dlx", "fila")),
        *(result("c", s, **packing) for s in ("dlx", "fila")),
        *(result(q, s, **edges) for q in "de" for s in ("rows", "dlx")),
    ]
    part = present(profiles(results))
    charts = part.charts
    drawn = [[(curve.name, curve.style) for curve in chart.series] for chart in charts]
    assert drawn == [[("dlx", 1), ("fila", 2)], [("dlx", 1), ("rows", 3)]]
    assert [chart.name for chart in charts] == ["time-packing", "time-edge-matching"]
    assert part.paragraphs == (
        "packing: 3 questions answered by at least one solver. Left out because they ran only some "
        "questions: constraint.",
        "edge matching: 2 questions answered by at least one solver.",
    )


def test_chosen_settings_have_their_own_profile() -> None:
    """With the solvers that were given none."""
    config = {"nof": True}
    tuned = [result(q, "fila", 0.5, config=config) for q in "ab"]
    part = present(profiles([*(result(q, s) for q in "ab" for s in ("dlx", "fila")), *tuned]))
    assert [chart.name for chart in part.charts] == ["time-other", "time-other-chosen-settings"]
    last = part.charts[-1]
    assert [curve.name for curve in last.series] == ["dlx", "fila nof=True"]


def test_nothing_to_show() -> None:
    """One question, or one solver."""
    assert profiles([]) is None
    assert profiles([result("a", "dlx"), result("a", "rows")]) is None
    assert profiles([result("a", "dlx"), result("b", "dlx"), cut("a", "rows")]) is None
