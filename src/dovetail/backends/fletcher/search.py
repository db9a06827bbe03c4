"""A search by Fletcher's tree or de Bruijn's list: the kernel's arrays, and their readout.

A row of the stack has the orientations that fit at its target: first the waiting orientations, of
which the last is placed next, then the orientation that is placed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fletcher.board import FletcherBoard, board_for
from dovetail.backends.fletcher.kernels import layout
from dovetail.backends.fletcher.kernels.layout import FletcherStack, FletcherTables, Tree
from dovetail.backends.fletcher.orientations import Orientation, tree_of
from dovetail.backends.shared.hooks import HookedSearch
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.segments import KernelSegment
from dovetail.errors import ConfigError
from dovetail.kernels.layout import BUFFERED, LEVEL, PHASE, SOLUTIONS
from dovetail.models.packings.placements import Placements

Sifting = Literal["tree", "list"]

WORK_PER_NODE = 3  # part of `Budget.work` for a node
POSITION, FITTING, WAITING, FITS, ATTEMPTS, WINDOW = map(
    int,
    (
        layout.POSITION,
        layout.FITTING,
        layout.WAITING,
        layout.FITS,
        layout.ATTEMPTS,
        layout.WINDOW,
    ),
)


class FletcherSegments:
    """The tables of a puzzle, and the factory of searches below some placements.

    `orientations` has the orientations of all pieces that are not placed before.
    """

    def __init__(
        self, placements: Placements, orientations: Sequence[Orientation], sifting: Sifting
    ) -> None:
        self.placements, self.orientations = placements, orientations
        self.board = board_for(placements.coordinates, orientations, placements.lattice)
        self.tables = _tables(placements, orientations, self.board)
        listed = sifting == "list"
        self.tree = None if listed else _tree(placements, orientations, self.board)
        keys, numbers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for shape, turns in groupby(enumerate(orientations), lambda turn: turn[1].shape):
            its, numbered = np.flatnonzero(placements.shape == shape), list(turns)
            size = 1 + len(numbered[0][1].cells)
            place = self.board.place[placements.cells[its, -size:]]
            behind = place[:, 1:] - place[:, :1]
            for number, orientation in numbered:
                # because of the walls, equal distances in the row mean equal relative cells
                turned = (behind == self.board.offsets(orientation.cells)).all(axis=1)
                keys.append(number * self.board.places + place[turned, 0])
                numbers.append(its[turned])
        order = np.argsort(np.concatenate(keys))
        self._keys = np.concatenate(keys)[order].astype(np.uint64)
        self._numbers = np.concatenate(numbers)[order].astype(np.int32)

    def __call__(
        self, whole: Placements, placed: NDArray[np.int64], left: NDArray[np.int32] | None
    ) -> KernelSegment:
        pieces = sum(shape.max_count for shape in whole.shapes) - len(placed)
        every = np.arange(len(whole), dtype=np.int32)
        return KernelSegment(every, FletcherSearch(self, placed, pieces))

    def placements_of(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the placements for keys of the kernel: orientation · places + place of target."""
        found: NDArray[np.int32] = self._numbers[np.searchsorted(self._keys, keys)]
        return found

    def has(self, keys: NDArray[np.uint64]) -> bool:
        """Return whether all keys of the kernel are keys of placements."""
        return bool(np.isin(keys, self._keys).all())

    def keys_of(self, placements: Sequence[int]) -> NDArray[np.uint64]:
        """Return the kernel's keys of placements; placements without a key are left out."""
        return self._keys[np.isin(self._numbers, placements)]


