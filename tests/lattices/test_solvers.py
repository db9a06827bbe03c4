"""Every lattice beside every kind of solver, and the ways to ask that no other test here asks."""

from __future__ import annotations

from functools import cache

import pytest

from dovetail.api import estimate, sample
from dovetail.backends.registry import backends
from dovetail.models.lattices.protocol import Cell
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from lattices.by_distance import PackingOracle
from oracle.answers import counted

# + takes, - refuses. `fila` does not detect crossing pieces, `fletcher` needs cells of one class.
TABLE = """
                    dlx bitset fila frontier fletcher cpsat zdd xcover
triangular           +    +     +      +        -       +    +    +
hexagonal            +    +     +      +        +       +    +    +
triangular-prisms    +    +     +      +        -       +    +    +
hexagonal-prisms     +    +     +      +        +       +    +    +
spheres              +    +     +      +        +       +    +    +
rhombic              +    +     +      +        -       +    +    +
tetra-octa           +    +     +      +        -       +    +    +
square-edges         +    +     -      +        -       +    +    +
triangular-edges     +    +     -      +        -       +    +    +
hexagonal-edges      +    +     +      +        -       +    +    +
half-squares         +    +     +      +        -       +    +    +
"""


def _read(table: str) -> dict[tuple[str, str], bool]:
    solvers, *rows = (line.split() for line in table.strip().splitlines())
    return {
        (name, solver): mark == "+"
        for name, *marks in rows
        for solver, mark in zip(solvers, marks, strict=True)
    }


TAKES = _read(TABLE)  # by lattice and solver

PIECES = (3, 2, 1)  # cells of each

each_lattice = pytest.mark.parametrize("name", OWN)


@cache
def plain_puzzle(name: str) -> PackingPuzzle:
    """Three pieces, one after the other along neighbours, each used once: what any solver takes."""
    lattice = lattice_named(name)
    path = [lattice.fundamental_cells[0]]
    while len(path) < sum(PIECES):
        near = (one for cell in path for one in lattice.neighbours(cell) if one not in path)
        path.append(min(near))
    left, pieces = path, list[Piece]()
    for size in PIECES:
        cells: tuple[Cell, ...] = tuple(left[:size])
        pieces.append(Piece(f"P{size}", cells))
        left = left[size:]
    return PackingPuzzle(f"plain {name}", lattice, tuple(path), tuple(pieces))


@cache
def packings(name: str) -> int:
    """How many packings there are, by the oracle."""
    return len(PackingOracle(plain_puzzle(name)).packings())


def test_the_table_has_every_lattice() -> None:
    """A new one needs a row."""
    assert list(dict.fromkeys(name for name, _ in TAKES)) == list(OWN)


@pytest.mark.parametrize(("name", "solver"), TAKES)
def test_takes_or_refuses(name: str, solver: str) -> None:
    """A solver that takes a lattice counts right; one that does not names the lattice."""
    missing = backends()[solver].missing()
    if missing is not None:
        pytest.skip(missing)
    finished = counted(plain_puzzle(name), solver)
    if TAKES[name, solver]:
        assert (finished.status, finished.count) == (Status.EXHAUSTED, packings(name))
    else:
        assert finished.status == Status.SKIPPED
        assert f"the {name} lattice" in (finished.reason or "")


@each_lattice
def test_sampled_and_estimated(name: str) -> None:
    """Random solutions, and the size of the tree."""
    puzzle = plain_puzzle(name)
    assert len(list(sample(puzzle, 2, seed=1))) == 2
    estimated = estimate(puzzle, "dlx", symmetry="all", seed=1).solutions
    assert estimated is not None
    assert estimated.mean == packings(name)  # so small a tree is visited whole
