"""`auto` where states repeat: `zdd`, if it comes to its end in a share of a tree search's time.

What it takes cannot be foreseen to within a factor of ten, so it is tried for a share of that time.
Where items are covered several times, so that a tree search is slow for its nodes, its progress
says more: states that are met again make the rest of a search faster, and the trial goes on while
the end that is foreseen, mostly too late, is within one and a half tree searches. Within a limit on
time it leaves enough of it for a tree search; where this would not end in time either, a lower
bound at best is at stake.
"""

from __future__ import annotations

from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.costs import STATE_STEP_S, about, about_s, tree_search_s
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
    candidate = tryout.candidate("zdd", task)
    if candidate is None:
        return None
    limit_s = tryout.job.limits.time_s
    trial_s, promising_s = _trial(tree_s, limit_s)
    if task.cover.unit_bounds:
        promising_s = 0.0
    search, ended = yield from tryout.run_for(
        candidate, trial_s / STATE_STEP_S, promising_s / STATE_STEP_S
    )
    if not search.counts_only:
        tryout.refusals["zdd"] = "it would have to list all solutions"
        return None
    if ended or (tree_s >= HOPELESS_S and limit_s is None):
        why = [
            "its trial came to the end of the search" if ended else "states are met again",
            f"a tree search would need about {about(tree_nodes or 0)} nodes ({about_s(tree_s)})",
            *([tryout.refused] if tryout.refusals else []),
        ]
        return Choice(candidate, "; ".join(why), search=search)
    spent_s = (search.work or 0) * STATE_STEP_S
    tryout.refusals["zdd"] = search.reason or f"not finished after a trial of {about_s(spent_s)}"
    return None


def _trial(tree_s: float, limit_s: float | None) -> tuple[float, float]:
    """How long a trial takes at most, and how long where its progress foresees an end by then."""
    trial_s, promising_s = SHARE * tree_s, PROMISING * tree_s
    if limit_s is not None and tree_s < limit_s:
        promising_s = min(promising_s, limit_s - tree_s)
    elif limit_s is not None:
        trial_s, promising_s = LIMIT_SHARE * limit_s, limit_s
    return min(MAX_TRIAL_S, trial_s), promising_s
