"""Puzzles on every lattice beside an oracle: regions with symmetries or grown by chance, cut up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.outcome import Status
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from lattices.by_distance import PackingOracle
from lattices.solvers import TAKES
from oracle.answers import counted

SEEDS = range(3)
CELLS = 9
MIN_CELLS = 5  # of a region with symmetries
LARGEST = 3  # cells of a piece

each_puzzle = pytest.mark.parametrize(
    ("name", "seed"), [(name, seed) for name in OWN for seed in SEEDS]
)


@cache
def random_puzzle(name: str, seed: int) -> PackingPuzzle:
    """A region and pieces that fill it: equal ones several times, some cells fixed or optional."""
    lattice, random = lattice_named(name), Random(f"{name} {seed}")
    region = _around(lattice) if seed == 0 else _grown(lattice, random, CELLS)
    left, parts = list(region), list[tuple[Cell, ...]]()
    while left:
        part = _grown(lattice, random, random.randint(1, LARGEST), set(left), random.choice(left))
        while _crosses(lattice, part, parts):
            part = part[:1]
        left = [cell for cell in left if cell not in part]
        parts.append(part)
    motions = random.choice([Motions.FREE, Motions.ONE_SIDED])
    fixed = (FixedPiece("fixed", parts.pop()),) if seed == 1 else ()
    optional = parts.pop() if seed == 2 else ()
    copies = dict[tuple[Cell, ...], list[tuple[Cell, ...]]]()
    for part in parts:
        form = min(motions.orientations(lattice, part))
        copies.setdefault(form, []).append(part)
    pieces = [
        Piece(f"P{number}", same[0], len(same), len(same), motions=motions)
        for number, same in enumerate(copies.values())
    ]
    return PackingPuzzle(f"{name}-{seed}", lattice, region, tuple(pieces), fixed, optional)


def _around(lattice: Lattice) -> tuple[Cell, ...]:
    """A cell and its neighbours, and theirs if those are few: a region with symmetries."""
    cells = {lattice.fundamental_cells[0]}
    while len(cells) < MIN_CELLS:
        cells |= {other for cell in cells for other in lattice.neighbours(cell)}
    return tuple(sorted(cells))


def _grown(
    lattice: Lattice,
    random: Random,
    size: int,
    inside: set[Cell] | None = None,
    seed: Cell | None = None,
) -> tuple[Cell, ...]:
    """Up to `size` connected cells, of those `inside` if any are given."""
    cells = [seed or random.choice(lattice.fundamental_cells)]
    while len(cells) < size:
        near = sorted({other for cell in cells for other in lattice.neighbours(cell)} - {*cells})
        near = [other for other in near if inside is None or other in inside]
        if not near:
            break
        cells.append(random.choice(near))
    return tuple(cells)


def _crosses(lattice: Lattice, part: tuple[Cell, ...], others: list[tuple[Cell, ...]]) -> bool:
    taken = {place for other in others for place in lattice.crossings(other)}
    return not taken.isdisjoint(lattice.crossings(part))


@cache
def oracle_counts(name: str, seed: int) -> tuple[int, int, int]:
    """All packings, those up to rotations, and those up to reflections too."""
    oracle = PackingOracle(random_puzzle(name, seed))
    return len(oracle.packings()), oracle.up_to_symmetry(), oracle.up_to_symmetry(mirror=True)


@each_puzzle
def test_three_counts(name: str, seed: int) -> None:
    """By `dlx`; the puzzle was cut from its region, so that it has a solution."""
    expected = oracle_counts(name, seed)
    found = tuple(
        counted(random_puzzle(name, seed), "dlx", symmetry).count
        for symmetry in ("all", "unique", "mirror")
    )
    assert found == expected
    assert expected[0] >= expected[1] >= expected[2] >= 1


@each_puzzle
def test_solvers_agree(name: str, seed: int) -> None:
    """Those that take a lattice, with filters; others say why they do not."""
    every, unique, _ = oracle_counts(name, seed)
    puzzle = random_puzzle(name, seed)
    for backend, symmetry, reduce in _ways():
        finished = counted(puzzle, backend, symmetry, reduce=reduce)
        if not takes(backend, puzzle):
            assert (finished.status, bool(finished.reason)) == (Status.SKIPPED, True), backend
            continue
        expected = every if symmetry == "all" else unique
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected), backend


def takes(solver: str, puzzle: PackingPuzzle) -> bool:
    """Whether a solver takes a lattice, and cells that may stay empty."""
    return TAKES[puzzle.lattice.name, solver] and not (
        puzzle.optional and solver in ("fila", "fletcher")
    )


def _ways() -> Iterator[tuple[str, str, list[str]]]:
    yield "bitset", "unique", ["redundancy", "volume"]
    yield "fila", "unique", ["fit"]
    yield "frontier", "unique", []
    yield "fletcher", "all", []
    yield "dlx", "unique", ["redundancy", "volume", "fit=fixed-point"]
