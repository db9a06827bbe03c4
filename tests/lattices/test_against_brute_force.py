"""Random puzzles on every lattice beside an oracle: regions that pieces fill, or may not fill."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.task import as_cover
from dovetail.puzzles.formats.exact_cover import Knuth
from lattices.by_distance import CellMap, PackingOracle, space
from oracle.answers import counted

CELLS = 8  # of a region grown by chance
MIN_CELLS, MAX_CELLS = 5, 9  # of a region with symmetries
LARGEST = 3  # cells of a piece
MANY = 5  # pieces; of more than these, each is held to a list of placements


@st.composite
def different_pieces(draw: st.DrawFn, lattice: Lattice) -> PackingPuzzle:
    """A region that a motion carries onto itself, cut into parts that it mostly carries along.

    Each part is a piece. It may be held to some places, its image then to their images. Equal
    pieces may be different. Some may be left out. Cells may be marked, or optional, and a piece may
    be fixed.
    """
    around = _around(lattice, MIN_CELLS + 1)
    maps = space(lattice, around).maps(around, mirror=True)
    powers = _powers(draw(st.sampled_from(maps)))
    region: Cells = ()
    for seed in draw(st.permutations(around)):
        orbit = {power[seed] for power in powers}
        if len(orbit.union(region)) <= CELLS:
            region = tuple(sorted(orbit.union(region)))
    motions = draw(st.sampled_from(list(Motions)))
    pieces, left = list[Piece](), region
    while left:
        cut = _parts(draw, lattice, left)[0]
        copies = space(lattice, region).copies(Piece("cut", cut, motions=motions))
        places = draw(st.sets(st.sampled_from(sorted(copies, key=sorted)), max_size=3))
        free, unused = draw(st.integers(0, 3)) == 0, draw(st.sampled_from([0, 0, 0, 1, 2]))
        for power in powers:
            image, *listed = (
                tuple(sorted(power[cell] for cell in place)) for place in (cut, cut, *places)
            )
            crossed = {place for piece in pieces for place in lattice.crossings(piece.cells)}
            if set(image) <= set(left) and crossed.isdisjoint(lattice.crossings(image)):
                left = tuple(cell for cell in left if cell not in image)
                held = None if free else tuple(listed)
                low = 0 if unused and len(pieces) % unused == 0 else 1
                pieces.append(Piece(f"P{len(pieces)}", image, low, 1, motions, held))
    walls: tuple[FixedPiece, ...] = ()
    if len(pieces) > 1 and draw(st.integers(0, 3)) == 0:
        walls = (FixedPiece("fixed", pieces.pop().cells),)
    taken = {cell for wall in walls for cell in wall.cells}
    for number, piece in enumerate(pieces):
        held = piece.placements or ((piece.cells,) if len(pieces) > MANY else None)
        inside = None if held is None else tuple(p for p in held if taken.isdisjoint(p))
        pieces[number] = replace(piece, placements=inside)
    optional = draw(st.sampled_from([(), (), pieces[0].cells]))
    marked = draw(st.sampled_from(region))
    return PackingPuzzle(
        "different-pieces",
        lattice,
        region,
        tuple(pieces),
        walls,
        optional,
        interchangeable=draw(st.booleans()),
        markings=draw(st.sampled_from([(), (tuple({power[marked] for power in powers}),)])),
    )


def _powers(cell_map: CellMap) -> list[CellMap]:
    """The powers of a map, identity first."""
    powers = [{cell: cell for cell in cell_map}]
    while (image := {cell: cell_map[c] for cell, c in powers[-1].items()}) != powers[0]:
        powers.append(image)
    return powers


def _parts(draw: st.DrawFn, lattice: Lattice, region: Cells) -> list[Cells]:
    """The region cut into connected parts that do not cross."""
    left, parts = list(region), list[Cells]()
    while left:
        part = draw(grown(lattice, draw(st.integers(1, LARGEST)), tuple(left)))
        crossed = set(chain.from_iterable(map(lattice.crossings, parts)))
        if not crossed.isdisjoint(lattice.crossings(part)):
            part = part[:1]
        left = [cell for cell in left if cell not in part]
        parts.append(part)
    return parts


@st.composite
def grown(draw: st.DrawFn, lattice: Lattice, size: int, inside: Cells = ()) -> Cells:
    """Up to `size` connected cells, of those `inside` if any are given."""
    cells: list[Cell] = [inside[0] if inside else draw(st.sampled_from(lattice.fundamental_cells))]
    while len(cells) < size:
        near = sorted({other for cell in cells for other in lattice.neighbours(cell)} - {*cells})
        near = [other for other in near if not inside or other in inside]
        if not near:
            break
        cells.append(draw(st.sampled_from(near)))
    return tuple(cells)


def _around(lattice: Lattice, min_cells: int) -> Cells:
    """A cell and its neighbours, and theirs if those are few: a region with symmetries."""
    cells = {lattice.fundamental_cells[0]}
    while len(cells) < min_cells:
        cells |= {other for cell in cells for other in lattice.neighbours(cell)}
    return tuple(sorted(cells))


@pytest.mark.parametrize("name", ["square-1", "square-2", "square-3", *OWN])
def test_different_pieces(name: str) -> None:
    """A symmetry carries each piece and its placements to a piece that may stand for it.

    Counted with a piece restricted and without, on folded boards, and in Knuth's format.
    """
    solvers = st.sampled_from(["dlx", "bitset", "frontier", "zdd", "fila", "fletcher"])

    @settings(max_examples=5, phases=[Phase.generate])
    @given(different_pieces(lattice_named(name)), solvers, st.booleans())
    def check(puzzle: PackingPuzzle, solver: str, labelled: bool) -> None:
        expected = PackingOracle(puzzle, labelled).counts()
        for symmetry, number in expected.items():
            for way, reduce in (("dlx", ["redundancy"]), (solver, [])):
                finished = counted(puzzle, way, symmetry, labelled=labelled, reduce=reduce)
                if way in ("fila", "fletcher") and finished.status == Status.SKIPPED:
                    continue  # they leave no cell empty; `fletcher` finds all solutions only
                result = (finished.status, finished.count)
                assert result == (Status.EXHAUSTED, number), (way, symmetry)
        if not labelled:
            text = Knuth().write_puzzle(as_cover(puzzle)).encode()
            problem = Knuth().read_puzzle(TextFile(Path("cover.xcc"), text))
            assert counted(problem, "dlx", "unique").count == expected["unique"]

    check()
