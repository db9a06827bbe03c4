"""Orders in which pieces are put together."""

from __future__ import annotations

from itertools import islice

import pytest

from dovetail.api import solve
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.loading import load
from dovetail.reports.viewer.building import Building

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


@pytest.mark.parametrize("name", ["soma-cube", "pentominoes-3x4x5", "pentominoes-6x10"])
def test_no_piece_floats(name: str) -> None:
    """In solutions of the catalogue; all pieces are in the order, once."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    for solution in islice(solve(puzzle), 5):
        assert isinstance(solution, PackingSolution)
        pieces = [cells for _, cells in solution.placed]
        order = building_order(puzzle.lattice, pieces)
        assert sorted(order) == list(range(len(pieces)))
        assert floating(puzzle.lattice, [pieces[number] for number in order]) == []


@pytest.mark.parametrize(
    ("lattice", "pieces", "expected"),
    [
        ("spheres", [(0, 0, 2), (1, 1, 0), (1, 0, 1)], [1, 2, 0]),
        ("rhombic", [(2, 1, 4), (2, 1, 0), (1, 2, 0), (1, 0, 2), (0, 1, 2)], [1, 2, 3, 4, 0]),
        ("tetra-octa", [(1, 1, 4), (1, 1, 1), (2, 0, 0)], [2, 1, 0]),
        ("triangular-prisms", [(0, 0, 0, 1), (5, 0, 0, 0), (0, 0, 0, 0)], [1, 2, 0]),
    ],
)
def test_on_other_lattices(
    lattice: str, pieces: list[tuple[int, ...]], expected: list[int]
) -> None:
    """Pieces of one cell each, whichever shapes these have."""
    found = lattice_named(lattice)
    assert building_order(found, [(cell,) for cell in pieces]) == expected


def test_lower_ones_first() -> None:
    """Where there is a choice; flat packings stay as they are."""
    tower: list[Cells] = [((0, 0, 2),), ((0, 0, 1),), ((1, 0, 0), (1, 0, 1)), ((0, 0, 0),)]
    assert building_order(CUBES, tower) == [3, 2, 1, 0]
    row: list[Cells] = [((3, 0),), ((0, 0),), ((1, 0),)]
    assert building_order(SquareLattice(2), row) == [0, 1, 2]


def test_what_stands_carries() -> None:
    """Fixed pieces are there from the start; a part without any begins with its lowest piece."""
    bridge: list[Cells] = [((1, 0, 2),), ((1, 0, 1),)]
    assert building_order(CUBES, bridge, ((0, 0, 0), (0, 0, 1), (0, 0, 2))) == [1, 0]
    apart: list[Cells] = [((0, 0, 0),), ((5, 5, 3),), ((5, 5, 2),)]
    assert building_order(CUBES, apart) == [0, 2, 1]
