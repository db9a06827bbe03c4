"""What the FILA kernel searches: a packing problem with its image lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements, cell_masks


@dataclass(frozen=True, eq=False)
class SubProblem:
    """Some placements, on cells numbered anew.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `options` | (n,) | int32 | the placements' numbers in the whole problem |
    | `shape` | (n,) | int32 | their shapes |
    | `cells` | (n, size) | int32 | the cells of each, ascending, padded with −1 |
    | `masks` | (n, words) | uint64 | the same as bits |
    | `neighbours` | (c, degree) | int32 | −1 where there is none |
    | `copies` | (shapes,) | int32 | how often each shape is to be used |
    """

    options: NDArray[np.int32]
    shape: NDArray[np.int32]
    cells: NDArray[np.int32]
    masks: NDArray[np.uint64]
    neighbours: NDArray[np.int32]
    copies: NDArray[np.int32]

    @property
    def cell_count(self) -> int:
        return len(self.neighbours)

    @property
    def pieces(self) -> int:
        """How many pieces are to be placed."""
        return int(self.copies.sum())

    def unfilled(self) -> NDArray[np.uint64]:
        """The board before anything is placed: bits beyond the last cell are set."""
        beyond = np.arange(64 * self.masks.shape[1]) >= self.cell_count
        occupied: NDArray[np.uint64] = as_words(beyond[None, :])[0]
        return occupied


def sub_problem(placements: Placements, placed: NDArray[np.int64]) -> SubProblem:
    """What is left when the placements `placed` are made, its open cells renumbered.

    A placement stays when it is disjoint from those and its shape has a copy left.
    """
    copies = np.array([shape.most for shape in placements.shapes], dtype=np.int32)
    np.subtract.at(copies, placements.shape[placed], 1)
    taken = np.zeros(placements.cell_count + 1, dtype=bool)  # the last is the padding's
    taken[placements.cells[placed]] = True
    taken[-1] = False
    open_cells = np.flatnonzero(~taken[:-1])
    number = np.full(placements.cell_count + 1, NO_CELL, dtype=np.int32)
    number[open_cells] = np.arange(len(open_cells), dtype=np.int32)
    stays = ~taken[placements.cells].any(axis=1) & (copies[placements.shape] > 0)
    options = np.flatnonzero(stays)
    cells = number[placements.cells[options]]
    neighbours = number[placements.neighbours[open_cells]]
    return SubProblem(
        options=options.astype(np.int32),
        shape=np.ascontiguousarray(placements.shape[options]),
        cells=np.ascontiguousarray(cells),
        masks=cell_masks(cells, len(open_cells)),
        neighbours=np.ascontiguousarray(neighbours),
        copies=copies,
    )


@dataclass(frozen=True, eq=False)
class ImageLists:
    """Image lists of one kind; see `kernels.image_lists.fill_lists` for the arrays.

    `full` has, for every cell and state, the shapes whose lists are not empty as bits: shape
    (c · states · words,).
    """

    free: NDArray[np.uint32]
    free_count: NDArray[np.uint32]
    state_bits: np.uint64
    full: NDArray[np.uint64]
    start: NDArray[np.uint32]
    images: NDArray[np.uint32]


def image_lists(problem: SubProblem, *, ordered: bool, nof: bool) -> ImageLists:
    """The lists for cells that are filled in the order of their numbers, or in any order.

    With `nof` there is a list for every state of the neighbours that may be open when their
    cell is the target (neighbour occupancy filtering), else one for all.
    """
    from dovetail.backends.fila.kernels.image_lists import fill_lists  # imports numba

    own = np.arange(problem.cell_count, dtype=np.int32)[:, None]
    exists = problem.neighbours != NO_CELL
    open_ones = exists & (problem.neighbours > own) if ordered else exists
    free_count = np.count_nonzero(open_ones, axis=1).astype(np.int32)
    # those that may be open to the front, in their order
    front = np.argsort(~open_ones, axis=1, kind="stable")
    free = np.ascontiguousarray(np.take_along_axis(problem.neighbours, front, axis=1))
    state_bits = int(free_count.max(initial=0)) if nof else 0
    shapes = len(problem.copies)
    lists = (problem.cell_count << state_bits) * shapes
    counts = np.zeros(lists, dtype=np.int64)
    start = np.zeros(lists + 1, dtype=np.int64)

    def fill(images: NDArray[np.int32]) -> None:
        fill_lists(
            problem.cells,
            problem.shape,
            free,
            free_count,
            state_bits,
            shapes,
            ordered,
            counts,
            start,
            images,
        )

    fill(np.empty(0, dtype=np.int32))
    start[1:] = np.cumsum(counts)
    counts[:] = 0
    images = np.empty(max(1, int(start[-1])), dtype=np.int32)
    fill(images)
    return ImageLists(
        np.maximum(free, 0).astype(np.uint32),
        free_count.astype(np.uint32),
        np.uint64(state_bits),
        as_words(counts.reshape(problem.cell_count << state_bits, shapes) > 0).ravel(),
        start.astype(np.uint32),
        images.astype(np.uint32),
    )


def as_words(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of flags as bits of 64-bit words, shape (rows, words): the first is the lowest bit."""
    rows, count = flags.shape
    words = max(1, -(-count // 64))
    padded = np.zeros((rows, 64 * words), dtype=bool)
    padded[:, :count] = flags
    packed = np.packbits(padded, axis=1, bitorder="little")
    result: NDArray[np.uint64] = packed.view(np.dtype("<u8")).astype(np.uint64)
    return result
