"""Shapes of pieces, and assemblies, as arrays for the search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import sub
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.assemblies import AssemblyBatch, PlacedCells
from dovetail.disassembly.directions import Directions, directions_of
from dovetail.disassembly.kernels.states import OPEN, AssemblyArrays, Shapes
from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice

Array = NDArray[np.int64]


class ShapeTable:
    """The distinct shapes of pieces on a lattice, numbered as they are added.

    The table also has the runs of cells of each shape; see `kernels.states.Shapes`. Threads may
    share a table.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.directions: Directions = directions_of(lattice)
        self._lattice, self.placed = lattice, PlacedCells(lattice)
        self._lock = Lock()
        self._numbers = dict[Cells, int]()
        self.axes = axes = len(lattice.axes)
        ahead = np.array(self.directions.vectors[::2], dtype=np.int64)
        self._rows = np.zeros((0, 1 + axes), dtype=np.int64)  # `_row_of` by number in `placed`
        bits = 60 // axes
        self._reach = 1 << bits - 4
        ways = np.arange(len(ahead))
        along = np.array([np.flatnonzero(vector)[0] for vector in ahead])
        self._step = abs(ahead[ways, along])
        self._place_of = np.zeros_like(ahead)
        self._place_of[ways, along] = np.sign(ahead[ways, along])
        # Factors for the line of a cell: its coordinates across the direction, in one number.
        scale = np.int64(1) << (bits * np.arange(axes, dtype=np.int64))
        across = np.eye(axes, dtype=np.int64)[None] * self._step[:, None, None]
        across = across - self._place_of[:, :, None] * ahead[:, None, :]
        self._line_of = across @ scale
        self._counts = np.zeros(0, dtype=np.int64)  # runs of each group of `Shapes.begin`
        self._runs = np.zeros((0, 3), dtype=np.int64)
        self._arrays: Shapes | None = None

    def arrays(self, batch: AssemblyBatch) -> tuple[Shapes, AssemblyArrays]:
        """Add the shapes of a batch; return the runs of all shapes, and the batch as arrays.

        Raises `PuzzleError` for a shape that is too long, and for pieces that are too far apart.
        """
        with self._lock:
            fresh = [self._row_of(cells) for cells in batch.placed.cells[len(self._rows) :]]
            if fresh:
                self._rows = np.concatenate([self._rows, fresh])
            row, shapes = self._rows[batch.cells], self._shapes()
        farthest = 4 * self._reach  # farther vectors would not fit into their bits after moves
        if len(row) and np.ptp(row[:, 1:], axis=0).max() >= farthest:
            raise PuzzleError(f"pieces over {farthest:,} cells apart cannot be taken apart")
        return shapes, AssemblyArrays(
            begin=batch.begin,
            shape=np.ascontiguousarray(row[:, 0]),
            place=np.ascontiguousarray(row[:, 1:]),
            group=batch.kinds.group[batch.kind],
            weight=batch.kinds.weight[batch.kind],
            outcome=np.full(len(batch), OPEN, dtype=np.int64),
            states=np.zeros(len(batch), dtype=np.int64),
        )

    def _row_of(self, cells: Cells) -> tuple[int, ...]:
        """Return the number of the shape of `cells`, and the vector from the shape to `cells`."""
        shape = self._lattice.normalise(cells)
        number = self._numbers.setdefault(shape, len(self._numbers))
        return number, *map(sub, min(cells), shape[0])

    def _shapes(self) -> Shapes:
        """Return the runs of all shapes."""
        known = len(self._counts) // (2 * len(self._step))
        fresh = list(self._numbers)[known:]
        if fresh:
            runs, counts = self._runs_of(fresh)
            self._runs = np.concatenate([self._runs, runs])
            self._counts = np.concatenate([self._counts, counts])
        if fresh or self._arrays is None:
            line, first, last = np.ascontiguousarray(self._runs.T)
            self._arrays = Shapes(
                begin=np.concatenate([[0], np.cumsum(self._counts)]),
                line=line,
                first=first,
                last=last,
                step=self._step,
                line_of=self._line_of,
                place_of=self._place_of,
                vector=np.array(self.directions.vectors, dtype=np.int64),
            )
        return self._arrays

    def _runs_of(self, shapes: Sequence[Cells]) -> tuple[Array, Array]:
        """Return the runs of shapes, and the number of runs in each group of `Shapes`.

        A run is a row (line, first place, last place). Raises `PuzzleError` for a shape that is too
        long.
        """
        coordinates = chain.from_iterable(chain.from_iterable(shapes))
        cells = np.fromiter(coordinates, dtype=np.int64).reshape(-1, self.axes)
        if abs(cells).max() >= self._reach:
            raise PuzzleError(f"a piece over {self._reach:,} cells long cannot be taken apart")
        shape = np.repeat(np.arange(len(shapes)), list(map(len, shapes)))
        classes = self._lattice.classes(cells)
        ways, found = len(self._step), list[Array]()
        for way in range(ways):
            kinds = [(np.arange(len(cells)), cells)]
            for number, swept in enumerate(self.directions.swept[2 * way]):
                (its,) = np.nonzero(classes == number)
                kinds += [(its, cells[its] + np.array(vector)) for vector in swept]
            for kind, (its, places) in enumerate(kinds):
                line, place = places @ self._line_of[way], places @ self._place_of[way]
                key = 2 * (ways * shape[its] + way) + min(kind, 1)
                found.append(np.stack([key, line, place % self._step[way], place]))
        rows = np.concatenate(found, axis=1)
        rows = rows[:, np.lexsort(rows[::-1])]
        key, line, _, place = rows
        step = self._step[key // 2 % ways]
        begins = np.ones(len(key), dtype=bool)
        same = (rows[:3, 1:] == rows[:3, :-1]).all(axis=0)
        begins[1:] = ~same | (place[1:] > place[:-1] + step[1:])
        first = np.flatnonzero(begins)
        last = np.append(first[1:], len(key)) - 1
        counts = np.bincount(key[first], minlength=2 * ways * len(shapes))
        return np.stack([line[first], place[first], place[last]], axis=1), counts
