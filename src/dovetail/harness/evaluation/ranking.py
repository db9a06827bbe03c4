"""The ranking of a contest: geometric mean of ratios, PAR-2, Borda count, wins, contributions.

Sources: PAR-2 as in the SAT competitions (a run without an answer counts as twice its limit).
Borda count after the MiniZinc challenge (P. J. Stuckey et al., "The MiniZinc challenge 2008–2013",
AI Magazine 35, 2014), without its points in proportion to time: a point for each solver beaten.
Virtual best solver and marginal contribution: L. Xu, F. Hutter, H. Hoos, K. Leyton-Brown,
"Evaluating component solver contributions to portfolio-based algorithm selectors" (SAT 2012).
Geometric mean: P. J. Fleming, J. J. Wallace, "How not to lie with statistics" (CACM 29, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.resampling import geometric_mean

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """How a solver did in a contest.

    `ratio` is the geometric mean of its times over those of the virtual best solver, with its
    interval; `par2_s` the mean of its PAR-2 seconds. A `win` is a question that no other solver
    answered faster. `average_rank` is the mean of its places by time, 1 for the fastest.
    `marginal_s` is how many PAR-2 seconds a question the virtual best solver loses without it, and
    `sole` how many questions only it answered.
    """

    solver: str
    ratio: Interval
    par2_s: float
    borda: float
    wins: int
    answered: int
    average_rank: float
    marginal_s: float
    sole: int


def ranking(contest: Contest) -> list[Standing]:
    """The solvers of a contest by geometric mean, the best first."""
    ratios = contest.par2_s / contest.best_s
    borda, ranks = borda_counts(contest), question_ranks(contest)
    wins = is_fastest(contest)
    others_best = _best_without(contest.par2_s)
    sole = contest.answered & (contest.answered.sum(axis=0) == 1)
    standings = [
        Standing(
            solver,
            _no_less_than_1(geometric_mean(ratios[row])),
            float(contest.par2_s[row].mean()),
            float(borda[row].sum()),
            int(wins[row].sum()),
            int(contest.answered[row].sum()),
            float(ranks[row].mean()),
            float((others_best[row] - contest.best_s).mean()),
            int(sole[row].sum()),
        )
        for row, solver in enumerate(contest.solvers)
    ]
    return sorted(standings, key=lambda standing: (standing.ratio.mean, standing.solver))


def _no_less_than_1(ratio: Interval) -> Interval:
    """The interval of a ratio to the best, which no solver is ahead of."""
    return Interval(ratio.mean, max(1.0, ratio.low), ratio.high)


def is_fastest(contest: Contest) -> NDArray[np.bool_]:
    """Where a solver answered and nobody did so faster, in the shape of `seconds`."""
    fastest: NDArray[np.bool_] = contest.answered & (contest.par2_s == contest.best_s)
    return fastest


def borda_counts(contest: Contest) -> Floats:
    """The Borda count of each solver for each question.

    A point for each other solver that was slower or did not answer, half a point for one that was
    exactly as fast; nothing without an answer.
    """
    faster, as_fast = _places(contest.seconds)
    slower = len(contest.solvers) - faster - as_fast
    counts: Floats = np.where(contest.answered, slower + (as_fast - 1) / 2, 0.0)
    return counts


def question_ranks(contest: Contest) -> Floats:
    """The place of each solver for each question by time, 1 the fastest; ties share the mean place.

    Solvers without an answer tie for the last places.
    """
    faster, as_fast = _places(contest.par2_s)
    ranks: Floats = faster + (as_fast + 1) / 2
    return ranks


def _places(seconds: Floats) -> tuple[Floats, Floats]:
    """For each solver and question how many solvers have less time, and how many the same."""
    faster, as_fast = np.empty_like(seconds), np.empty_like(seconds)
    for column, times in enumerate(seconds.T):
        ordered = np.sort(times)
        first, after = (np.searchsorted(ordered, times, side) for side in ("left", "right"))
        faster[:, column], as_fast[:, column] = first, after - first
    return faster, as_fast


def lead(contest: Contest, first: str, second: str) -> Interval:
    """How many times longer `second` takes than `first`, in the geometric mean."""
    rows = contest.par2_s
    return geometric_mean(rows[contest.of(second)] / rows[contest.of(first)])


def _best_without(par2_s: Floats) -> Floats:
    """For each row the least of the other rows."""
    shortest, following = np.partition(par2_s, 1, axis=0)[:2]
    others: Floats = np.where(par2_s == shortest, following, shortest)
    return others
