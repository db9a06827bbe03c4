"""The tiles of a board and their pairs of colours, by number, and the tables about tiles.

Tile t of zone y has the number 64 · w · y + t, with w words of a set of a zone's tiles. Twins,
tiles that look the same, follow one another; some numbers stand for no tile.

A sequence pair is two colours on consecutive sides, clockwise; an opposite pair two on opposite
sides, in any order. Cells of a zone take its tiles only, so that each zone has pairs of its own.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.shared.tiles import TileOrientations, ZonedBoard
from dovetail.kernels.bits import WordArray, bits_of, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.board_geometry import SIDES, BoardGeometry, Frame, opposite
from dovetail.models.edges import Tile
from dovetail.models.frame import frame_of

Colours = tuple[int, ...]
Pair = tuple[str, int, int]

SEQUENCE, OPPOSITE = "sequence", "opposite"
PAIR_ROW = 8  # words of a row of `TILE_PAIRS`


class Sizes(NamedTuple):
    """Words of a set of a zone's tiles and of a set of cells or levels, planes of a domain.

    A domain has a set of tiles for each plane, see `ZonedBoard.planes`. Levels number the
    decisions, from 1 to the number of cells; trials have a further level.
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
        """Return the sizes that a board needs."""
        copies = board.orientations.copies
        return cls(
            tiles=max(words_for(int(copies[list(zone.types)].sum())) for zone in board.zones),
            cells=words_for(len(board.frames) + 2),
            planes=board.plane_count,
        )


def pairs_of(shown: Colours, *, opposites: bool) -> list[Pair]:
    """Return the pairs of a tile that shows four colours, each once."""
    north, east, south, west = shown
    around = ((north, east), (east, south), (south, west), (west, north))
    pairs = [(SEQUENCE, *each) for each in around]
    if opposites:
        across = ((north, south), (east, west))
        pairs += [(OPPOSITE, min(each), max(each)) for each in across]
    return list(dict.fromkeys(pairs))


class PairNumbers:
    """Numbers from 0: the pairs that tiles of a zone have, zone by zone, then hopeless pairs.

    Each zone has a single hopeless number, for all pairs that none of its tiles has. `none` is the
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
        """Return the numbers of a type's pairs, by side of its first orientation."""
        return [self._number[zone, pair] for pair in self._of_type(tile_type)]

    def of_codes(self, zone: int, form: str, colours: int) -> NDArray[np.uint64]:
        """Return the pairs of two codes, shape (k + 1, k + 1); code 0 stands for no colour."""
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
    """Return the first orientation of each type that has an orientation."""
    types, first = np.unique(orientations.tile_type, return_index=True)
    return dict(zip(types.tolist(), first.tolist(), strict=True))


