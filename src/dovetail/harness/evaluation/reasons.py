"""Why a solver wins: less time to prepare, or a faster search by fewer or cheaper nodes.

The solve time is nodes × time per node. The winner of a question is compared with the next fastest
solver of the contest on the same question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

import numpy as np

from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.ranking import is_fastest
from dovetail.harness.records.record import Record
from dovetail.harness.run.clock import MIN_S


@dataclass(frozen=True)
class WinReason:
    """How a `solver` won its `wins`, `beaten` of them against others that answered.

    `lead` is the geometric mean of the next fastest solver's time over its own; of `beaten`
    questions, it saved more time by `preparing` faster than by searching faster. `nodes` and
    `node_time` are the geometric means of its nodes, and of its time per node in the search, over
    those of the next fastest solver, on the `compared` questions where both count the same; None
    where there are none. `prepare_share` is the median share of preparing in its own time.
    """

    solver: str
    wins: int
    beaten: int
    lead: float | None
    preparing: int
    compared: int
    nodes: float | None
    node_time: float | None
    prepare_share: float


def win_reasons(contest: Contest) -> list[WinReason]:
    """A reason for each solver that won any question of a contest, those with most wins first."""
    fastest = is_fastest(contest)
    found = []
    for row, solver in enumerate(contest.solvers):
        won = np.flatnonzero(fastest[row])
        if len(won):
            pairs = [_with_next(contest, row, int(column)) for column in won]
            found.append(_reason(contest, solver, pairs))
    return sorted(found, key=lambda reason: (-reason.wins, reason.solver))


Pair = tuple[Record, Record | None]


def _with_next(contest: Contest, row: int, column: int) -> Pair:
    """The run of a winner, and that of the next fastest solver if any other answered."""
    question = contest.questions[column]
    others = contest.seconds[:, column].copy()
    others[row] = np.inf
    second = int(others.argmin())
    own = contest.run(contest.solvers[row], question)
    if not np.isfinite(others[second]):
        return own, None
    return own, contest.run(contest.solvers[second], question)


def _reason(contest: Contest, solver: str, pairs: Sequence[Pair]) -> WinReason:
    seconds = contest.clock.seconds
    beaten = [(own, other) for own, other in pairs if other is not None]
    comparable = [(own, other) for own, other in beaten if _count_the_same(own, other)]
    return WinReason(
        solver,
        len(pairs),
        len(beaten),
        _mean([_time(seconds(b)) / _time(seconds(a)) for a, b in beaten]),
        sum(
            b.result.prepare_s - a.result.prepare_s > b.result.solve_s - a.result.solve_s
            for a, b in beaten
        ),
        len(comparable),
        _mean([(a.result.nodes or 0) / (b.result.nodes or 1) for a, b in comparable]),
        _mean([_per_node(a) / _per_node(b) for a, b in comparable]),
        float(np.median([own.result.prepare_s / _time(seconds(own)) for own, _ in pairs])),
    )


def _count_the_same(one: Record, other: Record) -> bool:
    """Whether nodes of both are known, more than none, and mean the same."""
    return bool(
        one.result.nodes
        and other.result.nodes
        and one.job.node_meaning
        and one.job.node_meaning == other.job.node_meaning
    )


def _per_node(run: Record) -> float:
    return _time(run.result.solve_s) / (run.result.nodes or 1)


def _mean(ratios: Sequence[float]) -> float | None:
    """The geometric mean, or None if there are no ratios."""
    return geometric_mean(ratios) if ratios else None


def _time(seconds: float) -> float:
    return max(seconds, MIN_S)
