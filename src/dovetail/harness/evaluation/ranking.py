"""The ranking of a contest: leads of one solver over another, PAR-2, wins, contributions.

Two solvers are compared by the geometric mean of their ratios on the questions that both accepted
(P. J. Fleming, J. J. Wallace, "How not to lie with statistics", CACM 29, 1986). These leads make a
ranking by ranked pairs (T. N. Tideman, "Independence of clones as a criterion for voting rules",
Social Choice and Welfare 4, 1987), which puts each solver ahead of the next. Where nobody refuses a
question, it is the order of geometric means.

PAR-2 as in the SAT competitions: a run without an answer counts as twice its limit. It is reported
and ranks nobody. Virtual best solver and marginal contribution: L. Xu, F. Hutter, H. Hoos,
K. Leyton-Brown, "Evaluating component solver contributions to portfolio-based algorithm selectors"
(SAT 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import Interval, exactly
from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.resampling import geometric_mean
from dovetail.harness.run.clock import MIN_S

Floats = NDArray[np.float64]
SAME = 1e-9  # a difference of logarithms that rounding explains


@dataclass(frozen=True)
class Standing:
    """How a solver did in a contest."""

    solver: str
    # Geometric mean of its times over those of the virtual best solver, with its interval, on the
    # questions that it accepted; a lower bound if it left one of them unanswered.
    ratio: Interval
    # Mean of PAR-2 seconds on the questions that it accepted.
    par2_s: float
    # Questions that no other solver answered faster.
    wins: int
    accepted: int
    answered: int
    # Questions of the family that it refused, those outside the contest among them.
    refused: int
    # Mean of its places by time among those that accepted, 1 for the fastest.
    average_rank: float
    # PAR-2 seconds that the virtual best solver loses without it, per question.
    marginal_s: float
    # Questions that only it answered.
    sole: int

    @property
    def is_bound(self) -> bool:
        """Whether `ratio` is only a lower bound."""
        return self.answered < self.accepted


class Known(Enum):
    """What the ratio of a lead is worth."""

    EXACT = "exact"
    AT_LEAST = "lower bound"
    NO = "not known"


@dataclass(frozen=True)
class Lead:
    """How many times longer one solver takes than another, in the geometric mean.

    It is over the `questions` that both accepted and one of them answered. Where only the slower
    left some unanswered, these count as the time after which a limit stopped it, and the ratio is
    a lower bound. Where the faster did, or nothing is known of a time, the ratio is not known: then
    it is 1 without questions, and else that of the limits.
    """

    ratio: Interval
    known: Known
    # Questions that both accepted, and those of them that one of the two answered.
    accepted: int
    questions: int
    # How many of these the faster and the slower left unanswered.
    missing: tuple[int, int]
    # The ratio on the questions that both answered; None if there are none.
    answered_ratio: Interval | None


def ranking(contest: Contest) -> list[Standing]:
    """The solvers of a contest, the best first: each is ahead of the next."""
    ranks, wins = question_ranks(contest), is_fastest(contest)
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
    """How many times longer `second` takes than `first`."""
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
    """The rows of solvers, the best first.

    The pair whose ratios have the largest product is put in order first. A pair that would
    contradict the order of those before it is passed over.
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


def is_fastest(contest: Contest) -> NDArray[np.bool_]:
    """Where a solver answered and nobody did so faster, in the shape of `seconds`."""
    fastest: NDArray[np.bool_] = contest.answered & (contest.limited_s == contest.best_s)
    return fastest


def question_ranks(contest: Contest) -> Floats:
    """The place of each solver for each question by time, 1 the fastest; ties share the mean place.

    Solvers without an answer tie for the last places of those that accepted.
    """
    ranks = np.empty_like(contest.par2_s)
    for column, times in enumerate(contest.par2_s.T):
        ordered = np.sort(times)
        first, after = (np.searchsorted(ordered, times, side) for side in ("left", "right"))
        ranks[:, column] = (first + after + 1) / 2
    return ranks


def _best_without(par2_s: Floats) -> Floats:
    """For each row the least of the other rows."""
    shortest, following = np.partition(par2_s, 1, axis=0)[:2]
    others: Floats = np.where(par2_s == shortest, following, shortest)
    return others
