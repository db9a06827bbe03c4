"""Assemblies in batches: arrays of numbers of placed pieces, read from objects or from options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.kernels.replay import Placed
from dovetail.disassembly.kernels.states import MAX_PIECES
from dovetail.disassembly.plan import Assembly, Groups
from dovetail.errors import PuzzleError, how_many
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.options.packing import PackingOptions

Array = NDArray[np.int64]


class PlacedCells:
    """The cells of placed pieces, numbered as they come."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.cells = lattice, list[Cells]()
        self._numbers = dict[Cells, int]()
        axes = len(lattice.axes)
        none = np.zeros(0, dtype=np.int64)
        self._arrays = Placed(np.zeros(1, dtype=np.int64), none.reshape(0, axes), none)

    def number(self, cells: Cells) -> int:
        """Return the number of some cells."""
        number = self._numbers.setdefault(cells, len(self.cells))
        if number == len(self.cells):
            self.cells.append(cells)
        return number

    def arrays(self) -> Placed:
        """Return all cells as arrays."""
        known = self._arrays
        fresh = self.cells[len(known.begin) - 1 :]
        if fresh:
            cells = np.array([cell for cells in fresh for cell in cells], dtype=np.int64)
            ends = known.begin[-1] + np.cumsum([len(its) for its in fresh])
            self._arrays = Placed(
                np.append(known.begin, ends),
                np.concatenate([known.cell, cells]),
                np.concatenate([known.kind, self.lattice.classes(cells)]),
            )
        return self._arrays


class Kind(NamedTuple):
    """Facts about a piece wherever it is."""

    name: str
    weight: int
    groups: Groups


@dataclass(frozen=True, eq=False)
class AssemblyBatch:
    """Some assemblies: of assembly a, the pieces from `begin[a]` to `begin[a + 1]`.

    Raises `PuzzleError` for an assembly of too many pieces.
    """

    placed: PlacedCells
    kinds: Sequence[Kind]
    begin: Array
    kind: Array
    """By piece, a number of `kinds`."""
    cells: Array
    """By piece, a number of `placed`."""

    def __post_init__(self) -> None:
        most = max(self.sizes.tolist(), default=0)
        if most > MAX_PIECES:
            count = how_many(most, "piece")
            raise PuzzleError(f"{count} are too many to be taken apart; at most {MAX_PIECES}")

    def __len__(self) -> int:
        return len(self.begin) - 1

    @cached_property
    def sizes(self) -> Array:
        """Number of pieces of each assembly."""
        return np.diff(self.begin)

    @property
    def cell_counts(self) -> Array:
        """Number of cells of each assembly."""
        counts = [len(self.placed.cells[cells]) for cells in self.cells.tolist()]
        return np.diff(np.cumsum([0, *counts])[self.begin])

    @property
    def weight(self) -> Array:
        """Weight of each piece."""
        return np.array([kind.weight for kind in self.kinds], dtype=np.int64)[self.kind]

    @property
    def group(self) -> Array:
        """Number of the only group of each piece, −1 for none and −2 for several."""
        every = [kind.groups for kind in self.kinds]
        only = [its[0][0] if len(its) == 1 else -1 - bool(its) for its in every]
        return np.array(only, dtype=np.int64)[self.kind]

    def assembly(self, number: int) -> Assembly:
        """Return an assembly as an object."""
        its = slice(self.begin[number], self.begin[number + 1])
        kinds = [self.kinds[kind] for kind in self.kind[its].tolist()]
        return Assembly(
            self.placed.lattice,
            tuple(kind.name for kind in kinds),
            tuple(self.placed.cells[cells] for cells in self.cells[its].tolist()),
            tuple(kind.weight for kind in kinds),
            tuple(kind.groups for kind in kinds),
        )

    @staticmethod
    def of(placed: PlacedCells, assemblies: Sequence[Assembly]) -> AssemblyBatch:
        """Return the batch of some assemblies."""
        every = [cells for assembly in assemblies for cells in assembly.cells]
        shared = {id(cells): cells for cells in every}  # assemblies of a search share them
        numbers = {key: placed.number(cells) for key, cells in shared.items()}
        kinds = dict[Kind, int]()
        kind = [
            kinds.setdefault(Kind(*each), len(kinds))
            for assembly in assemblies
            for each in zip(assembly.names, assembly.weights, assembly.groups, strict=True)
        ]
        return AssemblyBatch(
            placed,
            tuple(kinds),
            np.cumsum([0, *(len(assembly.cells) for assembly in assemblies)]),
            np.array(kind, dtype=np.int64),
            np.array([numbers[id(cells)] for cells in every], dtype=np.int64),
        )


class OptionAssemblies:
    """Reads assemblies from the options of solutions; fixed pieces come last."""

    def __init__(self, options: PackingOptions, placed: PlacedCells) -> None:
        self.options, self._placed = options, placed
        puzzle = options.puzzle
        self._kinds = [Kind(piece.name, piece.weight, piece.groups) for piece in puzzle.pieces]
        self._first_fixed = len(self._kinds)
        self._kinds += [Kind(piece.name, 1, ()) for piece in puzzle.fixed]
        self._fixed = [placed.number(piece.cells) for piece in puzzle.fixed]
        self._number = np.full(options.option_count, -1, dtype=np.int64)

    def batch(self, chosen: NDArray[np.int32]) -> AssemblyBatch:
        """Return the assemblies of solutions, rows of option numbers padded with −1."""
        solution, column = np.nonzero(chosen >= 0)
        option = chosen[solution, column].astype(np.int64)
        option = option[np.lexsort((option, solution))]
        fresh = np.unique(option[self._number[option] < 0])
        cells = self.options.placements.cell_tuples
        self._number[fresh] = [self._placed.number(cells(each)) for each in fresh.tolist()]
        kind = self.options.pieces_of(solution, option)
        count, fixed = len(chosen), np.arange(len(self._fixed))
        kind = np.append(kind, np.tile(self._first_fixed + fixed, count))
        number = np.append(self._number[option], np.tile(self._fixed, count).astype(np.int64))
        solution = np.append(solution, np.repeat(np.arange(count), len(fixed)))
        order = np.lexsort((kind, solution))
        begin = np.searchsorted(solution[order], np.arange(count + 1))
        return AssemblyBatch(self._placed, self._kinds, begin, kind[order], number[order])
