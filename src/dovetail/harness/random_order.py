"""Random orders of the options, each from a seed and a number.

A search takes the options of an item in the order in which they are numbered. Shuffling all of
them shuffles every item's as well: each order of an item's own options is as likely as any
other. That is a trial of Busche 2011, save that the orders of two items are not independent:
options that are in both stand in the same order in both.

The numbers that options are sorted by are those of `puzzles.random_stream`, computed together:
SplitMix64 goes by a counter, so that the orders from one seed lie in its stream one behind
another. They are the same on every machine and in every version, which numpy does not promise
of what its generators make of their bits.

Where one solution is enough, the placements of awkward pieces may come first, in random order
among equals: pieces with much surface are the harder to fit in, and the compact ones are left for
the end, where a solution is made or missed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.models.options.packing import PackingOptions
from dovetail.models.placements import NO_CELL, Placements
from dovetail.models.task import Task
from dovetail.puzzles.random_stream import MASK

_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, eq=False)
class Ordered:
    """A task for a backend, its options in some order; `order` has the numbers they had."""

    task: Task
    order: NDArray[np.int64]

    def restored(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Solutions of the ordered task by the numbers of all options; −1 stays."""
        numbers: NDArray[np.int32] = np.append(self.order, -1).astype(np.int32)[found]
        return self.task.restored(numbers)


def shuffled(task: Task, seed: int, number: int = 0, *, awkward_first: bool = False) -> Ordered:
    """The task of a packing puzzle in the `number`-th random order from `seed`."""
    options = task.options
    assert isinstance(options, PackingOptions)
    order = random_order(seed, number, options.option_count)
    if awkward_first:
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


def random_words(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """What `RandomStream(seed)` gives after `first` words: the next `count`."""
    begin = np.uint64((seed + (first + 1) * _STEP) & MASK)
    mixed = begin + np.arange(count, dtype=np.uint64) * np.uint64(_STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return mixed ^ (mixed >> np.uint64(31))
