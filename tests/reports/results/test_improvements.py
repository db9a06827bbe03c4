"""The part on best boards: scores over seeds, over time and over boards."""

from __future__ import annotations

from typing import Any

from dovetail.harness.records.record import Record
from dovetail.reports.columns import SCORES
from dovetail.reports.results.improvements import improvements_headline, improvements_section
from dovetail.reports.results.page import report_page
from harness.records.made import by_remaining, made, results
from reports.present import present
from reports.results.synthetic import marked_rows

# The tiles of a board of 2 x 2 as they lie; one of its four edges does not match.
BOARD = "2 2\n0 1 3 0\n0 0 1 1\n3 1 0 0\n2 0 0 1"


def improved(puzzle: str, solver: str, seed: int, *scores: int, **changes: Any) -> Record:
    """A record of an improvement that reached these scores after 1, 2, 3, … seconds."""
    trace = [{"seconds": n, "nodes": n * 10, "score": score} for n, score in enumerate(scores, 1)]
    own: dict[str, Any] = {
        "job": f"{puzzle} {solver} {seed}",
        "seed": seed,
        "improves": True,
        "status": "time-limit" if scores else "skipped",
        "count": None,
        "nodes": 100,
        "solve_s": 10.0,
        "score": scores[-1] if scores else None,
        "bound": 4 if scores else None,
        "trace": trace if scores else None,
        "outline": {"width": 2, "height": 2},
        "example": {"text": BOARD} if scores else None,
        **by_remaining(None),
    }
    return made(puzzle, solver, **{**own, **changes})


RECORDS = (
    improved("one", "beam", 1, 1, 3, best_known=4),
    improved("one", "beam", 2, 2, best_known=4),
    improved("one", "breaks", 1, 4, status="solved", count=1, verified=1),
    improved("two", "beam", 1, 3),
    improved("two", "breaks", 1, reason="refused"),
)


def test_tables() -> None:
    """A row for each improver on each board, those that lost a run marked."""
    part = present(improvements_section(results(*RECORDS)))
    (table,) = part.tables
    assert table.titles == tuple(name for name in SCORES if name != "objective")
    assert table.rows == (
        ("one", "beam", "20 s", "2", "2.5", "2–3", "4", "4", "0", "1.5 s", "10"),
        ("one", "breaks", "20 s", "1", "4", "4", "4", "–", "1", "1 s", "10"),
        ("two", "beam", "20 s", "1", "3", "3", "4", "–", "0", "1 s", "10"),
        ("two", "breaks", "20 s", "0 (1 lost)", *"––––––", "–"),
    )
    assert marked_rows(table) == [3]


def test_repeats_of_a_seed_are_runs() -> None:
    """They are not further seeds."""
    runs = [improved("one", "beam", 1, 3, repeat=repeat) for repeat in range(2)]
    (table,) = present(improvements_section(results(*runs))).tables
    assert dict(zip(table.titles, table.rows[0], strict=True))["runs"] == "2"
    assert "seeds" not in table.titles


def test_charts_and_boards() -> None:
    """The median of the seeds after each improvement; the best board with its mismatch marked."""
    part = present(improvements_section(results(*RECORDS)))
    one, two = part.sections
    assert (one.title, two.title) == ("one", "two")
    (chart,) = one.charts
    assert chart.csv().splitlines() == [
        "series,seconds,low,median,high",
        "beam,1,1,1.5,2",
        "beam,2,2,2.5,3",
        "breaks,1,4,4,4",
    ]
    (drawing,) = one.drawings
    assert drawing.caption == "4 of 4 edges match: breaks, seed 1"
    marks = [path for path in drawing.drawing.shapes if path.get("class") == "mismatch"]
    assert len(marks) == 1


def test_a_page_of_improvements_only() -> None:
    """The headline names the best improver if all ran on the same boards; nobody is ranked."""
    page = report_page(RECORDS[:3])
    assert page.headline == "breaks has the best mean score: 4.0 of 4 edges match, on 1 board."
    titles = [part.title for part in page.sections]
    assert titles[0] == "Best boards"
    assert "Puzzle by puzzle" not in titles
    assert improvements_headline(results(*RECORDS)) == ""
    both = report_page((*RECORDS, made()))
    assert {"Best boards", "Puzzle by puzzle"} <= {part.title for part in both.sections}


def test_every_board_weighs_alike_in_a_mean_score() -> None:
    """A mean over all runs would be above the mean bound if the larger board had more seeds."""
    large = [improved("large", "beam", seed, 400, bound=480) for seed in range(10)]
    small = [improved("small", "breaks", seed, 40, bound=40) for seed in range(10)]
    others = [
        improved("small", "beam", 1, 30, bound=40),
        improved("large", "breaks", 1, 400, bound=480),
    ]
    found = results(*large, *small, *others)
    assert improvements_headline(found) == (
        "breaks has the best mean score: 220.0 of 260 edges match, on 2 boards."
    )
    means, _ = present(improvements_section(found)).tables
    assert [(row[0], row[2]) for row in means.rows] == [("beam", "215.0"), ("breaks", "220.0")]


LIMITS = {"time_s": 600.0, "nodes": None, "solutions": None, "memory_bytes": None}


def test_an_improver_with_several_limits_has_a_mean_for_each() -> None:
    found = results(
        *(improved(board, "beam", 1, 9, bound=40, job=board) for board in ("one", "two")),
        *(
            improved(
                board,
                "beam",
                1,
                30,
                bound=40,
                job=f"{board}, long",
                limits=LIMITS,
            )
            for board in ("one", "two")
        ),
    )
    means, _ = present(improvements_section(found)).tables
    assert [(row[0], row[2]) for row in means.rows] == [
        ("beam, 20 s (prepare + solve)", "9.0"),
        ("beam, 600 s (prepare + solve)", "30.0"),
    ]
