"""Congruent copies of sets of points, found by distances without a symmetry group.

A frame consists of up to three linearly independent vectors from the first point to other points.
Other vectors with the same inner products determine a congruent copy, and all copies arise in this
way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError

Array = NDArray[np.int64]

# Maximum length of a vector of a frame. With coordinates up to `LARGEST_COORDINATE`, products
# fit into int64, and the lattice vectors of this length can still be enumerated.
MAX_FRAME_LENGTH = 1_000


@dataclass(frozen=True, eq=False)
class Constellation:
    """Points in space relative to the first of them, shape (n, 3), int64."""

    points: Array

    @cached_property
    def frame(self) -> tuple[int, ...]:
        """Numbers of 0 to 3 linearly independent points, nearest first.

        Raises `PuzzleError` if one of these points is farther away than `MAX_FRAME_LENGTH`.
        """
        lengths = (self.points**2).sum(axis=1)
        nearest = np.argsort(lengths, kind="stable")
        chosen = list[int]()
        for _ in range(self.points.shape[1]):
            outside = nearest[_outside(self.points[chosen], self.points[nearest])]
            if not len(outside):
                break
            if lengths[outside[0]] > MAX_FRAME_LENGTH**2:
                away = tuple(self.points[outside[0]].tolist())
                raise PuzzleError(
                    f"cells of a piece are {away} apart, which is too far to find its images; the "
                    f"limit is a distance of {MAX_FRAME_LENGTH:,}"
                )
            chosen.append(int(outside[0]))
        return tuple(chosen)

    def images(self, candidates: Sequence[Array], *, reflections: bool) -> Iterator[Array]:
        """Yield the congruent copies, shape (n, 3), whose frame vectors are among `candidates`.

        `candidates` has an array, shape (m, 3), for each vector of the frame. Copies that do not
        consist of integer points are left out, and so are mirror images unless `reflections`. A
        planar set is its own mirror image.
        """
        rank = len(self.frame)
        coordinates, factor = self._scaled
        for chosen in self._choices(np.empty((0, 3), dtype=np.int64), candidates):
            if rank == 3 and not reflections and factor * _volume(chosen) < 0:
                continue
            image = coordinates @ chosen
            if not (image % factor).any():
                yield image // factor

    def _choices(self, chosen: Array, candidates: Sequence[Array]) -> Iterator[Array]:
        """Yield lists of candidates that begin with `chosen`, with the frame's inner products."""
        done = len(chosen)
        if done == len(self.frame):
            yield chosen
            return
        wanted = self._gram[done, : done + 1]
        vectors = candidates[done]
        fits = (vectors**2).sum(axis=1) == wanted[done]
        fits &= (vectors @ chosen.T == wanted[:done]).all(axis=1)
        for vector in vectors[fits]:
            yield from self._choices(np.vstack([chosen, vector]), candidates)

    @cached_property
    def _vectors(self) -> Array:
        return self.points[list(self.frame)]

    @cached_property
    def _gram(self) -> Array:
        gram: Array = self._vectors @ self._vectors.T
        return gram

    @cached_property
    def _scaled(self) -> tuple[Array, int]:
        """Coordinates of all points along the frame vectors, times a factor, and the factor.

        The coordinates are integers of shape (n, rank). The factor is a squared length for rank 1,
        a squared area for rank 2, and a signed volume for rank 3.
        """
        match len(self.frame):
            case 0:
                return np.zeros((len(self.points), 0), dtype=np.int64), 1
            case 1:
                return self.points @ self._vectors.T, int(self._gram[0, 0])
            case 2:
                (a, b), (_, c) = self._gram
                planar = self.points @ self._vectors.T @ np.array([[c, -b], [-b, a]])
                return planar, int(a * c - b * b)
            case _:
                first, second, third = self._vectors
                dual = [np.cross(second, third), np.cross(third, first), np.cross(first, second)]
                return self.points @ np.array(dual).T, _volume(self._vectors)


def _outside(vectors: Array, points: Array) -> NDArray[np.bool_]:
    """Return a mask of the points outside the span of up to two independent vectors."""
    match len(vectors):
        case 0:
            rests = points
        case 1:
            rests = np.cross(points, vectors[0])
        case _:
            rests = (points @ np.cross(*vectors))[:, None]
    outside: NDArray[np.bool_] = np.any(rests != 0, axis=1)
    return outside


def _volume(vectors: Array) -> int:
    first, second, third = vectors
    return int(first @ np.cross(second, third))
