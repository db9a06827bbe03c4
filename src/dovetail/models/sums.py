"""Sums that sets of pieces can have: total volumes and total parities.

Every piece contributes one of a few values, which depend on its shape. Shapes with the same values
make a class. The number of pieces left in each class determines which sums are possible. Source:
Busche 2011, the "parity state object"; volumes are treated alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, how_many
from dovetail.models.arrays import connected_parts, row_blocks
from dovetail.models.packings.placements import NO_CELL, Placements, Shape

MAX_BYTES = 2**26

Values = frozenset[int]


@dataclass(frozen=True, eq=False)
class Supply:
    """Number of pieces and their possible contributions, by class."""

    class_of: NDArray[np.int64]
    """Class of each shape, shape (shapes,), int64."""
    values: tuple[Values, ...]
    """Possible contributions of a piece of each class."""
    copies: tuple[int, ...]
    """Number of pieces of each class."""
    base: Values
    """Possible sums without any piece."""
    min_sum: int
    """Least sum considered."""
    max_sum: int
    """Greatest sum considered."""

    @property
    def width(self) -> int:
        """Number of sums considered."""
        return self.max_sum - self.min_sum + 1

    def first(self) -> NDArray[np.bool_]:
        """Return a mask of the sums without any piece, shape (width,)."""
        sums = np.zeros(self.width, dtype=bool)
        sums[[value - self.min_sum for value in self.base]] = True
        return sums

    def within_reach(self, without: int | None = None) -> NDArray[np.bool_]:
        """Return a mask of the sums that all pieces together can have, shape (width,).

        The first entry is for `min_sum`. With `without`, a piece of that class is left out. A sum
        counts only if the pieces can be added, class by class, without leaving the range.
        """
        sums = self.first()
        for number, values in enumerate(self.values):
            before, copies = None, self.copies[number] - (number == without)
            if copies > 0 and 1 <= len(values) <= 2 and max(values) - min(values) < self.width:
                sums = _all_added(sums, min(values), max(values), copies)
                continue
            for remaining in range(copies, 0, -1):
                after = _added(sums, values)
                if before is not None and np.array_equal(after, before):  # the sums now alternate
                    sums = after if remaining % 2 else sums
                    break
                before, sums = sums, after
        return sums


@dataclass(frozen=True, eq=False)
class SumTable:
    """Table of the sums that each set of remaining pieces can have."""

    reachable: NDArray[np.uint8]
    """Consecutive rows of `width` entries, a row for each set: 1 for a possible sum, else 0."""
    step: NDArray[np.int64]
    """By shape: number to subtract from the offset of the row when a piece is placed, int64."""
    start: int
    """Offset of the row for all pieces."""
    width: int


def supply(
    values: Sequence[Values], copies: Sequence[int], base: Values, min_sum: int, max_sum: int
) -> Supply:
    """Return the supply of shapes with these values and numbers of copies."""
    classes = list(dict.fromkeys(values))
    number = np.array([classes.index(entry) for entry in values], dtype=np.int64)
    together = np.bincount(number, weights=copies, minlength=len(classes)).astype(int)
    return Supply(number, tuple(classes), tuple(together.tolist()), base, min_sum, max_sum)


def too_large(pieces: Supply, what: str) -> str | None:
    """Return why the table of a supply would be too large, beginning with `what`; None if not."""
    size = prod(copies + 1 for copies in pieces.copies) * pieces.width
    if size <= MAX_BYTES:
        return None
    return (
        f"{what}: the table of sums for {how_many(len(pieces.copies), 'kind')} of pieces would "
        f"take {size:,} bytes; the limit is {MAX_BYTES:,}"
    )


def table_of(pieces: Supply) -> SumTable:
    """Return the table of a supply that is not `too_large`."""
    sizes = [copies + 1 for copies in pieces.copies]
    rows = pieces.first()[None, :]
    for values, copies in zip(pieces.values, pieces.copies, strict=True):
        stack = [rows]
        for _ in range(copies):
            stack.append(_added(stack[-1], values))
        rows = np.concatenate(stack)  # this class is the most significant digit of the row number
    steps = np.array([1, *accumulate(sizes, mul)], dtype=np.int64) * pieces.width
    return SumTable(
        reachable=rows.ravel().astype(np.uint8),
        step=steps[pieces.class_of],
        start=(len(rows) - 1) * pieces.width,
        width=pieces.width,
    )


def _all_added(sums: NDArray[np.bool_], low: int, high: int, copies: int) -> NDArray[np.bool_]:
    """Return the sums after `copies` additions, each of `low` or `high`.

    Sums outside the range are lost. The result is the same as when the copies are added one by one:
    the range is wider than `high` − `low`, so that some order of the copies keeps every
    intermediate sum in the range.
    """
    step, width = max(1, high - low), len(sums)
    rows = -(-width // step)
    counts = np.zeros((rows + 1) * step, dtype=np.int64)
    counts[step : step + width] = sums
    # counts[i, r] is the number of sums r + j · step with j < i.
    counts = counts.reshape(-1, step).cumsum(axis=0)

    def up_to(number: NDArray[np.int64]) -> NDArray[np.int64]:
        return counts[np.clip(number // step, -1, rows - 1) + 1, number % step]

    number = np.arange(width)
    reached: NDArray[np.bool_] = up_to(number - copies * low) > up_to(number - copies * high - step)
    return reached


def _added(sums: NDArray[np.bool_], values: Values) -> NDArray[np.bool_]:
    """Return the sums after any of `values` is added; sums outside the range are lost."""
    width = sums.shape[-1]
    result = np.zeros_like(sums)
    for value in values:
        if abs(value) < width:
            low, high = max(0, value), width + min(0, value)
            result[..., low:high] |= sums[..., low - value : high - value]
    return result


def cell_colours(placements: Placements) -> NDArray[np.int64]:
    """Return 1 for each black cell, −1 for each white cell, shape (c,); neighbours differ.

    Raises `ConfigError` if the cells have no such colouring.
    """
    if placements.colours is None:
        raise ConfigError(
            "parity needs a two-colouring of the cells; the cells "
            f"{placements.lattice.phrase} have none"
        )
    return placements.colours


def placement_parities(placements: Placements) -> NDArray[np.int64]:
    """Return the parity of each placement: the number of black minus white cells, shape (n,)."""
    colours, start = cell_colours(placements), placements.start
    parities = np.empty(len(placements), dtype=np.int64)
    for rows, members in row_blocks(start):
        first = start[rows] - members.start
        parities[rows] = np.add.reduceat(colours[placements.member[members]], first)
    return parities


def shape_parities(placements: Placements) -> list[Values]:
    """Return the set of parities of each shape's placements, empty for a shape without any."""
    parities = placement_parities(placements)
    return [
        frozenset(parities[placements.shape == number].tolist())
        for number in range(len(placements.shapes))
    ]


