"""Random orders of the options, each from a seed and a number.

A search takes the options of an item in the order in which they are numbered. Shuffling all of
them shuffles every item's as well: each order of an item's own options is as likely as any
other. That is a trial of Busche 2011, save that the orders of two items are not independent:
options that are in both stand in the same order in both.

Options are sorted by the words of `random_stream`: the orders from one seed lie in its
stream one behind another, the same on every machine and in every version.

Where one solution is enough, the placements of the hardest pieces may come first, in random order
among equals. The measure is a piece's surface: pieces with much of it are harder to fit in, and the
compact ones are left for the end, where a solution is made or missed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.models.options.packing import PackingOptions
from dovetail.models.placements import NO_CELL, Placements
from dovetail.models.task import Task
from dovetail.random_stream import random_words


@dataclass(frozen=True, eq=False)
class Ordered:
    """A task for a backend, its options in some order; `order` has the numbers they had."""

    task: Task
    order: NDArray[np.int64]

    def to_original_ids(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Solutions of the ordered task by the numbers of all options; −1 stays."""
        numbers: NDArray[np.int32] = np.append(self.order, -1).astype(np.int32)[found]
        return self.task.to_original_ids(numbers)


def shuffled(task: Task, seed: int, number: int = 0, *, hardest_first: bool = False) -> Ordered:
    """The task of a packing puzzle in the `number`-th random order from `seed`."""
    options = task.options
    assert isinstance(options, PackingOptions)
    order = random_order(seed, number, options.option_count)
    if hardest_first:
        surface = surfaces(options.placements)[options.placements.shape[order]]
        order = order[np.argsort(-surface, kind="stable")]
    placements = options.placements.subset(order)
    return Ordered(replace(task, options=PackingOptions(options.puzzle, placements)), order)


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
