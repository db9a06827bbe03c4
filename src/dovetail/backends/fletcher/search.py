"""One search by Fletcher's tree or de Bruijn's list: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.fletcher.board import Board, board_for
from dovetail.backends.fletcher.kernels import layout
from dovetail.backends.fletcher.kernels.layout import Stack, Tables, Tree
from dovetail.backends.fletcher.orientations import Orientation
from dovetail.backends.fletcher.parts import Rows
from dovetail.backends.fletcher.tree import tree_of
from dovetail.backends.shared.slices import SolutionBuffer, node_limit, status_of
from dovetail.errors import ConfigError
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import Placements
from dovetail.models.sub_problem import SubProblem

Sifting = Literal["tree", "list"]

WORK_PER_NODE = 3  # of a budget's


class FletcherSearch(Search):
    """Makes each of the `first` placements in turn and searches below it by `orientations`.

    `first` are placements of one piece, which has none of the orientations; None where no piece
    comes first, and then `orientations` are those of all. Rows of `take` are placements by
    their numbers.
    """

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
        self._begun, self._under_way, self._uncounted = 0, False, 0
        self._board = board_for(placements.coordinates, orientations, placements.lattice)
        self._lookup = _Lookup(placements, orientations, self._board)
        self._counts_attempts = sifting == "list"
        self._kernel: Any = search
        listed = sifting == "list"
        self._tree = None if listed else _tree(placements, orientations, self._board)
        self._tables = _tables(placements, orientations, self._board)
        self._at_first = np.empty(0, dtype=np.uint64)
        self._window = (np.uint64(0),) * self._board.words
        # a row has room for one more than can fit: what is looked at is written first
        width = layout.HEADER_SIZE + self._board.words + len(orientations) + 1
        self._rows = np.zeros((self._pieces + 1, width), dtype=np.uint64)
        self._progress = np.zeros(layout.PROGRESS_SIZE, dtype=np.uint64)
        self._stack = Stack(
            rows=self._rows.reshape(-1),
            pieces=np.uint64(self._pieces),
            width=np.uint64(width),
            copies=_unsigned([*(shape.max_count for shape in placements.shapes), 0]),
            progress=self._progress,
        )
        self._solutions = SolutionBuffer(self._pieces, np.uint64, self._progress, layout.BUFFERED)
        self._taken = [np.empty((0, pieces), dtype=np.int32)]

    @property
    def count(self) -> int:
        return int(self._progress[layout.SOLUTIONS])

    @property
    def nodes(self) -> int:
        """How many placements have been made."""
        return sum(self._by_remaining(layout.FITS).values())

    @property
    def counters(self) -> Counters:
        fits = self._by_remaining(layout.FITS)
        native = {"cell_tests": int(self._progress[layout.CELL_TESTS])}
        if not self._counts_attempts:
            return Counters(sum(fits.values()), None, None, fits, native)
        attempts = self._by_remaining(layout.ATTEMPTS)
        return Counters(sum(fits.values()), sum(attempts.values()), attempts, fits, native)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        if not self._under_way and self._begun == self._positions:
            return Status.EXHAUSTED
        if budget.nodes is not None and budget.nodes <= 0:
            return Status.NODE_LIMIT
        if not self._under_way:
            self._begin()
            return None
        return self._search(budget)

    def take(self) -> NDArray[np.int32]:
        self._empty_buffer()
        taken = np.concatenate(self._taken)
        self._taken = [taken[:0]]
        return taken

    def begin_within(self, part: SubProblem) -> None:
        taken = [(option,) for option in part.taken]
        branches = [*taken, *([] if part.untried is None else [part.untried])]
        if self._first is not None and branches:
            here = branches.pop(0)
            if not set(here) <= set(self._first):
                raise ConfigError("sub-problem: fletcher does not branch on its options there")
            self._first = [option for option in self._first if option in here]
            if not taken:
                return
            self._uncounted = 1
        if part.taken or self._first is None:
            self._begin()
        for options in branches:
            self._sift_next(options)
            if options is not part.untried:
                self._advance_one()
        for entry in (layout.FITS, layout.ATTEMPTS):
            self._rows[:, int(entry)] = 0
        self._progress[layout.CELL_TESTS] = 0

    def remaining(self) -> tuple[SubProblem, ...] | None:
        if self._under_way and not self._lookup.has(self._levels.keys_above):
            return None  # what fits at a target may be a placement that a reduction has removed
        placed = self._placed() if self._under_way else []
        parts = list[SubProblem]()
        if self._under_way:
            rows = self._levels
            levels = range(rows.remaining + 1, self._pieces + 1)
            made = np.concatenate([np.empty(0, np.uint64), *map(rows.placed, levels)])
            taken = self._lookup.placements_of(made)[::-1].tolist()
            if rows.descends:
                parts.append(SubProblem((*placed, *taken)))
            for level in levels:
                untried = self._lookup.placements_of(rows.untried(level)).tolist()
                above = (*placed, *taken[: self._pieces - level])
                parts += [SubProblem(above, tuple(untried))] if untried else []
        if self._first is not None and self._begun < len(self._first):
            parts.append(SubProblem((), tuple(self._first[self._begun :])))
        elif self._first is None and not self._begun:
            parts.append(SubProblem())
        return tuple(parts)

    @property
    def _levels(self) -> Rows:
        found = int(layout.WINDOW) + self._board.words
        return Rows(self._rows, self._progress, found, self._board.places)

    def _sift_next(self, options: Sequence[int]) -> None:
        """Leave only some options to be made at the next target."""
        before = self._progress.copy()
        self._advance_one()
        for entry in (layout.SOLUTIONS, layout.BUFFERED):  # it may have found one with others
            self._progress[entry] = before[entry]
        if self._progress[layout.REMAINING] + 1 != before[layout.REMAINING]:
            raise ConfigError("sub-problem: fletcher does not branch on its options there")
        self._levels.keep(self._lookup.keys_of(options))

    def _advance_one(self) -> None:
        """Make one placement."""
        self._search(Budget(work=WORK_PER_NODE, nodes=1))

    def progress(self) -> float | None:
        """The share of the tree, were all that fits at a target equally large branches."""
        if self._begun == 0:
            return None
        share = 1 / self._positions
        done = share * (self._begun - self._under_way)
        remaining = int(self._progress[layout.REMAINING]) if self._under_way else self._pieces
        for row in self._rows[remaining + 1 :][::-1].tolist():
            fitting, waiting = row[int(layout.FITTING)], row[int(layout.WAITING)]
            share /= fitting
            done += share * (fitting - waiting - 1)
        return done

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
        self._at_first = self._board.windows(self._placements, self._placed())
        words, window = self._board.words, int(layout.WINDOW)
        self._rows[self._pieces, int(layout.POSITION)] = 0
        self._rows[self._pieces, window : window + words] = self._at_first[:words]
        self._progress[layout.REMAINING] = self._pieces
        self._progress[layout.PHASE] = layout.DESCEND

    def _search(self, budget: Budget) -> Status | None:
        """Run a slice of the kernel."""
        from dovetail.kernels.slices import EXHAUSTED, NODE_LIMIT, WORK_SPENT

        solutions = self._solutions.open_for(budget)
        if solutions is None:
            return None
        max_count = node_limit(budget, 0)
        nodes = min(max_count, max(1, budget.work // WORK_PER_NODE))
        made, found = self.nodes, self.count
        reason = self._kernel(
            self._tree,
            self._tables,
            self._at_first,
            self._stack,
            self._window,
            solutions,
            np.uint64(nodes),
        )
        if reason == EXHAUSTED:
            self._under_way = False
            return None if self._begun < self._positions else Status.EXHAUSTED
        if reason == WORK_SPENT and self.nodes - made >= max_count:
            reason = NODE_LIMIT
        return status_of(reason, budget, self.count - found)

    def _empty_buffer(self) -> None:
        """Put the solutions that the kernel has left among those to be taken."""
        found = self._lookup.placements_of(self._solutions.take())
        if len(found):
            placed = np.tile(np.array(self._placed(), dtype=np.int32), (len(found), 1))
            self._taken.append(np.hstack([placed, found]))

    def _by_remaining(self, entry: np.uint64) -> dict[int, int]:
        """Counts by pieces remaining; each of the first placements is tried once, and fits."""
        first = {} if self._first is None else {self._pieces + 1: self._begun - self._uncounted}
        column = self._rows[:, int(entry)].tolist()
        return first | {row: column[row] for row in range(self._pieces, 0, -1)}


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
