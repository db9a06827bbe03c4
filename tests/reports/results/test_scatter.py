"""One solver against another: which pair comes first, and what is placed."""

from __future__ import annotations

from dataclasses import replace

from dovetail.reports.charts.chart import Chart, Point
from dovetail.reports.charts.scatter import ScatterPair
from dovetail.reports.page import Section
from dovetail.reports.results.solvers import MAX_SCATTERED, scatter_section
from reports.present import present
from reports.results.synthetic import cut, result

RESULTS = [
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


def charts_of(part: Section | None) -> list[Chart]:
    assert part is not None
    return list(part.charts)


def pair_of(chart: Chart) -> ScatterPair:
    pair: ScatterPair = chart.data
    return pair


def names_of(chart: Chart) -> tuple[str, ...]:
    return tuple(line.name for line in chart.series)


def test_time_against_time() -> None:
    """The two that share most come first; cut runs are bounds, wrong ones are nowhere."""
    chart = charts_of(scatter_section(RESULTS))[0]
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


def test_nodes_against_nodes() -> None:
    """Of the solvers that count them."""
    chart = charts_of(scatter_section(RESULTS))[1]
    assert (chart.name, names_of(chart)) == ("nodes", ("dlx", "rows"))
    assert chart.series[1].points == (Point(0, 7, "7", "a"),)


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
    unlike = replace(counts, up=1).text(nodes.series)
    assert unlike.endswith(
        " The two solvers define nodes differently: a node of dlx is a placement made; a node of "
        "domains is a try."
    )
    assert part is not None
    assert "A node is a placement made (dlx, rows) or a try (domains)." in part.about_charts[1]


def test_a_pair_that_shares_no_nodes() -> None:
    """There is a picture of time alone."""
    results = [result("a", "dlx"), result("a", "cpsat", nodes=None)]
    assert [chart.name for chart in charts_of(scatter_section(results))] == ["time"]


def test_the_two_best_come_first() -> None:
    """In the order of the ranking, also where others finished more in common."""
    solvers = ("dlx", "rows", "bitset")
    results = [*(result(q, s) for q in "ab" for s in solvers), result("c", "dlx")]
    part = scatter_section([*results, result("c", "rows")], ["bitset", "dlx", "rows"])
    for chart in charts_of(part):
        pair, names = pair_of(chart), names_of(chart)
        assert {names[pair.across], names[pair.up]} == {"bitset", "dlx"}


def test_nothing_to_show() -> None:
    """No two solvers finished the same question."""
    assert scatter_section([]) is None
    assert scatter_section([result("a", "dlx"), result("b", "rows"), cut("a", "rows")]) is None


def test_of_thousands_of_solvers_those_with_most() -> None:
    """Each pair would be looked at otherwise; it says so."""
    results = [result("a", f"solver-{n}", nodes=None) for n in range(MAX_SCATTERED + 5)]
    part = present(scatter_section([*results, result("b", "solver-203", nodes=None)]))
    (chart,) = part.charts
    assert len(chart.series) == MAX_SCATTERED
    assert chart.series[-1].name == "solver-203"
    assert (
        part.about_charts[-1]
        == "You can select only the 200 solvers that finished the most questions."
    )
