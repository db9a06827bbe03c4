"""Batches of assemblies: arrays of placed pieces, read from objects or from options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.kernels.replay import Placed
from dovetail.disassembly.kernels.states import MAX_PIECES
from dovetail.disassembly.plan import Assembly, Groups
from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution

Array = NDArray[np.int64]


class PlacedCells:
    """The distinct sets of cells of placed pieces, numbered in the order of adding."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.cells = lattice, list[Cells]()
        self._numbers = dict[Cells, int]()
        axes = len(lattice.axes)
        none = np.zeros(0, dtype=np.int64)
        self._arrays = Placed(np.zeros(1, dtype=np.int64), none.reshape(0, axes), none)

    def number(self, cells: Cells) -> int:
        """Return the number of the cells of a piece; add the cells if they are new."""
        number = self._numbers.setdefault(cells, len(self.cells))
        if number == len(self.cells):
            self.cells.append(cells)
        return number

    def numbers(self, every: Sequence[Cells]) -> list[int]:
        """Return `number` for the cells of several pieces; equal objects are looked up once."""
        shared = {id(cells): cells for cells in every}
        number = {key: self.number(cells) for key, cells in shared.items()}
        return [number[id(cells)] for cells in every]

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


class Kinds:
    """Names, weights and groups of pieces; the last `fixed` pieces are fixed."""

    def __init__(self, pieces: Iterable[tuple[str, int, Groups]], fixed: int = 0) -> None:
        self.all, self.fixed = tuple(pieces), fixed
        self.weight = np.array([weight for _, weight, _ in self.all], dtype=np.int64)
        only = [its[0][0] if len(its) == 1 else -1 - bool(its) for _, _, its in self.all]
        self.group = np.array(only, dtype=np.int64)
        """Group of each piece that is in a single group; −1 for no group, −2 for several groups."""


@dataclass(eq=False)
class AssemblyBatch:
    """A batch of assemblies. Assembly a has the pieces from `begin[a]` to `begin[a + 1]` − 1."""

    placed: PlacedCells
    kinds: Kinds
    begin: Array
    kind: Array
    """Number in `kinds` of each piece."""
    cells: Array
    """Number in `placed` of the cells of each piece."""

    def __post_init__(self) -> None:
        self.arrays = self.placed.arrays()

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def most_pieces(self) -> int:
        """Number of pieces of the largest assembly; raises `PuzzleError` above `MAX_PIECES`."""
        most = int(np.diff(self.begin).max(initial=0))
        if most > MAX_PIECES:
            count = how_many(most, "piece")
            raise PuzzleError(f"{count} cannot be taken apart; the limit is {MAX_PIECES}")
        return most

    @property
    def fewest_cells(self) -> int:
        """Number of cells of the smallest assembly."""
        total = np.append(0, np.cumsum(np.diff(self.arrays.begin)[self.cells]))
        return int(np.diff(total[self.begin]).min())

    def part(self, first: int, last: int) -> AssemblyBatch:
        """Return the assemblies from `first` to `last` − 1 as a batch."""
        begin = self.begin[first : last + 1]
        its = slice(begin[0], begin[-1])
        return AssemblyBatch(
            self.placed, self.kinds, begin - begin[0], self.kind[its], self.cells[its]
        )

    def assembly(self, number: int) -> Assembly:
        """Return an assembly as an object."""
        its = slice(self.begin[number], self.begin[number + 1])
        kinds = [self.kinds.all[kind] for kind in self.kind[its].tolist()]
        return Assembly(
            self.placed.lattice,
            tuple(name for name, _, _ in kinds),
            tuple(self.placed.cells[cells] for cells in self.cells[its].tolist()),
            tuple(weight for _, weight, _ in kinds),
            tuple(groups for _, _, groups in kinds),
        )

    @staticmethod
    def of(placed: PlacedCells, assemblies: Sequence[Assembly]) -> AssemblyBatch:
        """Return the batch of some assemblies."""
        every = [cells for assembly in assemblies for cells in assembly.cells]
        kinds = dict[tuple[str, int, Groups], int]()
        kind = [
            kinds.setdefault(each, len(kinds))
            for assembly in assemblies
            for each in zip(assembly.names, assembly.weights, assembly.groups, strict=True)
        ]
        return AssemblyBatch(
            placed,
            Kinds(kinds),
            np.cumsum([0, *(len(assembly.cells) for assembly in assemblies)]),
            np.array(kind, dtype=np.int64),
            np.array(placed.numbers(every), dtype=np.int64),
        )


