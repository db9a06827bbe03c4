"""The verdict on a contest: the winner, the lead, and why solvers win.

A solver wins because it prepares faster, visits fewer nodes or needs less time per node. The solve
time is the number of nodes multiplied by the time per node. The winner of a question is compared
with the next fastest solver of the contest on the same question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import geometric_mean, median

import numpy as np

from dovetail.harness.evaluation.contests import Contest
from dovetail.harness.evaluation.ranking import Known, Lead, Standing, lead, ranking
from dovetail.harness.evaluation.significance import MIN_QUESTIONS
from dovetail.harness.records.record import Record
from dovetail.harness.run.clock import MIN_S


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
        """Whether the lead is significant at the 5 % level, given the choice of puzzles.

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

    Ratios are geometric means.
    """

    solver: str
    wins: int
    # Number of won questions that another solver answered, too.
    beaten: int
    # Ratio of the next fastest solver's time to the winner's time; None if `beaten` is 0.
    lead: float | None
    # Number of `beaten` questions on which preparing saved more time than searching.
    preparing: int
    # Number of `beaten` questions on which both solvers define a node in the same way.
    compared: int
    # Ratio of the winner's nodes to the next fastest solver's nodes; None if `compared` is 0.
    nodes: float | None
    # Ratio of the winner's search time per node to the next fastest solver's search time per
    # node; None if `compared` is 0.
    node_time: float | None
    # Median share of preparing in the winner's time.
    prepare_share: float


def win_reasons(contest: Contest) -> list[WinReason]:
    """Return the reasons of each solver with a win, in descending order of the number of wins."""
    reasons = []
    for row, solver in enumerate(contest.solvers):
        pairs = [_with_next(contest, row, int(won)) for won in np.flatnonzero(contest.fastest[row])]
        if pairs:
            reasons.append(_reason(contest, solver, pairs))
    return sorted(reasons, key=lambda reason: (-reason.wins, reason.solver))


Pair = tuple[Record, Record | None]


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
    return geometric_mean(known) if known else None
