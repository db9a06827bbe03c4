"""Directions in which pieces slide, and the cells that a cell passes on its way.

A piece slides along a translation of its lattice if no translation in the same class modulo 2,
apart from its opposite, is as short or shorter. (G. Voronoi, 1908; J. H. Conway and N. J. A.
Sloane, "Low-dimensional lattices VI", Proceedings of the Royal Society A 436, 1992.) Squares and
cubes slide along their axes, triangles in six directions, spheres in twelve. A *step* is one such
translation. During a step a cell may pass other cells: a triangle passes a neighbour, a hexagon its
neighbours on both sides of the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import add, sub

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice, Solid
from dovetail.models.lattices.registry import lattice_named, lattice_names

LONGEST_PERIOD = 64  # longest translation along an axis that is looked for
TOUCHING = 1e-6  # solids that overlap by less than this length only touch


@dataclass(frozen=True)
class Directions:
    """The directions of a lattice, each followed by its opposite: +x, −x, +y, −y and so on."""

    vectors: Cells
    """Vector of a step in each direction."""
    swept: tuple[tuple[Cells, ...], ...]
    """By direction and fundamental cell: the cells met on a step, relative to the fundamental
    cell. The end of the step is included, the cell itself is not."""

    def name(self, number: int, axes: tuple[str, ...]) -> str:
        """Return a short name, such as `+x`, or `(1, 0, -1)` for a step along several axes."""
        vector = self.vectors[number]
        moved = [axis for axis, step in enumerate(vector) if step]
        if len(moved) == 1 and abs(vector[moved[0]]) == 1:
            return f"{'+' if vector[moved[0]] > 0 else '-'}{axes[moved[0]]}"
        return f"({', '.join(map(str, vector))})"


@cache
def directions_of(lattice: Lattice) -> Directions:
    """Return the directions of a lattice.

    Raises `PuzzleError` for a lattice whose pieces do not slide: a lattice of edges, a region that
    wraps, or a lattice without solids.
    """
    obstacle = _obstacle(lattice)
    if obstacle:
        names = [name for name in lattice_names() if not _obstacle(lattice_named(name))]
        raise PuzzleError(
            f"pieces {lattice.phrase} are not taken apart: {obstacle}; pieces slide on "
            f"{', '.join(names)}"
        )
    if isinstance(lattice, SquareLattice):
        units = np.eye(lattice.dimension, dtype=np.int64)
        vectors = [tuple(row.tolist()) for unit in units for row in (unit, -unit)]
        return Directions(tuple(vectors), tuple(((vector,),) for vector in vectors))
    vectors = _shortest(lattice)
    swept = list[tuple[Cells, ...]]()
    for vector in vectors[::2]:
        ahead = tuple(_met(lattice, cell, vector) for cell in lattice.fundamental_cells)
        swept += ahead, _met_backwards(lattice, ahead)
    return Directions(tuple(vectors), tuple(swept))


def _obstacle(lattice: Lattice) -> str | None:
    """Return why pieces do not slide on a lattice; None if they do."""
    if type(lattice).crossings is not Lattice.crossings:
        return "they cross one another"
    if lattice.wraps:
        return "the region wraps"
    try:
        for cell in () if isinstance(lattice, SquareLattice) else lattice.fundamental_cells:
            lattice.solid(cell)
    except PuzzleError:
        return "the lattice has no solids"
    return None


def _shortest(lattice: Lattice) -> list[Cell]:
    """Return the vectors of the directions, each followed by its opposite.

    For prisms the order is that of BurrTools: upward, then along an axis, then along two axes.
    """
    here = lattice.fundamental_cells[0]
    origin = np.array(here, dtype=np.int64)
    reach = [_period(lattice, axis) for axis in range(len(here))]
    box = np.array(list(product(*(range(-r, r + 1) for r in reach))), dtype=np.int64)
    vectors = lattice.translations(here, origin + box)
    vectors = vectors[vectors.any(axis=1)]
    way = lattice.positions(origin + vectors) - lattice.positions(origin[None])
    squares = (way**2).sum(axis=1)
    doubled = {tuple(row) for row in (2 * vectors).tolist()} | {(0,) * len(here)}
    found = []
    for vector, square in zip(vectors, squares, strict=True):
        near = vectors[squares < square + TOUCHING] - vector
        alike = sum(tuple(row) in doubled for row in near.tolist())
        if alike == 2 and tuple(vector.tolist()) not in doubled:
            found.append(tuple(vector.tolist()))
    ahead = [vector for vector in found if next(step for step in vector[::-1] if step) > 0]
    ahead.sort(key=lambda vector: _rank(vector, lattice.dimension))
    return [heading for vector in ahead for heading in (vector, tuple(-step for step in vector))]


def _rank(vector: Cell, dimension: int) -> tuple[int, bool, int, Cell]:
    """Return the sort key of directions: along an axis first, and upward before others."""
    moved = np.flatnonzero(vector).tolist()
    upward = dimension == 3 and moved == [len(vector) - 1]
    return len(moved), not upward, moved[0], vector


def _period(lattice: Lattice, axis: int) -> int:
    """Return the length of the shortest translation along an axis; 0 above `LONGEST_PERIOD`."""
    here = lattice.fundamental_cells[0]
    steps = np.zeros((LONGEST_PERIOD, len(here)), dtype=np.int64)
    steps[:, axis] = np.arange(1, LONGEST_PERIOD + 1)
    found = lattice.translations(here, np.array(here, dtype=np.int64) + steps)
    return int(found[0, axis]) if len(found) else 0


@dataclass(frozen=True)
class _Body:
    """Convex solid of a cell, for the test whether it meets another solid on its way."""

    corners: NDArray[np.float64]
    normals: NDArray[np.float64]
    """Unit vectors normal to the faces, up to sign."""
    edges: NDArray[np.float64]
    """Unit vectors along the edges, up to sign."""

    @staticmethod
    def of(solid: Solid) -> _Body:
        corners = np.array(solid.corners)
        edges = [
            corners[b] - corners[a]
            for face in solid.faces
            for a, b in zip(face, (*face[1:], face[0]), strict=True)
        ]
        normals = [
            np.cross(corners[b] - corners[a], corners[c] - corners[a])
            for a, b, c, *_ in solid.faces
        ]
        return _Body(corners, _lines(normals), _lines(edges))

    @property
    def middle(self) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.corners.mean(axis=0)
        return found

    @property
    def radius(self) -> float:
        """Greatest distance of a corner from the middle; 0.5 for a ball, which has no edges."""
        return float(np.linalg.norm(self.corners - self.middle, axis=1).max()) or 0.5

    def meets(self, other: _Body, step: NDArray[np.float64]) -> bool:
        """Return whether the body meets the inside of another body on its way along `step`.

        By the separating axis theorem, two convex bodies are disjoint exactly if their projections
        are disjoint along some normal of a face, or along some vector that is normal to an edge of
        each. Along each axis the projections overlap during an interval of time. The bodies meet if
        these intervals have a time in common.
        """
        away = _distance(other.middle - self.middle, step)
        if away > self.radius + other.radius - TOUCHING or not len(self.edges):
            return away < self.radius + other.radius - TOUCHING
        crossed = np.cross(self.edges[:, None], other.edges).reshape(-1, 3)
        length = np.linalg.norm(crossed, axis=1)
        crossed = crossed[length > TOUCHING] / length[length > TOUCHING, None]
        normals = np.concatenate([self.normals, other.normals, crossed])
        ours, theirs, speed = self.corners @ normals.T, other.corners @ normals.T, step @ normals.T
        until_touching = theirs.min(axis=0) - ours.max(axis=0) + TOUCHING
        until_past = theirs.max(axis=0) - ours.min(axis=0) - TOUCHING
        still = abs(speed) < TOUCHING
        if (still & ((until_touching > 0) | (until_past < 0))).any():
            return False
        moving = np.where(still, 1.0, speed)
        times = np.sort(np.stack([until_touching / moving, until_past / moving]), axis=0)
        begin = np.where(still, 0.0, times[0]).max()
        end = np.where(still, 1.0, times[1]).min()
        return bool(min(end, 1.0) - max(begin, 0.0) > TOUCHING)


def _lines(vectors: list[NDArray[np.float64]] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return unit vectors along `vectors`, without zero vectors and without parallel vectors."""
    array = np.array(vectors, dtype=np.float64).reshape(-1, 3)
    length = np.linalg.norm(array, axis=1)
    array = array[length > TOUCHING] / length[length > TOUCHING, None]
    signs = [np.sign(row[np.flatnonzero(abs(row) > TOUCHING)[0]]) for row in array]
    found: NDArray[np.float64] = np.unique((array * np.reshape(signs, (-1, 1))).round(9), axis=0)
    return found


