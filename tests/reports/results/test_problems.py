"""Disagreements, reasons and the overview of a report."""

from __future__ import annotations

from dovetail.harness.records.summary import judged
from dovetail.reports.results.page import (
    disagreements_section,
    overview_section,
    reasons_section,
)
from harness.records.made import made, results
from reports.results.synthetic import marked_rows


def test_all_answers_to_a_disputed_question() -> None:
    """Those that are wrong in red, other questions not at all."""
    records = [
        made(expected=8),
        made(backend="b", count=9, expected=8),
        made(backend="c", count=3, status="time-limit", expected=8),
        made(backend="d", count=None, status="skipped", reason="no", expected=8),
        made("other"),
    ]
    (table,) = disagreements_section(judged(results(*records))).tables
    assert table.rows == (
        ("box", "dlx", "", "8", "8"),
        ("box", "b", "it counted 9; expected 8", "wrong 9", "8"),
        ("box", "c", "", "time-limit ≥ 3", "8"),
        ("box", "d", "", "refused", "8"),
    )
    assert marked_rows(table) == [1]


def test_no_disagreement_is_a_sentence() -> None:
    part = disagreements_section(judged(results(made(), made(backend="b"))))
    assert (part.title, part.paragraphs, part.tables) == (
        "Disagreements: none",
        ("No result contradicts another result or the expected count.",),
        (),
    )


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
    assert marked_rows(table) == [0]
    assert not table.folded


def test_many_reasons_are_folded() -> None:
    """And all are there."""
    refused = {"status": "skipped", "reason": "too large"}
    (table,) = reasons_section(
        results(*(made(backend=f"s{number}", **refused) for number in range(31)))
    ).tables
    assert (len(table.rows), table.folded, table.caption) == (31, True, "31 reasons")


def test_questions_solvers_and_ends() -> None:
    """Repeats are one run; each limit has a row, what did not happen has none.

    Whoever found all that was asked is finished, at a limit on solutions too; a board on which
    every edge matches is solved.
    """
    records = [
        made(),
        made(repeat=1),
        made(symmetry="unique", job="u"),
        made(backend="b", status="time-limit"),
        made(backend="c", status="node-limit"),
        made(backend="d", status="skipped", reductions=["volume"]),
        made(backend="e", status="failed"),
        made(backend="f", status="wrong"),
        made(backend="g", status="solution-limit"),
        made(backend="h", status="solved"),
    ]
    (table,) = overview_section(records, results(*records)).tables
    assert table.rows == (
        ("questions", "2, on 1 puzzle"),
        ("solvers", "8: dlx, b, c, d −volume, e, f, g, h"),
        ("runs", "9, from 10 records"),
        ("finished", "3"),
        ("solved", "1"),
        ("stopped: node-limit", "1"),
        ("stopped: time-limit", "1"),
        ("refused", "1"),
        ("failed", "1"),
        ("wrong", "1"),
    )


def test_many_solvers() -> None:
    """The first of them are named."""
    records = [made(backend=f"s{number}") for number in range(43)]
    (table,) = overview_section(records, results(*records)).tables
    name, text = table.rows[1]
    assert name == "solvers"
    assert text.startswith("43: s0, s1, ")
    assert text.endswith(", s39 and 3 more")
