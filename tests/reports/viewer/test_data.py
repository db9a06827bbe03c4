"""Data of the viewer, and orders in which pieces are put together."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import dovetail
from dovetail.disassembly.plan import Disassembly, Outcome
from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.viewer.data import Building, solid_rows, viewer_data
from reports.pictures.puzzles import solved
from reports.viewer.shapes import (
    cube_solutions,
    flat_with_everything,
    small_cube,
)


def test_pieces_in_the_order_of_building() -> None:
    """Their cells by number in the region."""
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, -1), (0, -1))]
    sides = [(n, n + 4, (n + 1) % 4 + 4, (n + 1) % 4) for n in range(4)]
    cells = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    assert viewer_data(small_cube(), cube_solutions()) == {
        "name": "small cube",
        "noun": "solution",
        "size": [2, 2, 2],
        "flat": False,
        "solids": [[tuple(corners), ((0, 1, 2, 3), (7, 6, 5, 4), *sides)]],
        "cells": [[0, x, y + 1, z] for x, y, z in cells],
        "places": cells,
        "colours": [""] * 8,
        "fixed": [],
        "solutions": [
            [("L", "L", 0, [0, 4, 2]), ("R", "R", 1, [6, 1, 5, 3, 7])],
            [("R", "R", 1, [7, 0, 4, 2, 6]), ("L", "L", 0, [1, 5, 3])],
        ],
        "moves": [],
    }


def test_moves_of_an_assembly_that_comes_apart() -> None:
    """Pieces are numbered as they are shown: in the second solution R comes first."""
    puzzle, solutions = small_cube(), cube_solutions()
    taken = [dovetail.disassemble(puzzle, solution).disassembly for solution in solutions]
    locked = Disassembly(Outcome.LOCKED, 7)
    data = viewer_data(puzzle, [*solutions, solutions[0]], [*taken, locked])
    still = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    first, second = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert data["moves"] == [
        [
            {"text": "level 1, 1 move", "moving": [], "by": [0.0] * 3, "offsets": still},
            {
                "text": "Move 1 of 1: R +x away",
                "moving": [1],
                "by": [1.0, 0.0, 0.0],
                "offsets": first,
            },
        ],
        [
            {"text": "level 1, 1 move", "moving": [], "by": [0.0] * 3, "offsets": still},
            {
                "text": "Move 1 of 1: R +x away",
                "moving": [0],
                "by": [1.0, 0.0, 0.0],
                "offsets": second,
            },
        ],
        [{"text": "locked", "moving": [], "by": [0.0] * 3, "offsets": still}],
    ]


def test_flat_region_away_from_the_origin() -> None:
    """Moved there, as one layer; copies numbered, long names standing for numbers in cells."""
    solution = PackingSolution((("D", ((2, 3), (3, 3))), ("D", ((4, 3), (5, 3)))))
    data = viewer_data(flat_with_everything(), [solution])
    assert (data["size"], data["flat"]) == ([7, 1, 1], True)
    assert data["places"] == [(x, 0, 0) for x in (0, 1, 2, 3, 5, 6)]
    assert data["cells"] == [[0, x, 1, 0] for x in (0, 1, 2, 3, 5, 6)]
    assert data["fixed"] == [("corner", "f1", "fixed", [4])]
    assert data["solutions"] == [[("D/1", "D/1", 0, [0, 1]), ("D/2", "D/2", 1, [2, 3])]]


@pytest.mark.parametrize(("lattice", "beside"), [("triangular", 1), ("hexagonal-prisms", 0)])
def test_cells_of_a_long_region_meet(lattice: str, beside: int) -> None:
    """The script multiplies coordinates by 1000 and rounds them to find the corners in common."""
    found, ways = lattice_named(lattice), range(100)
    sides = (range(2), ways) if beside else (ways, range(2))
    solids: Any
    solids, cells = solid_rows(found, tuple(product(*sides, range(2))))
    corners = {
        tuple(1000 * (along + by) for along, by in zip(corner, place, strict=True))
        for number, *place in cells
        for corner in solids[int(number)][0]
    }
    exact = {tuple(round(along) for along in corner) for corner in corners}
    near = {tuple(round(along, -1) for along in corner) for corner in corners}
    assert len(exact) == len(near)


def test_cells_of_several_shapes() -> None:
    """Each shape once, moved to where its cells lie; places as in text."""
    cells = ((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    pieces = (Piece("A", cells),)
    data = viewer_data(PackingPuzzle("p", lattice_named("triangular-prisms"), cells, pieces), [])
    solids, moved = data["solids"], data["cells"]
    assert isinstance(solids, list)
    assert isinstance(moved, list)
    assert [[len(face) for face in faces] for _, faces in solids] == [[3, 4, 4, 4, 3]] * 2
    # in the order of the region, which is sorted
    assert moved == [[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0]]
    assert data["places"] == [(0, 0, 0), (0, 0, 1), (1, 0, 0)]
    ball = PackingPuzzle("p", lattice_named("spheres"), ((1, 1, 0),), (Piece("A", ((1, 1, 0),)),))
    assert viewer_data(ball, [])["solids"] == [[((0, 0, 0),), ()]]


@pytest.mark.parametrize("dimension", [1, 4])
def test_other_dimensions(dimension: int) -> None:
    """Refused by name."""
    cell = (0,) * dimension
    puzzle = PackingPuzzle("p", SquareLattice(dimension), (cell,), (Piece("A", (cell,)),))
    expected = f"p has {dimension} dimensions; the viewer shows packings of 2 or 3"
    with pytest.raises(PuzzleError, match=expected):
        viewer_data(puzzle, [])


CUBES = SquareLattice(3)


def building_order(lattice: Lattice, placed: list[Cells], standing: Cells = ()) -> list[int]:
    """The order in the region of these cells."""
    region = tuple(cell for cells in (*placed, standing) for cell in cells)
    return Building(lattice, region, standing).order(placed)


def floating(lattice: Lattice, placed: list[Cells], standing: Cells = ()) -> list[int]:
    """The places in an order of those that lie neither at the bottom nor beside what is there."""
    low = {
        cell: min(z for *_, z in lattice.solid(cell).corners) for piece in placed for cell in piece
    }
    there, found = set(standing), []
    for number, piece in enumerate(placed):
        at_bottom = min(low[cell] for cell in piece) == min(low.values())
        if not at_bottom and not any(there & set(lattice.neighbours(cell)) for cell in piece):
            found.append(number)
        there.update(piece)
    return found


@pytest.mark.parametrize("name", ["soma-cube", "pentominoes-6x10"])
def test_no_piece_floats(name: str) -> None:
    """In solutions of the catalogue; all pieces are in the order, once."""
    puzzle, solutions = solved(name, 5)
    for solution in solutions:
        pieces = [cells for _, cells in solution.placed]
        order = building_order(puzzle.lattice, pieces)
        assert sorted(order) == list(range(len(pieces)))
        assert floating(puzzle.lattice, [pieces[number] for number in order]) == []


@pytest.mark.parametrize(
    ("lattice", "pieces", "expected"),
    [
        ("spheres", [(0, 0, 2), (1, 1, 0), (1, 0, 1)], [1, 2, 0]),
        ("triangular-prisms", [(0, 0, 0, 1), (5, 0, 0, 0), (0, 0, 0, 0)], [1, 2, 0]),
    ],
)
def test_on_other_lattices(
    lattice: str, pieces: list[tuple[int, ...]], expected: list[int]
) -> None:
    """Pieces of one cell each, whichever shapes these have."""
    found = lattice_named(lattice)
    assert building_order(found, [(cell,) for cell in pieces]) == expected


def test_what_stands_carries() -> None:
    """Fixed pieces are there from the start; a part without any begins with its lowest piece."""
    bridge: list[Cells] = [((1, 0, 2),), ((1, 0, 1),)]
    assert building_order(CUBES, bridge, ((0, 0, 0), (0, 0, 1), (0, 0, 2))) == [1, 0]
    apart: list[Cells] = [((0, 0, 0),), ((5, 5, 3),), ((5, 5, 2),)]
    assert building_order(CUBES, apart) == [0, 2, 1]
