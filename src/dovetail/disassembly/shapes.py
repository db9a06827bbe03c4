"""Assemblies as the arrays that the kernel reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import add, sub

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.directions import Directions, directions_of
from dovetail.disassembly.kernels.breadth_first import MAX_PIECES, OPEN, Assemblies, Shapes
from dovetail.disassembly.plan import Assembly
from dovetail.errors import PuzzleError, how_many
from dovetail.models.lattices.protocol import Cell, Cells, Lattice

Run = tuple[int, int, int]  # line, first and last place


class ShapeTable:
    """The distinct shapes of pieces on a lattice, numbered as they come, and their runs."""

    def __init__(self, lattice: Lattice) -> None:
        self.directions: Directions = directions_of(lattice)
        self._lattice = lattice
        self._numbers = dict[Cells, int]()
        self._runs = list[list[Run]]()
        self._classes = {cell: number for number, cell in enumerate(lattice.fundamental_cells)}
        axes = len(lattice.axes)
        self._bits = 60 // axes
        ahead = np.array(self.directions.vectors[::2], dtype=np.int64)
        self._vectors = np.array(self.directions.vectors, dtype=np.int64)
        self._along = np.array([np.flatnonzero(vector)[0] for vector in ahead])
        signs = np.sign(ahead[np.arange(len(ahead)), self._along])
        self._step = abs(ahead[np.arange(len(ahead)), self._along])
        self._place_of = np.zeros_like(ahead)
        self._place_of[np.arange(len(ahead)), self._along] = signs
        # The part of a cell across the direction, all axes in one number.
        scale = np.int64(1) << (self._bits * np.arange(axes, dtype=np.int64))
        across = np.eye(axes, dtype=np.int64)[None] * self._step[:, None, None]
        across = across - self._place_of[:, :, None] * ahead[:, None, :]
        self._line_of = across @ scale

    def number_of(self, cells: Cells) -> tuple[int, Cell]:
        """Return the number of the shape of some cells, and the vector from it to the cells."""
        shape = self._lattice.normalise(cells)
        vector = tuple(map(sub, min(cells), shape[0]))
        number = self._numbers.setdefault(shape, len(self._numbers))
        if number == len(self._runs) // (2 * len(self._step)):
            self._add(shape)
        return number, vector

    def _add(self, shape: Cells) -> None:
        reach = 1 << self._bits - 4
        if any(abs(coordinate) >= reach for cell in shape for coordinate in cell):
            raise PuzzleError(f"a piece is too large to be taken apart: over {reach} cells long")
        homes = self._lattice.homes(np.array(shape, dtype=np.int64)).tolist()
        classes = [self._classes[tuple(home)] for home in homes]
        for way in range(len(self._step)):
            swept = self.directions.swept[2 * way]
            met = {
                tuple(map(add, cell, vector))
                for cell, its_class in zip(shape, classes, strict=True)
                for vector in swept[its_class]
            }
            self._runs += [self._runs_of(way, shape), self._runs_of(way, met)]

    def _runs_of(self, way: int, cells: Iterable[Cell]) -> list[Run]:
        array = np.array(sorted(cells), dtype=np.int64)
        step = int(self._step[way])
        lines = defaultdict[tuple[int, int], list[int]](list)
        for line, place in zip(
            (array @ self._line_of[way]).tolist(), (array @ self._place_of[way]).tolist(), strict=True
        ):
            lines[line, place % step].append(place)
        runs = list[Run]()
        for (line, _), places in lines.items():
            first = last = min(places)
            for place in sorted(places)[1:]:
                if place != last + step:
                    runs.append((line, first, last))
                    first = place
                last = place
            runs.append((line, first, last))
        return sorted(runs)

    def arrays(self) -> Shapes:
        """Return the runs of all shapes."""
        begin = np.concatenate([[0], np.cumsum([len(runs) for runs in self._runs])])
        runs = np.array([run for its in self._runs for run in its], dtype=np.int64)
        line, first, last = np.ascontiguousarray(runs.reshape(-1, 3).T)
        return Shapes(
            begin=begin.astype(np.int64),
            line=line,
            first=first,
            last=last,
            step=self._step,
            line_of=self._line_of,
            place_of=self._place_of,
            vector=self._vectors,
        )


def assembly_arrays(
    table: ShapeTable, assemblies: Sequence[Assembly], groups: Sequence[int] = ()
) -> Assemblies:
    """Return the arrays of assemblies, whose shapes are added to the table.

    `groups` has a number for each piece: see `Assemblies.group`. Raises `PuzzleError` for an
    assembly of too many pieces.
    """
    shapes, places = list[int](), list[Cell]()
    for assembly in assemblies:
        if len(assembly.cells) > MAX_PIECES:
            pieces = how_many(len(assembly.cells), "piece")
            raise PuzzleError(f"{pieces} are too many to be taken apart; at most {MAX_PIECES}")
        for cells in assembly.cells:
            shape, place = table.number_of(cells)
            shapes.append(shape)
            places.append(place)
    sizes = [len(assembly.cells) for assembly in assemblies]
    group: NDArray[np.int64] = np.full(len(shapes), -1, dtype=np.int64)
    if groups:
        group = np.array([*groups] * len(assemblies), dtype=np.int64)
    return Assemblies(
        begin=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        shape=np.array(shapes, dtype=np.int64),
        place=np.array(places, dtype=np.int64).reshape(len(shapes), -1),
        group=group,
        outcome=np.full(len(assemblies), OPEN, dtype=np.int64),
        states=np.zeros(len(assemblies), dtype=np.int64),
    )
