"""Rankings against a hand-worked example of five solvers by six puzzles with time-outs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dovetail.harness.evaluation.ranking import (
    Standing,
    borda_counts,
    lead,
    question_ranks,
    ranking,
)
from harness.evaluation.contested import STOPPED, answers, contests_of, worked_example

# By hand: a stopped run counts as 200 s; the fastest take 1, 1, 1, 2, 8 and 25 s.
RATIOS = {
    "A": (1, 2, 4, 4, 2, 8),
    "B": (2, 2, 2, 100, 1, 2),
    "C": (4, 1, 8, 4, 25, 1),
    "D": (8, 16, 1, 1, 4, 8),
    "E": (200, 200, 200, 100, 25, 4),
}
PAR2_S = {"A": 231, "B": 264, "C": 246, "D": 259, "E": 1100}  # sums
BORDA = {"A": 14, "B": 15.5, "C": 13.5, "D": 12, "E": 2}
WINS = {"A": 1, "B": 1, "C": 2, "D": 2, "E": 0}
ANSWERED = {"A": 5, "B": 5, "C": 5, "D": 5, "E": 1}
RANKS = {"A": 15.5, "B": 14, "C": 16, "D": 17.5, "E": 27}  # sums
MARGINAL_S = {"A": 1, "B": 8, "C": 1 + 25, "D": 1 + 6, "E": 0}  # sums
ORDER = ["A", "B", "C", "D", "E"]  # 512, 1,600, 3,200, 4,096 and 8e10 to the power of 1/6


@pytest.fixture
def standings() -> dict[str, Standing]:
    """The ranking of the worked example by solver."""
    return {standing.solver: standing for standing in ranking(worked_example())}


def test_the_order_is_that_of_geometric_means(standings: dict[str, Standing]) -> None:
    assert list(standings) == ORDER
    for solver, ratios in RATIOS.items():
        expected = math.prod(ratios) ** (1 / 6)
        assert standings[solver].ratio.mean == pytest.approx(expected, rel=1e-12)
    assert standings["A"].ratio.mean == pytest.approx(2**1.5)
    assert standings["D"].ratio.mean == pytest.approx(4)


def test_figures_of_each_solver(standings: dict[str, Standing]) -> None:
    for solver, one in standings.items():
        assert one.par2_s == pytest.approx(PAR2_S[solver] / 6)
        assert one.borda == BORDA[solver]
        assert (one.wins, one.answered) == (WINS[solver], ANSWERED[solver])
        assert one.average_rank == pytest.approx(RANKS[solver] / 6)
        assert one.marginal_s == pytest.approx(MARGINAL_S[solver] / 6)
        assert one.sole == 0


def test_the_virtual_best_solver() -> None:
    assert worked_example().best_s.tolist() == [1, 1, 1, 2, 8, 25]


def test_counts_of_each_question() -> None:
    """On puzzle 2 `C` beats all; `A` and `B` share two places and two points."""
    contest = worked_example()
    assert borda_counts(contest)[:, 1].tolist() == [2.5, 2.5, 4, 1, 0]
    assert question_ranks(contest)[:, 1].tolist() == [2.5, 2.5, 1, 4, 5]
    assert question_ranks(contest)[:, 3].tolist() == [2.5, 4.5, 2.5, 1, 4.5]
    assert question_ranks(contest).sum(axis=0).tolist() == [15] * 6


def test_lead_of_one_solver_over_another() -> None:
    """B over A on each puzzle: 2, 1, 1/2, 25, 1/2 and 1/4."""
    found = lead(worked_example(), "A", "B")
    product = Fraction(2) * Fraction(1, 2) * 25 * Fraction(1, 2) * Fraction(1, 4)
    assert found.mean == pytest.approx(float(product) ** (1 / 6))
    assert found.low < 1 < found.high


def test_sole_answers() -> None:
    """Only `E` answers the last puzzle: without it, the virtual best solver takes 200 s there."""
    contest = contests_of(answers({"A": (1, STOPPED), "E": (STOPPED, 60)}))[0]
    one, other = ranking(contest)
    assert {one.solver: one.sole, other.solver: other.sole} == {"A": 1, "E": 1}
    marginal = {one.solver: one.marginal_s, other.solver: other.marginal_s}
    assert marginal == {"A": pytest.approx(199 / 2), "E": pytest.approx(140 / 2)}


def test_intervals_cover_and_narrow() -> None:
    """Of many puzzles of one distribution, the interval is near that of the normal mean of logs."""
    random = np.random.default_rng(3)
    ratios = np.exp(random.normal(1.0, 0.5, 400))
    times = {"A": tuple(ratios / ratios * 0.01), "B": tuple(0.01 * ratios)}
    found = lead(contests_of(answers(times))[0], "A", "B")
    half = 1.96 * 0.5 / math.sqrt(400)
    assert found.covers(math.e)
    assert math.log(found.high / found.low) == pytest.approx(2 * half, rel=0.15)
    assert found == lead(contests_of(answers(times))[0], "A", "B")
