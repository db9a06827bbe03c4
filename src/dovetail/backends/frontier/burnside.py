"""From the number of all solutions to that of their classes: the lemma of Burnside.

There are as many classes as solutions that a symmetry leaves as they are, on average over the
symmetries. How many each leaves is counted on a folded board (`quotient`).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.memory_budget import MemoryBudget
from dovetail.backends.frontier.quotient import fixed_problem
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Symmetry
from dovetail.models.task import Task


def total_of(task: Task, every: int, memory_budget: MemoryBudget) -> Generator[None, None, int]:
    """How many solutions were asked for, where there are `every` of them in all.

    Where a piece is restricted so that all its orbits are whole, only the identity leaves any
    solution as it is.
    """
    if task.request.symmetry == Symmetry.ALL:
        return every
    group = task.group
    symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    fixed = 0
    if symmetry_breaking is None or not symmetry_breaking.complete:
        assert isinstance(task.all_options, PackingOptions)
        known: dict[bytes, int] = {}
        for symmetry in group[1:]:
            inverse = np.argsort(symmetry).astype(symmetry.dtype)
            if inverse.tobytes() not in known:  # which leaves the same ones
                counting = Counting(fixed_problem(task.all_options, symmetry), memory_budget)
                yield from counting.expand()
                yield from counting.meet()
                known[inverse.tobytes()] = counting.total
            known[symmetry.tobytes()] = known[inverse.tobytes()]
            fixed += known[symmetry.tobytes()]
    unique, rest = divmod(every + fixed, len(group))
    assert rest == 0, "the symmetries are a group"
    return unique
