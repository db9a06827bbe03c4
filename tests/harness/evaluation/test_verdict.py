"""Who is ahead, by how much, and whether that is more than chance."""

from __future__ import annotations

import pytest

from dovetail.harness.evaluation.ranking import verdict
from harness.evaluation.contested import answers, contests_of, worked_example
from harness.known import known


def test_the_worked_example() -> None:
    """`A` is ahead by geometric mean, `C` and `D` are fastest on two; six puzzles prove nothing."""
    found = verdict(worked_example())
    assert (found.first.solver, found.second.solver) == ("A", "B")
    assert [(one.solver, one.wins) for one in found.frequent_winners] == [("C", 2), ("D", 2)]
    assert not found.is_clear


def test_a_clear_lead() -> None:
    found = verdict(contests_of(answers({"A": (1,) * 8, "B": (2, 3, 4, 5, 2, 3, 4, 5)}))[0])
    assert found.is_clear
    assert found.frequent_winners == (found.first,)


def test_a_lead_that_may_be_chance() -> None:
    """The mean is above 1, and the interval is not."""
    found = verdict(contests_of(answers({"A": (1,) * 6, "B": (9, 0.2, 2, 0.5, 3, 0.9)}))[0])
    assert found.lead.ratio.mean > 1
    assert found.is_clear is False


def test_few_puzzles_show_nothing() -> None:
    """Not even a lead that is the same on each; the lead on what both answered is known."""
    found = verdict(contests_of(answers({"A": (1,) * 5, "B": (2, 2, 2, 2, None)}))[0])
    assert found.is_clear is None
    assert known(found.lead.answered_ratio).mean == pytest.approx(2)
