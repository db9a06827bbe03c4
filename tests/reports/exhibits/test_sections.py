"""What the exhibits of a suite say: published beside measured, and what was left out."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dovetail.harness.confidence import Interval, ratio_interval
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.outcome import Status
from dovetail.reports.exhibits.measured import (
    Measured,
    RelativeChange,
    exhibits_csv,
    measured,
    series_to_sum,
)
from dovetail.reports.exhibits.sections import exhibit_sections
from dovetail.reports.measures import NODES, SOLVE
from dovetail.reports.page import Section
from harness.exhibits.suites import SUITE, TWELVE_BOARDS, Figures, records, written
from reports.present import present

ONE, TWO, THREE = (f"edges-4-b3i3-{number}" for number in (1, 2, 3))
CUT = {"status": "time-limit", "count": 0, "solve_s": 20.0}


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """The suite of all kinds of exhibits."""
    return read_suite(written(tmp_path))


def parts(plan: SuitePlan, figures: Figures) -> list[Section]:
    """The parts of its report, from records with `figures`."""
    results = plan_results(plan, records(plan, figures))
    return exhibit_sections(measured(exhibit, results) for exhibit in plan.exhibits)


def test_a_sorted_exhibit(plan: SuitePlan) -> None:
    """What was drawn and kept, who finished what, rates, bounds hollow and marked so."""
    figures: Figures = {(ONE, "rows"): CUT, (TWO, "rows"): {"nodes": 3_000_000, "solve_s": 0.5}}
    part = parts(plan, figures)[0]
    assert part.paragraphs == (
        "One paragraph.",
        "And another.",
        "The suite has 3 boards. Included: 3 (finished by at least one series within the limits).",
        "Not finished, of 3 boards: rows: 1. Hollow marks are lower bounds from such runs; a run "
        "without figures has no mark.",
    )
    by_series, by_board = part.tables
    assert by_series.rows == (
        ("rows", "2 of 3", "2", "3,000,100", "1.5 s", "2 M", "a placement made", "20 M"),
        ("domains", "3 of 3", "1", "21", "3 s", "7", "a placement made", "–"),
    )
    assert by_board.rows == (
        ("1", TWO, "3,000,000", "7"),
        ("2", ONE, "≥ 100", "7"),
        ("3", THREE, "100", "7"),
    )
    (chart,) = part.charts
    assert [(p.x, p.y, p.hollow, p.tooltip) for p in chart.series[0].points] == [
        (1, 3_000_000, False, f"{TWO}: 3,000,000"),
        (2, 100, True, f"{ONE}: ≥ 100"),
        (3, 100, False, f"{THREE}: 100"),
    ]


def test_sums_beside_a_base_and_what_is_published(plan: SuitePlan) -> None:
    """Less is a minus; the base is compared with nothing."""
    part = parts(plan, {(TWO, "domains per-edge"): {"native": {}, "nodes": 25, "solve_s": 0.25}})[1]
    (table,) = part.tables
    assert table.titles[-1] == "published: nodes"
    assert table.rows == (
        ("fewest", "3", "300", "–", "3 s", "–", "3.75 s", "–", "–"),
        ("per edge", "3", "225", "−25 %", "2.25 s", "−25 %", "3 s", "−20 %", "−38 %"),
        ("no single place", "3", "300", "+0 %", "3 s", "+0 %", "3.75 s", "+0 %", "–"),
    )
    times, nodes = part.charts
    assert [bar.x for bar in times.series[0].points] == [3.75, 3.0, 3.75]
    assert [bar.tooltip for bar in nodes.series[0].points] == ["300", "225", "300"]
    assert part.paragraphs[-1].startswith(f"The board with the longest time, {ONE}, takes 36 % of")


def with_spread(tmp_path: Path) -> tuple[SuitePlan, Figures]:
    """Twelve boards, on which a series makes half or all of the base's nodes."""
    plan = read_suite(written(tmp_path, TWELVE_BOARDS))
    figures = {
        (f"edges-4-b3i3-{number}", series): {
            "solve_cpu_s": 0.5,
            "nodes": 50 if series == "domains per-edge" and number % 2 else 100,
        }
        for number in range(1, 13)
        for series in ("domains fewest", "domains per-edge", "domains False")
    }
    return plan, figures


