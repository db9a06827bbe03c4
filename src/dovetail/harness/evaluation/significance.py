"""Tests of significance over the puzzles of a contest.

Pairs of solvers are compared by Wilcoxon's signed-rank test of the logarithms of PAR-2 ratios on
the questions that both accepted. The p-values are corrected for the number of pairs by Holm's
method (S. Holm, 1979; A. Benavoli, G. Corani, F. Mangili, "Should we really use post-hoc tests
based on mean-ranks?", JMLR 17, 2016). All solvers are compared by Friedman's test and Nemenyi's
critical difference of average ranks (J. Demšar, "Statistical comparisons of classifiers over
multiple data sets", JMLR 7, 2006). The tests need scipy, which is in the extra `evaluation`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.evaluation.contests import Contest
from dovetail.harness.evaluation.ranking import MIN_QUESTIONS, question_ranks

LEVEL = 0.05
# Minimum number of solvers for Friedman's test; two solvers are compared by the pair test.
MIN_RANKED = 3


def can_test() -> bool:
    """Return whether scipy is installed."""
    return find_spec("scipy") is not None


@dataclass(frozen=True)
class PairTest:
    """The test of a pair of solvers."""

    first: str
    second: str
    # The p-value, before and after adjustment by Holm's method.
    p: float
    holm_p: float

    @property
    def is_significant(self) -> bool:
        """Whether the two solvers differ at the 5 % level."""
        return self.holm_p < LEVEL


def pair_tests(contest: Contest) -> list[PairTest]:
    """Test each pair of solvers with `MIN_QUESTIONS` or more questions that both accepted.

    The pairs are in the order of the contest's solvers. A question with equal times counts half for
    each solver. The p-value is 1 if the times are equal on all questions.
    """
    from scipy.stats import wilcoxon

    logs = np.log(np.where(contest.accepted, contest.par2_s, 1.0))
    common = {
        (first, second): contest.accepted[first] & contest.accepted[second]
        for first, second in combinations(range(len(contest.solvers)), 2)
    }
    pairs = [pair for pair, both in common.items() if both.sum() >= MIN_QUESTIONS]
    p_values = []
    for first, second in pairs:
        differences = (logs[first] - logs[second])[common[first, second]]
        differ = bool(np.any(differences))
        p = wilcoxon(differences, zero_method="zsplit").pvalue if differ else 1.0
        p_values.append(float(p))
    return [
        PairTest(contest.solvers[first], contest.solvers[second], p, adjusted)
        for (first, second), p, adjusted in zip(
            pairs, p_values, holm_adjusted(p_values), strict=True
        )
    ]


def holm_adjusted(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method; it controls the probability of any false alarm."""
    p = np.array(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
    p[order] = np.maximum.accumulate(scaled)
    return [float(adjusted) for adjusted in p]


@dataclass(frozen=True)
class CriticalDifference:
    """Average ranks of the solvers of a contest, and the critical difference of two ranks."""

    # The solvers and their ranks, the best first.
    solvers: tuple[str, ...]
    ranks: tuple[float, ...]
    difference: float
    # p-value of Friedman's test: the probability of ranks that differ at least as much if all
    # solvers are equally good.
    friedman_p: float
    questions: int
    # First and last index of each maximal group of two or more consecutive solvers whose ranks
    # differ by at most `difference`.
    groups: tuple[tuple[int, int], ...]

    @property
    def is_significant(self) -> bool:
        """Whether the solvers differ according to Friedman's test.

        Otherwise, no difference of two ranks is significant.
        """
        return self.friedman_p < LEVEL


def critical_difference(contest: Contest) -> CriticalDifference | None:
    """Return the average ranks of a contest and their critical difference.

    Only questions that all solvers accepted count. Returns None if there are fewer than three
    solvers or fewer than six such questions.
    """
    ranks = question_ranks(contest)[:, contest.accepted.all(axis=0)]
    questions = ranks.shape[1]
    if len(contest.solvers) < MIN_RANKED or questions < MIN_QUESTIONS:
        return None
    means = ranks.mean(axis=1)
    order = sorted(range(len(means)), key=lambda row: (means[row], contest.solvers[row]))
    ordered = tuple(float(means[row]) for row in order)
    difference = nemenyi_difference(len(means), questions)
    return CriticalDifference(
        tuple(contest.solvers[row] for row in order),
        ordered,
        difference,
        friedman_p(ranks),
        questions,
        tuple(within(ordered, difference)),
    )


def nemenyi_difference(solvers: int, questions: int) -> float:
    """Return Nemenyi's critical difference of average ranks at the 5 % level."""
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(1 - LEVEL, solvers, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(solvers * (solvers + 1) / (6 * questions))


def friedman_p(ranks: NDArray[np.float64]) -> float:
    """Return the p-value of Friedman's test, or 1 if all ranks are equal.

    `ranks` has a row for each of three or more solvers and a column for each question.
    """
    from scipy.stats import friedmanchisquare

    if np.all(ranks == ranks[0, 0]):
        return 1.0
    return float(friedmanchisquare(*ranks).pvalue)


def within(ranks: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """Return the first and last index of each maximal group of ranks within `difference`.

    A group has two or more consecutive ranks. `ranks` must be ascending.
    """
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(n for n, other in enumerate(ranks) if other - rank <= difference)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups
