"""The figures of all solvers on each question."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.pictures.drawing import SvgDrawing
from dovetail.reports.results.profiles import levels, profiles_section
from dovetail.reports.results.questions import (
    questions_section,
)
from harness.records.made import by_remaining, changed, made, profile, results
from reports.present import present
from reports.results.synthetic import marked_rows

TITLES = (
    *("solver", "solutions", "nodes", "attempts", "other work", "prepare", "solve", "total"),
    *("peak", "added", "× solve", "× total", "spread"),
)


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
    (part,) = questions_section(results(*records)).sections
    assert part.paragraphs == ("12 pieces, 60 cells, 8 solutions expected, digest digest of box",)
    (table,) = part.tables
    assert table.titles == TITLES
    assert [" | ".join(row) for row in table.rows] == [
        "dlx | 8 | 1,000 | 3,000 | – | 250 ms | 1 s | 1.25 s | 1 MiB | – | 2.00 | 1.67 | 1 run",
        "b | 8 | – | – | – | 250 ms | 500 ms | 750 ms | – | – | 1.00 | 1.00 | 3 runs: 400–750 ms",
        "c | time-limit ≥ 3 | 1,000 | 3,000 | – | 250 ms | 100 ms | 350 ms | 1 MiB | – | – | > 27 "
        "| 1 run",
        "d | refused |  |  |  |  |  |  |  |  |  |  | ",
        "e | failed – | 1,000 | 3,000 | – | 250 ms | 1 s | 1.25 s | 1 MiB | – | – | – | 1 run",
    ]
    assert marked_rows(table) == [4]


def test_automatic_symmetry_breaking() -> None:
    """It is shown behind its name, and what was asked for is not shown twice."""
    left: dict[str, Any] = {"placements": {"before": 9, "redundancy": 5}}
    records = [
        made(backend="a", baseline_bytes=2**19, **left),
        made(backend="b", reductions=["redundancy=X"], **left),
        made(backend="c", reductions=["probe"], **left),
    ]
    (part,) = questions_section(results(*records)).sections
    (table,) = part.tables
    assert [row[0] for row in table.rows] == ["a (−redundancy)", "b −redundancy=X", "c −probe"]
    assert [row[table.titles.index("added")] for row in table.rows] == ["512 KiB", "–", "–"]


def test_the_picture_of_the_puzzle() -> None:
    """Of a region, of a board; none where the records keep none."""
    records = [
        made("region"),
        made("board", outline={"width": 3, "height": 2}),
        made("cover", outline=None, size={"items": 4, "options": 9}),
        made("unknown", outline=None, size={}),
    ]
    parts = questions_section(results(*records)).sections
    assert [len(part.drawings) for part in parts] == [1, 1, 0, 0]
    titles = [part.drawings[0].drawing.title for part in parts[:2]]
    assert titles == ["a region of 60 cells", "a board, 3 wide and 2 high"]
    assert parts[2].paragraphs == ("4 items, 9 options, digest digest of cover",)
    assert parts[3].paragraphs == ("digest digest of unknown",)


def examples(record: Record) -> list[Record]:
    """The record of two solvers on a puzzle, with the first of whom something is wrong."""
    return [changed(record, status=Status.WRONG), changed(record, job="other", backend="bitset")]


PACKED = {"text": "A A B\nA . *", "pieces": ["A", "B"]}
PACKING: dict[str, Any] = {"outline": ". . .\n. . *", "example": PACKED}
TILES = {"text": "2 1\n0 1 0 0\n0 0 0 1", "pieces": []}
BOARD: dict[str, Any] = {"outline": {"width": 2, "height": 1}, "example": TILES}


def test_the_picture_of_a_solution() -> None:
    """A shape for each piece or each colour, by the first solver whose result is not wrong."""
    both = [one for fields in (PACKING, BOARD) for one in examples(made("p", **fields))]
    both[2:] = [changed(one, job=f"{one.job.digest} 2", digest="board") for one in both[2:]]
    packing, board = (part.drawings for part in questions_section(results(*both)).sections)
    captions = [figure.caption for figure in (*packing, *board)]
    assert captions == ["a solution, found by bitset"] * 2
    assert styles(packing[0].drawing) == ["blank", "lines", "piece piece-0", "piece piece-1"]
    assert packing[0].drawing.title == "a solution in a region of 5 cells"
    assert styles(board[0].drawing) == ["paint frame", "paint piece-0", "motif", "tiles"]


def styles(drawing: SvgDrawing) -> list[str]:
    """The classes of all paths."""
    return [shape.get("class", "") for shape in drawing.shapes if shape.tag == "path"]


def test_questions_apart() -> None:
    """By content, symmetry and whether pieces are distinguished."""
    records = [
        made(),
        made(digest="other", job="b"),
        made(symmetry="unique", job="c"),
        made(labelled=True, job="d"),
    ]
    parts = questions_section(results(*records)).sections
    assert [part.title for part in parts] == ["box", "box", "box (unique)", "box labelled"]
    assert [part.identity for part in parts] == [f"question-{n}" for n in (1, 2, 3, 4)]


# Busche 2018, the output of test case P4, from which table 2 is calculated.
ATTEMPTS = (301677, 3478035, 5722296, 3665538, 1284992, 386776, 200366, 126819, 28279, 3088, 131, 7)
FITS = (2339, 302256, 760374, 617667, 272072, 82406, 26950, 17275, 7994, 1744, 131, 7)
P4 = [
    {"remaining": remaining, "attempts": attempts, "fits": fits}
    for remaining, attempts, fits in zip(range(1, 13), ATTEMPTS, FITS, strict=True)
]


def test_the_published_profile() -> None:
    """13.473 attempts per target with 4 pieces left, as the article works out."""
    found = levels(made(**by_remaining(P4)))
    assert list(found) == list(range(1, 13))
    counts = {"attempts": 3_665_538, "fits": 617_667, "no_fits": 3_047_871}
    assert found[4] == counts | {f"{name}_per_target": n / 272_072 for name, n in counts.items()}
    assert found[4]["attempts_per_target"] == pytest.approx(13.473, abs=5e-4)
    assert found[12]["attempts"] == found[12]["attempts_per_target"] == 7
    part = present(profiles_section(results(made(**by_remaining(P4)))))
    (table,) = part.sections[0].tables
    assert table.rows[3] == (
        "4",
        "3,665,538",
        "617,667",
        "3,047,871",
        "13.473",
        "2.270",
        "11.202",
    )
    assert table.rows[-1] == ("12", "7", "7", "0", "7.000", "7.000", "0.000")


def test_several_searches_have_several_roots() -> None:
    """As trials have."""
    searches = {"begun": 50, "with_solutions": 1, "found": 2}
    *_, first = levels(made(searched=searches)).values()
    assert first["fits"] / first["fits_per_target"] == 50


def test_levels_that_do_not_follow_one_another() -> None:
    """Where attempts are not recorded, where a level is missing, where nothing fitted above."""
    bare = [{"remaining": n, "attempts": None, "fits": 5} for n in (1, 2)]
    assert levels(made(**by_remaining(bare))) == {1: {"fits": 5}, 2: {"fits": 5}}
    part = present(profiles_section(results(made(**by_remaining(bare)))))
    assert part.sections[0].tables[0].rows[0] == ("1", "–", "5", "–", "–", "–", "–")
    gaps = [{"remaining": n, "attempts": 9, "fits": 5 * (n != 4)} for n in (1, 3, 4)]
    found = levels(made(**by_remaining(gaps))).values()
    assert [figures.get("fits_per_target") for figures in found] == [None, None, 0.0]
    assert [figures["no_fits"] for figures in found] == [4, 4, 9]


def test_a_chart_for_each_question() -> None:
    """A line for each solver, levels without any left out; looks by solver on the whole page."""
    records = [
        made(backend="none", **by_remaining(None)),
        made(**by_remaining(P4)),
        made(
            backend="b", **by_remaining([{"remaining": 2, "attempts": 5, "fits": 0}, *profile(1)])
        ),
        made("other", backend="b"),
    ]
    part = present(profiles_section(results(*records)))
    first, second = part.sections
    chart, no_fits = first.charts
    assert no_fits.series[0].points[3].tooltip == "dlx, 4 left: 3,047,871 no-fits"
    assert [(line.name, line.style, len(line.points)) for line in chart.series] == [
        ("dlx", 1, 12),
        ("b", 2, 1),
    ]
    assert chart.series[0].points[3].tooltip == "dlx, 4 left: 617,667 fits"
    chart, _ = second.charts
    assert [(line.name, line.style) for line in chart.series] == [("b", 2)]
    assert [one.folded for one in part.sections] == [False, True]


def test_the_largest_of_many() -> None:
    """By nodes, as many as there is room for, in the order of the questions; never none."""
    records = [made(f"box-{n}", nodes=n) for n in range(50)]
    part = present(profiles_section(results(*records)))
    assert [one.title for one in part.sections] == [f"box-{n}" for n in range(10, 50)]
    assert part.paragraphs[-1] == (
        "This page shows the 40 largest of 50 profiles by nodes; --format csv writes all."
    )
    deep = [made(f"box-{n}", nodes=n, **by_remaining(profile(400))) for n in range(5)]
    part = present(profiles_section(results(*deep)))
    assert [one.title for one in part.sections] == ["box-2", "box-3", "box-4"]
    part = present(profiles_section(results(made(**by_remaining(profile(2_000))))))
    assert len(part.sections[0].tables[0].rows) == 2_000