class FletcherSearch(HookedSearch):
    """A search that places `pieces` pieces after the placements `placed`."""

    makes_a_node = True
    native = MappingProxyType({"cell_tests": layout.CELL_TESTS})

    def __init__(self, segments: FletcherSegments, placed: NDArray[np.int64], pieces: int) -> None:
        from dovetail.backends.fletcher.kernels.search import search

        self._kernel = search
        self._segments, board = segments, segments.board
        self._at_first = board.windows(segments.placements, placed.tolist())
        # a row has room for one orientation more, since each is written before it is tested
        width = layout.HEADER_SIZE + board.words + len(segments.orientations) + 1
        self._rows = np.zeros((pieces + 1, width), dtype=np.uint64)
        self._rows[pieces, WINDOW : WINDOW + board.words] = self._at_first[: board.words]
        self._found = WINDOW + board.words
        state = np.zeros(layout.STATE_SIZE, dtype=np.uint64)
        state[LEVEL], state[PHASE] = pieces, layout.DESCEND
        copies = [shape.max_count for shape in segments.placements.shapes]
        self._stack = FletcherStack(
            rows=self._rows.reshape(-1),
            pieces=np.uint64(pieces),
            width=np.uint64(width),
            copies=_unsigned([*copies, 0]),
            state=state,
        )
        rows = self._rows[:0:-1]
        attempts = rows[:, ATTEMPTS] if segments.tree is None else None
        super().__init__(state, pieces, pieces, rows[:, FITS], attempts, dtype=np.uint64)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        left = min(nodes - self.nodes, max(1, work // WORK_PER_NODE))
        reason = self._kernel(
            self._segments.tree,
            self._segments.tables,
            self._at_first,
            self._stack,
            (np.uint64(0),) * self._segments.board.words,
            solutions,
            self._guide,
            np.uint64(left),
        )
        return self.why_ended(reason, nodes)

    def take(self) -> NDArray[np.int32]:
        return self._segments.placements_of(self._solutions.take())

    def _can_be_cut(self) -> bool:
        """Return whether no reduction has removed a placement that fits at a target so far."""
        rows = range(int(self._state[LEVEL]) + 1, len(self._rows))
        looked_up = [self._keys(row, slice(int(self._rows[row, WAITING]) + 1)) for row in rows]
        return self._segments.has(np.concatenate([np.empty(0, dtype=np.uint64), *looked_up]))

    def _levels(self) -> Iterator[Level]:
        for row in range(len(self._rows) - 1, int(self._state[LEVEL]), -1):
            keys = self._keys(row, slice(int(self._rows[row, WAITING]) + 1))
            *untried, taken = self._segments.placements_of(keys).tolist()
            yield Level(taken, [untried[::-1]])
        if self._state[PHASE] == layout.DESCEND:  # the next target has not been looked up
            yield NOT_BRANCHED

    def _keep(self, options: Sequence[int]) -> None:
        before = self._state.copy()
        self.advance(Budget(work=WORK_PER_NODE, nodes=1))
        for entry in (SOLUTIONS, BUFFERED):  # drop a solution of this node: it is found again
            self._state[entry] = before[entry]
        remaining, keys = int(before[LEVEL]), self._segments.keys_of(options)
        row, waiting = self._rows[remaining], int(self._rows[remaining, WAITING])
        fits = np.isin(self._keys(remaining, slice(None)), keys)
        if self._state[LEVEL] + 1 != remaining or np.count_nonzero(fits) != len(options):
            raise ConfigError("sub-problem: fletcher does not branch on these options")
        kept = row[self._found : self._found + len(fits)][fits]
        placed = row[self._found + waiting]
        row[self._found : self._found + len(kept)] = kept
        row[self._found + len(kept)] = placed  # the kernel takes this placement back
        row[WAITING], row[FITTING] = len(kept), len(kept) + 1
        self._state[PHASE] = layout.RETURN

    def _keys(self, remaining: int, numbers: slice) -> NDArray[np.uint64]:
        """Return the kernel's keys of some placements of a row."""
        row = self._rows[remaining]
        orientations = row[self._found : self._found + int(row[FITTING])][numbers]
        keys: NDArray[np.uint64] = orientations * self._segments.tables.places + row[POSITION]
        return keys

    def _branches(self) -> Iterator[tuple[int, int]]:
        for row in self._rows[: int(self._state[LEVEL]) : -1].tolist():
            yield row[FITTING], row[WAITING]

    def _is_within_branch(self) -> bool:
        return True


def _tree(
    placements: Placements, orientations: Sequence[Orientation], board: FletcherBoard
) -> Tree:
    """Return Fletcher's tree as the kernel takes it."""
    steps = tree_of(orientations, placements.lattice)
    leaves = np.array([step.orientation for step in steps], dtype=np.int64)
    shape = np.array([*(orientation.shape for orientation in orientations), len(placements.shapes)])
    return Tree(
        tested=_unsigned([word for step in steps for word in board.mask((step.cell,))]),
        skip=_unsigned([step.skip for step in steps]),
        leaf=np.maximum(leaves, 0).astype(np.uint64),
        shape_at=shape[leaves].astype(np.uint64),  # NONE is −1: the last shape
    )


def _tables(
    placements: Placements, orientations: Sequence[Orientation], board: FletcherBoard
) -> FletcherTables:
    """Return the orientations as the kernel takes them."""
    shape = [orientation.shape for orientation in orientations]
    begin = np.searchsorted(shape, np.arange(len(placements.shapes) + 1))
    target = placements.lattice.fundamental_cells
    masks = (board.mask(target + orientation.cells) for orientation in orientations)
    return FletcherTables(
        begin=begin.astype(np.uint64),
        shape=_unsigned(shape),
        masks=_unsigned([word for mask in masks for word in mask]),
        places=np.uint64(board.places),
    )


def _unsigned(numbers: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(numbers, dtype=np.uint64)
