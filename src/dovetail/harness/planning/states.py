"""`auto` where states repeat: `zdd`, if it comes to its end in a share of a tree search's time.

What it takes cannot be foreseen to within a factor of ten, so it is tried for a share of that time.
Where items are covered several times, so that a tree search is slow for its nodes, its progress
says more: states that are met again make the rest of a search faster, and the trial goes on while
the end that is foreseen, mostly too late, is within one and a half tree searches. Within a limit on
time it leaves enough of it for a tree search; where this would not end in time either, a lower
bound at best is at stake. A trial that outlasts the time for choosing goes on as the search, to be
given up as in the trial, if there is no limit on time or an end is foreseen.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import Search
from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.costs import STATE_STEP_S, about, tree_search_s
from dovetail.harness.planning.trials import OnTrial
from dovetail.harness.planning.tryout import Tryout
from dovetail.models.task import Task

LARGE_S = 1.0  # of a tree search: in less than that nothing else is tried
SHARE = 0.1  # of a tree search, for the trial
LIMIT_SHARE = 1 / 4  # of a limit on time in which a tree search would not end
PROMISING = 1.5  # tree searches, that a trial may foresee
MAX_TRIAL_S = 30.0
# Of a tree search: without a limit on time, what the trial has not finished goes on all the same.
HOPELESS_S = 3600.0


def choose_zdd(tryout: Tryout, task: Task, tree_nodes: float | None) -> Choosing:
    """Choose `zdd` for a count that a tree search by `bitset` makes so many nodes for, or None."""
    tree_s = None if tree_nodes is None else tree_search_s(tree_nodes, task)
    if task.request.listing or not tryout.is_whole or tree_s is None or tree_s < LARGE_S:
        return None
    from dovetail.backends.zdd.search import counts_by_states  # with its kernels

    if not counts_by_states(task):
        tryout.refusals["zdd"] = "it would have to list all solutions"
        return None
    candidate = tryout.candidate("zdd", task)
    if candidate is None:
        return None
    limit_s = tryout.job.limits.time_s
    trial_s, promising_s = _trial(tree_s, limit_s)
    if task.cover.unit_bounds:
        promising_s = 0.0
    rule = _Rule(trial_s / STATE_STEP_S, promising_s / STATE_STEP_S)
    trial = yield from tryout.attempt(candidate, rule, lambda _: False)
    if trial is None:
        tryout.refusals["zdd"] = "not tried in the time for choosing"
        return None
    search = trial.search
    if trial.ended:
        why = "its trial came to the end of the search"
    elif tree_s >= HOPELESS_S and limit_s is None and search.reason is None:
        why = "states are met again"
    elif (
        trial.unfinished
        and tryout.may_go_on(candidate)
        and (limit_s is None or rule.foresees_end(search))
    ):
        why, search = "its trial goes on", OnTrial(search, rule, trial.work)
    else:
        tryout.refusals["zdd"] = trial.problem or _not_finished(trial.work)
        return None
    parts = [why, f"a tree search would need about {about(tree_nodes or 0)} nodes"]
    parts += [tryout.refused] if tryout.refusals else []
    return Choice(candidate, "; ".join(parts), search=search)


@dataclass(frozen=True)
class _Rule:
    """Gives a search up after so many steps, unless it foresees an end by `promising_work`."""

    max_work: float
    promising_work: float

    def __call__(self, search: Search, work: int) -> str | None:
        if work < self.max_work or self.foresees_end(search):
            return None
        return search.reason or _not_finished(work)

    def foresees_end(self, search: Search) -> bool:
        return (search.work or 0) <= (search.progress() or 0.0) * self.promising_work


def _not_finished(work: int) -> str:
    """Return why a search is given up after so many steps."""
    return f"not finished after a trial of {work:,} steps"


def _trial(tree_s: float, limit_s: float | None) -> tuple[float, float]:
    """How long a trial takes at most, and how long where its progress foresees an end by then."""
    trial_s, promising_s = SHARE * tree_s, PROMISING * tree_s
    if limit_s is not None and tree_s < limit_s:
        promising_s = min(promising_s, limit_s - tree_s)
    elif limit_s is not None:
        trial_s, promising_s = LIMIT_SHARE * limit_s, limit_s
    return min(MAX_TRIAL_S, trial_s), promising_s
