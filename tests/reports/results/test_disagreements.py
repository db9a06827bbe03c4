"""What is wrong comes first, with what each solver said."""

from __future__ import annotations

from dovetail.harness.records.summary import judged
from dovetail.reports.results.page import NONE, disagreements_section
from harness.records.made import made, results


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
    assert table.marked == {1}


def test_where_nothing_shows_which_is_wrong() -> None:
    """All that contradict one another are red."""
    part = disagreements_section(judged(results(made(), made(backend="b", count=9))))
    reason = "backends disagree: dlx 8, b 9"
    assert [row[2:] for row in part.tables[0].rows] == [
        (reason, "wrong 8", "–"),
        (reason, "wrong 9", "–"),
    ]
    assert part.tables[0].marked == {0, 1}


def test_verified_solutions_show_which_is_wrong() -> None:
    """Only the smaller count is red."""
    verified = made(verified=8, symmetry_expansion="as found")
    (table,) = disagreements_section(judged(results(verified, made(backend="b", count=0)))).tables
    reason = "it counted 0; verified solutions prove at least 8 (dlx 8, b 0)"
    assert [row[2:4] for row in table.rows] == [("", "8"), (reason, "wrong 0")]
    assert table.marked == {1}


def test_a_line_where_there_are_none() -> None:
    """A reader need not guess."""
    part = disagreements_section(judged(results(made(), made(backend="b"))))
    assert (part.paragraphs, part.tables) == ((NONE,), ())
