"""Congruent copies of points found by distances, without any group.

A frame is a few of the vectors from the first point to others, linearly independent. Vectors with
the same products among one another carry all points along, and nothing else is a congruent copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Constellation:
    """Points in space relative to the first of them, shape (n, 3), int64."""

    points: Array

    @cached_property
    def frame(self) -> tuple[int, ...]:
        """Which points, nearest first, are linearly independent: 0 to 3 of them."""
        chosen = list[int]()
        for number in np.argsort((self.points**2).sum(axis=1), kind="stable").tolist():
            gram = _products(self.points[[*chosen, number]])
            if round(float(np.linalg.det(gram))) != 0:
                chosen.append(number)
        return tuple(chosen)

    def images(self, candidates: Sequence[Array], *, reflections: bool) -> Iterator[Array]:
        """The images, shape (n, 3), for each way to choose one of the candidates for each vector.

        `candidates` has an array, shape (m, 3), for each vector of the frame. Images off the
        integer points are left out; mirror images too, unless `reflections`. What lies in a plane
        is its own mirror image.
        """
        rank = len(self.frame)
        for chosen in self._choices(np.empty((0, 3), dtype=np.int64), candidates):
            if rank == 3 and not reflections and self._volume * _volume(chosen) < 0:
                continue
            image = self._coordinates @ chosen
            if not (image % self._determinant).any():
                yield image // self._determinant

    def _choices(self, chosen: Array, candidates: Sequence[Array]) -> Iterator[Array]:
        """The vectors that have the frame's products, beginning with those `chosen`."""
        done = len(chosen)
        if done == len(self.frame):
            yield chosen
            return
        wanted = self._gram[done, : done + 1]
        own = candidates[done]
        fits = (own**2).sum(axis=1) == wanted[done]
        fits &= (own @ chosen.T == wanted[:done]).all(axis=1)
        for vector in own[fits]:
            yield from self._choices(np.vstack([chosen, vector]), candidates)

    @cached_property
    def _gram(self) -> Array:
        return _products(self.points[list(self.frame)])

    @cached_property
    def _determinant(self) -> int:
        return round(float(np.linalg.det(self._gram))) if self.frame else 1

    @cached_property
    def _coordinates(self) -> Array:
        """Of all points by the frame, times the determinant of its products."""
        if not self.frame:
            return np.zeros((len(self.points), 0), dtype=np.int64)
        adjugate = (np.linalg.inv(self._gram) * self._determinant).round().astype(np.int64)
        coordinates: Array = self.points @ self.points[list(self.frame)].T @ adjugate
        return coordinates

    @cached_property
    def _volume(self) -> int:
        return _volume(self.points[list(self.frame)])


def _products(vectors: Array) -> Array:
    products: Array = vectors @ vectors.T
    return products


def _volume(vectors: Array) -> int:
    return round(float(np.linalg.det(vectors)))
