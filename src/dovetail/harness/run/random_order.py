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

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

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
