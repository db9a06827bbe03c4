"""Why a solver wins: fewer nodes, less time for each, or less to prepare.

A time is prepare + solve, and the solve time is nodes × time per node. Each factor is compared with
that of the next fastest solver on the same question, over the questions that the winner won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.harness.evaluation.contest import MIN_S, Contest
from dovetail.harness.evaluation.ranking import is_fastest
from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.records.summary import JobResult


@dataclass(frozen=True)
class WinReason:
    """How a `solver` won its `wins`, against the next fastest of each of these questions.

    `lead` is the geometric mean of the next fastest's time over its own. `nodes` and `node_time`
    are the geometric means of its nodes, and of its time per node, over those of the next fastest,
    on the `compared` questions where both count the same; None where there are none.
    `prepare_share` is the share of preparing in its own total time on these questions, and
    `next_prepare_share` that in the time of the next fastest; None where nobody else answered.
    """

    solver: str
    wins: int
    lead: float | None
    compared: int
    nodes: float | None
    node_time: float | None
    prepare_share: float
    next_prepare_share: float | None


def win_reasons(contest: Contest, runs: SolverRuns) -> list[WinReason]:
    """A reason for each solver that won any question of a contest, those with most wins first.

    `runs` are those that the contest was made of.
    """
    fastest = is_fastest(contest)
    found = []
    for row, solver in enumerate(contest.solvers):
        won = np.flatnonzero(fastest[row])
        if len(won):
            pairs = [_with_next(contest, runs, row, int(column)) for column in won]
            found.append(_reason(solver, pairs))
    return sorted(found, key=lambda reason: (-reason.wins, reason.solver))


Pair = tuple[JobResult, JobResult | None]


def _with_next(contest: Contest, runs: SolverRuns, row: int, column: int) -> Pair:
    """The run of a winner, and that of the next fastest solver if any other answered."""
    question = contest.questions[column]
    others = contest.seconds[:, column].copy()
    others[row] = np.inf
    second = int(others.argmin())
    own = runs.runs[contest.solvers[row], question]
    if not np.isfinite(others[second]):
        return own, None
    return own, runs.runs[contest.solvers[second], question]


def _reason(solver: str, pairs: Sequence[Pair]) -> WinReason:
    beaten = [(own, other) for own, other in pairs if other is not None]
    comparable = [(own, other) for own, other in beaten if _count_the_same(own, other)]
    own_runs = [own for own, _ in pairs]
    others = [other for _, other in beaten]
    return WinReason(
        solver,
        len(pairs),
        _mean([_time(b.total_s) / _time(a.total_s) for a, b in beaten]),
        len(comparable),
        _mean([(a.nodes or 0) / (b.nodes or 1) for a, b in comparable]),
        _mean([_per_node(a) / _per_node(b) for a, b in comparable]),
        _prepare_share(own_runs),
        _prepare_share(others) if others else None,
    )


def _count_the_same(one: JobResult, other: JobResult) -> bool:
    """Whether nodes of both are known, more than none, and mean the same."""
    return bool(
        one.nodes and other.nodes and one.node_meaning and one.node_meaning == other.node_meaning
    )


def _per_node(run: JobResult) -> float:
    return _time(run.solve_s) / (run.nodes or 1)


def _prepare_share(runs: Sequence[JobResult]) -> float:
    """The share of preparing in the time of all runs together."""
    return sum(run.prepare_s for run in runs) / _time(sum(run.total_s for run in runs))


def _mean(ratios: Sequence[float]) -> float | None:
    """The geometric mean; None of nothing."""
    return float(np.exp(np.log(ratios).mean())) if ratios else None


def _time(seconds: float) -> float:
    return max(seconds, MIN_S)
