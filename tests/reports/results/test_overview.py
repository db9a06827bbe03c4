"""What was run, in numbers."""

from __future__ import annotations

from dovetail.reports.results.page import overview_section
from harness.records.made import made, results


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