class Tiles:
    """What `tables` has of `TWINS`, `PAIR_ROWS`, `RING_INCOMING`, `COLOUR_TILES` and by tile."""

    def __init__(self, board: ZonedBoard, sizes: Sizes, pairs: PairNumbers) -> None:
        self._board, self._words, self._pairs = board, sizes.tiles, pairs
        self._mate = board.orientations.mate.tolist()
        self._zone_bits = sizes.tiles * WORD_BITS
        self.types = self._types()

    def of_zone(self, zone: int) -> list[int | None]:
        """Return the types of its tiles."""
        return self.types[zone * self._zone_bits : (zone + 1) * self._zone_bits]

    @property
    def all(self) -> WordArray:
        """All tiles, as a set of the words of all zones."""
        there = np.array([tile_type is not None for tile_type in self.types])
        return bits_of(there, len(self.types) // WORD_BITS)

    def twins(self, zone: int) -> WordArray:
        """Return the tiles of a zone that are followed by a twin."""
        types = [*self.of_zone(zone), None]
        followed = [one is not None and one == following for one, following in pairwise(types)]
        return bits_of(np.array(followed), self._words)

    def pair_rows(self) -> WordArray:
        """Shape (p + 1, 1 + w)."""
        zone_of = [*self._pairs.zone_of, 0]
        has = np.zeros((len(zone_of), self._zone_bits), dtype=bool)
        for tile, pairs in enumerate(self._pairs_by_tile):
            has[pairs, tile % self._zone_bits] = True
        rows = np.empty((len(zone_of), 1 + self._words), dtype=np.uint64)
        rows[:, 0] = np.array(zone_of) * self._words
        rows[:, 1:] = [bits_of(members, self._words) for members in has]
        return rows

    def tile_pairs(self) -> WordArray:
        """Shape (tiles, `PAIR_ROW`)."""
        rows = np.full((len(self.types), PAIR_ROW), self._pairs.none, dtype=np.uint64)
        for row, pairs in zip(rows, self._pairs_by_tile, strict=True):
            row[: len(pairs)] = pairs
        return rows

    def edges(self) -> WordArray:
        """Shape (tiles, 2 k)."""
        edges = np.zeros((len(self.types), 2, len(self._mate)), dtype=np.uint64)
        for tile, shown in self._shown.items():
            sides, ring = edges[tile]
            for colour in shown:
                sides[colour] += layout.ONE_SIDE
            for colour in {*shown, *(self._mate[colour] for colour in shown)}:
                sides[colour] += layout.ONE_TILE
            if tile in self._ring_ends:
                outgoing, followed = self._ring_ends[tile]
                ring[outgoing] += layout.ONE_OUTGOING
                ring[followed] += layout.ONE_INCOMING
        return edges.reshape(len(edges), -1)

    def colours(self, zone: int) -> WordArray:
        """Edges of each colour on the tiles of a zone, shape (k,)."""
        edges = np.zeros(len(self._mate), dtype=np.uint64)
        for tile, shown in self._shown.items():
            if tile // self._zone_bits == zone:
                np.add.at(edges, list(shown), np.uint64(1))
        return edges

    def with_colours(self, zone: int) -> WordArray:
        """By colour the tiles of a zone that have it, shape (k, w)."""
        has = np.zeros((len(self._mate), self._zone_bits), dtype=bool)
        for tile, shown in self._shown.items():
            if tile // self._zone_bits == zone:
                has[list(shown), tile % self._zone_bits] = True
        return np.array([bits_of(tiles, self._words) for tiles in has])

    def outgoing(self) -> WordArray:
        """Shape (tiles,)."""
        colours = np.full(len(self.types), len(self._mate), dtype=np.uint64)
        for tile, (outgoing, _) in self._ring_ends.items():
            colours[tile] = outgoing
        return colours

    def incoming(self) -> WordArray:
        """Shape (k, z w)."""
        follows = np.zeros((len(self._mate), len(self.types)), dtype=bool)
        for tile, (_, followed) in self._ring_ends.items():
            follows[followed, tile] = True
        return np.array([bits_of(each, len(self.types) // WORD_BITS) for each in follows])

    def _types(self) -> list[int | None]:
        types = list[int | None]()
        for zone in self._board.zones:
            its = [t for t in zone.types for _ in range(int(self._board.orientations.copies[t]))]
            types += its + [None] * (self._zone_bits - len(its))
        return types

    @cached_property
    def _pairs_by_tile(self) -> list[list[int]]:
        return [
            [] if tile_type is None else self._pairs.of_type(tile // self._zone_bits, tile_type)
            for tile, tile_type in enumerate(self.types)
        ]

    @cached_property
    def _shown(self) -> dict[int, Tile]:
        """By tile the colours that its first orientation shows."""
        first, shown = (
            first_orientations(self._board.orientations),
            self._board.orientations.shown.tolist(),
        )
        of_type = {tile_type: tuple(shown[orientation]) for tile_type, orientation in first.items()}
        return {tile: of_type[t] for tile, t in enumerate(self.types) if t is not None}

    @cached_property
    def _ring_ends(self) -> dict[int, tuple[int, int]]:
        """Outgoing colour of each tile of the ring, and the colour that it may follow."""
        ends = dict[int, tuple[int, int]]()
        for tile, shown in self._shown.items() if ring_cells(self._board.geometry) else ():
            sides = ring_sides(frame_of(shown))
            if sides is not None:
                outgoing, incoming = sides
                ends[tile] = (shown[outgoing], self._mate[shown[incoming]])
        return ends


def ring_cells(geometry: BoardGeometry) -> int:
    """Return the number of cells along the frame; 0 if they form no ring."""
    width, height = geometry.width, geometry.height
    return 0 if min(width, height) < 2 else 2 * (width + height) - 4


def ring_sides(frame: Frame) -> tuple[int, int] | None:
    """Return the outgoing and the incoming side of a ring cell or tile, clockwise.

    `frame`: its sides on the frame. None for a cell or tile that is not on the ring.
    """
    if sum(frame) not in (1, 2):
        return None
    last = next(side for side in SIDES if frame[side] and not frame[(side + 1) % 4])
    return (last + 1) % 4, opposite(last) if sum(frame) == 2 else (last + 3) % 4


def max_shared(squares: int) -> int:
    """Return the largest number of edges that `squares` unit squares share (Benoist 2008)."""
    side = isqrt(squares)
    more = squares - side * side
    if more == 0:
        return 2 * side * (side - 1)
    return 2 * side * (side - 1) + 2 * more - (1 if more <= side else 2)
