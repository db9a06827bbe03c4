"""Which boards the beam search fills."""

from __future__ import annotations

from dovetail.improvers.shared.beam.fill import max_width
from dovetail.improvers.shared.board_arrays import BoardArrays

MAX_COLOURS = 255  # with the frame's: a slot of a state is a byte


def refusal(board: BoardArrays, width: int = 1) -> str | None:
    """Return the reason why no beam of a width can fill a board, or None."""
    if board.puzzle.signed:
        return "it supports unsigned colours only"
    if board.colours > MAX_COLOURS:
        return f"the tiles have {board.colours - 1} colours; it supports {MAX_COLOURS - 1}"
    widest = max_width(board)
    return None if width <= widest else f"width is {width:,}; it supports {widest:,} on this board"
