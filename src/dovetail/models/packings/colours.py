"""Colours of cells: a coloured piece lies only where its colours and the region's agree.

A colouring is a tuple of (colour, cells), sorted. Coloured pieces become pieces with listed
placements, so that every solver can take them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.protocol import Cell, Cells, Isometry, Lattice, as_cells

Colouring = tuple[tuple[str, Cells], ...]

BLACK, WHITE = "B", "W"


def as_colouring(colours: Mapping[str, Cells] | Iterable[tuple[str, Cells]]) -> Colouring:
    """Return a colouring in its standard order, without colours that have no cells.

    Raises `PuzzleError` for a cell or a colour that is given twice.
    """
    pairs = colours.items() if isinstance(colours, Mapping) else colours
    found = tuple(sorted((name, tuple(sorted(as_cells(cells)))) for name, cells in pairs if cells))
    cells = [cell for _, its in found for cell in its]
    if len(dict(found)) < len(found):
        raise PuzzleError("a colour is given twice; expected all cells of a colour together")
    if len(set(cells)) < len(cells):
        raise PuzzleError("a cell is given twice; expected one colour for each cell")
    return found


def colour_of(colours: Colouring) -> dict[Cell, str]:
    """Return the colour of each coloured cell."""
    return {cell: name for name, cells in colours for cell in cells}


def normal_colours(lattice: Lattice, colours: Colouring) -> Colouring:
    """Return the colours of a piece moved to its standard position."""
    by_cell = colour_of(colours)
    moved = lattice.normalise(by_cell)
    names = [by_cell[cell] for cell in sorted(by_cell)]  # translations preserve the order
    return as_colouring(
        (name, tuple(cell for cell, its in zip(moved, names, strict=True) if its == name))
        for name in set(names)
    )


def places(
    lattice: Lattice, numbers: CellNumbers, cells: Cells, isometries: Iterable[Isometry]
) -> Iterator[NDArray[np.int32]]:
    """Yield, for each isometry, the places of a piece of n cells in the region, shape (m, n).

    A row has the numbers of the region's cells on which `cells` lie, in the order of `cells`.
    """
    for isometry in isometries:
        image = isometry(np.array(cells, dtype=np.int64))
        vectors = lattice.translations(tuple(image[0].tolist()), numbers.coordinates)
        rows = numbers.of(lattice.reduced(image + vectors[:, None]))
        inside = (rows >= 0).all(axis=1)
        if lattice.wraps:  # a piece may overlap itself
            inside &= (np.diff(np.sort(rows, axis=1), axis=1) > 0).all(axis=1)
        yield rows[inside]


def coloured_places(
    lattice: Lattice,
    region: Cells,
    shown: Colouring,
    piece: Colouring,
    isometries: Iterable[Isometry],
) -> tuple[Cells, ...]:
    """Return the places in `region` where the colours of a piece agree with the region's.

    `shown` has the colours of the region. Raises `PuzzleError` for a cell of the region without a
    colour.
    """
    numbers = CellNumbers(np.array(region, dtype=np.int64).reshape(-1, len(lattice.axes)))
    code = {name: number for number, (name, _) in enumerate((*piece, *shown))}
    below, by_cell = colour_of(shown), colour_of(piece)
    bare = [cell for cell in region if cell not in below]
    if bare:
        raise PuzzleError(f"cell {bare[0]} of the region has no colour; expected one for each cell")
    wanted = np.array([code[below[cell]] for cell in region], dtype=np.int64)
    colours = np.array([code[name] for name in by_cell.values()], dtype=np.int64)
    rows = np.concatenate([*places(lattice, numbers, tuple(by_cell), isometries)])
    fits = np.sort(rows[(wanted[rows] == colours).all(axis=1)], axis=1)
    listed = numbers.coordinates[np.unique(fits, axis=0)].tolist()
    return tuple(tuple(map(tuple, place)) for place in listed)


def colour_pattern(lattice: Lattice, piece: Colouring, isometries: Sequence[Isometry]) -> object:
    """Return a value that is equal for pieces whose colours an isometry maps to each other."""
    by_cell = colour_of(piece)
    cells, names = np.array(list(by_cell), dtype=np.int64), list(by_cell.values())
    patterns = []
    for isometry in isometries:
        image = isometry(cells)
        order = np.lexsort(image.T[::-1])  # translations preserve the order
        normal = lattice.normalise(map(tuple, image.tolist()))
        patterns.append((normal, tuple(names[number] for number in order)))
    return min(patterns)


def chequered(lattice: Lattice, cells: Cells, first: str = BLACK) -> Colouring:
    """Return the colouring of `cells` in black and white in which neighbours differ.

    `first` is the colour of the least cell. Raises `PuzzleError` if there is no such colouring.
    """
    in_order = tuple(sorted(cells))
    number = {cell: n for n, cell in enumerate(in_order)}
    near = [[number.get(other, -1) for other in lattice.neighbours(cell)] for cell in in_order]
    table = np.full((len(near), max(map(len, near))), -1, dtype=np.int32)
    for row, its in enumerate(near):
        table[row, : len(its)] = its
    signs = lattice.colours(np.array(in_order, dtype=np.int64), table)
    if signs is None:
        raise PuzzleError(f"cells {lattice.phrase} cannot be chequered; list their colours")
    second = WHITE if first == BLACK else BLACK
    names = np.where(signs == signs[0], first, second).tolist()
    return as_colouring(
        (name, tuple(cell for cell, its in zip(in_order, names, strict=True) if its == name))
        for name in (first, second)
    )
