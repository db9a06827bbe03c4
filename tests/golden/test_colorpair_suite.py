"""The suite of the ColorPair paper's experiments: its exhibits and what the paper publishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.harness.exhibits import Exhibit, PublishedFigures
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite

SUITE = Path(__file__).resolve().parents[2] / "suites" / "colorpair.toml"
# Of the columns of table 2: basic ColorPair, Choco with 4-edge consistency, with edge variables.
NODES = [84_024_350, 61_639_636, 447_347]
SECONDS = [436, 99_837, 3_741]


@pytest.fixture(scope="module")
def plan() -> SuitePlan:
    """The whole suite."""
    return read_suite(SUITE)


def exhibit(plan: SuitePlan, name: str) -> Exhibit:
    """One of its exhibits."""
    return next(one for one in plan.exhibits if one.name == name)


def test_every_exhibit_has_its_boards(plan: SuitePlan) -> None:
    """All 48, as many as the paper has."""
    assert {one.name: len(one.boards) for one in plan.exhibits} == dict.fromkeys(
        [
            *("figure-5", "figure-6", "figure-7", "table-1", "table-1-shaving"),
            *("ablations", "ablations-shaving", "table-2-sums", "table-2"),
        ],
        48,
    )


def test_quick_has_something_of_every_exhibit(plan: SuitePlan) -> None:
    """Three boards, with all their series."""
    quick = plan.only(["quick"]).jobs
    for one in plan.exhibits:
        assert sum(set(board.jobs) <= quick.keys() for board in one.boards) == 3


def test_published_changes(plan: SuitePlan) -> None:
    """Table 1 and section 6.2: a gain is a change below zero."""
    published = {
        series.name: series.published
        for name in ("table-1", "ablations")
        for series in exhibit(plan, name).series
        if series.published != PublishedFigures()
    }
    assert published == {
        "MinExpectedOffer": PublishedFigures(None, -0.2275, -0.1625),
        "MinExpectedGap": PublishedFigures(None, -0.38, -0.305),
        "MinExpectedRatio": PublishedFigures(None, -0.33, -0.235),
        "no preemption": PublishedFigures(None, 0.24, None),
        "no backjumping": PublishedFigures(None, 0.5, 0.3),
        "no remaining-tile rules": PublishedFigures(None, 0.02, 0.02),
    }


def test_published_boards(plan: SuitePlan) -> None:
    """Table 2: ten rows, of kinds that are measured too; the sums of its columns."""
    table = exhibit(plan, "table-2")
    names = [series.name for series in table.series]
    assert len(table.rows) == 10
    assert [sum(row.nodes[name] for row in table.rows) for name in names] == NODES
    assert [sum(row.seconds[name] for row in table.rows) for name in names] == SECONDS
    measured = {board.puzzle for board in table.boards}
    for row in table.rows:
        size, kind = row.name.split("_")[1], row.name.partition(".")[2]
        assert row.boards == f"edges-{size}-{kind}-*"
        assert f"edges-{size}-{kind}-1" in measured
