"""How long the sets of a board are."""

from __future__ import annotations

from typing import NamedTuple

from dovetail.backends.shared.bit_sets import words_for
from dovetail.backends.shared.zoned_board import ZonedBoard


class Sizes(NamedTuple):
    """Words of a set of a zone's tiles and of a set of cells or levels, planes of a domain.

    A domain is as many sets of tiles as it has planes, see `ZonedBoard.planes`. Levels are those of
    decisions, from 1 to the number of cells, and one more for trials.
    """

    tiles: int
    cells: int
    planes: int

    @property
    def domain(self) -> int:
        """Words of a domain."""
        return self.planes * self.tiles

    @classmethod
    def of(cls, board: ZonedBoard) -> Sizes:
        """The sizes that a board needs."""
        copies = board.orientations.copies
        return cls(
            tiles=max(words_for(int(copies[list(zone.types)].sum())) for zone in board.zones),
            cells=words_for(len(board.frames) + 2),
            planes=max(map(len, board.planes.values())),
        )
