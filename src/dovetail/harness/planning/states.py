"""`auto` where states repeat: `zdd`, if it comes to its end in a share of a tree search's time.

What it takes cannot be foreseen to within a factor of ten, so it is tried: where it fails,
the share is all that is lost. Its progress knows better: states that are met again make the rest of
a search faster, so that what it foresees is too long rather than too short, and a trial goes on as
long as that is little more than a tree search takes. Within a limit on time the trial leaves enough
of it for a tree search, which has a lower bound to show.
"""

from __future__ import annotations

from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.costs import STATE_STEP_S, about, about_s, tree_search_s
from dovetail.harness.planning.tryout import Tryout
from dovetail.models.task import Task

LARGE_S = 1.0  # of a tree search: in less than that nothing else is tried
SHARE = 0.15  # of a tree search, for the trial
PROMISING = 1.5  # tree searches, that a trial may foresee
MAX_TRIAL_S = 30.0
# Of a tree search: without a limit on time, what the trial has not finished goes on all the same.
HOPELESS_S = 3600.0


def choose_zdd(tryout: Tryout, task: Task, tree_nodes: float | None) -> Choosing:
    """Choose `zdd` for a count that a tree search by `bitset` makes so many nodes for, or None."""
    tree_s = None if tree_nodes is None else tree_search_s(tree_nodes, task.cover)
    if task.request.listing or not tryout.is_whole or tree_s is None or tree_s < LARGE_S:
        return None
    candidate = tryout.candidate("zdd", task)
    if candidate is None:
        return None
    limit_s = tryout.job.limits.time_s
    trial_s = min(MAX_TRIAL_S, SHARE * min(tree_s, limit_s or tree_s))
    promising_s = PROMISING * tree_s
    if limit_s is not None:
        promising_s = min(promising_s, max(0.0, limit_s - tree_s))
    search, ended = yield from tryout.run_for(
        candidate, int(trial_s / STATE_STEP_S), int(promising_s / STATE_STEP_S)
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
    tryout.refusals["zdd"] = f"not finished after a trial of {about_s(trial_s)}"
    return None
