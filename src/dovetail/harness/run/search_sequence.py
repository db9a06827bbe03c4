"""The searches of a plan: one, trials, or restarts; each prepared when it is due.

Restarts go by Luby's sequence, 1 1 2 1 1 2 4 1 1 2 …, times a number of nodes: whatever the
chances that a search in a random order succeeds soon, no schedule that is fixed beforehand is
faster by more than a logarithmic factor. Source: M. Luby, A. Sinclair, D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", 1993. The number of nodes is in proportion to that of the
options, as is the time that shuffling and preparing them takes: a few hundredths of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.registry import backends_that
from dovetail.harness.run.job import RandomOrder, Trials
from dovetail.harness.run.random_order import shuffled
from dovetail.models.task import Task

NODES_PER_OPTION = 3


@dataclass(frozen=True, eq=False)
class PreparedSearch:
    """A search that can begin; after `nodes`, if that is not None, the next one replaces it.

    `to_original_ids` makes what it finds into numbers of all the options.
    """

    search: Search
    to_original_ids: Callable[[NDArray[np.int32]], NDArray[np.int32]]
    nodes: int | None = None


def search_sequence(
    order: RandomOrder | Trials | None, task: Task, backend: AnyBackend, config: Config
) -> Iterator[PreparedSearch]:
    """Prepare the searches of a plan, one after another; whoever runs them has to end them.

    Raises `ConfigError` for a sub-problem that no search of the task has left.
    """
    if order is None:
        search, part = backend.prepare(task, config), task.part
        if part is not None:
            search.begin_within(part)
        yield PreparedSearch(search, task.to_original_ids)
        return
    hardest_first = isinstance(order, RandomOrder) and order.hardest_first
    for number, nodes in enumerate(_lengths(order, task.options.option_count)):
        ordered = shuffled(task, order.seed, number, hardest_first=hardest_first)
        yield PreparedSearch(backend.prepare(ordered, config), ordered.to_original_ids, nodes)


def no_random_order(
    order: RandomOrder | Trials | None, task: Task, backend: AnyBackend
) -> str | None:
    """Return why the options cannot be taken in a random order, or None if they can or need not."""
    if order is None:
        return None
    if task.placements is None:
        return f"random orders are for packing puzzles; {task.puzzle.name} has no placements"
    if backend.by_option_order:
        return None
    valid = backends_that(lambda one: one.by_option_order)
    return f"it does not support a random option order; valid: {valid}"


def restart_nodes(options: int) -> int:
    """How many nodes the shortest of a row of restarts makes."""
    return NODES_PER_OPTION * options


def luby(number: int) -> int:
    """The term of Luby's sequence with this number, counted from 1."""
    power = (number + 1).bit_length() - 1
    if number == 2**power - 1:
        return 1 << (power - 1)
    return luby(number - 2**power + 1)


def _lengths(order: RandomOrder | Trials, options: int) -> Iterator[int | None]:
    """How many nodes each search in a random order may make, None for any number."""
    if isinstance(order, Trials):
        return repeat(None, order.count)
    if order.searches_once:
        return repeat(None, 1)
    return (restart_nodes(options) * luby(number) for number in count(1))
