"""The redundancy filter: one piece is confined so that symmetric solutions are found once.

Source: Busche 2018, test case P1 ("the rotational redundancy filter"), generalised: the
orbits of the piece's placements under the puzzle's own symmetries decide, so that regions of
any outline, fixed pieces, one-sided sets and reflections need no rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.models.placements import Placements


@dataclass(frozen=True, eq=False)
class Confinement:
    """A shape held to one placement of each of its orbits.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `group` | (g, n) | int32 | the symmetries that carry the shape's placements onto themselves |
    | `kept` | (n,) | bool | all placements of other shapes, of this one the least of each orbit |
    | `orbit` | (n,) | int32 | how many images a placement of the shape has under `group`, else 0 |

    Every solution has one placement of the shape, and `orbit[p]` images of one that has the
    kept placement p show all its places: a count of all solutions is the sum of `orbit`. When
    `complete`, the solutions found are one of each class under all of the puzzle's symmetries.
    """

    shape: int
    group: NDArray[np.int32]
    kept: NDArray[np.bool_]
    orbit: NDArray[np.int32]
    complete: bool

    @property
    def places(self) -> int:
        """How many placements the shape keeps."""
        return int(np.count_nonzero(self.kept & (self.orbit > 0)))

    def transversal(self, placement: int) -> NDArray[np.int32]:
        """Symmetries that carry a kept placement to each of its images once, identity first."""
        _, first = np.unique(self.group[:, placement], return_index=True)
        chosen: NDArray[np.int32] = self.group[np.sort(first)]
        return chosen


def confine(
    placements: Placements, symmetries: NDArray[np.int32], piece: str | None = None
) -> Confinement | None:
    """Confine the shape of `piece`, or the one that is best for it.

    `symmetries` are the puzzle's as permutations of placements, shape (g, n), identity first.
    Only a shape that is used exactly once can be confined. The best one has the largest
    orbits on average, which leaves fewest symmetric solutions to be found twice; of these,
    the fewest placements left; of these, the first. None when no shape can be confined.

    Raises `ConfigError` for a piece that is not in the puzzle or not used exactly once.
    """
    if piece is not None:
        return _confined(placements, symmetries, _shape_of(placements, piece))
    best = None
    for candidate in _candidates(placements, symmetries):
        count = np.count_nonzero(placements.shape == candidate.shape)
        if count == 0:
            continue
        merit = (count / candidate.places, -candidate.places)
        if best is None or merit > best[0]:
            best = (merit, candidate)
    return None if best is None else best[1]


def _candidates(placements: Placements, symmetries: NDArray[np.int32]) -> Iterator[Confinement]:
    """Every shape that is used exactly once, confined."""
    for shape, used in enumerate(placements.shapes):
        if used.least == used.most == 1:
            yield _confined(placements, symmetries, shape)


def _confined(placements: Placements, symmetries: NDArray[np.int32], shape: int) -> Confinement:
    own = np.flatnonzero(placements.shape == shape)
    acting = symmetries
    if len(own):
        acting = symmetries[placements.shape[symmetries[:, own[0]]] == shape]
    images = acting[:, own]
    kept = np.ones(len(placements), dtype=bool)
    kept[own] = images.min(axis=0) == own if len(own) else True
    orbit = np.zeros(len(placements), dtype=np.int32)
    ordered = np.sort(images, axis=0)
    orbit[own] = 1 + np.count_nonzero(np.diff(ordered, axis=0), axis=0)
    regular = bool(np.all(orbit[own] == len(acting)))
    complete = regular and len(acting) == len(symmetries)
    return Confinement(shape, acting, kept, orbit, complete)


def _shape_of(placements: Placements, piece: str) -> int:
    names = [name for shape in placements.shapes for name in shape.pieces]
    if piece not in names:
        raise unknown_name("piece to confine", piece, names)
    for shape, used in enumerate(placements.shapes):
        if piece in used.pieces and used.least == used.most == 1:
            return shape
    raise ConfigError(
        f"piece {shorten(piece)!r} cannot be confined; expected one that is used exactly once"
    )
