"""Solids seen from above and aside, where cells do not lie in layers.

Faces are drawn from the back to the front, each with those of its sides at which the surface bends
or another piece begins. Where it goes on without a bend, the next face is drawn with this one, and
again in its turn: in one path there is no seam between them.
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
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.reports.elements import element
from dovetail.reports.pictures.outline import DIGITS, SIDE, in_units

# As the viewer begins, in radians: turned to the left, and looked at from above.
AZIMUTH, ELEVATION = 0.55, 0.5
RIGHT = np.array([cos(AZIMUTH), sin(AZIMUTH), 0.0])
TOWARDS = np.array([sin(AZIMUTH) * cos(ELEVATION), -cos(AZIMUTH) * cos(ELEVATION), sin(ELEVATION)])
UP = np.cross(TOWARDS, RIGHT)
LIGHT = np.array([-0.15, -0.35, 0.92])
DARKEST = 0.45  # how much darker a face is that is turned away from the light
LENGTH = 2.0  # of what is 1 long in the lattice, in sides of a square: cells are small

Array = NDArray[np.float64]
Corner = tuple[float, ...]
Solids = Sequence[tuple[str, Cells, str]]  # name, cells, style


@dataclass
class _Face:
    """A face of a piece, by its number; `sharp` are the sides that a line goes along.

    `next` are the faces at the other sides.
    """

    piece: int
    points: Array
    normal: Array
    corners: tuple[Corner, ...]
    sharp: list[int] = field(default_factory=list)
    next: list[_Face] = field(default_factory=list)


def lies_in_layers(lattice: Lattice) -> bool:
    """Whether cells have a footprint; if not, and they are solids, they are drawn as these.

    Raises `PuzzleError` where the lattice has neither.
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
    """Width and height in units of the drawing, and the shapes of what is seen of `solids`."""
    faces = _outer_faces(lattice, solids)
    _mark_sharp_sides(faces)
    seen = sorted(
        (face for face in faces if face.normal @ TOWARDS > 0.1**DIGITS),
        key=lambda face: float((face.points @ TOWARDS).mean().round(DIGITS)),
    )
    paper = LENGTH * np.stack([RIGHT, -UP], axis=1)
    flat = np.vstack([face.points @ paper for face in seen])
    corner = flat.min(axis=0)
    drawn = [_path(face.points @ paper - corner) for face in seen]
    turns = {id(face): turn for turn, face in enumerate(seen)}
    shapes = list[Element]()
    for turn, face in enumerate(seen):
        later = sorted(one for other in face.next if (one := turns.get(id(other), -1)) > turn)
        path = "".join(drawn[one] for one in (turn, *later))
        shapes += _shapes(face, path, solids)
        shapes += _ridges(face, face.points @ paper - corner)
    width, height = (SIDE * (flat.max(axis=0) - corner)).tolist()
    return width, height, tuple(shapes)


def _outer_faces(lattice: Lattice, solids: Solids) -> list[_Face]:
    """The faces that no two cells have in common."""
    found = defaultdict[frozenset[Corner], list[_Face]](list)
    for number, (_, cells, _) in enumerate(solids):
        for cell in cells:
            corners, faces = lattice.solid(cell)
            for face in faces:
                points = np.array([corners[corner] for corner in face])
                normal = np.cross(points[1] - points[0], points[2] - points[0])
                keys = tuple(tuple((point.round(DIGITS) + 0.0).tolist()) for point in points)
                made = _Face(number, points, normal / np.linalg.norm(normal), keys)
                found[frozenset(keys)].append(made)
    return [same[0] for same in found.values() if len(same) == 1]


def _mark_sharp_sides(faces: Sequence[_Face]) -> None:
    """All but those at which the surface of one piece goes on without a bend: there it is next."""
    at = defaultdict[frozenset[Corner], list[_Face]](list)
    for face in faces:
        for side in _sides(face):
            at[side].append(face)
    for face in faces:
        for number, side in enumerate(_sides(face)):
            flat = [
                other
                for other in at[side]
                if other is not face
                and other.piece == face.piece
                and other.normal @ face.normal > 1 - 0.1**DIGITS
            ]
            face.next += flat
            if not flat:
                face.sharp.append(number)


def _sides(face: _Face) -> Iterator[frozenset[Corner]]:
    return (frozenset(side) for side in pairwise([*face.corners, face.corners[0]]))


def _path(points: Array) -> str:
    return f"M{'L'.join(_at(points))}Z"


def _at(points: Array) -> list[str]:
    return [f"{in_units(x)} {in_units(y)}" for x, y in points.tolist()]


def _shapes(face: _Face, path: str, solids: Solids) -> Iterator[Element]:
    """Yield a face, as far as `path` goes, and the shade on it."""
    name, _, style = solids[face.piece]
    yield element("path", element("title", name) if name else None, class_=f"face {style}", d=path)
    shade = DARKEST * (1 - float(face.normal @ LIGHT)) / 2
    yield element("path", class_="shade", style=f"opacity:{shade:.2f}", d=path)


def _ridges(face: _Face, points: Array) -> Iterator[Element]:
    """Yield the lines along its sharp sides."""
    if face.sharp:
        at = _at(points)
        ends = ((at[number], at[(number + 1) % len(at)]) for number in face.sharp)
        yield element("path", class_="ridge", d="".join(f"M{a}L{b}" for a, b in ends))
