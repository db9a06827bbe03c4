"""A board as arrays, for kernels that lay tiles where they do not match.

An orientation is a tile turned one way: tile · 4 + rotation. A cell has one frame, a number of
four bits for its sides on the frame (north 1, east 2, south 4, west 8), and so has an orientation
for its sides of colour 0; one fits the other where they are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many
from dovetail.models.board_geometry import SIDES, Frame, beyond, opposite
from dovetail.models.edges import EAST, NORTH, SOUTH, WEST, EdgePuzzle, turned
from dovetail.models.frame import cells_by_class, frame_of, tiles_by_class
from dovetail.models.partial_board import PartialBoard

EMPTY = -1


@dataclass(frozen=True, eq=False)
class BoardArrays:
    """n cells and 4 n orientations; two sides match where their numbers here are equal.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | what an orientation shows to the north and east, and the mates |
    | | | | of what it shows to the south and west; colours from 0, the frame's |
    | `frame` | (4 n,) | int32 | the frame of an orientation |
    | `cell_frame` | (n,) | int32 | the frame of a cell |
    | `neighbours` | (n, 4) | int32 | the cell beyond each side, −1 beyond the frame |
    | `fixed` | (n,) | int32 | the orientation that a hint fixes in a cell, −1 elsewhere |

    Cells are numbered as in `BoardGeometry`.
    """

    puzzle: EdgePuzzle
    colours: int
    sides: NDArray[np.int32]
    frame: NDArray[np.int32]
    cell_frame: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    fixed: NDArray[np.int32]

    @property
    def cells(self) -> int:
        """How many cells and tiles there are."""
        return len(self.cell_frame)

    @cached_property
    def distinct(self) -> NDArray[np.bool_]:
        """Orientations but for later ones of a tile that show the same colours, shape (4 n,)."""
        shown = self.sides.reshape(-1, 4, 4)
        keep = np.ones((len(shown), 4), dtype=bool)
        for later in range(1, 4):
            for earlier in range(later):
                keep[:, later] &= (shown[:, later] != shown[:, earlier]).any(axis=1)
        return keep.reshape(-1)

    def partial_board(self, placed: NDArray[np.int32]) -> PartialBoard:
        """The board whose cells have the orientations `placed`, shape (n,), −1 for none."""
        height = self.puzzle.height
        rows = (placed[y::height] for y in range(height))
        return PartialBoard(
            tuple(tuple(None if one < 0 else divmod(int(one), 4) for one in row) for row in rows)
        )

    def placed(self, board: PartialBoard) -> NDArray[np.int32]:
        """The orientations on a board, shape (n,), −1 for an empty cell."""
        laid = (board.at(position) for position in self.puzzle.geometry.positions)
        return np.array([EMPTY if one is None else one[0] * 4 + one[1] for one in laid], np.int32)


def board_arrays(puzzle: EdgePuzzle) -> BoardArrays:
    """Raises `PuzzleError` for a board that no tiles fill, whatever matches, and for hints that
    contradict the frame or one another.
    """
    _check_frame(puzzle)
    _check_hints(puzzle)
    geometry = puzzle.geometry
    shown = [turned(tile, rotation) for tile in puzzle.tiles for rotation in SIDES]
    values = sorted({0, *(colour for sides in shown for colour in sides)}, key=_by_size)
    values += [mate for mate in map(puzzle.mate, values) if mate not in values]
    number = {colour: n for n, colour in enumerate(values)}
    sides = [
        [
            number[puzzle.mate(colour) if side in (SOUTH, WEST) else colour]
            for side, colour in enumerate(one)
        ]
        for one in shown
    ]
    fixed = np.full(len(puzzle.tiles), EMPTY, dtype=np.int32)
    for hint in puzzle.hints:
        fixed[geometry.cell((hint.x, hint.y))] = hint.tile * 4 + hint.rotation
    neighbours = np.full((len(puzzle.tiles), 4), EMPTY, dtype=np.int32)
    for cell in range(len(puzzle.tiles)):
        for side, other in geometry.neighbours(cell):
            neighbours[cell, side] = other
    return BoardArrays(
        puzzle,
        colours=len(values),
        sides=np.array(sides, dtype=np.int32),
        frame=np.array([_bits(frame_of(one)) for one in shown], dtype=np.int32),
        cell_frame=np.array(
            [_bits(geometry.frame_at(position)) for position in geometry.positions], np.int32
        ),
        neighbours=neighbours,
        fixed=fixed,
    )


def _check_frame(puzzle: EdgePuzzle) -> None:
    tiles, cells = tiles_by_class(puzzle), cells_by_class(puzzle)
    for one in dict.fromkeys([*cells, *tiles]):
        if tiles[one] != cells[one]:
            raise PuzzleError(
                f"{puzzle.name} cannot be filled: it has {how_many(tiles[one], f'{one} tile')} by "
                f"their sides of colour 0, the frame's; expected {cells[one]}"
            )


def _check_hints(puzzle: EdgePuzzle) -> None:
    geometry = puzzle.geometry
    shown = {}
    for hint in puzzle.hints:
        place, sides = (hint.x, hint.y), turned(puzzle.tiles[hint.tile], hint.rotation)
        if frame_of(sides) != geometry.frame_at(place):
            raise PuzzleError(
                f"{puzzle.name}: the hint for {place} puts tile {hint.tile} where its sides of "
                "colour 0 are not on the frame"
            )
        shown[place] = sides
    for place, sides in shown.items():
        for side in (NORTH, EAST):
            other = beyond(place, side)
            if other in shown and sides[side] != puzzle.mate(shown[other][opposite(side)]):
                raise PuzzleError(f"{puzzle.name}: the hints for {place} and {other} do not match")


def _bits(frame: Frame) -> int:
    return sum(1 << side for side in SIDES if frame[side])


def _by_size(colour: int) -> tuple[int, int]:
    return abs(colour), -colour
