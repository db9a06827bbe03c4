"""An exhibit of levels: figures by pieces left beside published ones, with verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.reports.exhibits.measured import measured
from dovetail.reports.exhibits.sections import exhibit_sections
from harness.exhibits.suites import LEVELS, named_records, written
from harness.suite.bench_here import assert_mistake

# 2 + 6 + 5 fits; the targets are 1, 2 and 6.
COUNTS = {
    "fits_by_remaining": {"1": 5, "2": 6, "3": 2},
    "attempts_by_remaining": {"1": 20, "2": 9, "3": 2},
}


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """A suite with levels."""
    return read_suite(written(tmp_path, LEVELS))


def rows(plan: SuitePlan, **record: Any) -> dict[str, dict[str, str]]:
    """The cells of the table by pieces left, from one record, or none without figures."""
    results = plan_results(plan, named_records(plan, {"P": record} if record else {}))
    (section,) = exhibit_sections(measured(exhibit, results) for exhibit in plan.exhibits)
    (table,) = section.tables
    return {row[0]: dict(zip(table.titles, row, strict=True)) for row in table.rows}


def test_the_table(plan: SuitePlan) -> None:
    """Targets are the fits of the level above; columns that nothing published fills are absent."""
    table = rows(plan, **COUNTS)
    assert list(table) == ["1", "2", "3", "all"]
    assert table["2"] == {
        "pieces left": "2",
        "verdict": "differs",
        "published attempts": "9",
        "attempts": "9",
        "published fits": "7",
        "fits": "6",
        "published no-fits": "–",
        "no-fits": "3",
        "attempts per target": "4.500",
        "fits per target": "3.000",
        "published no-fits per target": "–",
        "no-fits per target": "1.500",
    }
    assert (table["1"]["no-fits"], table["1"]["no-fits per target"]) == ("15", "2.500")
    assert (table["all"]["attempts"], table["all"]["fits per target"]) == ("31", "–")


def levels(other: str, second: str = "") -> list[str]:
    """The verdicts on levels 1 to 3 and on all; level 3 has no published figures."""
    return [other, second or other, "–", other]


@pytest.mark.parametrize(
    ("record", "verdicts"),
    [
        (COUNTS, ["exact", "differs", "–", "exact"]),
        (COUNTS | {"status": "wrong"}, levels("differs")),
        (COUNTS | {"attempts_by_remaining": None}, levels("differs")),
        ({}, 3 * ["not run"]),
    ],
)
def test_verdicts(plan: SuitePlan, record: dict[str, Any], verdicts: list[str]) -> None:
    """2.50 no-fits per target are published as 2.5, the sum as fits and attempts of the run."""
    assert [row["verdict"] for row in rows(plan, **record).values()] == verdicts


def test_a_small_figure_agrees_to_its_last_digit(tmp_path: Path) -> None:
    """Python writes 0.00002 as 2e-05."""
    text = LEVELS.replace("no_fits_per_target = 2.5", "fits_per_target = 0.00002")
    assert text != LEVELS
    plan = read_suite(written(tmp_path, text))
    fits, attempts = {"1": 6, "2": 300_000}, {"1": 20, "2": 300_000}
    found = rows(plan, fits_by_remaining=fits, attempts_by_remaining=attempts)
    assert found["1"]["verdict"] == "exact"


def test_a_whole_figure_agrees_without_digits_after_the_point(tmp_path: Path) -> None:
    text = LEVELS.replace("no_fits_per_target = 2.5", "attempts_per_target = 3")
    found = rows(read_suite(written(tmp_path, text)), **COUNTS)["1"]
    assert (found["verdict"], found["published attempts per target"]) == ("exact", "3")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('run = "P"\n', "", 12, "an exhibit of kind levels needs run"),
        ('run = "P"', 'run = "P"\nbase = "P"', 14, "base is for exhibits of kind sums"),
        ("left = 1,", "left = 0,", 15, "1 or more"),
        (
            'run = "P"',
            'run = "P"\nseries = [{ name = "d", backend = "dlx" }]',
            14,
            "has a run instead",
        ),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one line."""
    assert old in LEVELS
    assert_mistake(written(tmp_path, LEVELS.replace(old, new, 1)), line, message)
