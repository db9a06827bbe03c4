"""The ring of the outer cells, and how many edges tiles can share.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 4.2.
"""

from __future__ import annotations

from math import isqrt

from dovetail.models.board_geometry import SIDES, BoardGeometry, Frame, opposite


def ring_cells(geometry: BoardGeometry) -> int:
    """How many cells lie along the frame; none where they do not make a ring."""
    width, height = geometry.width, geometry.height
    return 0 if min(width, height) < 2 else 2 * (width + height) - 4


def ring_sides(frame: Frame) -> tuple[int, int] | None:
    """The outgoing and the incoming side, clockwise along the frame, of what lies on the ring.

    Of a cell or of a tile by the sides that lie on the frame; None for those that have none.
    """
    if sum(frame) not in (1, 2):
        return None
    last = next(side for side in SIDES if frame[side] and not frame[(side + 1) % 4])
    return (last + 1) % 4, opposite(last) if sum(frame) == 2 else (last + 3) % 4


def max_shared(squares: int) -> int:
    """The largest number of edges that so many unit squares can share (Benoist 2008)."""
    side = isqrt(squares)
    more = squares - side * side
    if more == 0:
        return 2 * side * (side - 1)
    return 2 * side * (side - 1) + 2 * more - (1 if more <= side else 2)
