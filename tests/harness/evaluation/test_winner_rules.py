"""Rules that tell who is fastest: found where there are any, and trusted no more than measured."""

from __future__ import annotations

import random

import pytest

from dovetail.harness.evaluation.features import features
from dovetail.harness.evaluation.winner_rules import WinnerRules, winner_rules
from dovetail.harness.records.summary import JobResult
from harness.evaluation.contested import contests_of
from reports.results.synthetic import result


def found(results: list[JobResult]) -> WinnerRules | None:
    return winner_rules(contests_of(results)[0])


def raced(puzzle: str, dlx_s: float, fila_s: float, cells: int) -> list[JobResult]:
    size = {"pieces": cells // 5, "cells": cells}
    return [
        result(puzzle, solver, seconds, size=size, placements={"before": 10 * cells})
        for solver, seconds in (("dlx", dlx_s), ("fila", fila_s))
    ]


def test_features_of_each_family() -> None:
    packing = result("a", "dlx", size={"pieces": 5, "cells": 15}, placements={"before": 80})
    assert features([packing]) == {
        "cells": 15,
        "pieces": 5,
        "options per item": 4,
        "solutions": 1,
        "packing": 1,
    }
    board = features([result("a", "dlx", size={"tiles": 16, "colours": 4}, placements={})])
    assert (board["cells"], board["pieces"], board["edge matching"]) == (16, 16, 1)
    assert "options per item" not in board
    cover = result("a", "dlx", size={"items": 20, "options": 60}, placements={"before": 60})
    assert features([cover])["options per item"] == 3


def test_a_rule_by_the_number_of_cells() -> None:
    """`fila` is faster below 40 cells, `dlx` above; each puzzle is known from the others."""
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    sizes = (45, 50, 55, 60, 35, 20, 25, 30, 10)
    results = [one for cells in sizes for one in raced(f"p{cells}", 40, cells, cells=cells)]
    rules = found(results)
    assert rules is not None
    below, above = rules.rules
    assert (below.solver, below.wins, below.questions) == ("fila", 5, 5)
    assert (above.solver, above.wins, above.questions) == ("dlx", 4, 4)
    (condition,) = below.conditions
    assert (condition.feature, condition.above) in (("cells", False), ("pieces", False))
    assert condition.limit == {"cells": 40.0, "pieces": 8.0}[condition.feature]
    assert (rules.predicted, rules.guessed, rules.questions) == (9, 5, 9)


def test_chance_is_not_predicted() -> None:
    """Winners by lot: the trees of other puzzles know no more than the more frequent winner."""
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    lots = random.Random(5)
    results = [
        one
        for cells in range(20, 140, 2)
        for one in raced(f"p{cells}", lots.random(), 0.5, cells=cells)
    ]
    rules = found(results)
    assert rules is not None
    assert rules.predicted < rules.guessed + 8


def test_no_rules() -> None:
    """Of few puzzles, of one winner, or of puzzles that are alike."""
    pytest.importorskip("sklearn", reason="the extra evaluation is not installed")
    few = [one for cells in (20, 60) for one in raced(f"p{cells}", cells, 40, cells=cells)]
    assert found(few) is None
    one_winner = [
        one for cells in range(20, 60, 4) for one in raced(f"p{cells}", 1, 2, cells=cells)
    ]
    assert found(one_winner) is None
    alike = [one for n in range(10) for one in raced(f"p{n}", 1 + n % 2, 1.5, cells=30)]
    assert found(alike) is None
