"""Charts and tables by solver: cactus, profiles, heat map, scatter, meanings of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.evaluation.contests import solver_runs
from dovetail.harness.records.record import Record
from dovetail.reports.charts.chart import Chart, Point
from dovetail.reports.charts.kinds import PROFILES
from dovetail.reports.charts.scatter import ScatterPair
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.results.questions import questions_section
from dovetail.reports.results.solvers import (
    cactus_section,
    heat_map_section,
    node_meanings_text,
    performance_section,
    scatter_section,
    solver_meanings,
)
from dovetail.reports.table import MAX_SHADE, Table
from harness.evaluation.contested import answers, contests_of
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


PROFILE_RESULTS = [
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
    chart = chart_of(profiles(PROFILE_RESULTS))
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


def test_ratios_and_shades() -> None:
    """The fastest has the strongest; runs without an answer have the last, missing runs none."""
    runs = solver_runs([*answers({"A": (1, 4), "B": (30, None)}), result("puzzle 1", "C", 1.5)])
    part = present(heat_map_section(runs, ["B"]))
    (table,) = part.tables
    assert table.titles == ("puzzle", "fastest", "B", "A", "C")
    assert table.rows == (
        ("puzzle 1", "1 s", "×30", "×1.00", "×1.50"),
        ("puzzle 2", "4 s", "> ×25", "×1.00", "–"),
    )
    assert shades(table) == [[None, None, MAX_SHADE - 1, 0, 1], [None, None, MAX_SHADE, 0, None]]


def shades(table: Table) -> list[list[int | None]]:
    return [
        [None if column.shade is None else column.shade(item) for column in table.columns]
        for item in table.items
    ]


SCATTER_RESULTS = [
    result("a", "dlx", 2.0),
    result("a", "cpsat", 0.5, nodes=None),
    result("a", "rows", 0.25, nodes=7),
    result("b", "dlx", 4.0),
    result("b", "rows", 8.0, status="wrong"),
    result("b", "cpsat", 0.125, nodes=None),
    cut("c", "dlx", 20.0),
    result("c", "cpsat", 1.0, nodes=None),
    cut("d", "rows"),
]


def pair_of(chart: Chart) -> ScatterPair:
    pair: ScatterPair = chart.data
    return pair


def names_of(chart: Chart) -> tuple[str, ...]:
    return tuple(line.name for line in chart.series)


def test_time_against_time() -> None:
    """The two that share most come first; cut runs are bounds, wrong ones are nowhere."""
    chart = charts_of(scatter_section(SCATTER_RESULTS))[0]
    assert names_of(chart) == ("dlx", "cpsat", "rows")
    pair = pair_of(chart)
    assert (pair.things, pair.across, pair.up) == (("a", "b", "c"), 0, 1)
    assert [line.points for line in chart.series] == [
        (
            Point(0, 2.0, "2 s", "a"),
            Point(1, 4.0, "4 s", "b"),
            Point(2, 20.0, "> 20 s", "c", hollow=True),
        ),
        (Point(0, 0.5, "500 ms", "a"), Point(1, 0.125, "125 ms", "b"), Point(2, 1.0, "1 s", "c")),
        (Point(0, 0.25, "250 ms", "a"),),
    ]
    assert (chart.x.low, chart.x.high) == (chart.y.low, chart.y.high) == (0.1, 10.0)


def test_nodes_that_mean_the_same_come_first() -> None:
    """Before a pair that shares more questions; of others the sentence says what they mean."""
    results = [result(name, "dlx") for name in "abc"]
    results += [result(name, "domains", node_meaning="a try") for name in "abc"]
    results += [result("a", "rows")]
    part = scatter_section(results)
    time, nodes = charts_of(part)
    times, counts = pair_of(time), pair_of(nodes)
    assert (times.across, times.up, times.meanings) == (0, 1, ((), (), ()))
    assert (names_of(nodes), counts.across, counts.up) == (("dlx", "domains", "rows"), 0, 2)
    assert counts.meanings == (("a placement made",), ("a try",), ("a placement made",))
    unlike = replace(counts, up=1).text()
    assert unlike.endswith(
        " The two solvers define nodes differently: a node of dlx is a placement made; a node of "
        "domains is a try."
    )
    assert part is not None
    assert "A node is a placement made (dlx, rows) or a try (domains)." in part.about_charts[1]


HOSTILE = "<script>alert('1')</script> \"q\" {both} \n\0\ud800" + "x" * 200


def tried(puzzle: str, backend: str, **figures: Any) -> Record:
    """A finished run in which a node was something else."""
    return result(puzzle, backend, node_meaning="a try", **figures)


def old(puzzle: str, backend: str) -> Record:
    """A record that was written before records held it."""
    return result(puzzle, backend, node_meaning=None)


RUNS_OF_MEANINGS = [
    result("a", "dlx"),
    result("a", "cpsat", nodes=None, node_meaning=None),
    tried("a", "domains"),
    result("a", "fila", status="skipped", nodes=None),
    result("a", "auto"),
    tried("b", "auto"),
    result("b", "auto", status="time-limit", nodes=None, node_meaning=None),
    result("b", "dlx", config={"stages": "s"}),
    old("a", "ours"),
]


def test_solvers_have_meanings() -> None:
    """In the order of solvers; `auto` those of whom it chose, who counts none has none."""
    assert solver_meanings(RUNS_OF_MEANINGS) == [
        ("a placement made",),
        (),
        ("a try",),
        (),
        ("a placement made", "a try"),
        ("a placement made",),
        ("not recorded for ours",),
    ]


def test_the_meanings_in_a_sentence() -> None:
    """Backends by meaning, once each; those without nodes are not among them."""
    assert node_meanings_text(RUNS_OF_MEANINGS) == (
        "A node is a placement made (dlx, auto) or a try (domains, auto). Node counts are "
        "comparable only if the definitions are the same. No definition is recorded for ours."
    )
    assert node_meanings_text(RUNS_OF_MEANINGS[:2]) == "A node is a placement made (dlx)."
    assert node_meanings_text([old("a", "ours")]) == "No definition is recorded for ours."
    assert node_meanings_text(RUNS_OF_MEANINGS[1:2]) == ""


def test_hostile_words_are_text() -> None:
    """In one line, cut, and never markup or a place to fill in."""
    results = [result("a", "dlx"), result("a", HOSTILE, node_meaning=HOSTILE)]
    cut = " ".join(HOSTILE.split())[:99] + "…"
    assert node_meanings_text(results).startswith(
        f"A node is a placement made (dlx) or {cut} ({cut}). "
    )
    part = present(scatter_section(results))
    page = Page("page", [part])
    text = page_html(page)
    assert text.encode()
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert('1')&lt;/script&gt; \"q\" {both}") >= 3
    tables = page_markdown(Page("page", [questions_section(results)]))
    assert "\\<script\\>alert" in tables
    assert "<script>alert" not in tables


def test_a_sum_over_some_of_the_finished_questions_is_not_shown() -> None:
    """`auto` may choose a solver whose nodes are no placements made."""
    made = {"node_meaning": PLACEMENT_MADE}
    runs = [
        result("a", "auto", 1.0, nodes=100, **made),
        result("b", "auto", 2.0, nodes=900, node_meaning="a decision"),
        result("a", "dlx", 3.0, nodes=5, **made),
        result("b", "dlx", 3.0, nodes=0, **made),
    ]
    (table,) = present(cactus_section(runs)).tables
    assert [(row[0], *row[-2:]) for row in table.rows] == [
        ("auto", "3 s", "–"),
        ("dlx", "6 s", "5"),
    ]
