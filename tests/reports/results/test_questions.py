"""The figures of all solvers on each question."""

from __future__ import annotations

from typing import Any

from dovetail.reports.results.questions import COLUMNS, MAX_OPEN, questions_part
from harness.records.made import made, results


def test_the_figures_of_every_solver() -> None:
    """Ratios to the fastest that finished, spread over repeats, bounds, refusals.

    What verifying took is in no ratio.
    """
    records = [
        made(expected=8),
        made(backend="b", solve_s=0.5, check_s=9.0, nodes=None, attempts=None, peak_bytes=None),
        made(backend="b", repeat=1, solve_s=0.4, nodes=None, peak_bytes=None),
        made(backend="b", repeat=2, solve_s=0.75, nodes=None, peak_bytes=None),
        made(backend="c", status="time-limit", count=3, solve_s=0.1),
        made(backend="d", status="skipped", count=None, reason="no"),
        made(backend="e", status="failed", count=None, reason="crashed"),
    ]
    (part,) = questions_part(results(*records)).parts
    assert part.paragraphs == ("12 pieces, 60 cells, 8 solutions expected, digest digest of box",)
    (table,) = part.tables
    assert table.columns == COLUMNS
    assert [" | ".join(row) for row in table.rows] == [
        "dlx | 8 | 1,000 | 3,000 | – | 250 ms | 1 s | 1.25 s | 1 MiB | – | 2.00 | 1.67 | 1 run",
        "b | 8 | – | – | – | 250 ms | 500 ms | 750 ms | – | – | 1.00 | 1.00 | 3 runs: 400–750 ms",
        "c | time-limit ≥ 3 | 1,000 | 3,000 | – | 250 ms | 100 ms | 350 ms | 1 MiB | – | – | – | "
        "1 run",
        "d | refused |  |  |  |  |  |  |  |  |  |  | ",
        "e | failed – | 1,000 | 3,000 | – | 250 ms | 1 s | 1.25 s | 1 MiB | – | – | – | 1 run",
    ]
    assert table.marked == {4}


def test_automatic_symmetry_breaking() -> None:
    """It is shown behind its name, and what was asked for is not shown twice."""
    left: dict[str, Any] = {"placements": {"before": 9, "redundancy": 5}}
    records = [
        made(backend="a", baseline_bytes=2**19, **left),
        made(backend="b", reductions=["redundancy=X"], **left),
        made(backend="c", reductions=["probe"], **left),
    ]
    (part,) = questions_part(results(*records)).parts
    (table,) = part.tables
    assert [row[0] for row in table.rows] == ["a (−redundancy)", "b −redundancy=X", "c −probe"]
    assert [row[table.columns.index("added")] for row in table.rows] == ["512 KiB", "–", "–"]


def test_the_picture_of_the_puzzle() -> None:
    """Of a region, of a board; none where the records keep none, as those of old benches."""
    records = [
        made("region"),
        made("board", outline={"width": 3, "height": 2}),
        made("cover", outline=None, size={"items": 4, "options": 9}),
        made("old", outline=None, size={}),
    ]
    parts = questions_part(results(*records)).parts
    assert [len(part.drawings) for part in parts] == [1, 1, 0, 0]
    assert {part.drawings[0].svg.tag for part in parts[:2]} == {"svg"}
    assert parts[2].paragraphs == ("4 items, 9 options, digest digest of cover",)
    assert parts[3].paragraphs == ("digest digest of old",)


def test_questions_apart() -> None:
    """By content, symmetry and whether pieces are distinguished."""
    records = [
        made(),
        made(digest="other", job="b"),
        made(symmetry="unique", job="c"),
        made(config={"labelled": True}, job="d"),
    ]
    parts = questions_part(results(*records)).parts
    assert [part.title for part in parts] == ["box", "box", "box (unique)", "box labelled"]
    assert [part.identity for part in parts] == [f"question-{n}" for n in (1, 2, 3, 4)]


def test_many_are_folded() -> None:
    """So that the page can be looked over."""
    few = questions_part(results(*(made(f"box-{n}") for n in range(MAX_OPEN))))
    many = questions_part(results(*(made(f"box-{n}") for n in range(MAX_OPEN + 1))))
    assert {part.folded for part in few.parts} == {False}
    assert {part.folded for part in many.parts} == {True}


def test_thousands_are_one_table() -> None:
    """With the puzzle in each row, and what is wrong marked."""
    records = [made(f"box-{n}", status="wrong" if n == 7 else "exhausted") for n in range(1_001)]
    part = questions_part(results(*records))
    assert part.parts == ()
    (table,) = part.tables
    assert table.columns == ("puzzle", *COLUMNS)
    assert table.marked == {7}
    assert [row[:2] for row in table.rows[-2:]] == [("box-999", "dlx"), ("box-1000", "dlx")]
