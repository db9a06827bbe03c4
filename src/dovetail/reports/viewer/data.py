"""Data that the script of a viewer page reads.

Cells are numbered in the order of the region.

    noun     noun for a solution
    solids   the different solids up to translation, as [corners, faces]; the first corner is at 0
    cells    for each cell: number of its solid, and the place of the solid's first corner; the
             least coordinates of all corners are 0
    places   for each cell: its place in text, three coordinates with least values 0
    colours  for each cell: up to three characters of the name of its colour, empty for none
    name, size, flat  name of the puzzle, extents of `places`, true for a puzzle in the plane
    fixed, solutions  list of fixed pieces, and a list of placed pieces for each solution
    moves    for each solution that was taken apart: the frames of `moves.move_frames`

A piece is [name, mark, number, numbers of its cells]. The number stands for the colour and pattern;
fixed pieces have "fixed". The mark is written in the cells of a layer. Pieces are in an order in
which they can be put together, so that no piece floats if possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from dovetail.disassembly.plan import Disassembly
from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.colours import colour_of
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.result import solution_noun
from dovetail.reports.elements import shown
from dovetail.reports.moves import move_frames
from dovetail.reports.pictures.colours import placed_numbers

LONGEST_MARK = 3
FIXED = "fixed"
DIGITS = 9  # decimals of the coordinates of corners
LEVEL = 1e-6  # largest height above the bottom that counts as the bottom

Row = tuple[str, str, int | str, list[int]]
Corners = tuple[tuple[float, ...], ...]


def viewer_data(
    puzzle: PackingPuzzle,
    solutions: Sequence[PackingSolution],
    taken_apart: Sequence[Disassembly] = (),
) -> dict[str, object]:
    """Return the data of a page as plain JSON values.

    `taken_apart` has the results of taking the solutions apart. Without a solution, the empty
    region is shown. Raises `PuzzleError` for a lattice that has no solids, or not two or three
    dimensions.
    """
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        raise PuzzleError(
            f"{puzzle.name} has {dimension} dimensions; the viewer shows packings of 2 or 3"
        )
    numbers, its = {cell: n for n, cell in enumerate(puzzle.region)}, colour_of(puzzle.colours)
    places = _at_origin(puzzle.lattice.text_places(puzzle.region))
    solids, cells = solid_rows(puzzle.lattice, puzzle.region)
    fixed = list[Row]()
    for number, piece in enumerate(puzzle.fixed, start=1):
        name = shown(piece.name)
        rows = [numbers[cell] for cell in piece.cells]
        fixed.append((name, _mark(name, f"f{number}"), FIXED, rows))
    standing = tuple(cell for piece in puzzle.fixed for cell in piece.cells)
    building = Building(puzzle.lattice, puzzle.region, standing)
    drawn = [_placed(puzzle, solution, numbers, building) for solution in solutions]
    return {
        "name": shown(puzzle.name),
        "noun": solution_noun(puzzle).one,
        "size": [max(along) + 1 for along in zip(*places, strict=True)],
        "flat": dimension == 2,
        "solids": solids,
        "cells": cells,
        "places": places,
        "colours": [shown(its.get(cell, ""))[:LONGEST_MARK] for cell in puzzle.region],
        "fixed": fixed,
        "solutions": drawn or [[]],
        "moves": [
            move_frames(puzzle, solution, apart, [row[3] for row in (*fixed, *rows)])
            for solution, apart, rows in zip(solutions, taken_apart, drawn, strict=False)
        ],
    }


def solid_rows(lattice: Lattice, region: Cells) -> tuple[list[list[object]], list[list[float]]]:
    """Return the solids up to translation, and the solid and the translation of each cell.

    Raises `PuzzleError` for a lattice without solids.
    """
    solids = {cell: lattice.solid(cell) for cell in region}
    corners = (corner for solid in solids.values() for corner in solid.corners)
    lowest = tuple(map(min, zip(*corners, strict=True)))
    known = dict[tuple[Corners, tuple[tuple[int, ...], ...]], int]()
    cells = list[list[float]]()
    for solid in solids.values():
        first = solid.corners[0]
        about = tuple(_difference(corner, first) for corner in solid.corners)
        number = known.setdefault((about, solid.faces), len(known))
        cells.append([number, *_difference(first, lowest)])
    return [[corners, faces] for corners, faces in known], cells


def _difference(point: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    """Return the rounded difference of two points; whole numbers are of type `int`."""
    rounded = (round(a - b, DIGITS) for a, b in zip(point, other, strict=True))
    return tuple(int(along) if along == int(along) else along for along in rounded)


def _at_origin(places: Sequence[Cell]) -> list[Cell]:
    """Return the places moved to least coordinates 0; places in two dimensions are in layer 0."""
    corner = tuple(map(min, zip(*places, strict=True)))
    moved = (tuple(c - low for c, low in zip(place, corner, strict=True)) for place in places)
    return [(*place, 0)[:3] for place in moved]


def _placed(
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    numbers: Mapping[Cell, int],
    building: Building,
) -> list[Row]:
    """Return the pieces in an order of building; copies of a piece have a number in their names."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    used: Counter[str] = Counter()
    rows = list[Row]()
    placed = zip(solution.placed, placed_numbers(puzzle, solution), strict=True)
    for number, ((piece, cells), colour) in enumerate(placed, start=1):
        used[piece] += 1
        name = shown(f"{piece}/{used[piece]}" if piece in several else piece)
        rows.append((name, _mark(name, str(number)), colour, [numbers[cell] for cell in cells]))
    return [rows[number] for number in building.order([cells for _, cells in solution.placed])]


