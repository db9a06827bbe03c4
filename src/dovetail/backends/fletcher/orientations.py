"""The orientations of a puzzle's pieces about the cell that each of them takes first.

Fletcher's tree is the order in which cells about the target are tested for all orientations.

A path from the root is a set of cells found open; the orientations below it contain them all.
At every node the orientations are split by the cell that is filled first among the cells that
adjoin the path: orientations that contain it go below it, the others are split by the next cell.
A node is a leaf for the orientation that its path completes. Where no orientation has a cell
that adjoins the path, as when a piece is in several parts, the first cell of any will do.

For the twelve pentominoes that are 63 leaves under 90 tests, of which the first stands for 29
orientations and the leaves of the cell across from the target for 1, 4, 10 and 34: the figures that
Busche gives for Fletcher's own tree.

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
    """A shape turned some way: its cells but the first, relative to that, in order of filling.

    Cells are filled x slowest, so that the first cell of a placement is its least cell: where it
    lies on the cell to be filled next, no other cell of it can have been passed.
    """

    shape: int
    cells: Cells


def orientations_of(options: PackingOptions, shapes: Sequence[int]) -> tuple[Orientation, ...]:
    """Return all orientations of `shapes`, grouped by shape, whatever the region."""
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
    """A test of the tree in preorder: of `cell`, relative to the target.

    `skip` is the step to go on with when the cell is not open, which lies behind everything
    below this step. `orientation` is complete when the cell is open, or `NONE`.
    """

    cell: Cell
    skip: int
    orientation: int


def tree_of(orientations: Sequence[Orientation], lattice: Lattice) -> tuple[TreeStep, ...]:
    """Return the tests of a tree with a leaf for each of `orientations`, by their numbers."""
    steps = list[TreeStep]()
    (target,) = lattice.fundamental_cells
    members = {number: set(one.cells) for number, one in enumerate(orientations)}
    whole = [number for number, cells in members.items() if not cells]
    for number in whole:  # a single cell: the target, which is open
        steps.append(TreeStep(target, len(steps) + 1, number))
        del members[number]
    steps.extend(_steps(members, frozenset([target]), lattice, len(steps)))
    return tuple(steps)


def _steps(
    members: dict[int, set[Cell]], path: frozenset[Cell], lattice: Lattice, begin: int
) -> Iterator[TreeStep]:
    """Return the steps below a path, from number `begin` on; `members` are the cells not on it."""
    while members:
        cell = _first(members, path, lattice)
        inside = {number: cells - {cell} for number, cells in members.items() if cell in cells}
        members = {number: cells for number, cells in members.items() if number not in inside}
        complete = [number for number, cells in inside.items() if not cells]
        below = {number: cells for number, cells in inside.items() if cells}
        for number in complete[1:]:  # the same cells again: copies that are distinguished
            yield TreeStep(cell, begin + 1, number)
            begin += 1
        under = list(_steps(below, path | {cell}, lattice, begin + 1))
        begin += 1 + len(under)
        yield TreeStep(cell, begin, complete[0] if complete else NONE)
        yield from under


def _first(members: dict[int, set[Cell]], path: frozenset[Cell], lattice: Lattice) -> Cell:
    """Return the cell to split by: the first that adjoins the path, or the first of all."""
    cells = set[Cell]().union(*members.values())
    adjoining = [cell for cell in cells if not path.isdisjoint(lattice.neighbours(cell))]
    return min(adjoining or cells)
