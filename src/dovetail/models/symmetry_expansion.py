"""Conversion of the solutions that a search finds into the solutions requested.

A search may find several images of one solution. If symmetry breaking restricts a piece, a solution
found may stand for several solutions. Searches find unlabelled boards, even if the request
distinguishes identical tiles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from dovetail.models.arrays import PADDING
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.reductions.least_images import LeastImages
from dovetail.models.reductions.redundancy import SymmetryBreaking
from dovetail.models.request import Symmetry
from dovetail.models.symmetry import (
    RowNumbers,
    SolutionClasses,
    canonical_and_fixed,
    canonical_of_orbits,
)

NO_OPTION = -1
MAX_ENTRIES = 2**18  # array entries of a batch of labelled boards


class Labelling:
    """Converts boards between unlabelled options (tile types) and labelled options (single tiles).

    Boards are rows of option numbers, shape (n, cells), int32.
    """

    def __init__(self, options: EdgeOptions, labelled: EdgeOptions) -> None:
        self._options, self._every = options, labelled
        hinted = {hint.tile for hint in options.puzzle.hints}
        cell_at = options.puzzle.geometry.cell
        places = {cell_at(hint.position): hint.tile for hint in options.puzzle.hints}
        free = [
            [tile for tile in tile_type.tiles if tile not in hinted] for tile_type in options.types
        ]
        self._free = np.array([len(tiles) for tiles in free], dtype=np.int64)
        table = np.column_stack([labelled.cell, labelled.tile_type, labelled.sides])
        # Column c: for each option, the labelled option with the c-th free tile of its type.
        columns = []
        for copy in range(max(1, int(self._free.max(initial=0)))):
            tile = [
                places.get(
                    cell, free[tile_type][copy] if copy < len(free[tile_type]) else NO_OPTION
                )
                for cell, tile_type in zip(
                    options.cell.tolist(), options.tile_type.tolist(), strict=True
                )
            ]
            rows = np.column_stack([options.cell, np.array(tile, dtype=np.int32), options.sides])
            columns.append(RowNumbers(table).of(rows.astype(np.int32)))
        self._labelled = np.column_stack(columns).astype(np.int32)
        self._hinted_cell = np.isin(options.cell, list(places))
        self._plain = np.full(labelled.option_count, NO_OPTION, dtype=np.int32)
        named = self._labelled[self._labelled != NO_OPTION]
        self._plain[named] = np.nonzero(self._labelled != NO_OPTION)[0]

    @cached_property
    def factor(self) -> int:
        """Number of labelled boards per unlabelled board."""
        return prod(map(factorial, self._free.tolist()))

    def turns(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return the symmetries of labelled boards as permutations of the unlabelled options."""
        return self._options.moved_options(self._every.motions(symmetry))

    def plain(self, labelled: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return labelled boards without their labels."""
        boards: NDArray[np.int32] = self._plain[labelled]
        return boards

    def first(self, boards: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return each board with its first labelling.

        The tiles of a type are assigned, in order, to the options of the type in ascending order.
        """
        tile_type = self._options.tile_type[boards]
        tile_type = np.where(self._hinted_cell[boards], -1, tile_type)
        order = np.lexsort((boards, tile_type), axis=1)
        sorted_type = np.take_along_axis(tile_type, order, 1)
        number = np.arange(boards.shape[1])
        begins = np.ones(boards.shape, dtype=bool)
        begins[:, 1:] = sorted_type[:, 1:] != sorted_type[:, :-1]
        first = np.maximum.accumulate(np.where(begins, number, 0), axis=1)
        copy = np.empty(boards.shape, dtype=np.int64)
        np.put_along_axis(copy, order, number - first, 1)
        copy[tile_type == -1] = 0
        labelled: NDArray[np.int32] = self._labelled[boards, copy]
        return labelled

    def every(self, board: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield all labellings of a board, whose shape is (cells,), in batches."""
        tile_type = np.where(self._hinted_cell[board], -1, self._options.tile_type[board])
        repeated = [t for t in np.unique(tile_type[tile_type >= 0]).tolist() if self._free[t] > 1]
        places = [np.flatnonzero(tile_type == t) for t in repeated]
        labels = _orders([len(where) for where in places])
        moving = np.concatenate([*places, np.empty(0, dtype=np.int64)]).astype(np.int64)
        rows = max(1, MAX_ENTRIES // max(1, len(board)))
        base = self.first(board[None, :])[0]
        while batch := list(islice(labels, rows)):
            boards = np.tile(base, (len(batch), 1))
            if len(moving):
                copies = np.array(batch, dtype=np.int64)
                boards[:, moving] = self._labelled[board[moving], copies]
            yield boards


def _orders(sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all concatenations of a permutation of `range(size)` for each of `sizes`."""
    if not sizes:
        yield ()
        return
    for first in permutations(range(sizes[0])):
        for others in _orders(sizes[1:]):
            yield first + others


COUNTED = "counted"  # name for a search that counts solutions itself, without expansion


class SymmetryExpansion(ABC):
    """Converts solutions found into solutions requested. Rows hold option numbers."""

    name: str
    """Name in a result."""
    adds: bool = False
    """True if `listed` yields solutions that the search has not found."""
    other: int | None = None
    """Number of solutions so far by the other convention; None if it is not counted.

    If the request counts up to symmetry, the other convention counts all solutions; if the request
    counts all solutions, the other convention counts up to symmetry."""

    def count(self, found: NDArray[np.int32]) -> int:
        """Return the number of requested solutions for the rows `found`, shape (n, k)."""
        return sum(map(len, self.listed(found)))

    @abstractmethod
    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield the requested solutions for the rows `found`, in batches.

        Pass each row once, either to `count` or to `listed`, since expansions may keep state.
        """


class AsFound(SymmetryExpansion):
    """Every solution found is a requested solution."""

    name = "as found"

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        yield found


class CanonicalForms(SymmetryExpansion):
    """Passes on the first solution of each class under a group.

    `finds_all`: whether the search finds every solution of each class; if so, `other` counts them.
    """

    name = "canonical forms"

    def __init__(self, group: NDArray[np.int32], *, finds_all: bool) -> None:
        self._classes = SolutionClasses(group)
        self.other = 0 if finds_all else None

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        if self.other is not None:
            self.other += len(found)
        yield self._classes.first_of_class(found)


class LeastFormSolutions(SymmetryExpansion):
    """Passes on the solutions that are the canonical form of their class under a group.

    No state is kept, so that parts of a problem can be searched separately. Together, the searches
    pass on one solution of each class. `among`: mask of the options that solutions may have, shape
    (options,); None for all options.
    """

    name = "least forms"

    def __init__(self, group: NDArray[np.int32], among: NDArray[np.bool_] | None) -> None:
        self._group, self._among = group, among

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        yield canonical_of_orbits(found, self._group, self._among)


class StabilizerForms(SymmetryExpansion):
    """Passes on one solution of each class, for a search in which a piece is restricted.

    The piece is restricted to one option of each orbit under all symmetries. If the
    search finds two solutions of a class, the piece is in the same place in both, and a symmetry
    that fixes the piece maps the first to the second. The canonical form under the symmetries that
    fix the piece is passed on.
    """

    name = "least forms"
    other: int = 0

    def __init__(self, symmetry_breaking: SymmetryBreaking) -> None:
        self._group = symmetry_breaking.group
        self._orbit = np.append(symmetry_breaking.orbit, np.int32(0))  # 0 for the padding

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        if not len(found):
            yield found
            return
        restricted = found[np.arange(len(found)), self._orbit[found].argmax(axis=1)]
        images = self._orbit[restricted]
        self.other += int(images.sum())
        whole = images == len(self._group)
        kept = [found[whole]]
        for option in np.unique(restricted[~whole]):
            stays = self._group[self._group[:, option] == option]
            kept.append(canonical_of_orbits(found[restricted == option], stays))
        yield np.concatenate(kept)


class LeastImageSolutions(SymmetryExpansion):
    """Passes on the solutions that are the least of their images; with `every`, all their images.

    The parts of `LeastImages` are disjoint. For each class, one part has the least image.
    """

    name = "least images"
    other: int = 0

    def __init__(self, least_images: LeastImages, *, every: bool) -> None:
        self.adds = every
        self._group = least_images.ranked_group
        self._rank = np.append(least_images.rank, np.int32(PADDING))
        self._option = np.append(np.argsort(least_images.rank), PADDING).astype(np.int32)

    def count(self, found: NDArray[np.int32]) -> int:
        least, images = self._least(found)
        return images if self.adds else len(least)

    def _least(self, found: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
        """Return the rows of `found` that are least images, as ranks, and the number of images.

        Adds the number by the other convention to `other`.
        """
        least, fixed = canonical_and_fixed(self._rank[found], self._group)
        images = int((len(self._group) // fixed).sum())
        self.other += len(least) if self.adds else images
        return least, images

    def listed(self, found: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        least, _ = self._least(found)
        if not self.adds:
            yield self._option[least]
            return
        padding = np.full((len(self._group), 1), PADDING, dtype=np.int32)
        images = np.hstack([self._group, padding])
        for row in least:
            yield self._option[np.unique(np.sort(images[:, row], axis=1), axis=0)]


class Images(SymmetryExpansion):
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


class Labels(SymmetryExpansion):
    """Expands boards of interchangeable tiles into all ways to label their tiles.

    Rows hold labelled options. Only a turn that maps the unlabelled board to itself maps one
    labelling of the board to another. `group`: the symmetries up to which solutions are counted, as
    permutations of the labelled options. `within` passes on one unlabelled board of each class.
    """

    adds = True

    def __init__(
        self, labelling: Labelling, within: SymmetryExpansion, group: NDArray[np.int32]
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
        """Return the turns that map a board to itself, as permutations of labelled options.

        Of turns that move no tile of the board differently, such as the identity and the reflection
        of a single row in which tiles are their own mirror images, only the first is returned.
        """
        labelled = self._labelling.first(board[None, :])[0]
        images = self._labelling.plain(self._group[:, labelled])
        same = (np.sort(images, axis=1) == np.sort(board)).all(axis=1)
        _, first = np.unique(np.sort(self._group[same][:, labelled]), axis=0, return_index=True)
        turns: NDArray[np.int32] = self._group[same][np.sort(first)]
        return turns
