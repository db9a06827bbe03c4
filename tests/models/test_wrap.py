"""Regions that wrap: cylinders and tori."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import dovetail
from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.registry import lattice_from_plain, lattice_named, lattice_to_plain
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.burrtools.format import BurrTools
from dovetail.puzzles.formats.polycube import Polycube
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.reports.pictures.drawing import svg_text
from dovetail.reports.pictures.packing import solution_drawing
from models.test_colours import read
from oracle.answers import counted

# `shared/data/cases/cylinder-5x4.mcc`, the same as a cover (jwg4/polyomino#7): 140.
CYLINDER = 'box = [5, 4]\nwrap = ["x"]\nsets = ["tetrominoes"]\n'


def test_tetrominoes_on_a_cylinder() -> None:
    """Also with reductions; the picture has the seam, and fletcher refuses with the reason."""
    puzzle = read(CYLINDER)
    assert puzzle.lattice == WrappedLattice(SquareLattice(2), (5, 0))
    for reductions in ((), ("volume", "fit", "redundancy")):
        assert counted(puzzle, reduce=reductions).count == 140
        assert counted(puzzle, symmetry="unique", reduce=reductions).count == 7
    assert counted(puzzle, "fletcher").status == Status.SKIPPED
    assert dovetail.packing(box=[5, 4], wrap=["x"], sets=["tetrominoes"]).digest == puzzle.digest
    solution = next(dovetail.solve(puzzle))
    assert isinstance(solution, PackingSolution)
    assert 'class="seam"' in svg_text(solution_drawing(puzzle, solution, "a cylinder"))
    assert "wrapped along x after 5 steps" in puzzle.sizes
    for form in (BurrTools(), Polycube()):
        with pytest.raises(PuzzleError, match="wrapped along x"):
            form.write_puzzles([puzzle])


def test_parity_knows_the_wrap() -> None:
    """An odd period has no two-colouring, and a torus of even periods has one."""
    assert bounded_placements(read(CYLINDER)).colours is None
    torus = "box = [4, 2]\nwrap = ['x', 'y']\n[[piece]]\nname = 'I'\nshape = '##'\ncount = 4\n"
    colours = bounded_placements(read(torus)).colours
    assert colours is not None
    assert colours.tolist() == [1, -1, -1, 1] * 2


def test_volume_knows_the_wrap() -> None:
    """A piece of two parts that meet where the region wraps lies upright in separate parts."""
    text = "cells = [{}]\nwrap = ['x']\n[[piece]]\nname = 'A'\nshape = '#.#'\ncount = 3\n"
    puzzle = read(text.format(", ".join(f"[{x}, {y}]" for x in range(3) for y in (0, 2))))
    for reductions in ((), ("volume",)):
        assert counted(puzzle, reduce=reductions).count == 4
    assert dovetail.count(puzzle, "dlx", symmetry="all", triggers=["volume"]).count == 4


def test_a_long_period_is_kept() -> None:
    """A region as long as coordinates allow can wrap, and its files can be read again."""
    text = "cells = [[-900000, 0], [900000, 0]]\nwrap = ['x']\n[[piece]]\nname = 'I'\nshape = '##'"
    puzzle = read(text)
    assert lattice_from_plain(lattice_to_plain(puzzle.lattice)) == puzzle.lattice
    assert read(TomlPuzzle().text(puzzle)).digest == puzzle.digest


def test_a_piece_that_would_overlap_itself_has_no_such_placement() -> None:
    """A bar of 4 around a cylinder of 3 lies upright only, a bar of 3 also as a ring."""
    text = "box = [3, 4]\nwrap = ['x']\n[[piece]]\nname = 'I'\nshape = '{}'\ncount = [0, 4]\n"
    bar = read(text.format("####"))
    assert len(bounded_placements(bar)) == 3
    assert counted(bar).count == 1
    assert len(bounded_placements(read(text.format("###")))) == 4 + 6


@pytest.mark.parametrize(
    ("name", "periods"),
    [("square-3", (3, 0, 3)), ("hexagonal-prisms", (3, 3, 3)), ("triangular-prisms", (3, 0, 0, 2))],
)
def test_placements_are_those_of_the_unrolled_region(name: str, periods: tuple[int, ...]) -> None:
    """Folded, without those that overlap themselves; and names can be looked up."""
    base = lattice_named(name)
    lattice = WrappedLattice(base, periods)
    assert lattice_from_plain(lattice_to_plain(lattice)) == lattice
    piece = [base.fundamental_cells[0]]
    while len(piece) < 4:
        piece.append(next(c for c in base.neighbours(piece[-1]) if c not in piece))
    every = product(*(range(period or 4) for period in periods))
    region = tuple(cell for cell in every if base.is_cell(cell))
    shifts = [*product(*((-2, -1, 0, 1, 2) if period else (0,) for period in periods))]
    unrolled = tuple(
        {
            tuple(c + s * p for c, s, p in zip(cell, shift, periods, strict=True))
            for cell in region
            for shift in shifts
        }
    )
    pieces = (Piece("p", tuple(piece), 0, 999),)
    wide = bounded_placements(PackingPuzzle("wide", base, unrolled, pieces, (), unrolled))
    found = set()
    for number in range(len(wide)):
        cells = lattice.reduced(np.array(wide.cell_tuples(number)))
        folded = frozenset(map(tuple, cells.tolist()))
        if len(folded) == len(piece):
            found.add(folded)
    ours = bounded_placements(PackingPuzzle("p", lattice, region, pieces, (), region))
    assert {frozenset(ours.cell_tuples(n)) for n in range(len(ours))} == found
    assert len(ours) == len(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("box = [5, 4]\nwrap = {x = 4}", "period 4 along x is less than the region's length"),
        ("lattice = 'spheres'\ncells = [[0, 0, 0]]\nwrap = {x = 2}", "no common motions"),
        ("lattice = 'square-edges'\ncells = [[0, 0, 0]]\nwrap = ['x']", "cannot wrap"),
    ],
)
def test_bad_wraps_are_named(text: str, message: str) -> None:
    """In one line, with what was expected."""
    with pytest.raises(PuzzleError) as caught:
        read(text)
    assert message in str(caught.value)


def test_colours_of_a_region_that_wraps_may_be_a_mapping() -> None:
    ring, cells = WrappedLattice(SquareLattice(1), (4,)), tuple((x,) for x in range(4))
    colours = {"b": cells[:2], "w": cells[2:]}
    piece = Piece("A", cells[:2], 2, 2)
    puzzles = [
        PackingPuzzle("ring", ring, cells, (piece,), colours=given)  # type: ignore[arg-type]
        for given in (colours, tuple(colours.items()))
    ]
    assert puzzles[0] == puzzles[1]
