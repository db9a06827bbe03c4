"""The rankings of all contests in full."""

from __future__ import annotations

import pytest

from dovetail.harness.evaluation import significance
from dovetail.harness.evaluation.ranking import verdict
from dovetail.harness.records.record import Record
from dovetail.reports.page import Section
from dovetail.reports.results.ranking import ranking_section
from harness.evaluation.contested import answers, contests_of
from reports.present import present


def part_of(results: list[Record]) -> Section:
    verdicts = [verdict(contest) for contest in contests_of(results)]
    return present(ranking_section(verdicts))


def test_the_worked_example() -> None:
    pytest.importorskip("scipy", reason="the extra evaluation is not installed")
    (part,) = part_of(answers()).sections
    assert part.title == "other, default settings, prepare + solve"
    assert part.paragraphs[0] == "6 puzzles; the virtual best solver's mean time is 6.33 s."
    table, pairs = part.tables
    first, *_, last = table.rows
    assert first[:2] == ("A", "> 2.52")
    assert first[3:] == ("38.5 s", "1", "5 of 6", "0", "2.58", "167 ms", "0")
    assert last[:2] == ("E", "> 37")
    assert last[3:] == ("183 s", "0", "1 of 6", "0", "4.50", "–", "0")
    assert len(pairs.rows) == 10
    assert {row[-1] for row in pairs.rows} == {"not shown"}
    assert "Friedman's test does not show that the solvers differ (p = " in part.paragraphs[-1]
    assert part.charts == ()


def test_a_diagram_where_solvers_differ() -> None:
    """Three solvers in the same order on eight puzzles: Friedman's p is exp(-8)."""
    pytest.importorskip("scipy", reason="the extra evaluation is not installed")
    (part,) = part_of(answers({"A": (1,) * 8, "B": (2,) * 8, "C": (3,) * 8})).sections
    assert "By Friedman's test the solvers differ (p = 0.00034)" in part.paragraphs[-1]
    (chart,) = part.charts
    difference = chart.alt_text.split()[-1].rstrip(".")
    rows = [line.split(",") for line in chart.csv().splitlines()[1:]]
    assert [(name, rank) for name, rank, _ in rows] == [("A", "1"), ("B", "2"), ("C", "3")]
    assert {f"{float(value):.2f}" for *_, value in rows} == {difference}


def test_few_puzzles_are_not_tested() -> None:
    (part,) = part_of(answers({"A": (1,) * 5, "B": (2,) * 5})).sections
    assert "Fewer than 6 puzzles cannot show that solvers differ." in part.paragraphs
    assert len(part.tables) == 1


def test_without_scipy_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significance, "find_spec", lambda name: None)
    part = part_of(answers())
    assert part.paragraphs == (
        "Tests of pairs and critical differences need scipy: pip install 'scipy>=1.11'.",
    )
    assert len(part.sections[0].tables) == 1
    assert part.sections[0].charts == ()


def test_who_is_not_ranked_is_named() -> None:
    times = {"A": (1, None), "B": (2, None)}
    (part,) = part_of(answers(times)).sections
    assert "Answered by nobody: puzzle 2." in part.paragraphs


def test_nothing_to_rank() -> None:
    assert ranking_section([]) is None
