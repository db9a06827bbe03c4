"""What the reference kernel, random probes and those who call them agree on.

c cells in w words, p pieces to place, n shapes in s words.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.kernels.layout import Stack


class Sizes(NamedTuple):
    """How cells, states and lists are numbered. All are uint64.

    The key of a cell and its state is cell · 2**`first_bits` + state where cells are filled in
    order, and `any_base` + cell · 2**`any_bits` + state where they are filled in any order.

    | number | meaning |
    |---|---|
    | `cells` | c |
    | `shapes` | n, the lists of a key |
    | `first_bits`, `any_bits` | the bits of a state |
    | `any_base` | the first key of cells filled in any order |
    | `stride` | how far the words of an image lie apart |
    """

    cells: np.uint64
    shapes: np.uint64
    first_bits: np.uint64
    any_bits: np.uint64
    any_base: np.uint64
    stride: np.uint64


class Lists(NamedTuple):
    """Image lists, one for each key and shape.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `near` | (2c · w · 8,) | uint64 | see `board.state_of`: of cells filled in order,
    then of cells filled in any order |
    | `full` | (keys · s,) | uint64 | shapes whose lists for a key are not empty |
    | `start` | (keys · n + 1,) | uint32 | where each list begins |
    | `masks` | (w · stride,) | uint64 | the images, list after list: their first words, then
    their second ones; eight more than there are |
    | `images` | (entries,) | uint32 | the placements that they are |
    | `sizes` | `Sizes` | uint64 | how keys are numbered |
    """

    near: NDArray[np.uint64]
    full: NDArray[np.uint64]
    start: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    images: NDArray[np.uint32]
    sizes: Sizes


class AnyOrder(NamedTuple):
    """How the next target is chosen where cells are filled in any order.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `adjacent` | (c · w,) | uint64 | the neighbours of each cell |
    | `heuristic` | (p + 1,) | uint64 | by pieces remaining |
    """

    adjacent: NDArray[np.uint64]
    heuristic: NDArray[np.uint64]


class Position(NamedTuple):
    """What is filled and what is left; copies have an array of their own.

    | tuple | length | meaning |
    |---|---|---|
    | `board` | w words | bits of cells that are not open, and beyond the last, are set |
    | `available` | s words | bit set: a copy of the shape is left |
    """

    board: tuple[np.uint64, ...]
    available: tuple[np.uint64, ...]


class Begun(NamedTuple):
    """Where a search is: its `Stack`, and its `Position`."""

    stack: Stack
    position: Position