def test_changes_have_intervals(tmp_path: Path) -> None:
    """Of ten boards or more; and solving has processor time where all runs have it."""
    (table,) = parts(*with_spread(tmp_path))[1].tables
    assert table.titles[4:6] == ("solve, CPU", "change")
    assert table.rows[0] == ("fewest", "12", "1,200", "–", "6 s", "–", "15 s", "–", "–")
    name, _, nodes, change, solve, solve_change, *_ = table.rows[1]
    assert (name, nodes, solve, solve_change) == ("per edge", "900", "6 s", "+0 % (+0 to +0)")
    interval = present(re.fullmatch(r"−25 % \(−(\d+\.?\d*) to −(\d+\.?\d*)\)", change))
    assert 30 < float(interval[1]) < 50  # two standard errors of the boards' ratios are 15
    assert 5 < float(interval[2]) < 15
    assert table.caption.endswith(
        "; in parentheses: the 95 % interval, estimated from the spread of the boards"
    )


def test_a_series_that_finished_nothing_is_named(plan: SuitePlan) -> None:
    """And not summed; where none finished a board together there is no sum."""
    cut = {(name, "domains False"): CUT for name in (ONE, TWO, THREE)}
    part = parts(plan, cut)[1]
    assert "Left out because they finished no board: no single place." in part.paragraphs
    assert [row[0] for row in part.tables[0].rows] == ["fewest", "per edge"]
    apart = {(name, "domains fewest"): CUT for name in (ONE, TWO)}
    part = parts(plan, {**apart, (THREE, "domains per-edge"): CUT})[1]
    assert (part.charts, part.tables) == ((), ())
    assert part.paragraphs == (
        "The suite has 3 boards. Included: 0 (finished by every series within the limits).",
    )


def test_boards_beside_published_ones_of_their_pattern(plan: SuitePlan) -> None:
    """The published first, then those that its pattern names, then all others."""
    part = parts(plan, {(TWO, "rows"): CUT, (THREE, "rows"): {"status": "skipped"}})[2]
    assert part.tables[0].rows == (
        ("E_4_9.b3i3", "published", "1,234,567", "12 s", "–", "500 ms"),
        (ONE, "measured", "100", "1.25 s", "100", "1.25 s"),
        (TWO, "measured", "≥ 100", "> 20.2 s", "100", "1.25 s"),
        (THREE, "measured", "–", "refused", "100", "1.25 s"),
    )


def test_a_suite_of_which_nothing_was_run(plan: SuitePlan) -> None:
    """Parts without pictures that say so; the table has what is published."""
    made = exhibit_sections(measured(exhibit, []) for exhibit in plan.exhibits)
    sentence = "The suite has 3 boards; every series has run on 0. Included: 0 (finished by "
    for part in made:
        assert any(paragraph.startswith(sentence) for paragraph in part.paragraphs)
        assert part.charts == ()
    assert [row[0] for row in made[2].tables[0].rows] == ["E_4_9.b3i3"]


