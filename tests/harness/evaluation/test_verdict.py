"""Who is ahead, by how much, and whether that is more than chance."""

from __future__ import annotations

from dovetail.harness.evaluation.contest import contests
from dovetail.harness.evaluation.verdict import verdict
from harness.evaluation.contested import answers, worked_example


def test_the_worked_example() -> None:
    """`A` is ahead by geometric mean, `C` is fastest on two puzzles; six puzzles prove nothing."""
    found = verdict(worked_example())
    assert (found.first.solver, found.second.solver) == ("A", "B")
    assert (found.frequent_winner.solver, found.frequent_winner.wins) == ("C", 2)
    assert not found.is_clear


def test_a_clear_lead() -> None:
    found = verdict(contests(answers({"A": (1,) * 8, "B": (2, 3, 4, 5, 2, 3, 4, 5)}))[0])
    assert found.is_clear
    assert found.frequent_winner is found.first
