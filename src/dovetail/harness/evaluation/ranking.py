"""The ranking of a contest: leads of one solver over another, PAR-2, wins, contributions.

Two solvers are compared by the geometric mean of their ratios on the questions that both accepted
(P. J. Fleming, J. J. Wallace, "How not to lie with statistics", CACM 29, 1986). The ranking is made
of these leads by ranked pairs (T. N. Tideman, "Independence of clones as a criterion for voting
rules", Social Choice and Welfare 4, 1987), so that each solver is ahead of the next. Without
refusals it is the order of the geometric means.

PAR-2 as in the SAT competitions: a run without an answer counts as twice its limit. PAR-2 is
reported and does not affect the ranking. Virtual best solver and marginal contribution: L. Xu,
F. Hutter, H. Hoos, K. Leyton-Brown, "Evaluating component solver contributions to portfolio-based
algorithm selectors" (SAT 2012).

Each end of an interval is the wider of two: the percentile interval of the bootstrap over puzzles
(B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13), and Student's t of
the logarithms, because the percentiles alone are too narrow for few puzzles. Intervals are about
other puzzles of the same kind, not about the noise of the clock; their coverage is measured in
docs/solvers/methods/evaluation.md.
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
SAME = 1e-9  # a difference of logarithms that rounding explains
SEED = 0


@dataclass(frozen=True)
class Standing:
    """Results of a solver in a contest."""

    solver: str
    # Geometric mean of its times over those of the virtual best solver, on the questions that it
    # accepted; a lower bound if it did not answer one of them.
    ratio: Interval
    # Mean of its PAR-2 seconds on the questions that it accepted.
    par2_s: float
    # Questions that no other solver answered faster.
    wins: int
    accepted: int
    answered: int
    # Questions of the family that it refused, also outside of the contest.
    refused: int
    # Mean rank by time among the solvers that accepted a question, 1 for the fastest.
    average_rank: float
    # PAR-2 seconds per question that the virtual best solver loses without this solver.
    marginal_s: float
    # Questions that no other solver answered.
    sole: int

    @property
    def is_bound(self) -> bool:
        """Whether `ratio` is only a lower bound."""
        return self.answered < self.accepted


class Known(Enum):
    """How much is known of the ratio of a lead."""

    EXACT = "exact"
    AT_LEAST = "lower bound"
    NO = "not known"


@dataclass(frozen=True)
class Lead:
    """The lead of one solver over a slower solver."""

    # Geometric mean of the slower solver's time over the faster solver's, over `questions`. A run
    # of the slower solver without an answer counts as the time until a limit stopped it.
    ratio: Interval
    # `AT_LEAST` if the slower solver did not answer some of `questions`. `NO` if the faster solver
    # did not, or nothing is known of a time; then `ratio` is that of the limits, 1 without
    # questions.
    known: Known
    # Questions that both accepted.
    accepted: int
    # Questions that both accepted and at least one answered.
    questions: int
    # How many of `questions` the faster and the slower solver did not answer.
    missing: tuple[int, int]
    # The ratio on the questions that both answered; None if there are none.
    answered_ratio: Interval | None


def ranking(contest: Contest) -> list[Standing]:
    """Return the standings of a contest, the best solver first: each is ahead of the next."""
    ranks, wins = question_ranks(contest), contest.fastest
    others_best = _best_without(contest.par2_s)
    sole = contest.answered & (contest.answered.sum(axis=0) == 1)
    known_s = np.maximum(contest.known_s, contest.best_s)
    standings = []
    for row in _ranked(contest):
        own, solver = contest.accepted[row], contest.solvers[row]
        ratio = geometric_mean(known_s[row][own] / contest.best_s[own])
        standings.append(
            Standing(
                solver,
                # no solver is ahead of the virtual best one
                Interval(ratio.mean, max(1.0, ratio.low), ratio.high),
                float(contest.par2_s[row][own].mean()),
                int(wins[row].sum()),
                int(own.sum()),
                int(contest.answered[row].sum()),
                contest.refusals(solver),
                float(ranks[row][own].mean()),
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
    """Return the rows of the solvers, the best first, by ranked pairs.

    Pairs are put in order by the product of their ratios, the largest first. A pair that
    contradicts the order of earlier pairs is skipped.
    """
    logs = np.log(np.where(contest.accepted, contest.limited_s, 1.0))
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
    """Rank the solvers for each question by PAR-2 time, 1 for the fastest; ties share the mean.

    Solvers that did not answer tie for the last rank of the solvers that accepted.
    """
    ranks = np.empty_like(contest.par2_s)
    for column, times in enumerate(contest.par2_s.T):
        ordered = np.sort(times)
        first, after = (np.searchsorted(ordered, times, side) for side in ("left", "right"))
        ranks[:, column] = (first + after + 1) / 2
    return ranks


def _best_without(par2_s: Floats) -> Floats:
    """Return for each row the minimum of the other rows."""
    shortest, following = np.partition(par2_s, 1, axis=0)[:2]
    others: Floats = np.where(par2_s == shortest, following, shortest)
    return others


def geometric_mean(ratios: Floats) -> Interval:
    """Return the geometric mean of positive ratios, one for each puzzle, with its interval.

    The interval is the mean itself if there is one puzzle.
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