def test_figures_as_csv(plan: SuitePlan) -> None:
    """Every run of every exhibit, and every published figure."""
    text = exhibits_csv(plan, records(plan, {(ONE, "domains False"): CUT}))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == (3 * 2 + 1) + (3 * 3 + 2 + 1) + (3 * 2 + 2)
    assert {name: text for name, text in rows[0].items() if text} == {
        "exhibit": "figure",
        "source": "measured",
        "board": ONE,
        "kept": "1",
        "series": "rows",
        "status": "exhausted",
        "nodes": "100",
        "prepare_s": "0.25",
        "solve_s": "1.0",
        "seconds": "1.25",
    }
    kept = [row["kept"] for row in rows if row["exhibit"] == "choices"]
    assert kept == ["0"] * 3 + ["1"] * 6 + ["", "", ""]
    published = [row for row in rows if row["source"] == "published"]
    assert [(row["series"], row["nodes"], row["seconds"]) for row in published] == [
        ("rows", "", ""),
        ("per edge", "", ""),
        ("rows", "1234567", "12.0"),
        ("domains", "", "0.5"),
    ]
    assert (published[0]["nodes_per_s"], published[1]["nodes_change"]) == ("20000000.0", "-0.38")


def of(plan: SuitePlan, number: int, figures: Figures) -> Measured:
    """One of its exhibits, from records with `figures`."""
    return measured(plan.exhibits[number], plan_results(plan, records(plan, figures)))


def names(boards: list[Any]) -> list[str]:
    return [board.puzzle for board in boards]


def test_a_wrong_run_has_not_finished(plan: SuitePlan) -> None:
    """Nor one that was refused, which has no nodes either."""
    figures: Figures = {
        (ONE, "rows"): {"count": 2},
        (TWO, "rows"): {"status": "skipped", "count": None},
    }
    figure = of(plan, 0, figures)
    wrong = figure.boards[0].runs.values()
    assert [run.result.status for run in wrong] == [Status.WRONG, Status.WRONG]
    assert figure.boards[1].runs["rows"].result.nodes is None
    assert names(figure.finished_by_some()) == [TWO, THREE]


def test_a_series_apart(tmp_path: Path) -> None:
    """The others are summed over what they finished; it and the base over what both did."""
    old = '{ name = "no single place", '
    plan = read_suite(written(tmp_path, SUITE.replace(old, f"{old}apart = true, ")))
    choices = of(
        plan,
        1,
        {
            (ONE, "domains False"): CUT,
            (TWO, "domains per-edge"): CUT,
        },
    )
    assert names(choices.finished_by_all()) == [ONE, THREE]
    fewest, per_edge, single = series_to_sum(choices)
    assert [len(own.runs) for own in (fewest, per_edge, single)] == [2, 2, 2]
    assert (fewest.sum(NODES), single.sum(NODES)) == (200, 200)
    assert single.change(NODES) == RelativeChange(0)
    *_, single = series_to_sum(of(plan, 1, {(ONE, "domains fewest"): CUT}))
    assert len(single.runs) == 2


def test_intervals_of_changes(tmp_path: Path) -> None:
    """By the spread of twelve boards: of the ratio of sums, not of the boards' ratios."""
    plan = read_suite(written(tmp_path, TWELVE_BOARDS))
    base = [100 * 2**number for number in range(12)]
    own = [nodes * (2 if number % 2 else 1) // 2 for number, nodes in enumerate(base)]
    figures: dict[tuple[str, str], dict[str, Any]] = {}
    for number, (nodes, fewer) in enumerate(zip(base, own, strict=True), start=1):
        figures[f"edges-4-b3i3-{number}", "domains fewest"] = {"nodes": nodes}
        figures[f"edges-4-b3i3-{number}", "domains per-edge"] = {"nodes": fewer}
    _, per_edge, single = series_to_sum(of(plan, 1, figures))
    change = present(per_edge.change(NODES))
    ratio = ratio_interval(np.array(own, dtype=float), np.array(base, dtype=float))
    interval = change.interval
    assert ratio is not None
    assert interval is not None
    assert change.value == pytest.approx(sum(own) / sum(base) - 1)
    assert (interval.low, interval.high) == pytest.approx((ratio.low - 1, ratio.high - 1))
    assert interval.low < change.value < interval.high
    # all the same on every board: twice the base's seconds of solving would be no estimate
    assert single.change(SOLVE) == RelativeChange(0, Interval(0, 0, 0))
