"""How a plan is divided into sub-problems, and dividing it before the search."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.parallel.journal import StoredPart
from dovetail.harness.parallel.keys import WHOLE, part_key
from dovetail.harness.run.session import Session
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