def parity_supply(placements: Placements) -> Supply:
    """Return the supply of parities of the pieces, with the cells that stay empty as its base.

    A piece that need not be used may also contribute 0.
    """
    values: list[Values] = []
    copies: list[int] = []
    for shape, parities in zip(placements.shapes, shape_parities(placements), strict=True):
        values += [parities, parities | {0}]
        copies += [shape.min_count, shape.max_count - shape.min_count]
    colour = cell_colours(placements)
    whites, blacks = int(np.count_nonzero(colour < 0)), int(np.count_nonzero(colour > 0))
    both = supply(values, copies, _parities_of_empties(placements), -whites, blacks)
    return Supply(
        both.class_of[::2], both.values, both.copies, both.base, both.min_sum, both.max_sum
    )


def _parities_of_empties(placements: Placements) -> Values:
    """Return the possible total parities of the cells that stay empty."""
    colours = cell_colours(placements)[placements.optional]
    blacks, whites = int(np.count_nonzero(colours > 0)), int(np.count_nonzero(colours < 0))
    if any(shape.min_count != shape.max_count for shape in placements.shapes):
        return frozenset(range(-whites, blacks + 1))
    sizes = zip(shape_sizes(placements), placements.shapes, strict=True)
    empty = placements.cell_count - sum(size * shape.max_count for size, shape in sizes)
    fewest, most = max(0, empty - whites), min(blacks, empty)
    return frozenset(2 * black - empty for black in range(fewest, most + 1))


def volume_supply(placements: Placements) -> Supply:
    """Return the supply of volumes that pieces can fill within a part of the open cells.

    A piece may lie outside this part. A piece that is not connected may have only some of its
    connected parts inside.
    """
    values = [
        frozenset((0,)).union(*map(_volumes_of, examples))
        for examples in _connected_sizes(placements)
    ]
    copies = [shape.max_count for shape in placements.shapes]
    return supply(values, copies, frozenset((0,)), 0, placements.cell_count)


def shape_sizes(placements: Placements) -> list[int]:
    """Return the number of cells of each shape; 1 for a shape without placements."""
    return [sum(examples[0]) if examples else 1 for examples in _connected_sizes(placements)]


