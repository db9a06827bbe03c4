"""The heat map of puzzles and solvers."""

from __future__ import annotations

import pytest

from dovetail.harness.evaluation.contests import solver_runs
from dovetail.reports.results import solvers
from dovetail.reports.results.solvers import heat_map_section
from dovetail.reports.table import MAX_SHADE, Table
from harness.evaluation.contested import answers
from reports.results.synthetic import many_results, result


def test_ratios_and_shades() -> None:
    """The fastest has the strongest; runs without an answer have the last, missing runs none."""
    runs = solver_runs([*answers({"A": (1, 4), "B": (30, None)}), result("puzzle 1", "C", 1.5)])
    part = heat_map_section(runs, ["B"])
    assert part is not None
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


def test_what_did_not_end_well() -> None:
    runs = solver_runs(
        [
            result("a", "A", 2.0),
            result("a", "B", status="wrong"),
            result("a", "C", status="failed"),
            result("a", "D", status="skipped"),
            result("a", "E", 1.0, status="memory-limit"),
        ]
    )
    part = heat_map_section(runs, [])
    assert part is not None
    assert part.tables[0].rows == (("a", "2 s", "×1.00", "wrong", "failed", "refused", "stopped"),)


def test_none_of_one_solver_or_of_no_answer() -> None:
    assert heat_map_section(solver_runs([result("a", "A")]), []) is None
    cut = answers({"A": (None,), "B": (None,)})
    assert heat_map_section(solver_runs(cut), []) is None


def test_large_ones_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "MAX_MAP_SOLVERS", 3)
    monkeypatch.setattr(solvers, "MAX_MAP_CELLS", 12)
    part = heat_map_section(solver_runs(many_results(5, 4)), [])
    assert part is not None
    (table,) = part.tables
    assert (len(table.titles), len(table.rows)) == (2 + 3, 4)
    assert part.paragraphs == ("The first 3 of 4 solvers.", "The first 4 of 5 puzzles.")
