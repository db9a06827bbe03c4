"""The orientations of a puzzle's pieces, relative to their first cell, and Fletcher's tree.

Fletcher's tree is the order in which cells near the target are tested for all orientations.

A path from the root is a set of cells found open, which all orientations below the path contain.
Each node splits the orientations by a cell: of the cells that adjoin the path, the cell that is
filled first. Orientations that contain this cell go below it, and the others are split by the next
cell. A node is a leaf for the orientation that its path completes. If no orientation has a cell
that adjoins the path, as for a piece of several parts, the first cell of any orientation is taken.

For the twelve pentominoes, the tree has 63 leaves and 90 tests, which are the figures that Busche
gives for Fletcher's own tree.

Source: J. G. Fletcher, "A program to solve the pentomino problem by the recursive use of
macros", 1965; Busche 2018, "Fletcher's Image Sifting Technique".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.options.packing import PackingOptions

NONE = -1


@dataclass(frozen=True)
class Orientation:
    """An orientation: its cells except the first, relative to the first, in order of filling.

    Cells are filled in ascending order of their coordinates, x slowest. If the first cell of a
    placement lies on the next cell to be filled, all other cells of the placement come later.
    """

    shape: int
    cells: Cells


def orientations_of(options: PackingOptions, shapes: Sequence[int]) -> tuple[Orientation, ...]:
    """Return all orientations of `shapes`, grouped by shape, regardless of the region."""
    puzzle = options.puzzle
    pieces = {piece.name: piece for piece in puzzle.pieces}
    found = list[Orientation]()
    for shape in shapes:
        piece = pieces[options.placements.shapes[shape].name]
        for cells in piece.motions.orientations(puzzle.lattice, piece.cells):
            around = np.array(cells[1:], dtype=np.int64).reshape(-1, len(cells[0])) - cells[0]
            found.append(Orientation(shape, tuple(map(tuple, around.tolist()))))
    return tuple(found)


@dataclass(frozen=True)
class TreeStep:
    """A test of the tree, in preorder: whether `cell`, relative to the target, is open.

    If the cell is not open, the next step is `skip`, the first step after all steps below this
    step. If the cell is open, the orientation with the number `orientation` is complete; `NONE`
    stands for no orientation.
    """

    cell: Cell
    skip: int
    orientation: int


def tree_of(orientations: Sequence[Orientation], lattice: Lattice) -> tuple[TreeStep, ...]:
    """Return the steps of Fletcher's tree; each orientation has a leaf with its number."""
    steps = list[TreeStep]()
    (target,) = lattice.fundamental_cells
    members = {number: set(orientation.cells) for number, orientation in enumerate(orientations)}
    whole = [number for number, cells in members.items() if not cells]
    for number in whole:  # a single cell: the target, which is open
        steps.append(TreeStep(target, len(steps) + 1, number))
        del members[number]
    steps.extend(_steps(members, frozenset([target]), lattice, len(steps)))
    return tuple(steps)


def _steps(
    members: dict[int, set[Cell]], path: frozenset[Cell], lattice: Lattice, begin: int
) -> Iterator[TreeStep]:
    """Yield the steps below a path, numbered from `begin` on.

    `members` has, for each orientation below the path, its cells that are not on the path.
    """
    while members:
        cell = _first(members, path, lattice)
        inside = {number: cells - {cell} for number, cells in members.items() if cell in cells}
        members = {number: cells for number, cells in members.items() if number not in inside}
        complete = [number for number, cells in inside.items() if not cells]
        below = {number: cells for number, cells in inside.items() if cells}
        for number in complete[1:]:  # the same cells again, of another piece
            yield TreeStep(cell, begin + 1, number)
            begin += 1
        under = list(_steps(below, path | {cell}, lattice, begin + 1))
        begin += 1 + len(under)
        yield TreeStep(cell, begin, complete[0] if complete else NONE)
        yield from under


def _first(members: dict[int, set[Cell]], path: frozenset[Cell], lattice: Lattice) -> Cell:
    """Return the cell to split by: the first cell that adjoins the path, or the first of all."""
    cells = set[Cell]().union(*members.values())
    adjoining = [cell for cell in cells if not path.isdisjoint(lattice.neighbours(cell))]
    return min(adjoining or cells)
