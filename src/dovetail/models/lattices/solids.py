"""Polyhedra in space, for the 3-D viewer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import atan2

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.protocol import Footprint, Solid

FLAT = 1e-6  # tolerance for a point in a plane: distance times the length of the normal


def upright(footprint: Footprint, height: float = 1.0) -> Solid:
    """Return the prism over a polygon; its base is at the layer's z, at 0 without layers."""
    low = float(footprint.layer[0]) if footprint.layer else 0.0
    polygon = footprint.polygon
    corners = tuple((x, y, z) for z in (low, low + height) for x, y in polygon)
    count = len(polygon)  # corners are clockwise, seen from above
    sides = ((n, n + count, (n + 1) % count + count, (n + 1) % count) for n in range(count))
    above = tuple(reversed(range(count, 2 * count)))
    return Solid(corners, (tuple(range(count)), above, *sides))


def hull_faces(corners: Sequence[Sequence[float]]) -> tuple[tuple[int, ...], ...]:
    """Return the faces of the convex hull of `corners`, by numbers of corners as in `Solid`.

    Every corner has to be a vertex of the hull. A single corner has no faces.
    """
    points = np.array(corners, dtype=np.float64)
    found = dict[tuple[int, ...], NDArray[np.float64]]()
    for triple in combinations(range(len(points)), 3):
        a, b, c = points[list(triple)]
        normal = np.cross(b - a, c - a)
        heights = (points - a) @ normal
        if heights.max() > FLAT:
            normal, heights = -normal, -heights
        if normal.any() and heights.max() <= FLAT:
            found.setdefault(tuple(np.flatnonzero(heights > -FLAT).tolist()), normal)
    return tuple(_anticlockwise(points, face, normal) for face, normal in found.items())


def _anticlockwise(
    points: NDArray[np.float64], face: tuple[int, ...], normal: NDArray[np.float64]
) -> tuple[int, ...]:
    """Return the corners of a face anticlockwise, seen from the end of its normal."""
    about = points[list(face)] - points[list(face)].mean(axis=0)
    right = about[0]
    up = np.cross(normal / np.linalg.norm(normal), right)
    angles = [atan2(point @ up, point @ right) for point in about]
    return tuple(corner for _, corner in sorted(zip(angles, face, strict=True)))
