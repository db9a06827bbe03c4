"""Lattices of edges: pieces are connected at vertices and must not cross there.

Pieces are flat. Two pieces may meet at a vertex, but not cross: for any four directions a < b < c
< d about a vertex, in cyclic order, at most one piece may go from a to c or from b to d.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import combinations
from math import atan2

import numpy as np

from dovetail.models.lattices.kinds.plane import HEXAGON
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells, Footprint, Solid
from dovetail.models.lattices.solids import upright
from dovetail.models.lattices.sublattice import (
    AT_60_DEGREES,
    EXCHANGE,
    HEIGHT,
    QUARTER_TURN,
    SIXTH_TURN,
    Tiling,
    identity,
)

HALF_WIDTH = 0.15  # half the width of a drawn edge, in units of its length


class EdgeLattice(PointLattice):
    """Lattice of edges between two points; edges that share a point are neighbours."""

    def crossings(self, cells: Cells) -> Cells:
        """Return a place for each quadruple of directions in which the piece crosses a vertex.

        A piece crosses in four directions about a vertex if it takes the first and the third, or
        the second and the fourth, in cyclic order. A place has the coordinates x and y of the
        vertex, and the number of the quadruple.
        """
        at = defaultdict[Cell, list[Cell]](list)
        for cell in cells:
            for point in self.corner_points(cell):
                at[point].append(cell)
        places = set[Cell]()
        for point, edges in at.items():
            if len(edges) > 1:
                coefficients, rest = self._steps.split(point)
                vector = self._periods.moved((0,) * len(self.axes), coefficients)
                direction = self._directions[rest]
                taken = sorted(direction[tuple(map(int.__sub__, edge, vector))] for edge in edges)
                for pair in combinations(taken, 2):
                    for number in self._crossed[rest].get(pair, ()):
                        places.add((*vector[:-1], number))
        return tuple(sorted(places))

    def footprint(self, cell: Cell) -> Footprint:
        """Return a slender hexagon between both ends."""
        here, there = (np.array(corner) for corner in self.corners(cell))
        along = there - here
        aside = HALF_WIDTH * np.array([-along[1], along[0]])
        near, far = here + HALF_WIDTH * along, there - HALF_WIDTH * along
        corners = (here, near + aside, far + aside, there, far - aside, near - aside)
        ends = (here, there)
        polygon, both = (
            tuple((float(x), float(y)) for x, y in points) for points in (corners, ends)
        )
        return Footprint(polygon, ends=both)

    def solid(self, cell: Cell) -> Solid:
        """Return a bar as high as it is wide."""
        return upright(self.footprint(cell), 2 * HALF_WIDTH)

    @cached_property
    def _directions(self) -> dict[Cell, dict[Cell, int]]:
        """Edges about a vertex of each class, with their numbers in cyclic order."""
        edges = defaultdict[Cell, set[Cell]](set)
        for home in self.fundamental_cells:
            for point in self.corner_points(home):
                coefficients, rest = self._steps.split(point)
                edges[rest].add(self._periods.moved(home, tuple(-times for times in coefficients)))
        return {
            point: {cell: number for number, cell in enumerate(self._about(point, cells))}
            for point, cells in edges.items()
        }

    def _about(self, point: Cell, cells: set[Cell]) -> list[Cell]:
        """Return `cells`, which are edges, in the order of their directions about a point."""
        frame = np.array(self.tiling.frame)

        def angle(cell: Cell) -> float:
            (other,) = set(self.corner_points(cell)) - {point}
            x, y = (np.array(other) - np.array(point)) @ frame
            return float(round(atan2(y, x), 6))

        return sorted(cells, key=angle)

    @cached_property
    def _crossed(self) -> dict[Cell, dict[tuple[int, int], tuple[int, ...]]]:
        """Numbers of the places that each pair of directions takes, by class of vertices."""
        found, number = {}, 0
        for point, edges in sorted(self._directions.items()):
            taken = defaultdict[tuple[int, int], list[int]](list)
            for a, b, c, d in combinations(range(len(edges)), 4):
                taken[a, c].append(number)
                taken[b, d].append(number)
                number += 1
            found[point] = {pair: tuple(places) for pair, places in taken.items()}
        return found


SQUARE_EDGES = Tiling(
    name="square-edges",
    axes=("x", "y", "d"),
    corners={
        (0, 0, 0): ((0, 0), (1, 0)),
        (0, 0, 1): ((0, 0), (0, 1)),
    },
    periods=((1, 0, 0), (0, 1, 0)),
    steps=identity(2),
    generators=(QUARTER_TURN, EXCHANGE),
    frame=((1.0, 0.0), (0.0, 1.0)),
    shared=1,
    text={(0, 0, 0): (1, 0), (0, 0, 1): (0, 1)},
    text_steps=identity(2, 2),
    title="edges of squares",
)

TRIANGULAR_EDGES = Tiling(
    name="triangular-edges",
    axes=("x", "y", "d"),
    corners={
        (0, 0, 0): ((0, 0), (1, 0)),
        (0, 0, 1): ((0, 0), (0, 1)),
        (0, 0, 2): ((0, 0), (-1, 1)),
    },
    periods=((1, 0, 0), (0, 1, 0)),
    steps=identity(2),
    generators=(SIXTH_TURN, EXCHANGE),
    frame=AT_60_DEGREES,
    shared=1,
    text={(0, 0, 0): (2, 0), (0, 0, 1): (1, 1), (0, 0, 2): (-1, 1)},
    text_steps=((4, 0), (2, 2)),
    title="edges of triangles",
)

# The origin is the centre of a hexagon, about which the honeycomb has all its isometries. The edges
# (0, 0, d) begin at the corner on the right of this hexagon.
HEXAGONAL_EDGES = Tiling(
    name="hexagonal-edges",
    axes=("x", "y", "d"),
    corners={
        (0, 0, 0): (HEXAGON[5], (4, -2)),
        (0, 0, 1): (HEXAGON[5], HEXAGON[0]),
        (0, 0, 2): (HEXAGON[5], HEXAGON[4]),
    },
    periods=((1, 0, 0), (0, 1, 0)),
    steps=identity(2, 3),
    generators=(SIXTH_TURN, EXCHANGE),
    frame=((0.5, HEIGHT / 3), (0.0, 2 * HEIGHT / 3)),
    shared=1,
    text={(0, 0, 0): (1, 0), (0, 0, 1): (0, 1), (0, 0, 2): (0, 0)},
    text_steps=((2, 1), (0, 2)),
    title="edges of hexagons",
)


def square_edges() -> EdgeLattice:
    """Return the lattice of edges (x, y, d) of the square grid.

    The edge goes from (x, y) to (x + 1, y) for d = 0 and to (x, y + 1) for d = 1.
    """
    return EdgeLattice(SQUARE_EDGES)


def triangular_edges() -> EdgeLattice:
    """Return the lattice of edges (x, y, d) of the triangular grid.

    The edge goes from (x, y) to (x + 1, y), (x, y + 1) or (x − 1, y + 1) for d = 0, 1, 2.
    """
    return EdgeLattice(TRIANGULAR_EDGES)


def hexagonal_edges() -> EdgeLattice:
    """Return the lattice of edges (x, y, d) of the honeycomb.

    The edge begins at the right corner of hexagon (x, y). Its direction is 0°, 120° or 240° for
    d = 0, 1, 2. The x axis has the direction 30°, the y axis 90°.
    """
    return EdgeLattice(HEXAGONAL_EDGES)
