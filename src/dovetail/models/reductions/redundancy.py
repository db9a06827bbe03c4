"""The redundancy filter: a piece is restricted so that symmetric solutions are found once.

Source: Busche 2018, test case P1 ("the rotational redundancy filter"), generalised. The filter
keeps one placement of each orbit of the piece's placements under the puzzle's own symmetries. So
regions of any outline, fixed pieces, one-sided sets and reflections need no rules of their own. A
tile of a board is restricted in the same way, for example a corner tile to one corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.models.options.base import OptionGroups


@dataclass(frozen=True, eq=False)
class SymmetryBreaking:
    """An option group (a shape or tile type) restricted to one option of each orbit.

    There are n options; g symmetries map the options of the group to each other.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `group` | (g, n) | int32 | these symmetries as permutations of the options |
    | `kept` | (n,) | bool | all options of other groups, one option of each orbit of this group |
    | `orbit` | (n,) | int32 | number of images of each option of the group; 0 for other options |

    Every solution has exactly 1 option of the option group. A solution with the kept option p
    stands for `orbit[p]` solutions. The count of all solutions is the sum of these numbers.
    """

    option_group: int
    group: NDArray[np.int32]
    kept: NDArray[np.bool_]
    orbit: NDArray[np.int32]
    complete: bool
    """True if exactly one solution of each class under all of the puzzle's symmetries is found."""

    @property
    def places(self) -> int:
        """Number of options of the group that are kept."""
        return int(np.count_nonzero(self.kept & (self.orbit > 0)))

    def transversal(self, option: int) -> NDArray[np.int32]:
        """Return, for each image of a kept option, a symmetry that maps the option to it.

        The identity comes first.
        """
        _, first = np.unique(self.group[:, option], return_index=True)
        chosen: NDArray[np.int32] = self.group[np.sort(first)]
        return chosen


def break_symmetry(
    option_groups: OptionGroups,
    symmetries: NDArray[np.int32],
    name: str | None = None,
    ranks: NDArray[np.int64] | None = None,
) -> SymmetryBreaking | None:
    """Restrict the options of the piece or tile called `name`, or of the best candidate.

    `symmetries`: the puzzle's symmetries as permutations of options, shape (g, n), identity first.
    `ranks`: distinct numbers, shape (n,); the option with the lowest rank of each orbit is kept, by
    default the first option. Only a piece or tile that is used exactly once can be restricted. The
    best candidate has the largest orbits on average, so that the fewest symmetric solutions are
    found twice; ties go to the candidate with the fewest options left, then to the first candidate.
    Returns None if no piece or tile can be restricted.

    Raises `ConfigError` for a name that is not in the puzzle or not used exactly once.
    """
    if name is not None:
        return _break_with(option_groups, symmetries, _group_of(option_groups, name), ranks)
    best = None
    for candidate in candidates(option_groups, symmetries, ranks):
        count = np.count_nonzero(option_groups.of_option == candidate.option_group)
        if count == 0:
            continue
        merit = (count / candidate.places, -candidate.places)
        if best is None or merit > best[0]:
            best = (merit, candidate)
    return None if best is None else best[1]


def candidates(
    option_groups: OptionGroups,
    symmetries: NDArray[np.int32],
    ranks: NDArray[np.int64] | None = None,
) -> Iterator[SymmetryBreaking]:
    """Yield the symmetry breaking by each piece or tile that is used exactly once."""
    for option_group, once in enumerate(option_groups.once):
        if once:
            yield _break_with(option_groups, symmetries, option_group, ranks)


def _break_with(
    option_groups: OptionGroups,
    symmetries: NDArray[np.int32],
    option_group: int,
    ranks: NDArray[np.int64] | None,
) -> SymmetryBreaking:
    if ranks is None:
        ranks = np.arange(len(option_groups.of_option))
    members = np.flatnonzero(option_groups.of_option == option_group)
    acting = symmetries
    if len(members):
        acting = symmetries[option_groups.of_option[symmetries[:, members[0]]] == option_group]
    images = acting[:, members]
    kept = np.ones(len(option_groups.of_option), dtype=bool)
    kept[members] = ranks[images].min(axis=0) == ranks[members] if len(members) else True
    orbit = np.zeros(len(option_groups.of_option), dtype=np.int32)
    ordered = np.sort(images, axis=0)
    orbit[members] = 1 + np.count_nonzero(np.diff(ordered, axis=0), axis=0)
    regular = bool(np.all(orbit[members] == len(acting)))
    complete = regular and len(acting) == len(symmetries)
    return SymmetryBreaking(option_group, acting, kept, orbit, complete)


def _group_of(option_groups: OptionGroups, name: str) -> int:
    names = [member for each in option_groups.names for member in each]
    if name not in names:
        raise unknown_name(f"{option_groups.noun} to restrict", name, names)
    for option_group, (each, once) in enumerate(
        zip(option_groups.names, option_groups.once, strict=True)
    ):
        if name in each and once:
            return option_group
    raise ConfigError(
        f"{option_groups.noun} {shorten(name)!r} cannot be restricted; "
        "expected one that is used exactly once"
    )
