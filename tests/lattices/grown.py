"""Random puzzles on any lattice, together with one of their solutions."""

from __future__ import annotations

from random import Random

from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution


def grown(lattice: Lattice, seed: int, *, pieces: int = 4, size: int = 3) -> list[tuple[Cell, ...]]:
    """Connected pieces that do not meet and do not cross, beside one another, of random cells."""
    random = Random(seed)
    start = random.choice(lattice.fundamental_cells)
    taken, found, crossed = set[Cell](), list[tuple[Cell, ...]](), set[Cell]()
    edge = [start]
    while len(found) < pieces:
        cells = [random.choice([cell for cell in edge if cell not in taken])]
        for _ in range(size - 1):
            near = {one for cell in cells for one in lattice.neighbours(cell)}
            free = sorted(near - taken - set(cells))
            if free:
                cells.append(random.choice(free))
        crossings = lattice.crossings(tuple(sorted(cells)))
        if crossed.isdisjoint(crossings):
            crossed.update(crossings)
            taken.update(cells)
            found.append(tuple(sorted(cells)))
        edge = sorted({one for cell in [*taken, start] for one in lattice.neighbours(cell)})
    return found


def grown_puzzle(lattice: Lattice, seed: int) -> tuple[PackingPuzzle, PackingSolution]:
    """A puzzle with a fixed piece, a cell that may stay empty and a listed placement.

    Its pieces lie in standard positions, its region somewhere about the origin.
    """
    fixed, last, *others = grown(lattice, seed, pieces=5)
    alone, *rest = last
    free = [tuple(rest)] if rest else []
    names = "ABCDEFG"
    placed = tuple(zip(names, [*others, *free], strict=False))
    pieces = [Piece(name, lattice.normalise(cells)) for name, cells in placed]
    if pieces:
        name, cells = placed[-1]
        pieces[-1] = Piece(name, lattice.normalise(cells), placements=(cells,))
    region = (*fixed, *last, *(cell for cells in others for cell in cells))
    puzzle = PackingPuzzle(
        f"grown {seed}", lattice, region, tuple(pieces), (FixedPiece("W", fixed),), (alone,)
    )
    return puzzle, PackingSolution(placed, lattice)
