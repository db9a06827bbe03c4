"""Conversion of the solutions that a search finds into the solutions requested.

A search may find several images of a solution or, where a piece is restricted, an image of several
solutions. Where identical tiles are to be distinguished, it finds unlabelled boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.models.labelling import Labelling
from dovetail.models.reductions.redundancy import SymmetryBreaking
from dovetail.models.symmetry import SolutionClasses, canonical_of_orbits

PADDING = -1
COUNTED = "counted"  # the search itself counts, without expansion


class SymmetryExpansion(Protocol):
    """Converts solutions found into solutions requested. Rows hold option numbers."""

    @property
    def name(self) -> str:
        """Name in a result."""
        ...

    def count(self, found: NDArray[np.int32]) -> int:
        """Return the number of requested solutions for the rows `found`, shape (n, k)."""
        ...

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield the requested solutions in batches. A row is either counted or listed, once."""
        ...

    @property
    def adds(self) -> bool:
        """True if `listed` has solutions that have not been found."""
        ...


class AsFound:
    """Every solution found is a requested solution."""

    name = "as found"
    adds = False

    def count(self, found: NDArray[np.int32]) -> int:
        return len(found)

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        yield found


class CanonicalForms:
    """Passes on the first solution of each class under a group."""

    name = "canonical forms"
    adds = False

    def __init__(self, group: NDArray[np.int32]) -> None:
        self._classes = SolutionClasses(group)

    def count(self, found: NDArray[np.int32]) -> int:
        return len(self._classes.first_of_class(found))

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        yield self._classes.first_of_class(found)


class CanonicalSolutions:
    """Passes on solutions that are the canonical form of their class under a group.

    No state is kept: between them, the searches of all parts of a problem pass on a solution of
    each class. `among` are the options of the solutions, shape (options,), None for all.
    """

    name = "least forms"
    adds = False

    def __init__(self, group: NDArray[np.int32], among: NDArray[np.bool_] | None) -> None:
        self._group, self._among = group, among

    def count(self, found: NDArray[np.int32]) -> int:
        return sum(map(len, self.listed(found)))

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        yield canonical_of_orbits(found, self._group, self._among) if found.size else found


class StabilizerForms:
    """Passes on a solution of each class where a piece is restricted.

    The piece is restricted to an option of each orbit under all symmetries, so that two solutions
    of a class have it in the same place: some symmetry that fixes the piece maps the first to the
    second. A solution that is its own canonical form under these symmetries is passed on.
    """

    name = "least forms"
    adds = False

    def __init__(self, symmetry_breaking: SymmetryBreaking) -> None:
        self._group = symmetry_breaking.group
        self._orbit = np.append(symmetry_breaking.orbit, np.int32(0))  # 0 for the padding

    def count(self, found: NDArray[np.int32]) -> int:
        return sum(map(len, self.listed(found)))

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        if not len(found):
            yield found
            return
        restricted = found[np.arange(len(found)), self._orbit[found].argmax(axis=1)]
        whole = self._orbit[restricted] == len(self._group)
        kept = [found[whole]]
        for option in np.unique(restricted[~whole]):
            stays = self._group[self._group[:, option] == option]
            kept.append(canonical_of_orbits(found[restricted == option], stays))
        yield np.concatenate(kept)


class Images:
    """Expands solutions with a restricted piece into all their images."""

    name = "images"
    adds = True

    def __init__(self, symmetry_breaking: SymmetryBreaking) -> None:
        self._symmetry_breaking = symmetry_breaking
        self._weight = np.append(symmetry_breaking.orbit, np.int32(0))  # 0 for the padding
        self._transversals: dict[int, NDArray[np.int32]] = {}

    def count(self, found: NDArray[np.int32]) -> int:
        return int(self._weight[found].sum())

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        images = [found[:0], *map(self._images, found)]
        yield np.concatenate(images)

    def _images(self, row: NDArray[np.int32]) -> NDArray[np.int32]:
        restricted = int(row[self._weight[row] > 0][0])
        if restricted not in self._transversals:
            self._transversals[restricted] = self._symmetry_breaking.transversal(restricted)
        symmetries = self._transversals[restricted]
        padding = np.full((len(symmetries), 1), PADDING, dtype=np.int32)
        images: NDArray[np.int32] = np.hstack([symmetries, padding])[:, row]
        return images


class Labels:
    """Expands boards of interchangeable tiles into all ways to label their tiles.

    Rows hold options of the labelled board. Turns of the board map labellings of the same board to
    each other only if the board itself is symmetric: a turn moves every tile but the tile in the
    middle. `group` are the symmetries up to which solutions are counted, as permutations of the
    labelled options; `within` passes on a board of each class.
    """

    adds = True

    def __init__(
        self,
        labelling: Labelling,
        within: SymmetryExpansion,
        group: NDArray[np.int32],
    ) -> None:
        self._labelling, self._within, self._group = labelling, within, group
        self.name = f"{within.name}, labelled"

    def count(self, found: NDArray[np.int32]) -> int:
        if len(self._group) == 1:
            return self._within.count(self._labelling.plain(found)) * self._labelling.factor
        return sum(
            self._labelling.factor // len(self._turns_of(board))
            for boards in self._within.listed(self._labelling.plain(found))
            for board in boards
        )

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        for boards in self._within.listed(self._labelling.plain(found)):
            for board in boards:
                turns = self._turns_of(board)
                for labelled in self._labelling.every(board):
                    yield canonical_of_orbits(labelled, turns) if len(turns) > 1 else labelled

    def _turns_of(self, board: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the turns that map a board to itself, as permutations of labelled options."""
        labelled = self._labelling.first(board[None, :])[0]
        images = self._labelling.plain(self._group[:, labelled])
        same = (np.sort(images, axis=1) == np.sort(board)).all(axis=1)
        turns: NDArray[np.int32] = self._group[same]
        return turns
