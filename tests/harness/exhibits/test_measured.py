"""Exhibits from records: which boards are kept, in what order, and what they sum up to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.exhibits.measured import Measured, measured
from dovetail.harness.exhibits.sums import compared_sums
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.suite_file import SuitePlan, read_suite
from dovetail.models.outcome import Status
from harness.exhibits.suites import SUITE, Figures, records, written

ONE, TWO, THREE = (f"edges-4-b3i3-{number}" for number in (1, 2, 3))
CUT = {"status": "time-limit", "count": 0}
FASTER = {"solve_s": 0.5}


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """The suite of all kinds of exhibits."""
    return read_suite(written(tmp_path))


def of(plan: SuitePlan, number: int, figures: Figures) -> Measured:
    """One of its exhibits, from records with `figures`."""
    return measured(plan.exhibits[number], plan_results(plan, records(plan, figures)))


def names(boards: list[Any]) -> list[str]:
    return [board.puzzle for board in boards]


def test_boards_by_their_least_time(plan: SuitePlan) -> None:
    """Of any series that finished; those that none finished are not kept."""
    figures: Figures = {
        (ONE, "rows"): CUT,
        (ONE, "domains per-edge"): CUT,
        (TWO, "rows"): {**CUT, "solve_s": 0.1},
        (THREE, "domains per-edge"): FASTER,
    }
    figure = of(plan, 0, figures)
    assert names(list(figure.boards)) == [ONE, TWO, THREE]
    assert names(figure.finished_by_some()) == [THREE, TWO]
    assert names(figure.finished_by_all()) == [THREE]
    assert figure.boards[2].best_s == 0.75


def test_nodes_by_the_backends_own_name(plan: SuitePlan) -> None:
    """Where a series says so; a figure that is not there is none."""
    figure = of(plan, 0, {(TWO, "domains per-edge"): {"native": {}}})
    assert [[run.nodes for run in board.runs] for board in figure.boards] == [
        [100, 7],
        [100, None],
        [100, 7],
    ]


def test_a_wrong_run_has_not_finished(plan: SuitePlan) -> None:
    """Nor one that was refused, which has no nodes either."""
    figures: Figures = {
        (ONE, "rows"): {"count": 2},
        (TWO, "rows"): {"status": "skipped", "count": None},
    }
    figure = of(plan, 0, figures)
    assert [run.status for run in figure.boards[0].runs] == [Status.WRONG, Status.WRONG]
    assert figure.boards[1].runs[0].nodes is None
    assert names(figure.finished_by_some()) == [TWO, THREE]


def test_boards_that_were_not_run_with_all_series(plan: SuitePlan) -> None:
    """They are in no figure."""
    some = [record for record in records(plan, {}) if record.puzzle != TWO]
    some = [r for r in some if (r.puzzle, r.backend) != (THREE, "rows")]
    figure = measured(plan.exhibits[0], plan_results(plan, some))
    assert names(list(figure.boards)) == [ONE]


def test_sums_over_the_boards_that_all_finished(plan: SuitePlan) -> None:
    """And by what fraction they are more than the base's."""
    figures: Figures = {
        (ONE, "domains False"): CUT,
        (TWO, "domains per-edge"): {"nodes": 50, "solve_s": 0.5},
        (THREE, "domains False"): {"nodes": None},
    }
    choices = of(plan, 1, figures)
    assert names(choices.finished_by_all()) == [TWO, THREE]
    fewest, per_edge, single = compared_sums(choices)
    assert [one.boards for one in (fewest, per_edge, single)] == [2, 2, 2]
    assert (fewest.sum.nodes, fewest.sum.solve_s, fewest.sum.seconds) == (200, 2.0, 2.5)
    assert (per_edge.sum.nodes, per_edge.nodes_change) == (150, -0.25)
    assert (per_edge.solve_change, per_edge.seconds_change) == (-0.25, -0.2)
    assert (single.sum.nodes, single.nodes_change, single.solve_change) == (None, None, 0)


def test_a_series_that_finished_nothing_is_left_out_of_the_sums(plan: SuitePlan) -> None:
    """Else no board would be left; without its base nothing is compared."""
    nothing = {(name, "domains fewest"): CUT for name in (ONE, TWO, THREE)}
    choices = of(plan, 1, nothing)
    assert choices.finishing() == [1, 2]
    sums = compared_sums(choices)
    assert [(one.place, one.sum.nodes, one.nodes_change) for one in sums] == [
        (1, 300, None),
        (2, 300, None),
    ]


def test_a_series_apart(tmp_path: Path) -> None:
    """The others are summed over what they finished; it and the base over what both did."""
    old = '{ name = "no single place", '
    plan = read_suite(written(tmp_path, SUITE.replace(old, f"{old}apart = true, ")))
    choices = of(plan, 1, {(ONE, "domains False"): CUT, (TWO, "domains per-edge"): CUT})
    assert names(choices.finished_by_all()) == [ONE, THREE]
    fewest, per_edge, single = compared_sums(choices)
    assert [one.boards for one in (fewest, per_edge, single)] == [2, 2, 2]
    assert (fewest.sum.nodes, single.sum.nodes, single.nodes_change) == (200, 200, 0)
