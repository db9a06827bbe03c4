"""From the solutions that a search finds to those that were asked for.

A search may find several images of one solution, or, where a piece is confined, one image of
several solutions.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.models.reductions.redundancy import Confinement
from dovetail.models.symmetry import SolutionClasses

PADDING = -1


class Completion(Protocol):
    """What is done with solutions after they are found. Rows hold option numbers."""

    @property
    def name(self) -> str:
        """How a result names it."""
        ...

    def count(self, found: NDArray[np.int32]) -> int:
        """How many of those asked for the rows in `found`, shape (n, k), stand for."""
        ...

    def listed(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """The same ones themselves. A row is either counted or listed, once."""
        ...


class AsFound:
    """Every solution found is one that was asked for."""

    name = "as found"

    def count(self, found: NDArray[np.int32]) -> int:
        return len(found)

    def listed(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        return found


class CanonicalForms:
    """One of each class under a group is let through, whatever images are found."""

    name = "canonical forms"

    def __init__(self, group: NDArray[np.int32]) -> None:
        self._classes = SolutionClasses(group)

    def count(self, found: NDArray[np.int32]) -> int:
        return len(self.listed(found))

    def listed(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._classes.first_of_class(found)


class Images:
    """Solutions with a piece confined stand for all their images with it elsewhere."""

    name = "images"

    def __init__(self, confinement: Confinement) -> None:
        self._confinement = confinement
        self._weight = np.append(confinement.orbit, np.int32(0))  # none for the padding
        self._transversals: dict[int, NDArray[np.int32]] = {}

    def count(self, found: NDArray[np.int32]) -> int:
        return int(self._weight[found].sum())

    def listed(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        images = [found[:0], *map(self._images, found)]
        return np.concatenate(images)

    def _images(self, row: NDArray[np.int32]) -> NDArray[np.int32]:
        confined = int(row[self._weight[row] > 0][0])
        if confined not in self._transversals:
            self._transversals[confined] = self._confinement.transversal(confined)
        symmetries = self._transversals[confined]
        padding = np.full((len(symmetries), 1), PADDING, dtype=np.int32)
        images: NDArray[np.int32] = np.hstack([symmetries, padding])[:, row]
        return images
