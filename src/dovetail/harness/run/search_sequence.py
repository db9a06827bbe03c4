"""The searches of a plan: one, trials, or restarts; each prepared when it is due.

Restarts go by Luby's sequence, 1 1 2 1 1 2 4 1 1 2 …, times a number of nodes: whatever the
chances that a search in a random order succeeds soon, no schedule that is fixed beforehand is
faster by more than a logarithmic factor. Source: M. Luby, A. Sinclair, D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", 1993. The number of nodes is in proportion to that of the
options, as is the time that shuffling and preparing them takes: a few hundredths of the search.

A random order comes from a seed and a number. A search takes the options of an item in the order in
which they are numbered; shuffling all of them makes each order of an item's options as likely as
any other. That is a trial of Busche 2011, save that options of two items stand in the same order in
both. Options are sorted by the words of `random_stream`, the same on every machine. Where one
solution is enough, the pieces that are hardest to fit in, those with the largest surface, may come
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.registry import backends_that
from dovetail.harness.run.job import RandomOrder, Trials
from dovetail.models.options.packing import PackingOptions
from dovetail.models.placements import NO_CELL, Placements
from dovetail.models.reductions.pipeline import Reduced
from dovetail.models.task import Task
from dovetail.random_stream import random_words


def shuffled(task: Task, seed: int, number: int = 0, *, hardest_first: bool = False) -> Task:
    """The task of a packing puzzle in the `number`-th random order from `seed`.

    Its `reduced` has the numbers of its options in that order: what is known of an option by its
    number, as its weight where symmetry is broken, stays that option's.
    """
    options = task.options
    assert isinstance(options, PackingOptions)
    order = random_order(seed, number, options.option_count)
    if hardest_first:
        surface = surfaces(options.placements)[options.placements.shape[order]]
        order = order[np.argsort(-surface, kind="stable")]
    reduced = task.reduced
    if reduced is None:
        reduced = Reduced(options.option_count, order, {}, None)
    else:
        reduced = replace(reduced, kept=reduced.kept[order])
    return replace(task, options=options.subset(order), reduced=reduced)


def surfaces(placements: Placements) -> NDArray[np.int64]:
    """On how many sides the cells of each shape do not touch its other cells, shape (shapes,).

    0 for a shape that has no placement.
    """
    surface = np.zeros(len(placements.shapes), dtype=np.int64)
    shapes, examples = np.unique(placements.shape, return_index=True)
    for shape, example in zip(shapes, examples, strict=True):
        cells = placements.cells[example]
        cells = cells[cells != NO_CELL]
        surface[shape] = np.count_nonzero(~np.isin(placements.neighbours[cells], cells))
    return surface


def random_order(seed: int, number: int, size: int) -> NDArray[np.int64]:
    """A permutation of 0 to size − 1: the `number`-th from `seed`, counted from 0."""
    return np.argsort(random_words(seed, number * size, size), kind="stable")


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
