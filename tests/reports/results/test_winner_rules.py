"""Rules for who is fastest, in words."""

from __future__ import annotations

import pytest

from dovetail.harness.evaluation import winner_rules
from dovetail.harness.records.summary import JobResult
from dovetail.reports.page import Part
from dovetail.reports.results.winner_rules import winner_rules_part
from harness.evaluation.contested import contests_of
from reports.results.synthetic import result


def raced(cells: int, solver: str, seconds: float) -> JobResult:
    """A result on a packing of one piece, so that only its cells tell it apart."""
    size = {"pieces": 1, "cells": cells}
    return result(f"p{cells}", solver, seconds, size=size, placements={})


def part_of(results: list[JobResult]) -> Part | None:
    return winner_rules_part(contests_of(results)[0])


RACES = [
    raced(cells, solver, seconds)
    for cells in (10, 20, 25, 30, 35, 45, 50, 55, 60)
    for solver, seconds in (("dlx", 40), ("fila", cells))
]


def test_a_sentence_for_each_rule() -> None:
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    part = part_of(RACES)
    assert part is not None
    assert part.paragraphs == (
        "At most 40 cells: fila, fastest on 5 of 5.",
        "More than 40 cells: dlx, fastest on 4 of 4.",
        "How far this holds: by rules made from the other puzzles, the fastest solver of 9 of 9 is "
        "predicted; always naming fila is right for 5.",
    )


def test_rules_no_better_than_a_guess_are_folded_away() -> None:
    """Every third puzzle has another winner, which no feature tells."""
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    results = [
        raced(cells, solver, seconds)
        for cells in range(10, 34)
        for solver, seconds in (("dlx", 2), ("fila", 1 + 2 * (cells % 3 == 0)))
    ]
    part = part_of(results)
    assert part is not None
    (text,) = part.paragraphs
    assert text.startswith("These features do not tell who is fastest: by rules made from")
    assert text.endswith("always naming fila is right for 16.")
    (tree,) = part.parts
    assert tree.folded
    assert tree.paragraphs


def test_families_of_puzzles() -> None:
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    kinds = [{"cells": 20, "pieces": 4}] * 5 + [{"tiles": 20}] * 5
    results = [
        result(f"p{n}", solver, seconds, size=size, placements={})
        for n, size in enumerate(kinds)
        for solver, seconds in (("fila", 1.0 if "cells" in size else 3.0), ("rows", 2.0))
    ]
    part = part_of([*results])
    assert part is not None
    assert any(
        text.startswith(("Packing: fila", "Not edge matching: fila")) for text in part.paragraphs
    )


def test_without_the_library_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winner_rules, "find_spec", lambda name: None)
    part = part_of(RACES)
    assert part is not None
    assert part.paragraphs == (
        "Rules for who is fastest need scikit-learn: "
        "pip install 'scikit-learn>=1.4' 'scipy>=1.11'.",
    )


def test_no_rules() -> None:
    assert winner_rules_part(None) is None
    assert part_of(RACES[:4]) is None
