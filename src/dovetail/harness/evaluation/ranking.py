"""The ranking of a contest: leads of solvers over others, PAR-2, wins and contributions.

Two solvers are compared by the geometric mean of the ratios of their times on the questions that
both accepted (P. J. Fleming, J. J. Wallace, "How not to lie with statistics", CACM 29, 1986). The
method of ranked pairs derives the ranking from these leads (T. N. Tideman, "Independence of clones
as a criterion for voting rules", Social Choice and Welfare 4, 1987), so that each solver is ahead
of the next. Without refusals, the ranking is the order of the geometric means.

PAR-2 is defined as in the SAT competitions: a run without an answer counts as twice its limit. It
is reported and does not affect the ranking. The virtual best solver and the marginal contribution
are defined by L. Xu, F. Hutter, H. Hoos, K. Leyton-Brown, "Evaluating component solver
contributions to portfolio-based algorithm selectors" (SAT 2012).

Each end of an interval is the wider of the ends of two intervals: the percentile interval of the
bootstrap over puzzles (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter
13), and the interval from Student's t of the logarithms, because the percentile interval is too
narrow for few puzzles. Intervals account for the choice of puzzles, not for the noise of the clock.
docs/solvers/methods/evaluation.md reports their coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import RESAMPLES, TAIL, Interval, exactly, student_quantile
from dovetail.harness.evaluation.contests import Contest
from dovetail.harness.run.clock import MIN_S

Floats = NDArray[np.float64]
# Maximum difference of sums of logarithms that counts as equal, because of rounding.
SAME = 1e-9
SEED = 0


@dataclass(frozen=True)
class Standing:
    """The results of a solver in a contest."""

    solver: str
    # Geometric mean of the solver's times divided by the times of the virtual best solver, on the
    # questions that the solver accepted. A lower bound if the solver did not answer all of them.
    ratio: Interval
    # Mean PAR-2 time in seconds on the questions that the solver accepted.
    par2_s: float
    # Number of questions that the solver answered and no other solver answered faster.
    wins: int
    accepted: int
    answered: int
    # Number of questions of the family that the solver refused, inside or outside the contest.
    refused: int
    # Mean rank by time among the solvers that accepted a question; 1 is the fastest.
    average_rank: float
    # Increase of the virtual best solver's PAR-2 seconds per question without this solver.
    marginal_s: float
    # Number of questions that only this solver answered.
    sole: int

    @property
    def is_bound(self) -> bool:
        """Whether `ratio` is only a lower bound."""
        return self.answered < self.accepted


class Known(Enum):
    """What is known about the ratio of a lead."""

    EXACT = "exact"
    AT_LEAST = "lower bound"
    NO = "not known"


@dataclass(frozen=True)
class Lead:
    """The lead of a solver over a slower solver."""

    # Geometric mean of the slower solver's times divided by the faster solver's times, over
    # `questions`. A run of the slower solver without an answer counts as the time until a limit
    # stopped it.
    ratio: Interval
    # `AT_LEAST` if the slower solver did not answer all of `questions`. `NO` if the faster solver
    # did not answer all of them or if nothing is known about a time. With `NO`, runs without an
    # answer count as their time limits in `ratio`, and `ratio` is 1 if there are no questions.
    known: Known
    # Number of questions that both solvers accepted.
    accepted: int
    # Number of questions that both solvers accepted and at least one answered.
    questions: int
    # Number of `questions` that the faster solver and that the slower solver did not answer.
    missing: tuple[int, int]
    # The ratio on the questions that both solvers answered; None if there are no such questions.
    answered_ratio: Interval | None


def ranking(contest: Contest) -> list[Standing]:
    """Return the standings of a contest, the best solver first; see `_ranked`."""
    ranks, wins = question_ranks(contest), contest.fastest
    others_best = _best_without(contest.par2_s)
    sole = contest.answered & (contest.answered.sum(axis=0) == 1)
    known_s = np.maximum(contest.known_s, contest.best_s)
    standings = []
    for row in _ranked(contest):
        accepted, solver = contest.accepted[row], contest.solvers[row]
        ratio = geometric_mean(known_s[row][accepted] / contest.best_s[accepted])
        standings.append(
            Standing(
                solver,
                # No solver is faster than the virtual best solver.
                Interval(ratio.mean, max(1.0, ratio.low), ratio.high),
                float(contest.par2_s[row][accepted].mean()),
                int(wins[row].sum()),
                int(accepted.sum()),
                int(contest.answered[row].sum()),
                contest.refusals(solver),
                float(ranks[row][accepted].mean()),
                float((others_best[row] - contest.best_s).mean()),
                int(sole[row].sum()),
            )
        )
    return standings


def lead(contest: Contest, first: str, second: str) -> Lead:
    """Return the lead of `first` over `second`."""
    pair = [contest.of(first), contest.of(second)]
    accepted, answered = contest.accepted[pair].all(axis=0), contest.answered[pair]
    compared = accepted & answered.any(axis=0)
    both = np.asarray(answered.all(axis=0))
    limited_s, known_s = contest.limited_s[pair], contest.known_s[pair[1], compared]
    ratio, known = exactly(1.0), Known.NO
    if compared.any():
        ratio = geometric_mean(limited_s[1, compared] / limited_s[0, compared])
        if both[compared].all():
            known = Known.EXACT
        elif answered[0, compared].all() and known_s.all():
            bound = geometric_mean(np.maximum(known_s, MIN_S) / limited_s[0, compared])
            if bound.mean > 1.0:
                ratio, known = bound, Known.AT_LEAST
    missing = (~answered[:, compared]).sum(axis=1)
    return Lead(
        ratio,
        known,
        int(accepted.sum()),
        int(compared.sum()),
        (int(missing[0]), int(missing[1])),
        geometric_mean(limited_s[1, both] / limited_s[0, both]) if both.any() else None,
    )


def _ranked(contest: Contest) -> list[int]:
    """Return the indices of the solvers, ranked by the method of ranked pairs, the best first.

    Pairs of solvers are sorted by the product of the ratios of their times, the largest first. A
    pair that contradicts the order of earlier pairs is skipped. Without refusals, this is the order
    of the geometric means.
    """
    logs = np.log(np.where(contest.accepted, contest.limited_s, 1.0))
    if contest.accepted.all():  # The pairs of thousands of solvers would take too long.
        means = [round(float(mean), 9) for mean in logs.mean(axis=1)]
        return sorted(range(len(means)), key=lambda row: (means[row], contest.solvers[row]))
    pairs = []
    for row, other in combinations(range(len(contest.solvers)), 2):
        both = contest.accepted[row] & contest.accepted[other]
        ahead = float((logs[other] - logs[row])[both].sum())
        if abs(ahead) > SAME:
            pairs.append((-abs(ahead), *((row, other) if ahead > 0 else (other, row))))
    leads = np.eye(len(contest.solvers), dtype=bool)
    for _, first, second in sorted(pairs):
        if not leads[second, first]:
            leads |= np.outer(leads[:, first], leads[second])
    behind = leads.sum(axis=1)
    return sorted(range(len(behind)), key=lambda row: (-behind[row], contest.solvers[row]))


def question_ranks(contest: Contest) -> Floats:
    """Return the ranks of the solvers by PAR-2 time for each question, shape (solvers, questions).

    The fastest solver has rank 1. Tied solvers share the mean of their ranks. Solvers that accepted
    the question without an answer tie for the last rank of the solvers that accepted it.
    """
    ranks = np.empty_like(contest.par2_s)
    for column, times in enumerate(contest.par2_s.T):
        ordered = np.sort(times)
        first, after = (np.searchsorted(ordered, times, side) for side in ("left", "right"))
        ranks[:, column] = (first + after + 1) / 2
    return ranks


def _best_without(par2_s: Floats) -> Floats:
    """Return an array of the same shape with the minimum of the other rows in each column."""
    shortest, following = np.partition(par2_s, 1, axis=0)[:2]
    others: Floats = np.where(par2_s == shortest, following, shortest)
    return others


def geometric_mean(ratios: Floats) -> Interval:
    """Return the geometric mean of positive ratios with its interval.

    `ratios` has a ratio for each puzzle. If there is only one puzzle, both ends of the interval are
    the ratio.
    """
    if len(ratios) == 1:
        return exactly(float(ratios[0]))
    logs = np.log(ratios)
    mean = float(logs.mean())
    random = np.random.default_rng(SEED)
    drawn = random.integers(0, len(logs), (RESAMPLES, len(logs)))
    low, high = map(float, np.quantile(logs[drawn].mean(axis=1), [TAIL, 1 - TAIL]))
    half = student_quantile(len(logs) - 1) * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    return Interval(
        math.exp(mean), math.exp(min(low, mean - half)), math.exp(max(high, mean + half))
    )
