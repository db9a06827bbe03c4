"""Columns of results: no two meanings of nodes share a column; all figures as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict

import pytest

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.backends.registry import backends
from dovetail.reports.columns import (
    other_work,
    placements_made,
    results_csv,
)
from dovetail.reports.numbers import show_change, show_rounded
from dovetail.reports.results.questions import questions_section
from dovetail.reports.results.solvers import cactus_section
from dovetail.reports.table import csv_text
from harness.records.made import by_remaining, made, profile, results
from reports.present import present
from reports.results.synthetic import result

MEANINGS = {name: backend.node_meaning for name, backend in backends().items()}
COUNTED = {name: meaning for name, meaning in MEANINGS.items() if meaning is not None}
RESULTS = [
    result(puzzle, name, nodes=1_000 + number, node_meaning=meaning)
    for puzzle in "ab"
    for number, (name, meaning) in enumerate(COUNTED.items())
]


def test_units_of_every_backend() -> None:
    """A unit names one meaning, and is there just where a node is no placement made."""
    assert len(set(COUNTED.values())) >= 4
    meanings = defaultdict(set)
    for one in RESULTS:
        number, _, unit = other_work(one).partition(" ")
        meanings[unit].add(one.job.node_meaning)
        assert (placements_made(one) is None) == (number != "–")
    assert all(len(its) == 1 for its in meanings.values()), meanings
    assert meanings[""] == {PLACEMENT_MADE}


def test_no_column_of_a_page_has_nodes_of_two_meanings() -> None:
    """In the tables question by question and solver by solver, and in the chart of nodes."""
    for part in questions_section(RESULTS).sections:
        (table,) = part.tables
        for row in table.rows:
            name = row[0]
            cell = row[table.titles.index("nodes")]
            assert (cell != "–") == (MEANINGS[name] == PLACEMENT_MADE), row
    cactus = present(cactus_section(RESULTS))
    (table,) = cactus.tables
    shown = {row[0] for row in table.rows if row[table.titles.index("nodes")] != "–"}
    chart = cactus.charts[1]
    curves = {curve.name.partition(" ")[0] for curve in chart.series}
    placements = {name for name, meaning in COUNTED.items() if meaning == PLACEMENT_MADE}
    assert shown == curves == placements


@pytest.mark.parametrize(
    ("native", "nodes", "meaning", "shown"),
    [
        ({"branches": 8_123, "conflicts": 1}, None, None, "8,123 branches, 1 conflict"),
        ({}, 5, "a try of a tile", "5 tries"),
        ({}, 5, "work", "5 nodes (work)"),
    ],
)
def test_other_work(
    native: dict[str, object], nodes: int | None, meaning: str | None, shown: str
) -> None:
    """A solver's own figures, else its nodes."""
    record = made(native=native, nodes=nodes, node_meaning=meaning)
    assert (placements_made(record), other_work(record)) == (None, shown)


FILE_COLUMNS = """
puzzle digest symmetry labelled backend settings
job seed cold_start objective node_meaning suite expected best_known begun status count nodes
attempts
reason score bound symmetry_expansion warm_up_s prepare_s solve_s solve_cpu_s check_s total_s
peak_bytes baseline_bytes verified commit
solve_ratio total_ratio runs solve_min_s solve_max_s
config reductions triggers trials limits start tags published load attempts_by_remaining
fits_by_remaining native placements other_counts disassembled machine versions
"""


def test_the_file_has_a_line_for_each_job() -> None:
    """Every figure, ratios, the range over repeats; objects as JSON, empty cells for nothing."""
    records = [
        made(labelled=True, config={"stages": ["s", "f@11"]}, reductions=["volume"]),
        made(labelled=True, config={"stages": ["s", "f@11"]}, repeat=1, solve_s=3.0),
        made(backend="b", labelled=True, solve_s=0.5, nodes=None, status="time-limit"),
        made('a\nname, "quoted" \ud800', status="skipped", count=None, reason="no"),
    ]
    text = results_csv(results(*records))
    one, other, last = csv.DictReader(io.StringIO(text))
    assert list(one) == FILE_COLUMNS.split()
    assert (one["puzzle"], one["backend"], one["labelled"]) == ("box", "dlx", "1")
    assert one["settings"] == "stages=s,f@11 −volume"
    assert (one["count"], one["nodes"], one["prepare_s"], one["solve_s"]) == (
        "8",
        "1000",
        "0.25",
        "1.0",
    )
    assert (one["runs"], one["solve_min_s"], one["solve_max_s"]) == ("2", "1.0", "3.0")
    assert (one["solve_ratio"], one["total_ratio"]) == ("1.0", "1.0")
    assert json.loads(one["config"]) == {"stages": ["s", "f@11"]}
    assert json.loads(one["fits_by_remaining"]) == by_remaining(profile())["fits_by_remaining"]
    assert (other["status"], other["nodes"], other["solve_ratio"]) == ("time-limit", "", "")
    assert (last["puzzle"], last["count"]) == ('a\nname, "quoted" �', "")


@pytest.mark.parametrize(
    ("text", "cell"), [("a=b", "a=b"), ("=1+1", "'=1+1"), ("a\0\ud800", "a��")]
)
def test_texts_are_no_formulas(text: str, cell: str) -> None:
    """And can be written."""
    assert csv_text(text) == cell


@pytest.mark.parametrize(("number", "shown"), [(0, "0"), (999.6, "1 k")])
def test_rounded_numbers(number: float, shown: str) -> None:
    """Three digits and a unit."""
    assert show_rounded(number) == shown


@pytest.mark.parametrize(("change", "shown"), [(None, "–"), (-1e-9, "+0 %")])
def test_changes(change: float | None, shown: str) -> None:
    """Percentages with a sign, never −0."""
    assert show_change(change) == shown