def _distance(point: NDArray[np.float64], step: NDArray[np.float64]) -> float:
    """Return the distance of a point from the segment between the origin and `step`."""
    part = np.clip(point @ step / (step @ step), 0, 1)
    return float(np.linalg.norm(point - part * step))


def _met(lattice: Lattice, cell: Cell, vector: Cell) -> Cells:
    """Return the cells that a cell meets on a step, as vectors from the cell, sorted."""
    body = _Body.of(lattice.solid(cell))
    end = tuple(map(add, cell, vector))
    step = _Body.of(lattice.solid(end)).middle - body.middle
    reached: dict[Cell, bool] = {cell: True}
    waiting = [cell]
    for here in waiting:  # the loop appends to `waiting`; the cells met are connected
        for near in lattice.neighbours(here):
            if near not in reached:
                reached[near] = body.meets(_Body.of(lattice.solid(near)), step)
                if reached[near]:
                    waiting.append(near)
    del reached[cell]
    return tuple(sorted(tuple(map(sub, other, cell)) for other, met in reached.items() if met))


def _met_backwards(lattice: Lattice, ahead: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """Return the cells met on the opposite step, by fundamental cell.

    `ahead` has the cells met on the step. If a cell meets another cell on the step, the other cell
    meets this cell on the opposite step.
    """
    found = {cell: set[Cell]() for cell in lattice.fundamental_cells}
    for cell, its in zip(lattice.fundamental_cells, ahead, strict=True):
        for vector in its:
            (home,) = lattice.homes(np.array([tuple(map(add, cell, vector))])).tolist()
            found[tuple(home)].add(tuple(-step for step in vector))
    return tuple(tuple(sorted(its)) for its in found.values())
