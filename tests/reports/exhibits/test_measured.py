"""Exhibits from records: which boards are kept, in what order, and what they sum up to."""

from __future__ import annotations

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
    CPU,
    NODES,
    SECONDS,
    SOLVE,
    Measured,
    RelativeChange,
    compared_figures,
    has_cpu_time,
    measured,
    series_to_sum,
)
from harness.exhibits.suites import SUITE, TWELVE_BOARDS, Figures, records, written
from reports.present import present

ONE, TWO, THREE = (f"edges-4-b3i3-{number}" for number in (1, 2, 3))
CUT = {"status": "time-limit", "count": 0}


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """The suite of all kinds of exhibits."""
    return read_suite(written(tmp_path))


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
    assert [run.result.status for run in figure.boards[0].runs] == [Status.WRONG, Status.WRONG]
    assert figure.boards[1].runs[0].result.nodes is None
    assert names(figure.finished_by_some()) == [TWO, THREE]


def test_boards_that_were_not_run_with_all_series(plan: SuitePlan) -> None:
    """They are in no figure."""
    some = [record for record in records(plan, {}) if record.job.puzzle != TWO]
    some = [r for r in some if (r.job.puzzle, r.job.backend) != (THREE, "rows")]
    figure = measured(plan.exhibits[0], plan_results(plan, some))
    assert names(list(figure.boards)) == [ONE]


def test_a_series_apart(tmp_path: Path) -> None:
    """The others are summed over what they finished; it and the base over what both did."""
    old = '{ name = "no single place", '
    plan = read_suite(written(tmp_path, SUITE.replace(old, f"{old}apart = true, ")))
    choices = of(plan, 1, {(ONE, "domains False"): CUT, (TWO, "domains per-edge"): CUT})
    assert names(choices.finished_by_all()) == [ONE, THREE]
    fewest, per_edge, single = series_to_sum(choices)
    assert [len(own.runs) for own in (fewest, per_edge, single)] == [2, 2, 2]
    assert (fewest.sum(NODES), single.sum(NODES)) == (200, 200)
    assert single.change(NODES) == RelativeChange(0)


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


@pytest.mark.parametrize("changes", [{"nodes": 0}, {**CUT, "nodes": 50}])
def test_no_interval(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Where the base has nothing on a board, or three of the twelve are not finished."""
    plan = read_suite(written(tmp_path, TWELVE_BOARDS))
    numbers = (5,) if changes["nodes"] == 0 else (5, 6, 7)
    figures = {(f"edges-4-b3i3-{number}", "domains fewest"): changes for number in numbers}
    _, per_edge, _ = series_to_sum(of(plan, 1, figures))
    change = present(per_edge.change(NODES))
    assert change.interval is None


def test_solving_by_processor_time(plan: SuitePlan) -> None:
    """Where every finished run has it."""
    boards, series = (ONE, TWO, THREE), ("domains fewest", "domains per-edge", "domains False")
    figures: dict[tuple[str, str], dict[str, Any]] = {
        (board, one): {"solve_cpu_s": 0.5 if one == series[1] else 0.25}
        for board in boards
        for one in series
    }
    choices = of(plan, 1, figures)
    assert has_cpu_time(choices)
    fewest, per_edge, _ = series_to_sum(choices)
    assert compared_figures(choices)["solve"] is CPU
    assert (fewest.sum(CPU), per_edge.sum(CPU), per_edge.sum(SOLVE)) == (0.75, 1.5, 3.0)
    assert per_edge.change(CPU) == RelativeChange(1.0)
    assert per_edge.change(SECONDS) == RelativeChange(0.0)
    assert has_cpu_time(of(plan, 1, {**figures, (ONE, series[0]): CUT}))
    of_benchmark = of(plan, 1, {**figures, (ONE, series[0]): {}})
    assert compared_figures(of_benchmark)["solve"] is SOLVE
    assert series_to_sum(of_benchmark)[1].change(SOLVE) == RelativeChange(0.0)
