"""How a search is divided into sub-problems, and when a sub-problem is split further.

First a search is split node by node, the shallowest sub-problem first, until there are many for
each worker. Later a sub-problem is cut where it stands if workers would be idle. Source: J.-C.
Régin, M. Rezgui, A. Malapert, "Embarrassingly parallel search", CP 2013.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session
from dovetail.harness.workers.base import Workers
from dovetail.harness.workers.checkpoint import StoredPart
from dovetail.harness.workers.part_tree import WHOLE, branches_of, part_key, single_branches
from dovetail.models.cover import CoverProblem
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task


class Division(StrEnum):
    """What the sub-problems of a plan are.

    `CUT`: parts of the backend's search tree, which any search of the plan can leave behind; they
    have its nodes. `TASK`: puzzles with some options placed, for a backend whose search cannot be
    cut: the counts add up, and the nodes are those of other searches. `WHOLE`: the search itself.
    """

    CUT = "cut"
    TASK = "task"
    WHOLE = "whole"


def division_of(session: Session) -> Division:
    """Return how the plan of a session that has begun is divided.

    A search that turns out not to leave parts behind is divided by `TASK` after all.
    """
    if why_whole(session) is not None:
        return Division.WHOLE
    backend = session.backend
    cuts = backend.cuts and backend.cuts_task(session.task, session.config)
    return Division.CUT if cuts else Division.TASK


def why_whole(session: Session) -> str | None:
    """Return why the plan of a session that has begun is not divided, None where it is."""
    backend, plan = session.backend, session.plan
    if backend.threads:
        return f"{backend.name} runs in one process (-c threads=N sets its threads)"
    if plan.order is not None:
        return "searches in random orders run in one process"
    if plan.sub_problem is not None:
        return "a plan of a sub-problem runs in one process"
    return backend.why_undivided(session.task, session.config)


def divided_task(task: Task, wanted: int) -> list[StoredPart]:
    """Divide a task into about so many sub-problems, in a fixed order.

    Each branches on the item with the fewest options of those covered exactly once, as long as any
    has two or more; the shallowest sub-problem first.
    """
    cover = task.lowered.options.cover
    allowed = np.ones(cover.option_count, dtype=bool)
    if task.reduced is not None:
        allowed[:] = False
        allowed[task.reduced.kept] = True
    parts = list[SubProblem]()
    waiting = deque([SubProblem()])
    while waiting and len(parts) + len(waiting) < wanted:
        part = waiting.popleft()
        branches = _branches(cover, part.kept(cover) & allowed)
        if branches is None:
            parts.append(part)
        else:
            waiting.extend(SubProblem((*part.taken, int(option))) for option in branches)
    parts = sorted([*parts, *waiting], key=lambda part: part.taken)
    return [StoredPart(part_key(WHOLE, number), part) for number, part in enumerate(parts)]


def _branches(cover: CoverProblem, kept: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Return the options of the item to branch on; None without a choice or a solution."""
    members = kept[cover.option_of_member]
    left = np.bincount(cover.item[members], minlength=cover.item_count)
    once = np.zeros(cover.item_count, dtype=bool)
    once[: cover.primary_count] = (cover.lower == 1) & (cover.upper == 1)
    if (left[once] == 0).any():
        return None
    open_items = np.flatnonzero(once & (left > 1))
    if not len(open_items):
        return None
    item = open_items[left[open_items].argmin()]
    branches: NDArray[np.int64] = cover.option_of_member[members & (cover.item == item)]
    return branches


PARTS_PER_WORKER = 30
# No more nodes than this are made one by one for each sub-problem wanted: a tree may hardly branch.
MAX_SINGLE_NODES = 4
# A tree that takes less is not worth dividing. Where nodes depend on the cuts, a number of nodes
# says so, so that they are the same each time.
SMALL_TREE_S, SMALL_TREE_NODES = 0.05, 2_000
# Sub-problems that should wait for each worker later.
RESERVE = 2
# How long workers search that cannot be asked for a cut: not long if fewer sub-problems than so
# many for each worker wait, for soon others will have nothing to do.
LONG_S, SHORT_S, ENOUGH_PARTS = 5.0, 0.5, 4
# Many workers search longer, so that no more than so many results come in a second.
MAX_RESULTS_PER_S = 100


class Splitter:
    """Decides for the sub-problems of one run on `workers`.

    The backend `learns` if its nodes depend on the cuts.
    """

    def __init__(self, workers: Workers, division: Division, *, learns: bool) -> None:
        self._workers, self._learns = workers, learns
        self._cuts = division == Division.CUT
        self._single_nodes = 0

    def splits_first(self, waiting: int, running: int, done: int) -> bool:
        """Return whether there are still too few sub-problems to search any in full."""
        wanted = PARTS_PER_WORKER * self._workers.count
        return (
            self._cuts
            and self._workers.count > 1
            and waiting + running < wanted
            and done < wanted
            and self._single_nodes < MAX_SINGLE_NODES * wanted
        )

    def next_limits(self, stored: StoredPart) -> tuple[int | None, float | None]:
        """Count one more single node, and return the nodes and seconds that show its branches.

        The whole search has more of them at first: it may be a small one.
        """
        self._single_nodes += 1
        if stored.key == WHOLE:
            return (SMALL_TREE_NODES, None) if self._learns else (None, SMALL_TREE_S)
        return 0 if stored.part.untried is None else 1, None

    def seconds(self, waiting: int) -> float | None:
        """Return how long a worker that cannot be asked for a cut may search before it cuts."""
        if self._workers.can_cut or not self._cuts:
            return None
        count = self._workers.count
        few = count > 1 and waiting < ENOUGH_PARTS * count
        return max(SHORT_S if few else LONG_S, count / MAX_RESULTS_PER_S)

    def children(self, stored: StoredPart, result: Result, wanted: int) -> list[StoredPart]:
        """Return the parts that a result has left, about `wanted` if their branches suffice.

        Those that branch first are divided first: they are the largest.
        """
        remaining = result.remaining or ()
        wanted -= len(remaining)
        divided: list[list[SubProblem]] = [[part] for part in remaining]
        for place in range(len(remaining) - 1, -1, -1):
            more = branches_of(remaining[place]) - 1
            if wanted > 0 and more:
                divided[place] = single_branches(remaining[place])
                wanted -= more
        children = (part for parts in divided for part in parts)
        return [
            StoredPart(part_key(stored.key, number), part) for number, part in enumerate(children)
        ]

    def parts_wanted(self, *, first: bool) -> int:
        """Return how many sub-problems should wait; `first`: before any is searched in full."""
        if self._workers.count == 1:
            return 0
        return (PARTS_PER_WORKER if first else RESERVE) * self._workers.count
