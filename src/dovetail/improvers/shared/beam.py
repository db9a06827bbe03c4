"""Beam search that fills the empty cells of a board in an order.

The potential of a colour is the logarithm of the number of ways to pair its remaining sides. Let r
be the number of its sides on tiles that are not on the board, and f the number of its open sides,
which are on the board and face empty cells. The open sides can get partners in r (r − 1) …
(r − f + 1) ways, and the other r − f sides pair up in (r − f − 1) (r − f − 3) … ways.

The sum of the potentials is largest if few colours are left. A beam that adds a share of this sum
to the matched edges therefore uses up some colours first, and keeps a partner for each open side.

Sources: B. Owen's model for the factors, see `models.boards.expected_boards`; L. Verhaard and
J. Blackwood for the advantage of using up some colours first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.board import BoardArrays
from dovetail.improvers.shared.kernels import beam as kernels
from dovetail.improvers.shared.kernels.beam import BeamCandidates, BeamStates, BeamTiles
from dovetail.models.boards.edges import BORDER
from dovetail.models.boards.geometry import SIDES, opposite
from dovetail.models.boards.partial_board import Objective
from dovetail.random_stream import RandomStream, random_words

WEIGHT, SOFTNESS = 0.3, 0.8  # tuned on boards of 16 x 16 with 17 inner colours
TILE_WORDS, SLOT_WORDS = 1, 2  # seeds of the random words for hashing states
CANDIDATES = 4  # room for candidates, as a multiple of the width of the beam
WANTED = 1.6  # candidates wanted, as a multiple of the width; some candidates are duplicates
NOISE = 0.1  # largest random addition to the value of a child, in matched edges
MIN_CANDIDATES = 2_000
MAX_BYTES = 2**30
MADE_PER_EXPANDED = 3  # candidates that `select` handles in the time of expanding a state
WORK_PER_STATE = 32  # expanding a state takes as long as 32 placements of other improvers
MAX_COLOURS = 255  # including the frame's, since a slot of a state is a byte


def pairing_potential(
    max_sides: int, weight: float = WEIGHT, softness: float = SOFTNESS
) -> NDArray[np.float64]:
    """Return `weight` times the potential of a colour, shape (max_sides + 1, max_sides + 2).

    Entry (r, f) is for r sides on tiles that are not on the board, and f open sides.

    `softness` is added to each factor, so that an open side without a partner costs a finite value.
    """
    factor = weight * np.log(np.maximum(np.arange(-max_sides - 1, max_sides + 1), 0) + softness)
    zero = max_sides + 1  # index of the factor 0
    before = np.concatenate([[0.0], np.cumsum(factor)])
    sides, facing = np.arange(max_sides + 1)[:, None], np.arange(max_sides + 2)[None, :]
    paired = before[sides + 1 + zero] - before[np.maximum(sides - facing + 1 + zero, 0)]
    rest = np.zeros(max_sides + 2)  # by r: the sum of the factors r, r − 2, …
    for r in range(1, max_sides + 1):
        rest[r] = factor[r + zero] + (rest[r - 2] if r > 1 else 0.0)
    table: NDArray[np.float64] = paired + rest[np.maximum(sides - facing - 1, 0)]
    return table


class FillPlan:
    """Tables for filling the cells of an order on a board with tiles in other cells.

    A list has the orientations that fit a frame and some colours. A slot is the place of an open
    side in a state; when the cell beyond this side is filled, the slot becomes free for another
    side. `placed`, shape (n,), is the board, −1 for an empty cell. All cells of the order are
    empty on the board.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: NDArray[np.int32],
        order: Sequence[int],
        potential: NDArray[np.float64],
    ) -> None:
        self._board, self._lies = board, placed
        self._slots: dict[tuple[int, int], int] = {}  # by cell and side, while the side is open
        self._free_slots: list[int] = []
        self._slot_count = 0
        self._begin: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        self._entries: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        self._lists: dict[tuple[int, tuple[int, ...]], int] = {}
        self._list_count = self._entry_count = 0
        laid = set(np.flatnonzero(placed >= 0).tolist())
        self._filled = laid.union(order)  # other cells stay empty; no side towards them is open
        held = np.unique(placed[placed >= 0] // 4)
        free = ~np.isin(np.arange(4 * board.cells) // 4, held) & board.distinct
        self._fitting = {
            int(frame): np.flatnonzero(free & (board.frame == frame))
            for frame in np.unique(board.cell_frame)
        }
        given = [self._open(cell, side) for cell in laid for side in self._open_sides(cell, laid)]
        colours = [int(board.sides[placed[cell], side]) for cell, side in self._slots]
        steps = np.zeros((len(order), kernels.STEP_SIZE), dtype=np.int64)
        for row, cell in zip(steps, order, strict=True):
            self._write_step(row, cell, laid)
            laid.add(cell)
        self.tiles = self._tables(steps, potential)  # tables of the kernels
        # A level with a single state: the board before the first cell of the order is filled.
        self.start = self._start(held, given, colours)

    def _open_sides(self, cell: int, laid: set[int]) -> list[int]:
        """Return the sides of a cell towards empty cells that will be filled."""
        neighbours = self._board.neighbours[cell].tolist()
        filled = self._filled
        return [n for n in SIDES if neighbours[n] in filled and neighbours[n] not in laid]

    def _open(self, cell: int, side: int) -> int:
        """Assign a slot to an open side and return it."""
        slot = self._free_slots.pop() if self._free_slots else self._slot_count
        self._slot_count = max(self._slot_count, slot + 1)
        self._slots[cell, side] = slot
        return slot

    def _write_step(self, row: NDArray[np.int64], cell: int, laid: set[int]) -> None:
        neighbours = self._board.neighbours[cell].tolist()
        # West and south come first, because most cells are filled from there.
        known = [side for side in reversed(SIDES) if neighbours[side] in laid]
        frame = int(self._board.cell_frame[cell])
        row[kernels.KNOWN], row[kernels.ALL] = len(known), self._list(frame, ())
        for number, side in enumerate(known):
            slot = self._slots.pop((neighbours[side], opposite(side)))
            self._free_slots.append(slot)
            row[kernels.BY_ONE + number] = self._list(frame, (side,))
            at = kernels.KNOWN_SIDES + 2 * number
            row[at : at + 2] = side, slot
        if len(known) > 1:
            row[kernels.BY_TWO] = self._list(frame, tuple(known[:2]))
        opened = self._open_sides(cell, laid)
        row[kernels.OPEN] = len(opened)
        for number, side in enumerate(opened):  # may reuse slots that kernels have read
            at = kernels.OPEN_SIDES + 2 * number
            row[at : at + 2] = side, self._open(cell, side)

    def _list(self, frame: int, sides: tuple[int, ...]) -> int:
        """Return the number of the first list for a frame and some sides; add the lists if new.

        There is a list for each combination of colours on these sides.
        """
        key = frame, sides
        if key not in self._lists:
            fitting, colours = self._fitting[frame], self._board.colours
            number = np.zeros(len(fitting), dtype=np.int64)
            for side in sides:
                number = number * colours + self._board.sides[fitting, side]
            order = np.argsort(number, kind="stable")
            begin = np.searchsorted(number[order], np.arange(colours ** len(sides) + 1))
            self._lists[key] = self._list_count
            self._list_count += len(begin)
            self._begin.append(begin + self._entry_count)
            self._entries.append(fitting[order])
            self._entry_count += len(fitting)
        return self._lists[key]

    def _tables(self, steps: NDArray[np.int64], potential: NDArray[np.float64]) -> BeamTiles:
        board, slots = self._board, max(1, self._slot_count)
        by_slot = random_words(SLOT_WORDS, 0, slots * board.colours).reshape(slots, board.colours)
        return BeamTiles(
            sides=board.sides,
            steps=steps,
            begin=np.concatenate(self._begin).astype(np.int64),
            entries=np.concatenate(self._entries).astype(np.int32),
            potential=potential,
            tile_hash=random_words(TILE_WORDS, 0, board.cells),
            slot_hash=by_slot,
        )

    def _start(self, held: NDArray[np.int32], given: list[int], colours: list[int]) -> BeamStates:
        """Return a level with one state: tiles `held` are laid, slots `given` have `colours`."""
        board, tiles = self._board, self.tiles
        start = empty_states(1, board, len(tiles.slot_hash))
        for tile in held.tolist():
            start.used[0, tile // 64] |= np.uint64(1 << tile % 64)
        for slot, colour in zip(given, colours, strict=True):
            start.slots[0, slot] = colour
            start.facing[0, colour] += 1
        free = np.setdiff1d(np.arange(board.cells), held)
        start.left[0] = np.bincount(board.sides[4 * free].reshape(-1), minlength=board.colours)
        start.worth[0] = tiles.potential[start.left[0, 1:], start.facing[0, 1:]].sum()
        return start


def empty_states(width: int, board: BoardArrays, slots: int) -> BeamStates:
    """Return a level with room for `width` states."""
    return BeamStates(
        used=np.zeros((width, -(-board.cells // 64)), dtype=np.uint64),
        slots=np.zeros((width, slots), dtype=np.uint8),
        left=np.zeros((width, board.colours), dtype=np.int32),
        facing=np.zeros((width, board.colours), dtype=np.int32),
        matched=np.zeros(width, dtype=np.int32),
        worth=np.zeros(width, dtype=np.float64),
        hash=np.zeros(width, dtype=np.uint64),
    )


def max_sides(board: BoardArrays) -> int:
    """Return the number of sides of the most frequent colour, apart from the frame's colour."""
    return int(np.bincount(board.sides[::4].reshape(-1))[1:].max(initial=0))


class BeamFill:
    """A beam that fills the cells of an order and keeps at most `width` states after each cell.

    For the objective `tiles`, cells of the order may stay empty, and tiles laid match all their
    neighbours. Tiles that are on the board at the beginning stay, whether they match or not.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: NDArray[np.int32],
        order: Sequence[int],
        potential: NDArray[np.float64],
        width: int,
        seed: int,
    ) -> None:
        self._board, self._first, self._order = board, placed, np.array(order)
        plan = FillPlan(board, placed, order, potential)
        # The first `count` entries of `states` are the states of the present level, by descending
        # rank.
        self._tiles, self.states = plan.tiles, plan.start
        slots = len(plan.tiles.slot_hash)
        self._levels = [empty_states(width, board, slots) for _ in range(2)]
        self._width, self.count, self._step = width, 1, 0
        self._seed = np.uint64(RandomStream(seed).word())
        # Children, made so far, of the states of the present level.
        self.candidates = empty_candidates(width, board.colours)
        self._parents: list[NDArray[np.int32]] = []
        self._laid: list[NDArray[np.int32]] = []
        # Parents of the states of the next level, and the orientations laid.
        self._next = np.zeros((2, width), dtype=np.int32)
        self.nodes = 0
        self._begin_step()

    @property
    def done(self) -> bool:
        """Whether all cells of the order have been filled or left empty."""
        return self._step == len(self._order)

    @property
    def placed(self) -> NDArray[np.int32]:
        """The board with the highest score among the states."""
        found = self._first.copy()
        state = int(np.argmax(self.states.matched[: self.count]))
        for step in reversed(range(self._step)):
            found[self._order[step]] = self._laid[step][state]
            state = int(self._parents[step][state])
        return found

    def advance(self, states: int) -> int:
        """Expand at most `states` states of the present level; return how many were expanded.

        After all are expanded, another call returns 0 and makes states of the next level, as many
        as take about as long as expanding `states` states. If the level has few states, the same
        call does both.
        """
        progress = self.candidates.progress
        first = int(progress[kernels.NEXT])
        if first == self.count:
            self._make(states)
            return 0
        last = min(self.count, first + states)
        tables = self._tiles, self.states, self.candidates
        kernels.expand(*tables, self._step, first, last, NOISE, self._seed)
        progress[kernels.NEXT] = last
        if last == self.count:
            kernels.rank(self.candidates)
            if states >= 2 * self.count:
                self._make(states - self.count)
        return last - first

    def _begin_step(self) -> None:
        """Prepare the candidates of a step, and set the number of mismatches allowed at first.

        For an inner cell, the number is 0 without known sides, 1 with 1 or 2 known sides, and 2
        with more. For a cell on the frame, it is the number of known sides. For the objective
        `tiles`, holes are allowed instead.
        """
        if self.done:
            return
        if self._board.objective is Objective.TILES:
            self._allow(kernels.HOLES)
            return
        known = int(self._tiles.steps[self._step, kernels.KNOWN])
        inner = self._board.cell_frame[self._order[self._step]] == BORDER
        self._allow(min(known, 1 + (known > 2)) if inner else known)

    def _allow(self, mismatches: int) -> None:
        self.candidates.counts[:] = 0
        self.candidates.base[:] = 0.0
        self.candidates.progress[:] = 0
        self.candidates.progress[kernels.WANTED] = int(self._width * WANTED) + 1
        self.candidates.progress[kernels.MISMATCHES] = mismatches

    def _make(self, states: int) -> None:
        """Make states of the next level, in about the time of expanding `states` states."""
        tables = self._tiles, self.states, self.candidates
        after = self._levels[self._step % 2]
        parents, laid = self._next
        most = MADE_PER_EXPANDED * states
        if kernels.select(*tables, self._step, after, parents, laid, most):
            self._end_step(int(self.candidates.progress[kernels.MADE]))

    def _end_step(self, count: int) -> None:
        """Begin the next cell; if no state was made, try this cell again with one more mismatch."""
        if not count:
            mismatches = int(self.candidates.progress[kernels.MISMATCHES])
            assert mismatches < 4, "some tile fits a cell if all its edges may mismatch"
            self._allow(mismatches + 1)
            return
        self.nodes += count
        parents, laid = self._next
        self._parents.append(parents[:count].copy())
        self._laid.append(laid[:count].copy())
        self.states, self.count = self._levels[self._step % 2], count
        self._step += 1
        self._begin_step()


def max_width(board: BoardArrays) -> int:
    """Return the width of a beam whose arrays take about `MAX_BYTES`, at least 1."""
    words, slots = -(-board.cells // 64), 2 * board.cells
    level = 8 * words + slots + 8 * board.colours + 20
    candidates = CANDIDATES * (24 + 16)
    return max(1, MAX_BYTES // (2 * level + candidates + 8 * board.cells))


def empty_candidates(width: int, colours: int) -> BeamCandidates:
    """Return candidates without entries, with space for a beam of this width."""
    size = max(MIN_CANDIDATES, CANDIDATES * width)
    entries = 1 << (size + 1).bit_length()
    return BeamCandidates(
        parent=np.zeros(size, dtype=np.int32),
        orientation=np.zeros(size, dtype=np.int32),
        rank=np.zeros(size, dtype=np.int32),
        hash=np.zeros(size, dtype=np.uint64),
        counts=np.zeros(kernels.RANKS, dtype=np.int64),
        order=np.zeros(size, dtype=np.int32),
        table=np.zeros(entries, dtype=np.uint64),
        progress=np.zeros(kernels.PROGRESS_SIZE, dtype=np.int64),
        gain=np.zeros((2, colours), dtype=np.float64),
        base=np.zeros(2, dtype=np.float64),
    )


def refusal(board: BoardArrays, width: int = 1) -> str | None:
    """Return why no beam of this width can fill a board, or None."""
    if board.puzzle.signed:
        return "it supports unsigned colours only"
    if board.colours > MAX_COLOURS:
        return f"the tiles have {board.colours - 1} colours; the limit is {MAX_COLOURS - 1}"
    widest = max_width(board)
    return None if width <= widest else f"width is {width:,}; expected at most {widest:,}"
