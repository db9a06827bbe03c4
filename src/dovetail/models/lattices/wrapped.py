"""Lattices that wrap: cells that differ by a period along an axis are the same cell.

A cell is represented by its coordinates modulo the periods. Pieces consist of cells of the base
lattice, which does not wrap. An orientation in which two cells of a piece coincide is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import sub
from typing import overload

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.protocol import (
    Array,
    Cell,
    Cells,
    Footprint,
    Isometry,
    Lattice,
    Orientations,
    Solid,
)


@dataclass(frozen=True)
class WrappedLattice(Lattice):
    """A lattice modulo a period along some of its axes, 0 for an axis that does not wrap.

    Raises `PuzzleError` for periods that are negative, all 0, not one for each axis or no
    translations, and for a base lattice on which pieces can cross or that has no `isometries`.
    """

    base: Lattice
    periods: Cell

    def __post_init__(self) -> None:
        base, home = self.base, np.array(self.base.fundamental_cells[0])
        if len(self.periods) != len(base.axes) or not any(self.periods) or min(self.periods) < 0:
            expected = f"expected {len(base.axes)} numbers of 0 or more, not all 0"
            raise PuzzleError(f"periods {self.periods}; {expected}")
        vectors = np.diag(self.periods)[np.array(self.periods) > 0]
        if len(base.translations(tuple(home.tolist()), home + vectors)) < len(vectors):
            raise PuzzleError(f"periods {self.periods} are no translations {base.phrase}")
        if type(base).crossings is not Lattice.crossings:
            raise PuzzleError(f"cells {base.phrase} cannot wrap: pieces can cross there")
        base.isometries(reflections=False)

    @property
    def name(self) -> str:
        return f"{self.base.name} mod {','.join(map(str, self.periods))}"

    @property
    def dimension(self) -> int:  # type: ignore[override]  # a plain attribute elsewhere
        return self.base.dimension

    @property
    def axes(self) -> tuple[str, ...]:
        return self.base.axes

    @property
    def fundamental_cells(self) -> Cells:
        return self.base.fundamental_cells

    @property
    def wraps(self) -> bool:
        return True

    @property
    def phrase(self) -> str:
        along = (
            f"{axis} after {how_many(period, 'step')}"
            for axis, period in zip(self.axes, self.periods, strict=True)
            if period
        )
        return f"{self.base.phrase}, wrapped along {' and '.join(along)}"

    @property
    def title(self) -> str:
        return f"{self.base.title}, wrapped"

    def is_cell(self, cell: Cell) -> bool:
        return self.base.is_cell(cell)

    def reduced(self, cells: Array) -> Array:
        periods = np.array(self.periods)
        result: Array = np.where(periods > 0, cells % np.maximum(periods, 1), cells)
        return result

    def neighbours(self, cell: Cell) -> Cells:
        """Return the neighbours, each once; the cell itself is left out."""
        near = self.reduced(np.array(self.base.neighbours(cell), dtype=np.int64))
        here = tuple(self.reduced(np.array(cell)).tolist())
        return tuple(dict.fromkeys(c for c in map(tuple, near.tolist()) if c != here))

    def translations(self, source: Cell, targets: Array) -> Array:
        return self.base.translations(source, targets)

    def orientations(self, cells: Cells, *, reflections: bool) -> Orientations:
        return WrappedOrientations(self, self.base.orientations(cells, reflections=reflections))

    def fixed_orientation(self, cells: Cells) -> Orientations:
        return WrappedOrientations(self, self.base.fixed_orientation(cells))

    def isometries(self, *, reflections: bool) -> Sequence[Isometry]:
        """Return the isometries of the base lattice, by which pieces are moved."""
        return self.base.isometries(reflections=reflections)

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        """Return the permutations by translations and isometries that preserve the periods."""
        order = np.lexsort(cells.T[::-1])
        numbers = CellNumbers(cells[order])
        found = dict[bytes, NDArray[np.int32]]()
        for isometry in filter(self._keeps_periods, self.isometries(reflections=reflections)):
            image = isometry(cells)
            for vector in self.translations(tuple(image[0].tolist()), cells):
                at = numbers.of(self.reduced(image + vector))
                if (at >= 0).all():
                    permutation = order[at].astype(np.int32)
                    found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def positions(self, cells: Array) -> NDArray[np.float64]:
        return self.base.positions(cells)

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """Return the least of the translates in which some cell is a fundamental cell."""
        rows = list(cells)
        array, images = np.array(rows, dtype=np.int64), []
        for row in rows:
            (home,) = self.base.normalise([row])
            image = self.reduced(array + tuple(map(sub, home, row)))
            images.append(tuple(sorted(map(tuple, image.tolist()))))
        return min(images)

    def homes(self, cells: Array) -> Array:
        return self.base.homes(cells)

    def colours(self, cells: Array, neighbours: NDArray[np.int32]) -> Array | None:
        """Return the colours on the base lattice, with the first cell black, if neighbours differ.

        Otherwise each connected part is coloured by itself.
        """
        signs = self.base.colours(cells, neighbours)
        if signs is None:
            return None
        differ = (neighbours < 0) | (signs[neighbours] != signs[:, None])
        return signs * signs[:1] if differ.all() else super().colours(cells, neighbours)

    def footprint(self, cell: Cell) -> Footprint:
        return self.base.footprint(cell)

    def solid(self, cell: Cell) -> Solid:
        return self.base.solid(cell)

    def text_place(self, cell: Cell) -> Cell:
        return self.base.text_place(cell)

    def text_cell(self, place: Cell) -> Cell | None:
        return self.base.text_cell(place)

    def _keeps_periods(self, isometry: Isometry) -> bool:
        home = np.array(self.fundamental_cells[:1], dtype=np.int64)
        moved = isometry(home + np.diag(self.periods)) - isometry(home)
        return not self.reduced(moved).any()


class WrappedOrientations(Orientations):
    """Orientations on a wrapped lattice in which no two cells coincide.

    `plain` are the orientations on the base lattice.
    """

    def __init__(self, lattice: WrappedLattice, plain: Orientations) -> None:
        self._wrapped, self._plain = lattice, plain
        found = dict[Cells, None]()
        for cells in plain:
            places = lattice.reduced(np.array(cells, dtype=np.int64)).tolist()
            if len(set(map(tuple, places))) == len(cells):
                found.setdefault(lattice.normalise(cells))
        self._images = tuple(found)

    def __len__(self) -> int:
        return len(self._images)

    @overload
    def __getitem__(self, number: int) -> Cells: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Cells]: ...
    def __getitem__(self, number: int | slice) -> Cells | Sequence[Cells]:
        return self._images[number]

    def __contains__(self, cells: object) -> bool:
        return bool(self.find(np.array([cells], dtype=np.int64))[0] >= 0)

    def find(self, images: Array) -> Array:
        names = (self._wrapped.normalise(map(tuple, image.tolist())) for image in images)
        return np.array([self._numbers.get(name, -1) for name in names], dtype=np.int64)

    @property
    def identity(self) -> object:
        """Identity on the base lattice: pieces are equal if they are congruent there."""
        return self._plain.identity

    @cached_property
    def _numbers(self) -> dict[Cells, int]:
        return {cells: number for number, cells in enumerate(self._images)}