def _connected_sizes(placements: Placements) -> list[list[list[int]]]:
    """Return the sizes of the connected parts of examples of each shape's placements.

    A shape has an example or, on a lattice that wraps, an example of each orientation: a turn may
    separate parts that meet where the region wraps. A shape without placements has no example.
    """
    found, neighbours = list[list[list[int]]]([] for _ in placements.shapes), placements.neighbours
    kind = placements.orientation if placements.lattice.wraps else placements.shape
    for example in np.unique(kind, return_index=True)[1]:
        begin, end = placements.start[example : example + 2]
        cells = placements.member[begin:end].tolist()
        beside = dict(zip(cells, neighbours[cells].tolist(), strict=True))
        found[placements.shape[example]].append([*map(len, connected_parts(cells, beside))])
    return found


def _volumes_of(sizes: list[int]) -> Values:
    """Return all sums of subsets of `sizes`."""
    sums = {0}
    for size in sizes:
        sums |= {size + before for before in sums}
    return frozenset(sums)


NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Remainder:
    """Some placements of a whole problem, with new numbers for cells and shapes."""

    placements: Placements
    options: NDArray[np.int32]
    """Numbers of the placements in the whole problem, shape (m,), int32."""
    cells: NDArray[np.int64]
    """Numbers of the cells in the whole problem, shape (c,), int64."""
    filled: NDArray[np.bool_]
    """True for cells that are filled already, shape (c,), bool."""

    @property
    def pieces(self) -> int:
        """Maximum number of pieces still to be placed."""
        return sum(shape.max_count for shape in self.placements.shapes)


def remainder(
    whole: Placements,
    placed: NDArray[np.int64] = NOTHING,
    among: NDArray[np.int32] | None = None,
    cells: NDArray[np.int64] | None = None,
) -> Remainder:
    """Return the problem that is left when the placements `placed` are made.

    A placement stays if it is in `among`, its shape has a copy left, and it neither overlaps nor
    crosses any of `placed`. Shapes without a copy left are dropped.

    `among`: placement numbers, ascending; by default all placements. Only these are examined, which
    saves time near the end of a search. `cells`: the cells to keep, in the order of their new
    numbers, including every cell that is not filled; by default only the cells that are not filled.
    """
    taken = np.zeros(whole.cell_count + 1, dtype=bool)
    taken[whole.cells[placed]] = True
    taken[NO_CELL] = False  # entry for the padding
    if cells is None:
        cells = np.flatnonzero(~taken[:-1])
    number = np.full(whole.cell_count + 1, NO_CELL, dtype=np.int32)
    number[cells] = np.arange(len(cells), dtype=np.int32)

    used = np.bincount(whole.shape[placed], minlength=len(whole.shapes))
    open_shapes = np.array([shape.max_count for shape in whole.shapes], dtype=np.int64) > used
    if among is None:
        among = np.arange(len(whole), dtype=np.int32)
    options = among[open_shapes[whole.shape[among]]]
    options = options[~taken[whole.cells[options]].any(axis=1)]
    if whole.may_cross:
        crossed = np.zeros(len(whole.crossing_places) + 1, dtype=bool)
        crossed[whole.crossings[placed]] = True
        crossed[NO_CELL] = False
        options = options[~crossed[whole.crossings[options]].any(axis=1)]
    rows = np.sort(number[whole.cells[options]], axis=1)
    sizes = whole.sizes[options]
    placements = Placements(
        shapes=tuple(_left(whole.shapes[s], int(used[s])) for s in np.flatnonzero(open_shapes)),
        shape=(np.cumsum(open_shapes) - 1)[whole.shape[options]].astype(np.int32),
        orientation=whole.orientation[options],
        start=np.concatenate([[0], np.cumsum(sizes)]),
        member=rows[rows != NO_CELL],
        largest=whole.largest,
        coordinates=whole.coordinates[cells],
        optional=whole.optional[cells],
        neighbours=number[whole.neighbours[cells]],
        lattice=whole.lattice,
        crossings=whole.crossings[options],
        crossing_places=whole.crossing_places,
    )
    vars(placements)["cells"] = rows  # sets the cached property
    return Remainder(
        placements=placements,
        options=options,
        cells=cells,
        filled=taken[cells],
    )


def _left(shape: Shape, gone: int) -> Shape:
    """Return a shape after `gone` of its copies have been placed."""
    if not gone:
        return shape
    return replace(
        shape, min_count=max(0, shape.min_count - gone), max_count=shape.max_count - gone
    )
