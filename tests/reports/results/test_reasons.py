"""Refusals, failures, and answers without a search."""

from __future__ import annotations

from dovetail.reports.results.page import reasons_section
from harness.records.made import made, results


def test_alike_reasons_stand_together() -> None:
    """Failures first and in red; what is wrong or cut is listed elsewhere."""
    refused = {"status": "skipped", "reason": "too large"}
    records = [
        made(**refused),
        made("other", **refused),
        made(backend="b", count=0, reason="parity rules it out"),
        made(backend="c", status="failed", reason=None),
        made(backend="d", status="wrong", reason="it counted 9"),
        made(backend="e", status="time-limit", reason="killed"),
        made(backend="f"),
    ]
    (table,) = reasons_section(results(*records)).tables
    assert table.rows == (
        ("failed", "c", "no reason recorded", "1", "box"),
        ("refused", "dlx", "too large", "2", "box; other"),
        ("no solution", "b", "parity rules it out", "1", "box"),
    )
    assert table.marked == {0}
    assert not table.folded


def test_many_reasons_are_folded() -> None:
    """And all are there."""
    refused = {"status": "skipped", "reason": "too large"}
    (table,) = reasons_section(
        results(*(made(backend=f"s{number}", **refused) for number in range(31)))
    ).tables
    assert (len(table.rows), table.folded, table.caption) == (31, True, "31 reasons")


def test_a_line_where_there_are_none() -> None:
    """A reader need not guess."""
    part = reasons_section(results(made()))
    assert part.paragraphs == ("No run was refused or failed.",)
