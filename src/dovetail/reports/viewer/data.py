"""What a viewer page shows, as the values that its script reads.

Cells are numbered as in the region. `solids` are polyhedra without those that differ by their place
only, [corners, faces], in coordinates with least values 0; `cells` say for each cell which one it
is and by how much it is moved, and `places` where it is in text, with least coordinates 0 and three
of them. A piece is [name, mark, colour, numbers of its cells]; the mark is written in the
cells of a layer. Pieces are in an order in which none of them floats. `noun` is what a solution is
called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.elements import shown
from dovetail.reports.pictures.colours import GalleryColours, gallery_colours
from dovetail.reports.solution_noun import solution_noun
from dovetail.reports.viewer.building import Building

LONGEST_MARK = 3
FIXED = "fixed"
DIGITS = 5  # behind the point, of a corner's coordinates

Row = tuple[str, str, int | str, list[int]]
Corners = tuple[tuple[float, ...], ...]


def viewer_data(puzzle: PackingPuzzle, solutions: Sequence[PackingSolution]) -> dict[str, object]:
    """The data of a page, plain JSON values.

    Where there is no solution, the viewer gets one without pieces: the empty region.

    Raises `PuzzleError` for a lattice of other than two or three dimensions, or without solids.
    """
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        raise PuzzleError(
            f"{puzzle.name} has {dimension} dimensions; the viewer shows packings of 2 or 3"
        )
    numbers = {cell: number for number, cell in enumerate(puzzle.region)}
    places = _at_origin(puzzle.lattice.text_places(puzzle.region))
    solids, cells = _solids(puzzle.lattice, puzzle.region)
    colours = gallery_colours(puzzle)
    standing = tuple(cell for piece in puzzle.fixed for cell in piece.cells)
    building = Building(puzzle.lattice, puzzle.region, standing)
    return {
        "name": shown(puzzle.name),
        "noun": solution_noun(puzzle).one,
        "size": [max(along) + 1 for along in zip(*places, strict=True)],
        "flat": dimension == 2,
        "solids": solids,
        "cells": cells,
        "places": places,
        "fixed": list(_fixed(puzzle, numbers)),
        "solutions": [_placed(puzzle, one, numbers, colours, building) for one in solutions]
        or [[]],
    }


def _solids(lattice: Lattice, region: Cells) -> tuple[list[list[object]], list[list[float]]]:
    """The solids that are not moved ones of one another, and all cells as moved ones of them."""
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


def _difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    """Rounded, and a whole number where it is one."""
    found = (round(a - b, DIGITS) for a, b in zip(one, other, strict=True))
    return tuple(int(along) if along == int(along) else along for along in found)


def _at_origin(places: Sequence[Cell]) -> list[Cell]:
    """The places with least coordinates 0, flat ones in the layer 0."""
    corner = tuple(map(min, zip(*places, strict=True)))
    moved = (tuple(c - low for c, low in zip(place, corner, strict=True)) for place in places)
    return [(*place, 0)[:3] for place in moved]


def _fixed(puzzle: PackingPuzzle, numbers: dict[Cell, int]) -> Iterator[Row]:
    for number, piece in enumerate(puzzle.fixed, start=1):
        name = shown(piece.name)
        yield name, _mark(name, f"f{number}"), FIXED, [numbers[cell] for cell in piece.cells]


def _placed(
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    numbers: dict[Cell, int],
    colours: GalleryColours,
    building: Building,
) -> list[Row]:
    """The pieces in the order of building; copies of one piece are numbered as in the solution."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    used: Counter[str] = Counter()
    rows = list[Row]()
    placed = zip(solution.placed, colours.of(solution), strict=True)
    for number, ((piece, cells), colour) in enumerate(placed, start=1):
        used[piece] += 1
        name = shown(f"{piece}/{used[piece]}" if piece in several else piece)
        rows.append((name, _mark(name, str(number)), colour, [numbers[cell] for cell in cells]))
    return [rows[number] for number in building.order([cells for _, cells in solution.placed])]


def _mark(name: str, otherwise: str) -> str:
    """The name where it fits into a cell."""
    return name if len(name) <= LONGEST_MARK else otherwise
