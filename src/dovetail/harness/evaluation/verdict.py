"""The verdict on a contest: the winner, the lead, and why solvers win.

A solver wins by less time to prepare, or by a faster search with fewer or cheaper nodes: the solve
time is nodes × time per node. The winner of a question is compared with the next fastest solver of
the contest on the same question.
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
    """A contest and its `standings`, the best first; there are two or more."""

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
        """Whether the lead is more than the choice of puzzles explains, at the 5 % level.

        None if the lead is not known, or of fewer questions than `MIN_QUESTIONS`.
        """
        if self.lead.known is Known.NO or self.lead.questions < MIN_QUESTIONS:
            return None
        return self.lead.ratio.low > 1.0

    @cached_property
    def frequent_winners(self) -> tuple[Standing, ...]:
        """Standings with most wins, in their order."""
        wins = max(standing.wins for standing in self.standings)
        return tuple(standing for standing in self.standings if standing.wins == wins)


def verdict(contest: Contest) -> ContestVerdict:
    """Return the verdict on a contest."""
    return ContestVerdict(contest, tuple(ranking(contest)))


@dataclass(frozen=True)
class WinReason:
    """Why a `solver` won its `wins`; ratios are geometric means over the next fastest solver's."""

    solver: str
    wins: int
    # Wins on questions that another solver answered, too.
    beaten: int
    # Time of the next fastest solver over its own; None if `beaten` is 0.
    lead: float | None
    # Questions of `beaten` on which preparing saved more time than searching.
    preparing: int
    # Questions of `beaten` on which both solvers count the same nodes.
    compared: int
    # Its own nodes over those of the next fastest solver; None if `compared` is 0.
    nodes: float | None
    # Its own search time per node over that of the next fastest solver; None likewise.
    node_time: float | None
    # Median share of preparing in its own time.
    prepare_share: float


def win_reasons(contest: Contest) -> list[WinReason]:
    """Return a reason for each solver that won any question, the solver with most wins first."""
    reasons = []
    for row, solver in enumerate(contest.solvers):
        pairs = [_with_next(contest, row, int(won)) for won in np.flatnonzero(contest.fastest[row])]
        if pairs:
            reasons.append(_reason(contest, solver, pairs))
    return sorted(reasons, key=lambda reason: (-reason.wins, reason.solver))


Pair = tuple[Record, Record | None]


def _with_next(contest: Contest, row: int, column: int) -> Pair:
    """Return the run of a winner, and that of the next fastest solver if any other answered."""
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