def _mark(name: str, otherwise: str) -> str:
    """Return the name if it fits into a cell, else `otherwise`."""
    return name if len(name) <= LONGEST_MARK else otherwise


class Building:
    """Finds orders in which pieces can be put together; `standing` cells are filled at first."""

    def __init__(self, lattice: Lattice, region: Cells, standing: Cells = ()) -> None:
        self._near = {cell: lattice.neighbours(cell) for cell in region}
        self._standing = standing
        low = {cell: min(z for *_, z in lattice.solid(cell).corners) for cell in region}
        bottom = min(low.values()) + LEVEL
        self._grounded = {cell for cell in region if low[cell] < bottom}
        heights = np.zeros(len(region))  # flat pieces are all at the same height
        if lattice.dimension > 2:
            heights = lattice.positions(np.array(region, dtype=np.int64))[:, 2]
        self._height = dict(zip(region, heights.tolist(), strict=True))

    def order(self, placed: Sequence[Cells]) -> list[int]:
        """Return the numbers of the placed pieces, lower pieces first where possible.

        Each piece has a cell at the bottom of the region or beside a filled cell. If no remaining
        piece has such a cell, the lowest remaining piece comes next.
        """
        owner = {cell: number for number, cells in enumerate(placed) for cell in cells}
        grounded = {owner[cell] for cell in self._grounded if cell in owner}
        heights = [sum(self._height[cell] for cell in cells) / len(cells) for cells in placed]
        rank = [
            (number not in grounded, round(height, 6), number)
            for number, height in enumerate(heights)
        ]
        waiting = set(range(len(placed)))
        ready = grounded | self._beside(self._standing, owner)
        order = list[int]()
        while waiting:
            number = min(ready & waiting or waiting, key=rank.__getitem__)
            waiting.remove(number)
            order.append(number)
            ready |= self._beside(placed[number], owner)
        return order

    def _beside(self, cells: Cells, owner: Mapping[Cell, int]) -> set[int]:
        """Return the numbers of the pieces beside `cells`."""
        near = (other for cell in cells for other in self._near[cell])
        return {owner[other] for other in near if other in owner}
