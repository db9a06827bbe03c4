"""Where records come from."""

from __future__ import annotations

from typing import Any

from dovetail.harness.records.record_files import record_of
from dovetail.reports.results.provenance import other_environments, provenance_section
from harness.records.made import fields, made

# The fields without a default.
REQUIRED = (
    *("schema", "job", "repeat", "puzzle", "digest", "backend", "config", "symmetry"),
    *("labelled", "reductions", "status", "count", "nodes", "attempts", "reason", "prepare_s"),
    *("solve_s", "peak_bytes"),
)


def test_what_records_hold() -> None:
    """Without a suite; several values where they differ."""
    records = [
        made(),
        made("b", suite="another", limits={"nodes": 1_000, "solutions": 5}, commit=None),
        record_of({key: fields()[key] for key in REQUIRED}),
    ]
    rows = dict(row for row in provenance_section(records).tables[0].rows if len(row) == 2)
    assert rows == {
        "suite": "made; another; not recorded",
        "runs": "3 records",
        "limits of a run": "20 s (prepare + solve); 1,000 nodes, 5 solutions; none",
        "machine": "P, 2 cores, 16.0 GiB, S; not recorded, ? cores, not recorded",
        "versions": "python 3.12; not recorded",
        "commit": "abc; not recorded",
        "started": "2026-01-01 to 2026-01-01",
        "parallel runs": "1; not recorded",
        "workers of a run": "1",
        "busy cores": "1 to 1 during a run",
    }


def test_many_values() -> None:
    """The first of them, and how many more."""
    records = [made(commit=f"c{number}") for number in range(12)]
    rows = dict(row for row in provenance_section(records).tables[0].rows if len(row) == 2)
    assert rows["commit"].endswith("; c9; and 2 more")


def test_records_of_other_places() -> None:
    """FileDiff with the last one."""
    assert other_environments([made(), made()]) == 0
    assert other_environments([]) == 0
    others: list[dict[str, Any]] = [
        {"commit": "x"},
        {"machine": {}},
        {"versions": {"python": "3.11"}},
    ]
    assert other_environments([*(made(**one) for one in others), made()]) == 3
