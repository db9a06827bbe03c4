"""The redundancy filter: one piece is confined so that symmetric solutions are found once.

Source: Busche 2018, test case P1 ("the rotational redundancy filter"), generalised: the
orbits of the piece's placements under the puzzle's own symmetries decide, so that regions of
any outline, fixed pieces, one-sided sets and reflections need no rules of their own. A tile of
a board is confined likewise, a corner tile of a square board to one corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.models.kinds import Kinds


@dataclass(frozen=True, eq=False)
class Confinement:
    """A kind of option, a shape or a tile type, held to one option of each of its orbits.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `group` | (g, n) | int32 | the symmetries that carry the kind's options onto themselves |
    | `kept` | (n,) | bool | all options of other kinds, of this one the least of each orbit |
    | `orbit` | (n,) | int32 | how many images an option of the kind has under `group`, else 0 |

    Every solution has one option of the kind, and `orbit[p]` images of one that has the
    kept option p show all its places: a count of all solutions is the sum of `orbit`. When
    `complete`, the solutions found are one of each class under all of the puzzle's symmetries.
    """

    kind: int
    group: NDArray[np.int32]
    kept: NDArray[np.bool_]
    orbit: NDArray[np.int32]
    complete: bool

    @property
    def places(self) -> int:
        """How many options the kind keeps."""
        return int(np.count_nonzero(self.kept & (self.orbit > 0)))

    def transversal(self, option: int) -> NDArray[np.int32]:
        """Symmetries that carry a kept option to each of its images once, identity first."""
        _, first = np.unique(self.group[:, option], return_index=True)
        chosen: NDArray[np.int32] = self.group[np.sort(first)]
        return chosen


def confine(
    kinds: Kinds, symmetries: NDArray[np.int32], name: str | None = None
) -> Confinement | None:
    """Confine the kind of the piece or tile called `name`, or the one that is best for it.

    `symmetries` are the puzzle's as permutations of options, shape (g, n), identity first.
    Only a kind that is used exactly once can be confined. The best one has the largest
    orbits on average, which leaves fewest symmetric solutions to be found twice; of these,
    the fewest options left; of these, the first. None when no kind can be confined.

    Raises `ConfigError` for a name that is not in the puzzle or not used exactly once.
    """
    if name is not None:
        return _confined(kinds, symmetries, _kind_of(kinds, name))
    best = None
    for candidate in candidates(kinds, symmetries):
        count = np.count_nonzero(kinds.of_option == candidate.kind)
        if count == 0:
            continue
        merit = (count / candidate.places, -candidate.places)
        if best is None or merit > best[0]:
            best = (merit, candidate)
    return None if best is None else best[1]


def candidates(kinds: Kinds, symmetries: NDArray[np.int32]) -> Iterator[Confinement]:
    """Every kind that is used exactly once, confined."""
    for kind, once in enumerate(kinds.once):
        if once:
            yield _confined(kinds, symmetries, kind)


def _confined(kinds: Kinds, symmetries: NDArray[np.int32], kind: int) -> Confinement:
    own = np.flatnonzero(kinds.of_option == kind)
    acting = symmetries
    if len(own):
        acting = symmetries[kinds.of_option[symmetries[:, own[0]]] == kind]
    images = acting[:, own]
    kept = np.ones(len(kinds.of_option), dtype=bool)
    kept[own] = images.min(axis=0) == own if len(own) else True
    orbit = np.zeros(len(kinds.of_option), dtype=np.int32)
    ordered = np.sort(images, axis=0)
    orbit[own] = 1 + np.count_nonzero(np.diff(ordered, axis=0), axis=0)
    regular = bool(np.all(orbit[own] == len(acting)))
    complete = regular and len(acting) == len(symmetries)
    return Confinement(kind, acting, kept, orbit, complete)


def _kind_of(kinds: Kinds, name: str) -> int:
    names = [one for each in kinds.names for one in each]
    if name not in names:
        raise unknown_name(f"{kinds.noun} to confine", name, names)
    for kind, (each, once) in enumerate(zip(kinds.names, kinds.once, strict=True)):
        if name in each and once:
            return kind
    raise ConfigError(
        f"{kinds.noun} {shorten(name)!r} cannot be confined; expected one that is used exactly once"
    )
