"""The pairs of colours of a board, numbered by zone.

A sequence pair is two colours on consecutive sides, clockwise; an opposite pair two on opposite
sides, in any order. Cells of a zone take its tiles only, so that each zone has pairs of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.tile_orientations import TileOrientations
from dovetail.backends.shared.zoned_board import ZonedBoard

Colours = tuple[int, ...]
Pair = tuple[str, int, int]

SEQUENCE, OPPOSITE = "sequence", "opposite"


def pairs_of(shown: Colours, *, opposites: bool) -> list[Pair]:
    """The pairs of a tile that shows four colours, each once."""
    north, east, south, west = shown
    around = ((north, east), (east, south), (south, west), (west, north))
    pairs = [(SEQUENCE, *each) for each in around]
    if opposites:
        across = ((north, south), (east, west))
        pairs += [(OPPOSITE, min(each), max(each)) for each in across]
    return list(dict.fromkeys(pairs))


class PairNumbers:
    """Numbers from 0: the pairs that tiles of a zone have, zone by zone, then the hopeless ones.

    Of these there is one for each zone, for all pairs that none of its tiles has. `none` is the
    number after the last, which stands for no pair at all.
    """

    def __init__(self, board: ZonedBoard, *, opposites: bool) -> None:
        self._opposites = opposites
        self._first_orientation = first_orientations(board.orientations)
        self._shown = board.orientations.shown
        numbered = list[tuple[int, Pair]]()
        for number, zone in enumerate(board.zones):
            pairs = (pair for tile_type in zone.types for pair in self._of_type(tile_type))
            numbered += [(number, pair) for pair in dict.fromkeys(pairs)]
        self._number = {each: number for number, each in enumerate(numbered)}
        self.zone_of = [zone for zone, _ in numbered] + list(range(len(board.zones)))
        self.none = len(self.zone_of)

    def of_type(self, zone: int, tile_type: int) -> list[int]:
        """The numbers of a type's pairs, in the order of the sides of its first orientation."""
        return [self._number[zone, pair] for pair in self._of_type(tile_type)]

    def of_codes(self, zone: int, form: str, colours: int) -> NDArray[np.uint64]:
        """The pairs of two codes, shape (k + 1, k + 1); code 0 stands for no colour."""
        numbers = np.full((colours + 1, colours + 1), self.none, dtype=np.uint64)
        if form == SEQUENCE or self._opposites:
            numbers[1:, 1:] = len(self._number) + zone
            for (its_zone, (its_form, a, b)), number in self._number.items():
                if (its_zone, its_form) == (zone, form):
                    numbers[a + 1, b + 1] = number
                    if form == OPPOSITE:
                        numbers[b + 1, a + 1] = number
        return numbers

    def _of_type(self, tile_type: int) -> list[Pair]:
        shown = tuple(self._shown[self._first_orientation[tile_type]].tolist())
        return pairs_of(shown, opposites=self._opposites)


def first_orientations(orientations: TileOrientations) -> dict[int, int]:
    """The first orientation of each type that has any."""
    types, first = np.unique(orientations.tile_type, return_index=True)
    return dict(zip(types.tolist(), first.tolist(), strict=True))
