"""The ranking of a contest: leads, PAR-2, wins, contributions, and the reasons of wins.

Two solvers are compared by the geometric mean of the ratios of their times on the questions that
both accepted (P. J. Fleming, J. J. Wallace, "How not to lie with statistics", CACM 29, 1986). The
method of ranked pairs derives the ranking from these leads (T. N. Tideman, "Independence of clones
as a criterion for voting rules", Social Choice and Welfare 4, 1987), so that no solver is behind
the next. Without refusals, the ranking is the order of the geometric means of the times.

PAR-2 is defined as in the SAT competitions: a run without an answer counts as twice the time limit
of its question (`Contest.cutoffs`).
PAR-2 is reported and does not affect the ranking. The virtual best solver and the marginal
contribution are defined by L. Xu, F. Hutter, H. Hoos, K. Leyton-Brown, "Evaluating component solver
contributions to portfolio-based algorithm selectors" (SAT 2012).

Each end of an interval is the outer of the ends of two intervals: the percentile interval of the
bootstrap over puzzles (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter
13), and the interval from Student's t of the logarithms, because the percentile interval is too
narrow for few puzzles. Intervals account for the choice of puzzles, not for the noise of the clock.
docs/solvers/methods/evaluation.md reports their coverage.

A solver wins because it prepares faster, visits fewer nodes or needs less time per node. The winner
of a question is compared with the next fastest solver of the contest on the same question.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations
from statistics import median

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import RESAMPLES, TAIL, Interval, exactly, student_quantile
from dovetail.harness.evaluation.contests import Contest
from dovetail.harness.records.record import Record
from dovetail.harness.run.clock import MIN_S

Floats = NDArray[np.float64]
# Two solvers whose sums of logarithms differ by at most this number are tied, because of rounding.
SAME = 1e-9
SEED = 0
# Minimum number of questions for which a two-sided signed-rank test can reach the 5 % level.
MIN_QUESTIONS = 6
Pair = tuple[Record, Record | None]


@dataclass(frozen=True)
class Standing:
    """The results of a solver in a contest."""

    solver: str
    # Geometric mean of the solver's times divided by the times of the virtual best solver, on the
    # questions that the solver accepted. The mean is a lower bound if `answered` is less than
    # `accepted`.
    ratio: Interval
    # Mean PAR-2 time in seconds on the questions that the solver accepted.
    par2_s: float
    # Number of questions that the solver answered and no other solver answered faster.
    wins: int
    accepted: int
    answered: int
    # Number of questions of the family that the solver refused, inside or outside the contest.
    refused: int
    # Mean of the ranks by PAR-2 time on the questions that the solver accepted; 1 is the fastest.
    average_rank: float
    # Increase of the virtual best solver's PAR-2 seconds per question if this solver is left out.
    marginal_s: float
    # Number of questions that only this solver answered.
    sole: int

    @property
    def is_bound(self) -> bool:
        """Whether `ratio` is only a lower bound."""
        return self.answered < self.accepted


class Known(Enum):
    """Whether the ratio of a lead is exact, a lower bound or unknown."""

    EXACT = "exact"
    AT_LEAST = "lower bound"
    NO = "not known"


@dataclass(frozen=True)
class Lead:
    """The lead of one solver over another, called the faster and the slower solver here."""

    # Geometric mean of the slower solver's times divided by the faster solver's times, over
    # `questions`. If the ratio is a lower bound, a run of the slower solver without an answer
    # counts as the time until a limit stopped the run.
    ratio: Interval
    # `EXACT` if `questions` is above 0 and both solvers answered all questions. `AT_LEAST` if only
    # the faster solver did, a lower bound of each time of the slower solver is known, and the bound
    # of the ratio is above 1. `NO` otherwise: a run without an answer then counts as the time limit
    # of its question in `ratio`, and `ratio` is 1 if `questions` is 0.
    known: Known
    # Number of questions that both solvers accepted.
    accepted: int
    # Number of questions that both solvers accepted and at least one answered.
    questions: int
    # Number of `questions` that the faster solver did not answer, and the same number for the
    # slower solver.
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
    """Return the lead of solver `first` over solver `second`; its ratio may be below 1."""
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
        elif answered[0, compared].all() and (answered[1, compared] | (known_s > 0)).all():
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

    Pairs of solvers are sorted by the product of the ratios of their times (slower to faster) on
    the questions that both accepted, the largest first. A pair that contradicts the order of
    earlier pairs is skipped. Without refusals, the ranking is the order of the geometric means of
    the times. Ties are broken by name.
    """
    logs = np.log(np.where(contest.accepted, contest.limited_s, 1.0))
    if contest.accepted.all():  # A shortcut: all pairs of thousands of solvers take too long.
        means = [round(float(mean), 9) for mean in logs.mean(axis=1)]
        return sorted(range(len(means)), key=lambda row: (means[row], contest.solvers[row]))
    pairs = []
    for row, other in combinations(range(len(contest.solvers)), 2):
        both = contest.accepted[row] & contest.accepted[other]
        ahead = float((logs[other] - logs[row])[both].sum())
        if abs(ahead) > SAME:
            first, second = (row, other) if ahead > 0 else (other, row)
            names = contest.solvers[first], contest.solvers[second]
            pairs.append((-abs(ahead), names, first, second))
    leads = np.eye(len(contest.solvers), dtype=bool)
    for *_, first, second in sorted(pairs):
        if not leads[second, first]:
            leads |= np.outer(leads[:, first], leads[second])
    behind = leads.sum(axis=1)
    return sorted(range(len(behind)), key=lambda row: (-behind[row], contest.solvers[row]))


