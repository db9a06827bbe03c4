"""Boards of improvers: arrays for kernels, orders of filling, schedules of mismatches, and scores.

An orientation is a tile with a rotation: tile · 4 + rotation. The frame of a cell is a number of
four bits for its sides on the frame (north 1, east 2, south 4, west 8). The frame of an orientation
has bits for its sides of colour 0. An orientation fits a cell if their frames are equal.

A schedule tells at which depth of a search each further mismatch is allowed. L. Verhaard (2008) and
J. Blackwood (2020) use tables that they made for the Eternity II board. Here the schedule follows
from the number of partial boards that B. Owen's model expects at each depth. A search with a limit
of nodes sees a share of the tree. Beyond the depth with the most boards, this search sees about the
same share of the expected boards. A mismatch unlocks at the depth at which the search would see
fewer boards than wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many
from dovetail.improvers.shared.kernels import beam as kernels
from dovetail.models.boards.edges import (
    VARIANTS,
    EdgePuzzle,
    by_size,
    cells_by_class,
    frame_of,
    tiles_by_class,
    turned,
)
from dovetail.models.boards.expected_boards import Filling
from dovetail.models.boards.geometry import (
    EAST,
    NORTH,
    SIDES,
    SOUTH,
    WEST,
    Frame,
    Position,
    opposite,
)
from dovetail.models.boards.orders import BEST, DEFAULT, cells_in_order, fillings, nodes_log, strips
from dovetail.models.boards.partial_board import Objective, PartialBoard

EMPTY = -1


@dataclass(frozen=True, eq=False)
class BoardArrays:
    """A board of n cells, for which there are n tiles and 4 n orientations.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | the colour of each side of an orientation; see below |
    | `frame` | (4 n,) | int32 | the frame of an orientation |
    | `cell_frame` | (n,) | int32 | the frame of a cell |
    | `neighbours` | (n, 4) | int32 | the cell beyond each side, −1 beyond the frame |
    | `fixed` | (n,) | int32 | the orientation that a hint fixes in a cell, −1 elsewhere |

    Cells are numbered as in `BoardGeometry`. Colours are numbered from 0, the colour of the frame,
    to `colours` − 1. `sides` has the colours shown to the north and east, and the mates of the
    colours shown to the south and west. Two sides at an edge thus match if their numbers are equal.
    """

    puzzle: EdgePuzzle
    objective: Objective
    colours: int
    sides: NDArray[np.int32]
    frame: NDArray[np.int32]
    cell_frame: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    fixed: NDArray[np.int32]

    @property
    def cells(self) -> int:
        """Number of cells, which is the number of tiles."""
        return len(self.cell_frame)

    @cached_property
    def distinct(self) -> NDArray[np.bool_]:
        """True for an orientation that differs from the earlier ones of its tile, shape (4 n,)."""
        shown = self.sides.reshape(-1, 4, 4)
        keep = np.ones((len(shown), 4), dtype=bool)
        for later in range(1, 4):
            for earlier in range(later):
                keep[:, later] &= (shown[:, later] != shown[:, earlier]).any(axis=1)
        return keep.reshape(-1)

    def free_tiles(self, placed: NDArray[np.int32]) -> list[int]:
        """Return the tiles that are not on the board `placed`, ascending."""
        free: list[int] = np.setdiff1d(np.arange(self.cells), placed[placed >= 0] // 4).tolist()
        return free

    @property
    def hinted_sides(self) -> NDArray[np.int32]:
        """Entries of `sides` for hinted tiles, by cell · 4 + side, 0 elsewhere, shape (4 n + 1,).

        The last entry is 0; it stands for a side beyond the frame.
        """
        shown = np.zeros(4 * self.cells + 1, dtype=np.int32)
        hinted = self.fixed != EMPTY
        shown[:-1].reshape(-1, 4)[hinted] = self.sides[self.fixed[hinted]]
        return shown

    def fitting(self, frame: int) -> NDArray[np.int64]:
        """Return the distinct orientations with the frame `frame`, except those of hinted tiles."""
        free = self.distinct & (self.frame == frame)
        return np.flatnonzero(free & ~np.isin(np.arange(len(free)) // 4, self.fixed // 4))

    def known_sides(self, order: Sequence[int]) -> list[tuple[int, ...]]:
        """Return for each cell of an order its sides towards hinted tiles and cells filled earlier.

        The sides of a cell are in the order west, south, east, north, because most orders begin in
        the west or south.
        """
        laid, found = set(np.flatnonzero(self.fixed != EMPTY).tolist()), []
        for cell in order:
            beside = self.neighbours[cell].tolist()
            found.append(tuple(side for side in (WEST, SOUTH, EAST, NORTH) if beside[side] in laid))
            laid.add(cell)
        return found

    def partial_board(self, placed: NDArray[np.int32]) -> PartialBoard:
        """Return the board with the orientations `placed`, shape (n,), −1 for an empty cell."""
        height = self.puzzle.height
        rows = (placed[y::height] for y in range(height))
        return PartialBoard(
            tuple(tuple(None if turn < 0 else divmod(int(turn), 4) for turn in row) for row in rows)
        )

    def placed(self, board: PartialBoard) -> NDArray[np.int32]:
        """Return the orientations on a board, shape (n,), −1 for an empty cell."""
        at = (board.at(position) for position in self.puzzle.geometry.positions)
        return np.array([EMPTY if pair is None else pair[0] * 4 + pair[1] for pair in at], np.int32)


def board_arrays(puzzle: EdgePuzzle, objective: Objective = Objective.EDGES) -> BoardArrays:
    """Return the arrays of a board.

    Raises `PuzzleError` for a puzzle that improvers do not support, for tiles that cannot fill the
    board even with mismatches, and for hints that contradict the frame or each other.
    """
    if puzzle.variants:
        raise PuzzleError(f"improvers do not support {VARIANTS[puzzle.variants[0]]}")
    if puzzle.misfit is not None:
        raise PuzzleError(puzzle.misfit)
    _check_frame(puzzle)
    _check_hints(puzzle)
    geometry = puzzle.geometry
    shown = [turned(tile, rotation) for tile in puzzle.tiles for rotation in SIDES]
    values = sorted({0, *(colour for sides in shown for colour in sides)}, key=by_size)
    values += [mate for mate in map(puzzle.mate, values) if mate not in values]
    number = {colour: n for n, colour in enumerate(values)}
    sides = [
        [
            number[puzzle.mate(colour) if side in (SOUTH, WEST) else colour]
            for side, colour in enumerate(tile)
        ]
        for tile in shown
    ]
    fixed = np.full(len(puzzle.tiles), EMPTY, dtype=np.int32)
    for hint in puzzle.hints:
        fixed[geometry.cell(hint.position)] = hint.tile * 4 + hint.rotation
    return BoardArrays(
        puzzle,
        objective,
        colours=len(values),
        sides=np.array(sides, dtype=np.int32),
        frame=np.array([_bits(frame_of(tile)) for tile in shown], dtype=np.int32),
        cell_frame=np.array(list(map(_bits, geometry.frames)), dtype=np.int32),
        neighbours=geometry.neighbour_table,
        fixed=fixed,
    )


def _check_frame(puzzle: EdgePuzzle) -> None:
    tiles, cells = tiles_by_class(puzzle), cells_by_class(puzzle)
    for kind in dict.fromkeys([*cells, *tiles]):
        if tiles[kind] != cells[kind]:
            raise PuzzleError(
                f"{puzzle.name} cannot be filled: by their sides of colour 0, the frame's colour, "
                f"it has {how_many(tiles[kind], f'{kind} tile')}; expected {cells[kind]}"
            )


def _check_hints(puzzle: EdgePuzzle) -> None:
    geometry = puzzle.geometry
    shown = {hint.position: puzzle.hint_sides(hint) for hint in puzzle.hints}
    for hint in puzzle.hints:
        place, sides = hint.position, puzzle.hint_sides(hint)
        if frame_of(sides) != geometry.frame_at(place):
            raise PuzzleError(
                f"{puzzle.name}: the hint for {place} puts tile {hint.tile} where its sides of "
                "colour 0 are not the sides on the frame"
            )
    for place, sides in shown.items():
        for side in (NORTH, EAST):
            other = geometry.beyond(place, side)
            if other in shown and sides[side] != puzzle.mate(shown[other][opposite(side)]):
                raise PuzzleError(f"{puzzle.name}: the hints for {place} and {other} do not match")


def _bits(frame: Frame) -> int:
    return sum(1 << side for side in SIDES if frame[side])


def score(board: BoardArrays, placed: NDArray[np.int32]) -> int:
    """Return the score of the board `placed`, shape (n,), −1 for an empty cell.

    The score is the number of matched edges. For the objective `tiles`, the score is the number of
    tiles; the caller has to ensure that no two neighbours mismatch.
    """
    if board.objective is Objective.TILES:
        return int(np.count_nonzero(placed >= 0))
    return int(kernels.score(board.sides, board.neighbours, placed))


def fill(board: BoardArrays, placed: NDArray[np.int32]) -> int:
    """Fill the empty cells of `placed` in place and return the score.

    The next cell is always an empty cell with the most neighbours on the board. The cell gets the
    tile that matches the most neighbours. For the objective `tiles`, a cell that no tile fits stays
    empty.
    """
    used = np.zeros(board.cells, dtype=np.uint8)
    used[placed[placed >= 0] // 4] = 1
    tables = board.sides, board.frame, board.cell_frame, board.neighbours
    kernels.fill(*tables, placed, used, board.objective is Objective.TILES)
    return score(board, placed)


def completed(
    board: BoardArrays, order: Sequence[int], record: NDArray[Any]
) -> tuple[NDArray[np.int32], int]:
    """Return a board and its score: `record` in the first cells of an order, the rest by `fill`."""
    placed = board.fixed.copy()
    placed[np.array(order[: len(record)], dtype=np.int64)] = record
    return placed, fill(board, placed)


def allowed_by_model(filling: Filling, nodes: float, boards: float) -> list[int]:
    """Return the number of mismatches that are allowed after each step of a search.

    Mismatches unlock so that a search of `nodes` nodes sees at least about `boards` boards at each
    depth beyond the depth with the most boards, as far as mismatches can unlock there.
    """
    allowed = [0] * len(filling.steps)
    while True:
        short = _first_short(filling, allowed, nodes, boards)
        if short is None:
            return allowed
        allowed[short:] = [mismatches + 1 for mismatches in allowed[short:]]


def _first_short(
    filling: Filling, allowed: Sequence[int], nodes: float, boards: float
) -> int | None:
    """Return the first step at which too few boards are seen and a mismatch can unlock, or None.

    Only steps after the step with the most expected boards are considered.
    """
    expected = filling.logs(allowed)
    seen = expected + min(0.0, np.log(nodes) - np.logaddexp.reduce(expected))
    for number in range(int(expected.argmax()) + 1, len(filling.steps)):
        unlocks = allowed[number] > allowed[number - 1]
        if filling.steps[number].new_inside and not unlocks and seen[number] < np.log(boards):
            return number
    return None


# Default numbers of the nodes of a search, and of the boards that it should see at each depth.
NODES, BOARDS = 10_000_000, 1_000.0
CLOSE = log(2.0)  # orders with at most twice the fewest nodes are compared
TURNS = 8  # number of symmetries of a square
MAX_CELLS = 400  # limit on boards whose orders are compared; 1,600 cells would take 3 s


def fill_order(
    board: BoardArrays,
    order: Sequence[str],
    nodes: int = NODES,
    boards: float = BOARDS,
    turn: int = 0,
) -> list[int]:
    """Return the cells without hints in an order of `models.boards.orders`, or in the best order.

    The best order allows the fewest mismatches by the model, of the orders with few expected nodes,
    for a search that makes `nodes` nodes and sees `boards` boards at each depth. The order is
    turned or reflected by the symmetry of the board with the number `turn`, below `TURNS`. On a
    board that is not square, `turn` and `turn` + 4 have the same effect.
    """
    puzzle = board.puzzle
    names = (_best_order(puzzle, nodes, boards),) if tuple(order) == (BEST,) else order
    width, height = puzzle.width, puzzle.height
    if turn & 4 and width == height:
        cells: Iterable[Position] = ((y, x) for x, y in cells_in_order(names, width, height))
    else:
        cells = cells_in_order(names, width, height)
    numbers = (
        puzzle.geometry.cell((width - 1 - x if turn & 1 else x, height - 1 - y if turn & 2 else y))
        for x, y in cells
    )
    return [cell for cell in numbers if board.fixed[cell] < 0]


@lru_cache(maxsize=8)  # each search of a board needs the order
def _best_order(puzzle: EdgePuzzle, nodes: int, boards: float) -> str:
    """Return the name of the best order; on ties, the order with the fewest rows first.

    On boards of more than `MAX_CELLS` cells the order is `DEFAULT`, since the comparison would take
    too long; likewise on boards that the model does not describe. Orders with many expected nodes
    are left out, because searches in such an order do not reach the depths where mismatches unlock.
    """
    if len(puzzle.tiles) > MAX_CELLS:
        return DEFAULT
    found = fillings(puzzle, strips(puzzle.height), hints_first=True)
    if not found:
        return DEFAULT
    fewest = min(map(nodes_log, found.values()))
    allowed = {
        name: allowed_by_model(filling, nodes, boards)[-1]
        for name, filling in found.items()
        if nodes_log(filling) <= fewest + CLOSE
    }
    return min(allowed, key=allowed.__getitem__)
