"""The volume filter: published figures, and its twin in plain Python."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.models.lattices.protocol import Cell
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.reductions.filters import volume_filter
from dovetail.models.sums import volume_supply
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import packing_puzzles


def placements_of(name: str) -> Placements:
    """The placements of a catalogue puzzle."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return bounded_placements(puzzle)


@pytest.mark.parametrize(
    ("name", "placements", "dropped"),
    [
        ("pentominoes-6x10", 2056, 128),
        ("one-sided-pentominoes-3x30", 1936, 776),
        ("soma-cube", 688, 0),
    ],
)
def test_published_figures(name: str, placements: int, dropped: int) -> None:
    """How many placements cut off what cannot be filled (Busche 2011)."""
    table = placements_of(name)
    assert len(table) == placements
    assert np.count_nonzero(~volume_filter(table)) == dropped


def test_the_doughnut() -> None:
    """The heptomino with a hole has to lie around one of the three holes: 12 of 2520 places."""
    table = placements_of("heptominoes-33x23")
    kept = volume_filter(table)
    left = np.bincount(table.shape[kept], minlength=108)
    shape = int(left.argmin())
    assert int(np.count_nonzero(table.shape == shape)) == 2520
    assert left[shape] == 12


def parts(cells: set[Cell], placements: Placements) -> list[set[Cell]]:
    """The connected parts of `cells`."""
    found = []
    while cells:
        part = {min(cells)}
        while True:
            near = {n for c in part for n in placements.lattice.neighbours(c)} & cells - part
            if not near:
                break
            part |= near
        found.append(part)
        cells = cells - part
    return found


def fillable_volumes(placements: Placements, shape: int) -> NDArray[np.bool_]:
    """The volumes that other pieces have when one of a shape is used."""
    pieces = volume_supply(placements)
    return pieces.within_reach(without=int(pieces.class_of[shape]))


def twin(placements: Placements) -> list[bool]:
    """What to keep, from the definition."""
    cells = [tuple(cell) for cell in placements.coordinates.tolist()]
    optional = {cell for cell, may in zip(cells, placements.optional, strict=True) if may}
    kept = []
    for number in range(len(placements)):
        volumes = fillable_volumes(placements, placements.shape[number])
        left = parts(set(cells) - set(placements.cell_tuples(number)), placements)
        kept.append(all(volumes[len(part - optional) : len(part) + 1].any() for part in left))
    return kept


@given(packing_puzzles(), st.data())
@settings(max_examples=20)
def test_the_twin_agrees(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles, with optional cells too."""
    optional = data.draw(st.sets(st.sampled_from(puzzle.region), max_size=2))
    table = bounded_placements(
        PackingPuzzle(
            puzzle.name, puzzle.lattice, puzzle.region, puzzle.pieces, (), tuple(optional)
        )
    )
    assert volume_filter(table).tolist() == twin(table)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 3)), min_size=1, max_size=4))
@settings(max_examples=20)
def test_fillable_volumes(pieces: list[tuple[int, int]]) -> None:
    """Sums of sizes of the other pieces, each copy used once at most."""
    pieces = list(dict(pieces).items())
    volume = sum(size * copies for size, copies in pieces)
    puzzle = PackingPuzzle(
        "row",
        SquareLattice(1),
        box(volume),
        tuple(Piece(f"{size}", box(size), copies, copies) for size, copies in pieces),
    )
    table = bounded_placements(puzzle)
    for number, (placed, _) in enumerate(pieces):
        sizes = [size for size, _ in pieces]
        left = {size: copies - (size == placed) for size, copies in pieces}
        sums = {
            sum(chosen)
            for count in range(sum(left.values()) + 1)
            for chosen in combinations_with_replacement(sizes, count)
            if all(chosen.count(size) <= left[size] for size in sizes)
        }
        assert set(np.flatnonzero(fillable_volumes(table, number)).tolist()) == sums