class PuzzleAssemblies:
    """Reader of assemblies from solutions of a puzzle; fixed pieces come last."""

    def __init__(self, puzzle: PackingPuzzle, placed: PlacedCells) -> None:
        self._puzzle, self._placed = puzzle, placed
        pieces = [(piece.name, piece.weight, piece.groups) for piece in puzzle.pieces]
        fixed = [(piece.name, 1, ()) for piece in puzzle.fixed]
        self._kinds = Kinds([*pieces, *fixed], len(fixed))
        self._kind_of = {piece.name: kind for kind, piece in enumerate(puzzle.pieces)}
        self._region = frozenset(puzzle.region)
        self._fixed = np.array([placed.number(piece.cells) for piece in puzzle.fixed], np.int64)
        self._number = np.zeros(0, dtype=np.int64)  # by option; −1 until it is known

    def of_options(self, options: PackingOptions, chosen: NDArray[np.int32]) -> AssemblyBatch:
        """Return the assemblies of solutions.

        Each row of `chosen` has the options of a solution, padded with −1.
        """
        chosen = np.sort(chosen[:, chosen.max(axis=0, initial=-1) >= 0], axis=1)
        is_option = chosen >= 0
        solution, option = np.nonzero(is_option)[0], chosen[is_option].astype(np.int64)
        if len(self._number) < options.option_count:
            self._number = np.full(options.option_count, -1, dtype=np.int64)
        fresh = np.unique(option[self._number[option] < 0])
        cells = map(options.placements.cell_tuples, fresh.tolist())
        self._number[fresh] = [self._placed.number(each) for each in cells]
        kind = options.pieces_of(solution, option)
        return self._batch(len(chosen), solution, kind, self._number[option])

    def of_solutions(self, solutions: Iterable[Solution]) -> AssemblyBatch:
        """Return the assemblies of solutions.

        Raises `PuzzleError` for a solution of another puzzle: one without pieces, or with a piece
        that the puzzle does not have or that is not within its region.
        """
        sizes, names, every = list[int](), list[str](), list[Cells]()
        for solution in solutions:
            if not isinstance(solution, PackingSolution):
                name = self._puzzle.name
                raise PuzzleError(f"a solution of {name} has no pieces to take apart")
            for name, cells in solution.placed:
                if not cells or name not in self._kind_of or not self._region.issuperset(cells):
                    why = f"{self._puzzle.name} has no piece {shorten(name)} on these cells"
                    raise PuzzleError(f"a solution of another puzzle: {why}")
            sizes.append(len(solution.placed))
            names += [name for name, _ in solution.placed]
            every += [cells for _, cells in solution.placed]
        kind = np.array([self._kind_of[name] for name in names], dtype=np.int64)
        number = np.array(self._placed.numbers(every), dtype=np.int64)
        return self._batch(len(sizes), np.repeat(np.arange(len(sizes)), sizes), kind, number)

    def _batch(self, count: int, solution: Array, kind: Array, number: Array) -> AssemblyBatch:
        """Return a batch of `count` assemblies from pieces in any order; add the fixed pieces.

        Each piece has the number of its solution, its kind and the number of its cells.
        """
        fixed = len(self._kinds.all) - len(self._fixed) + np.arange(len(self._fixed))
        solution = np.append(solution, np.repeat(np.arange(count), len(fixed)))
        kind = np.append(kind, np.tile(fixed, count))
        number = np.append(number, np.tile(self._fixed, count))
        order = np.argsort(solution * len(self._kinds.all) + kind, kind="stable")
        begin = np.searchsorted(solution[order], np.arange(count + 1))
        return AssemblyBatch(self._placed, self._kinds, begin, kind[order], number[order])


def assembly_of(puzzle: PackingPuzzle, solution: Solution) -> Assembly:
    """Return a solution of a puzzle as an assembly."""
    reader = PuzzleAssemblies(puzzle, PlacedCells(puzzle.lattice))
    return reader.of_solutions([solution]).assembly(0)
