"""Solids seen from above and from the side, where cells do not lie in layers.

Faces are drawn from back to front, each with its sides at which the surface bends or another piece
begins. Where the surface goes on without a bend, the next face is drawn with the face, and again in
its turn: in one path there is no seam between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, sin
from xml.etree.ElementTree import Element

import numpy as np

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.reports.elements import element
from dovetail.reports.pictures.geometry import DIGITS, SIDE, Array, at

# View of the viewer at its start, in radians: turned to the left, and seen from above.
AZIMUTH, ELEVATION = 0.55, 0.5
RIGHT = np.array([cos(AZIMUTH), sin(AZIMUTH), 0.0])
TOWARDS = np.array([sin(AZIMUTH) * cos(ELEVATION), -cos(AZIMUTH) * cos(ELEVATION), sin(ELEVATION)])
UP = np.cross(TOWARDS, RIGHT)
SUN = np.array([-0.15, -0.35, 0.92])
DARKEST = 0.45  # how much darker a face is that is turned away from the light
LENGTH = 2.0  # of a unit of the lattice, in sides of a square: cells are small

Corner = tuple[float, ...]
Solids = Sequence[tuple[str, Cells, str]]  # name, cells, CSS class


@dataclass
class _Face:
    # Number of its piece.
    piece: int
    points: Array
    normal: Array
    corners: tuple[Corner, ...]
    # Indices of the sides with a line.
    sharp: list[int] = field(default_factory=list)
    # Faces at the other sides.
    next: list[_Face] = field(default_factory=list)

    def sides(self) -> Iterator[frozenset[Corner]]:
        return (frozenset(side) for side in pairwise([*self.corners, self.corners[0]]))


def lies_in_layers(lattice: Lattice) -> bool:
    """Return True if cells have a footprint, False if they are drawn as solids.

    Raises `PuzzleError` if the lattice has neither.
    """
    cell = lattice.fundamental_cells[0]
    try:
        lattice.footprint(cell)
    except PuzzleError as no_footprint:
        with suppress(PuzzleError):
            if lattice.solid(cell).faces:
                return False
        raise no_footprint from None
    return True


def oblique(lattice: Lattice, solids: Solids) -> tuple[float, float, tuple[Element, ...]]:
    """Return width and height in units of the drawing, and the shapes of the visible faces."""
    faces = _outer_faces(lattice, solids)
    _mark_sharp_sides(faces)
    seen = sorted(
        (face for face in faces if face.normal @ TOWARDS > 0.1**DIGITS),
        key=lambda face: float((face.points @ TOWARDS).mean().round(DIGITS)),
    )
    paper = LENGTH * np.stack([RIGHT, -UP], axis=1)
    flat = np.vstack([face.points @ paper for face in seen])
    corner = flat.min(axis=0)
    places = [[at(point) for point in (face.points @ paper - corner).tolist()] for face in seen]
    paths = [f"M{'L'.join(corners)}Z" for corners in places]
    turns = {id(face): turn for turn, face in enumerate(seen)}
    shapes = list[Element]()
    for turn, face in enumerate(seen):
        later = sorted(one for other in face.next if (one := turns.get(id(other), -1)) > turn)
        path = "".join(paths[one] for one in (turn, *later))
        name, _, style = solids[face.piece]
        title = element("title", name) if name else None
        shapes.append(element("path", title, class_=f"face {style}", d=path))
        opacity = DARKEST * (1 - float(face.normal @ SUN)) / 2
        shapes.append(element("path", class_="shade", style=f"opacity:{opacity:.2f}", d=path))
        if face.sharp:
            corners = [*places[turn], places[turn][0]]
            lines = "".join(f"M{corners[side]}L{corners[side + 1]}" for side in face.sharp)
            shapes.append(element("path", class_="ridge", d=lines))
    width, height = (SIDE * (flat.max(axis=0) - corner)).tolist()
    return width, height, tuple(shapes)


def _outer_faces(lattice: Lattice, solids: Solids) -> list[_Face]:
    """Return the faces that no two cells share."""
    found = defaultdict[frozenset[Corner], list[_Face]](list)
    for number, (_, cells, _) in enumerate(solids):
        for cell in cells:
            corners, faces = lattice.solid(cell)
            for face in faces:
                points = np.array([corners[corner] for corner in face])
                normal = np.cross(points[1] - points[0], points[2] - points[0])
                keys = tuple(tuple((point.round(DIGITS) + 0.0).tolist()) for point in points)
                drawn = _Face(number, points, normal / np.linalg.norm(normal), keys)
                found[frozenset(keys)].append(drawn)
    return [same[0] for same in found.values() if len(same) == 1]


def _mark_sharp_sides(faces: Sequence[_Face]) -> None:
    """Mark all sides, except where the surface of a piece goes on without a bend to a next face."""
    beside = defaultdict[frozenset[Corner], list[_Face]](list)
    for face in faces:
        for side in face.sides():
            beside[side].append(face)
    for face in faces:
        for number, side in enumerate(face.sides()):
            flat = [
                other
                for other in beside[side]
                if other is not face
                and other.piece == face.piece
                and other.normal @ face.normal > 1 - 0.1**DIGITS
            ]
            face.next += flat
            if not flat:
                face.sharp.append(number)
