"""One search by Fletcher's tree or de Bruijn's list: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fletcher.board import Board, board_for
from dovetail.backends.fletcher.kernels import layout
from dovetail.backends.fletcher.kernels.layout import Stack, Tables, Tree
from dovetail.backends.fletcher.orientations import Orientation
from dovetail.backends.fletcher.parts import Rows
from dovetail.backends.fletcher.tree import tree_of
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, KernelSearch, Level
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, PHASE, SOLUTIONS
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.errors import ConfigError
from dovetail.kernels.slices import EXHAUSTED, NODE_LIMIT, WORK_SPENT
from dovetail.models.placements import Placements

Sifting = Literal["tree", "list"]

WORK_PER_NODE = 3  # of a budget's


class FletcherSearch(KernelSearch):
    """Makes each of the `first` placements in turn and searches below it by `orientations`.

    `first` are placements of one piece, which has none of the orientations; None where no piece
    comes first, and then `orientations` are those of all. Rows of `take` are placements by
    their numbers.
    """

    native = MappingProxyType({"cell_tests": layout.CELL_TESTS})

    def __init__(
        self,
        placements: Placements,
        pieces: int,
        first: Sequence[int] | None,
        orientations: Sequence[Orientation],
        sifting: Sifting,
    ) -> None:
        from dovetail.backends.fletcher.kernels.search import search

        self._placements = placements
        self._first = None if first is None else list(first)
        self._pieces = pieces if first is None else pieces - 1
        self._begun, self._under_way = 0, False
        self._board = board_for(placements.coordinates, orientations, placements.lattice)
        self._lookup = _Lookup(placements, orientations, self._board)
        self._kernel: Any = search
        listed = sifting == "list"
        self._tree = None if listed else _tree(placements, orientations, self._board)
        self._tables = _tables(placements, orientations, self._board)
        self._at_first = np.empty(0, dtype=np.uint64)
        self._window = (np.uint64(0),) * self._board.words
        # a row has room for one more than can fit: what is looked at is written first
        width = layout.HEADER_SIZE + self._board.words + len(orientations) + 1
        self._rows = np.zeros((pieces + 1, width), dtype=np.uint64)  # the first piece in the last
        state = np.zeros(layout.STATE_SIZE, dtype=np.uint64)
        self._stack = Stack(
            rows=self._rows.reshape(-1),
            pieces=np.uint64(self._pieces),
            width=np.uint64(width),
            copies=_unsigned([*(shape.max_count for shape in placements.shapes), 0]),
            state=state,
        )
        made = self._rows[:0:-1]
        attempts = made[:, int(layout.ATTEMPTS)] if listed else None
        solutions = SolutionBuffer(self._pieces, np.uint64, state)
        super().__init__(state, solutions, made[:, int(layout.FITS)], attempts, pieces)
        self._taken = [np.empty((0, pieces), dtype=np.int32)]

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        if not self._under_way and self._begun == self._positions:
            return EXHAUSTED
        left = min(nodes - self.nodes, max(1, work // WORK_PER_NODE))
        if left <= 0:
            return NODE_LIMIT
        if not self._under_way:
            self._begin()
            if self._first is not None:  # that was a node
                return WORK_SPENT
        reason: int = self._kernel(
            self._tree,
            self._tables,
            self._at_first,
            self._stack,
            self._window,
            solutions,
            np.uint64(left),
        )
        if reason == EXHAUSTED:
            self._under_way = False
            return EXHAUSTED if self._begun == self._positions else WORK_SPENT
        return self.why_ended(reason, nodes)

    def take(self) -> NDArray[np.int32]:
        self._empty_buffer()
        taken = np.concatenate(self._taken)
        self._taken = [taken[:0]]
        return taken

    def _levels(self) -> Iterator[Level] | None:
        if self._under_way and not self._lookup.has(self._stack_rows.keys_above):
            return None  # what fits at a target may be a placement that a reduction has removed
        return self._all_levels()

    def _all_levels(self) -> Iterator[Level]:
        if self._first is not None:
            placed = self._placed() if self._under_way else [None]
            yield Level(placed[0] if placed else None, [self._first[self._begun :]])
        elif not self._begun:
            yield NOT_BRANCHED
        if self._under_way:
            rows = self._stack_rows
            for level in range(self._pieces, rows.remaining, -1):
                (taken,) = self._lookup.placements_of(rows.placed(level)).tolist()
                yield Level(taken, [self._lookup.placements_of(rows.untried(level)).tolist()])
            if rows.descends:
                yield NOT_BRANCHED

    def _keep(self, options: Sequence[int]) -> None:
        """Leave only some options to be made at the next target."""
        misplaced = ConfigError("sub-problem: fletcher does not branch on its options there")
        if self._first is not None and not self._begun:
            if not set(options) <= set(self._first):
                raise misplaced
            self._first = [option for option in self._first if option in options]
            return
        if not self._under_way:
            self._begin()
        before = self._state.copy()
        self.advance(Budget(work=WORK_PER_NODE, nodes=1))
        for entry in (SOLUTIONS, BUFFERED):  # it may have found one with others
            self._state[entry] = before[entry]
        if self._state[LEVEL] + 1 != before[LEVEL]:
            raise misplaced
        self._stack_rows.keep(self._lookup.keys_of(options))

    def _branches(self) -> Iterator[tuple[int, int]] | None:
        return self._all_branches() if self._begun else None

    def _all_branches(self) -> Iterator[tuple[int, int]]:
        yield self._positions, self._positions - self._begun + self._under_way - 1
        remaining = int(self._state[LEVEL]) if self._under_way else self._pieces
        for row in self._rows[remaining + 1 : self._pieces + 1][::-1].tolist():
            yield row[int(layout.FITTING)], row[int(layout.WAITING)]

    def _is_within_branch(self) -> bool:
        return True

    @property
    def _stack_rows(self) -> Rows:
        found = int(layout.WINDOW) + self._board.words
        return Rows(self._rows[: self._pieces + 1], self._state, found, self._board.places)

    @property
    def _positions(self) -> int:
        """How many positions there are to begin in."""
        return 1 if self._first is None else len(self._first)

    def _placed(self) -> list[int]:
        """The placements that the search under way, or the last one, began with."""
        return [] if self._first is None else self._first[self._begun - 1 : self._begun]

    def _begin(self) -> None:
        """Make the next of the first placements."""
        self._empty_buffer()
        self._begun += 1
        self._under_way = True
        if self._first is not None:  # each is tried once, and fits
            self._rows[-1, [int(layout.FITS), int(layout.ATTEMPTS)]] += np.uint64(1)
        self._at_first = self._board.windows(self._placements, self._placed())
        words, window = self._board.words, int(layout.WINDOW)
        self._rows[self._pieces, int(layout.POSITION)] = 0
        self._rows[self._pieces, window : window + words] = self._at_first[:words]
        self._state[LEVEL] = self._pieces
        self._state[PHASE] = layout.DESCEND

    def _empty_buffer(self) -> None:
        """Put the solutions that the kernel has left among those to be taken."""
        found = self._lookup.placements_of(self._solutions.take())
        if len(found):
            placed = np.tile(np.array(self._placed(), dtype=np.int32), (len(found), 1))
            self._taken.append(np.hstack([placed, found]))


class _Lookup:
    """Which placement an orientation about a target is."""

    def __init__(
        self, placements: Placements, orientations: Sequence[Orientation], board: Board
    ) -> None:
        keys, numbers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for shape, turns in groupby(enumerate(orientations), lambda turn: turn[1].shape):
            its, own = np.flatnonzero(placements.shape == shape), list(turns)
            size = 1 + len(own[0][1].cells)
            place = board.place[placements.cells[its, -size:]]
            behind = place[:, 1:] - place[:, :1]
            for number, one in own:
                # places tell cells apart: the walls keep what is open from meeting across them
                turned = (behind == board.offsets(one.cells)).all(axis=1)
                keys.append(number * board.places + place[turned, 0])
                numbers.append(its[turned])
        order = np.argsort(np.concatenate(keys))
        self._keys = np.concatenate(keys)[order].astype(np.uint64)
        self._numbers = np.concatenate(numbers)[order].astype(np.int32)

    def placements_of(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Placements by the kernel's numbers, orientation · places + place of its target."""
        found: NDArray[np.int32] = self._numbers[np.searchsorted(self._keys, keys)]
        return found

    def has(self, keys: NDArray[np.uint64]) -> bool:
        """Whether all of the kernel's numbers are placements."""
        return bool(np.isin(keys, self._keys).all())

    def keys_of(self, placements: Sequence[int]) -> list[int]:
        """The kernel's numbers of placements; those that have none are left out."""
        numbers: list[int] = self._keys[np.isin(self._numbers, placements)].tolist()
        return numbers


