"""Pieces of cubes and prisms as closed surfaces of triangles.

A piece consists of convex parts. Each cell, inset from all of its faces, is a part. There is a part
between the cells around each inner face, edge and corner of the piece. Adjacent parts share a whole
face. There is no part where the piece meets itself only along an edge, so each edge of the surface
has two faces. The faces are moved outward by the bevel, and further faces join them along convex
edges. The moved faces lie half the gap inside the faces of the cells. In cells that are not
squares, corners between walls that are not at right angles are blunted by about the gap and the
bevel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice

SLIT = 0.02  # least gap of a piece that meets itself only along an edge, in millimetres
DIGITS = 5  # decimals of millimetres in which equal points agree
STRAIGHT = 1e-6  # largest sine of an angle that counts as straight
PRISMS = "square-1 to square-3, triangular, hexagonal, half-squares and prisms"

Array = NDArray[np.float64]
Mesh = tuple[Array, NDArray[np.int64]]
# A corner of an inset cell: number of the polygon, number of its corner, level, and 0 for the
# bottom or 1 for the top.
Corner = tuple[int, int, int, int]
Face = tuple[Corner, ...]


def require_prisms(lattice: Lattice) -> None:
    """Raise `PuzzleError` for a lattice whose cells are neither cubes nor right prisms."""
    cell = lattice.fundamental_cells[0]
    try:
        footprint, solid = lattice.footprint(cell), lattice.solid(cell)
    except PuzzleError:
        footprint = None
    if footprint is None or footprint.ends or len(footprint.layer) > 1 or not solid.faces:
        raise PuzzleError(f"STL and 3MF show cubes and prisms ({PRISMS}), not {lattice.name}")


def solid_mesh(lattice: Lattice, cells: Cells, size: float, gap: float, bevel: float) -> Mesh:
    """Return the surface of a piece: points, shape (n, 3), and triangles, shape (m, 3).

    Lengths are in millimetres; `size` is the side of a square. Triangles are anticlockwise, seen
    from outside. If an edge would have more than two faces, the gap is at least `SLIT`. Raises
    `ConfigError` if the gap and the bevel leave too little of a cell.
    """
    surface = _Surface(lattice, cells, size)
    if gap / 2 + bevel > 0.9 * surface.room:
        raise ConfigError(
            f"gap/2 + bevel is {gap / 2 + bevel:g} mm; cells of {size:g} mm allow at most "
            f"{0.9 * surface.room:.3g} mm"
        )
    mesh = surface.mesh(gap, bevel)
    sides = mesh[1][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    if len(np.unique(sides, axis=0)) == len(sides):
        return mesh
    return surface.mesh(max(gap, SLIT), bevel)


class _Surface:
    """The faces of a piece as corners of inset cells; the inset can vary."""

    def __init__(self, lattice: Lattice, cells: Cells, size: float) -> None:
        self._size = size
        numbers, layers = dict[Any, int](), defaultdict[int, set[int]](set)
        for cell in cells:
            polygon, layer, _ = lattice.footprint(cell)
            points = np.array(polygon[::-1], dtype=np.float64) * size  # anticlockwise
            key = tuple(map(tuple, (points.round(DIGITS) + 0.0).tolist()))
            layers[(*layer, 0)[0]].add(numbers.setdefault(key, len(numbers)))
        self._polygons = [np.array(key) for key in numbers]
        self._mitres = list[Array]()  # movement of each corner for an inset of 1
        self.room = size / 2
        for points in self._polygons:
            along = np.roll(points, -1, axis=0) - points
            inward = along @ [[0, 1], [-1, 0]] / np.linalg.norm(along, axis=1)[:, None]
            before = np.roll(inward, 1, axis=0)
            cosines = (before * inward).sum(axis=1, keepdims=True)
            self._mitres.append((before + inward) / (1 + cosines))
            apothems = ((points.mean(axis=0) - points) * inward).sum(axis=1)
            self.room = min(self.room, float(apothems.min()))
        parts = chain.from_iterable(
            _parts(list(numbers), layers[z], layers.get(z + 1, set()), z) for z in list(layers)
        )
        found = dict[frozenset[Corner], Face]()
        for face in parts:
            if found.pop(frozenset(face), None) is None:
                found[frozenset(face)] = face
        self._faces = list(found.values())

    def mesh(self, gap: float, bevel: float) -> Mesh:
        """Return the surface for a gap and a bevel."""
        inset = gap / 2 + bevel
        normals = [_normal(self._placed(face, self.room / 4)) for face in self._faces]
        groups, links, convex = self._groups(normals)
        bent = defaultdict[int, list[Array]](list)
        places = dict[int, Corner]()
        for (number, corner), group in groups.items():
            bent[group].append(normals[number])
            places[group] = corner
        points = np.empty((len(places), 3))
        for group, corner in places.items():
            across = np.unique(np.round(bent[group], DIGITS), axis=0)
            moved = np.linalg.lstsq(across, np.ones(len(across)), rcond=1e-6)[0]
            points[group] = self._placed([corner], inset)[0] + bevel * moved
        faces = [[groups[n, corner] for corner in face] for n, face in enumerate(self._faces)]
        return _welded(points, [*faces, *convex, *_cycles(links)])

    def _placed(self, corners: Iterable[Corner], inset: float) -> Array:
        return np.array(
            [
                (
                    *(self._polygons[n][k] + inset * self._mitres[n][k]),
                    (z + up) * self._size + (inset, -inset)[up],
                )
                for n, k, z, up in corners
            ]
        )

    def _groups(
        self, normals: Sequence[Array]
    ) -> tuple[dict[tuple[int, Corner], int], dict[int, int], list[list[int]]]:
        """Return the point of each corner of each face, links of points, and further faces.

        Faces that meet in a straight or concave edge have the same points at its ends. At each end
        of a convex edge, the points of the two faces are linked; the four points make a face.
        """
        beside = {side: n for n, face in enumerate(self._faces) for side in _sides(face)}
        parent = {(n, corner): (n, corner) for n, face in enumerate(self._faces) for corner in face}

        def root(node: tuple[int, Corner]) -> tuple[int, Corner]:
            while parent[node] != node:
                parent[node] = node = parent[parent[node]]
            return node

        outer = list[tuple[Corner, Corner]]()
        for (begin, end), face in beside.items():
            across = beside[end, begin]
            ahead = np.subtract(*self._placed([end, begin], self.room / 4))
            if np.cross(normals[face], normals[across]) @ ahead > STRAIGHT * np.linalg.norm(ahead):
                outer.append((begin, end))
            else:
                parent[root((face, begin))] = root((across, begin))
                parent[root((face, end))] = root((across, end))
        numbers = {node: n for n, node in enumerate(dict.fromkeys(map(root, parent)))}
        groups = {node: numbers[root(node)] for node in parent}
        links, convex = dict[int, int](), list[list[int]]()
        for begin, end in outer:
            face, across = beside[begin, end], beside[end, begin]
            links[groups[across, begin]] = groups[face, begin]
            if begin < end:
                around = ((face, end), (face, begin), (across, begin), (across, end))
                convex.append([groups[node] for node in around])
        return groups, links, convex


def _parts(polygons: Sequence[Any], level: set[int], above: set[int], z: int) -> Iterator[Face]:
    """Yield the faces of all parts in a level, and between this level and the level above."""
    for inside, low, high in ((level, (z, 0), (z, 1)), (level & above, (z, 1), (z + 1, 0))):
        for ring in _rings_in_plane(polygons, inside):
            yield tuple((*corner, *high) for corner in ring)
            yield tuple((*corner, *low) for corner in reversed(ring))
            for begin, end in _sides(ring):
                yield (*begin, *low), (*end, *low), (*end, *high), (*begin, *high)


def _rings_in_plane(polygons: Sequence[Any], inside: set[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield the rings of inset corners in a plane, in anticlockwise order.

    There is a ring for each polygon, for each side between two polygons, and for each inner corner.
    """
    starts, onward = dict[Any, tuple[int, int]](), dict[tuple[int, int], tuple[int, int]]()
    for n in inside:
        yield [(n, k) for k in range(len(polygons[n]))]
        starts |= {side: (n, k) for k, side in enumerate(_sides(polygons[n]))}
    for (begin, end), (n, k) in starts.items():
        if (end, begin) in starts:
            m, j = starts[end, begin]
            # In the polygon across the side, `begin` is the end of the side.
            back = (m, (j + 1) % len(polygons[m]))
            onward[n, k] = back
            if n < m:
                yield [(n, (k + 1) % len(polygons[n])), (n, k), back, (m, j)]
    yield from (ring[::-1] for ring in _cycles(onward))


def _sides(ring: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _normal(points: Array) -> Array:
    normal = np.cross(points[1] - points[0], points[2] - points[1])
    unit: Array = normal / np.linalg.norm(normal)
    return unit


def _cycles(onward: dict[Any, Any]) -> Iterator[list[Any]]:
    """Yield the closed walks along `onward`, and remove all of its links."""
    while onward:
        ring = [next(iter(onward))]
        while ring[-1] in onward:
            ring.append(onward.pop(ring[-1]))
        if ring[0] == ring[-1]:
            yield ring[:-1]


def _welded(points: Array, polygons: Iterable[Sequence[int]]) -> Mesh:
    """Return polygons as triangles, with equal points merged and without polygons of no area."""
    places, number = np.unique(points.round(DIGITS) + 0.0, axis=0, return_inverse=True)
    triangles = list[tuple[int, int, int]]()
    for polygon in polygons:
        named = number[polygon].tolist()
        first, *others = [point for point, after in _sides(named) if point != after] or [0]
        triangles += [(first, *pair) for pair in pairwise(others)]
    return places, np.array(triangles, dtype=np.int64)