def question_ranks(contest: Contest) -> Floats:
    """Return the ranks of the solvers by PAR-2 time for each question, shape (solvers, questions).

    The fastest solver has rank 1. Tied solvers share the mean of their ranks. Solvers that accepted
    a question and did not answer it are tied behind the solvers with an answer. Solvers that
    refused the question are tied behind all others.
    """
    ranks = np.empty_like(contest.par2_s)
    for column, times in enumerate(contest.par2_s.T):
        ordered = np.sort(times)
        first, after = (np.searchsorted(ordered, times, side) for side in ("left", "right"))
        ranks[:, column] = (first + after + 1) / 2
    return ranks


def _best_without(par2_s: Floats) -> Floats:
    """Return for each element of an array the minimum of the other elements of its column.

    The array has two or more rows. The result has the same shape.
    """
    shortest, following = np.partition(par2_s, 1, axis=0)[:2]
    others: Floats = np.where(par2_s == shortest, following, shortest)
    return others


def geometric_mean(ratios: Floats) -> Interval:
    """Return the geometric mean of positive ratios with its 95 % interval.

    `ratios` has a ratio for each of one or more puzzles. If there is only one puzzle, both ends of
    the interval are the ratio.
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


@dataclass(frozen=True, eq=False)
class ContestVerdict:
    """A contest and its two or more `standings`, the best solver first."""

    contest: Contest
    standings: tuple[Standing, ...]

    @property
    def first(self) -> Standing:
        """Standing of the best solver."""
        return self.standings[0]

    @property
    def second(self) -> Standing:
        """Standing of the second solver."""
        return self.standings[1]

    @cached_property
    def lead(self) -> Lead:
        """Lead of the first solver over the second."""
        return lead(self.contest, self.first.solver, self.second.solver)

    @property
    def is_clear(self) -> bool | None:
        """Whether the lead is significant: the 95 % interval of its ratio is above 1.

        None if the lead is unknown or has fewer than `MIN_QUESTIONS` questions.
        """
        if self.lead.known is Known.NO or self.lead.questions < MIN_QUESTIONS:
            return None
        return self.lead.ratio.low > 1.0

    @cached_property
    def frequent_winners(self) -> tuple[Standing, ...]:
        """Standings with the most wins, in the order of the ranking."""
        wins = max(standing.wins for standing in self.standings)
        return tuple(standing for standing in self.standings if standing.wins == wins)


def verdict(contest: Contest) -> ContestVerdict:
    """Return the verdict on a contest."""
    return ContestVerdict(contest, tuple(ranking(contest)))


@dataclass(frozen=True)
class WinReason:
    """Figures that explain the wins of a solver over the next fastest solver of each question.

    Ratios are geometric means over the questions of `beaten` or `compared`.
    """

    solver: str
    wins: int
    # Number of won questions that at least one other solver answered.
    beaten: int
    # Ratio of the next fastest solver's time to the winner's time; None if `beaten` is 0.
    lead: float | None
    # Number of `beaten` questions on which preparing saved more time than searching.
    preparing: int
    # Number of `beaten` questions on which both solvers visited nodes and define a node in the same
    # way.
    compared: int
    # Ratio of the winner's nodes to the next fastest solver's nodes; None if `compared` is 0.
    nodes: float | None
    # Ratio of the winner's search time per node to the next fastest solver's search time per
    # node; None if `compared` is 0.
    node_time: float | None
    # Median share of preparing in the winner's time, over all won questions.
    prepare_share: float


def win_reasons(contest: Contest) -> list[WinReason]:
    """Return the reasons of each solver with a win, in descending order of the number of wins."""
    reasons = []
    for row, solver in enumerate(contest.solvers):
        pairs = [_with_next(contest, row, int(won)) for won in np.flatnonzero(contest.fastest[row])]
        if pairs:
            reasons.append(_reason(contest, solver, pairs))
    return sorted(reasons, key=lambda reason: (-reason.wins, reason.solver))


def _with_next(contest: Contest, row: int, column: int) -> Pair:
    """Return the run of a winner, and the run of the next fastest solver.

    The second run is None if no other solver answered the question.
    """
    question = contest.questions[column]
    others = contest.seconds[:, column].copy()
    others[row] = np.inf
    second = int(others.argmin())
    answered = bool(np.isfinite(others[second]))
    following = contest.run(contest.solvers[second], question) if answered else None
    return contest.run(contest.solvers[row], question), following


def _reason(contest: Contest, solver: str, pairs: Sequence[Pair]) -> WinReason:
    def seconds(run: Record) -> float:
        return max(contest.clock.seconds(run), MIN_S)

    def node_s(run: Record) -> float:
        return max(run.result.solve_s, MIN_S) / (run.result.nodes or 1)

    beaten = [(winner, loser) for winner, loser in pairs if loser is not None]
    comparable = [
        (winner, loser)
        for winner, loser in beaten
        if winner.result.nodes and loser.result.nodes and winner.job.node_meaning
        if winner.job.node_meaning == loser.job.node_meaning
    ]
    return WinReason(
        solver,
        wins=len(pairs),
        beaten=len(beaten),
        lead=_mean(seconds(loser) / seconds(winner) for winner, loser in beaten),
        preparing=sum(
            loser.result.prepare_s - winner.result.prepare_s
            > loser.result.solve_s - winner.result.solve_s
            for winner, loser in beaten
        ),
        compared=len(comparable),
        nodes=_mean(
            (winner.result.nodes or 0) / (loser.result.nodes or 1) for winner, loser in comparable
        ),
        node_time=_mean(node_s(winner) / node_s(loser) for winner, loser in comparable),
        prepare_share=median(winner.result.prepare_s / seconds(winner) for winner, _ in pairs),
    )


def _mean(ratios: Iterable[float]) -> float | None:
    known = list(ratios)
    return statistics.geometric_mean(known) if known else None