def _tree(placements: Placements, orientations: Sequence[Orientation], board: Board) -> Tree:
    """Fletcher's tree as the kernel takes it."""
    steps = tree_of(orientations, placements.lattice)
    leaves = np.array([step.orientation for step in steps], dtype=np.int64)
    shape = np.array([*(one.shape for one in orientations), len(placements.shapes)])
    return Tree(
        tested=_unsigned([word for step in steps for word in board.mask((step.cell,))]),
        skip=_unsigned([step.skip for step in steps]),
        leaf=np.maximum(leaves, 0).astype(np.uint64),
        shape_at=shape[leaves].astype(np.uint64),  # NONE: the last
    )


def _tables(placements: Placements, orientations: Sequence[Orientation], board: Board) -> Tables:
    """The orientations as the kernel takes them."""
    shape = [one.shape for one in orientations]
    begin = np.searchsorted(shape, np.arange(len(placements.shapes) + 1))
    target = placements.lattice.fundamental_cells
    masks = (board.mask(target + one.cells) for one in orientations)
    return Tables(
        begin=begin.astype(np.uint64),
        shape=_unsigned(shape),
        masks=_unsigned([word for mask in masks for word in mask]),
        places=np.uint64(board.places),
    )


def _unsigned(numbers: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(numbers, dtype=np.uint64)
