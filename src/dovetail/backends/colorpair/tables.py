"""The flat arrays that the kernels work on, for one board.

What each holds is said here, where in them it begins by the header, see `kernels.layout`. There
are n cells in z zones, k colours, the frame's being the first, p pairs, w words of the tiles of a
zone, c words of a set of cells or levels, and d of a domain. Tile t of zone y has the number
64 · w · y + t; twins, tiles that look the same, follow one another. `ZonedBoard` tells of planes.

| tables | words | meaning |
|---|---|---|
| `CELL_ROWS` | 16 n | see `kernels.layout` |
| `FITS` of a frame | 4 (k + 1) d | by side and code: the looks that show it, all for code 0 |
| `DEMANDED` of a frame | 64 d | by look: the codes that its neighbours have to show |
| `ALLOWED` of a cell | d | the looks that it has options for |
| `TWINS` of a zone | w | the tiles that are followed by a twin |
| `SEQUENCE`, `OPPOSITE` of a zone | (k + 1)² | by two codes: the pair |
| `PAIR_ROWS` | (1 + w) (p + 1) | where in a record its zone's tiles begin, the tiles that have it |
| `TILE_PAIRS` | 8 by tile | its pairs, p in place of those that it has twice |
| `TILE_EDGES` | 2 k by tile | what of `EDGES_LEFT` and `RING_LEFT` goes with it |
| `TILE_OUTGOING` | by tile | the colour of its outgoing side on the ring, k if it has none |
| `RING_INCOMING` | k z w | by colour: the tiles that may follow it on the ring |
| `MATE` | k | the colour on the other side of an edge |
| `MOST_SHARED` | n + 1 | how many edges so many tiles can share |

| record | words | meaning |
|---|---|---|
| | z w | the tiles left |
| `OPEN` | c | the cells that are not filled |
| `SURROUNDED`, `THREE_KNOWN`, `ALL_KNOWN` | c each | with two, three, four known sides or more |
| `EDGES_LEFT`, `RING_LEFT` | k each | sides and tiles left by colour, see `kernels.layout` |
| `KNOWN` | n | the codes of the sides; of a filled cell, those that were known before |
| `DEMANDS` | p + 1 | the cells that demand a pair: how many, and the exclusive or of them |

| memory | words | meaning |
|---|---|---|
| `RECORDS` | (n + 2) records | by level, one more for trials |
| `BRANCH`, `FAN`, `CANDIDATES`, `CONFLICTS` | 1, 1, d, c by level | see `kernels.search` |
| `PLACE` | n | what a filled cell holds, by its bit in the domain |
| `CAUSE` | c n | the levels of the decisions that it follows from |
| `CELL_OF` | 64 w z | the cell that holds a tile |
| `PENDING` | 96 n + 64 | pairs to be looked at |
| `WHY`, `SHAVEN` | c each | explanations |
| `NEEDED`, `SEIZED`, `TIGHT`, `TIGHT_NUMBER`, `SINGLE`, `MET` | | scratch of one rule |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.colorpair.pair_numbers import OPPOSITE, SEQUENCE, PairNumbers, first_looks
from dovetail.backends.looks import NO_LOOK, NO_OPTION
from dovetail.backends.zoned_board import ZonedBoard
from dovetail.models.board_geometry import SIDES, Frame, opposite

WORD_BITS = 64
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Sizes:
    """Words of a set of a zone's tiles and of a set of cells or levels, planes of a domain."""

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
        copies = board.looks.copies
        return cls(
            tiles=max(_words(int(copies[list(zone.types)].sum())) for zone in board.zones),
            cells=_words(len(board.frames) + 2),
            planes=max(map(len, board.planes.values())),
        )


class Tables:
    """The arrays `words` and `option` and, made when asked for, `memory`."""

    def __init__(self, board: ZonedBoard, sizes: Sizes, pairs: PairNumbers) -> None:
        from dovetail.backends.colorpair.kernels import layout  # imports numba

        self._layout, self._board, self._sizes, self._pairs = layout, board, sizes, pairs
        self._cells, self._colours = len(board.frames), len(board.looks.mate)
        self._zones = len(board.zones)
        self._zone_of = {cell: z for z, zone in enumerate(board.zones) for cell in zone.cells}
        self._tile_types = self._types_by_tile()
        self._header = np.zeros(layout.HEADER_SIZE, dtype=np.uint64)
        self._parts: list[Words] = [self._header]
        self._size = layout.HEADER_SIZE
        self._count()
        self._lay_out_record()
        self._add_tables()
        self._memory_words = self._lay_out_memory()
        self.words = np.concatenate(self._parts)
        self.option = self._options()

    @cached_property
    def memory(self) -> Words:
        """The memory before a search: in its first record nothing is known and nothing put."""
        layout, header = self._layout, self._header
        memory = np.zeros(self._memory_words, dtype=np.uint64)
        record = memory[int(header[layout.RECORDS]) :][: int(header[layout.RECORD_WORDS])]
        tiles = np.array([each is not None for each in self._tile_types])
        record[: int(header[layout.OPEN])] = bits_of(tiles, len(tiles) // WORD_BITS)
        begin = int(header[layout.OPEN])
        every_cell = np.ones(self._cells, dtype=bool)
        record[begin : begin + self._sizes.cells] = bits_of(every_cell, self._sizes.cells)
        begin = int(header[layout.EDGES_LEFT])
        record[begin : begin + 2 * self._colours] = self._tile_edges().sum(axis=0)
        return memory

    def _count(self) -> None:
        layout, header = self._layout, self._header
        header[layout.CELLS], header[layout.COLOURS] = self._cells, self._colours
        header[layout.PAIRS], header[layout.ZONES] = self._pairs.none, self._zones
        header[layout.RING_CELLS] = self._ring_cells

    def _lay_out_record(self) -> None:
        layout, end = self._layout, self._zones * self._sizes.tiles
        for name, words in (
            (layout.OPEN, self._sizes.cells),
            (layout.SURROUNDED, self._sizes.cells),
            (layout.THREE_KNOWN, self._sizes.cells),
            (layout.ALL_KNOWN, self._sizes.cells),
            (layout.EDGES_LEFT, self._colours),
            (layout.RING_LEFT, self._colours),
            (layout.KNOWN, self._cells),
            (layout.DEMANDS, self._pairs.none + 1),
        ):
            self._header[name] = end
            end += words
        self._header[layout.RECORD_WORDS] = end

    def _lay_out_memory(self) -> int:
        layout, end, cells = self._layout, self._layout.COUNTERS, self._cells
        set_words, pairs = self._sizes.cells, self._pairs.none + 1
        for name, words in (
            (layout.RECORDS, (cells + 2) * int(self._header[layout.RECORD_WORDS])),
            (layout.BRANCH, cells + 1),
            (layout.FAN, cells + 1),
            (layout.CANDIDATES, (cells + 1) * self._sizes.domain),
            (layout.CONFLICTS, (cells + 1) * set_words),
            (layout.PLACE, cells),
            (layout.CAUSE, cells * set_words),
            (layout.CELL_OF, len(self._tile_types)),
            (layout.PENDING, 96 * cells + 64),
            (layout.WHY, set_words),
            (layout.SHAVEN, set_words),
            (layout.NEEDED, self._sizes.tiles),
            (layout.SEIZED, self._zones * self._sizes.tiles),
            (layout.TIGHT, (cells + 1) * (1 + self._sizes.tiles)),
            (layout.TIGHT_NUMBER, pairs),
            (layout.SINGLE, set_words + cells),
            (layout.MET, pairs),
        ):
            self._header[name] = end
            end += words
        return end

    def _add_tables(self) -> None:
        layout, board = self._layout, self._board
        fits = {frame: self._add(self._fits(frame)) for frame in board.planes}
        demanded = {frame: self._add(self._demanded(frame)) for frame in board.planes}
        kinds = range(self._zones)
        twins = [self._add(self._twins(zone)) for zone in kinds]
        sequence, facing = (
            [self._add(self._pairs.of_codes(zone, kind, self._colours)) for zone in kinds]
            for kind in (SEQUENCE, OPPOSITE)
        )
        rows = np.zeros((self._cells, int(layout.CELL_ROW)), dtype=np.uint64)
        for cell, row in enumerate(rows):
            frame, zone = board.frames[cell], self._zone_of[cell]
            row[layout.FREE] = zone * self._sizes.tiles
            row[layout.FITS], row[layout.DEMANDED] = fits[frame], demanded[frame]
            row[layout.ALLOWED] = self._add(self._allowed(cell))
            row[layout.TWINS] = twins[zone]
            row[layout.SEQUENCE], row[layout.OPPOSITE] = sequence[zone], facing[zone]
            row[layout.OUTGOING], row[layout.INCOMING] = self._ring_sides(frame)
            row[int(layout.NEIGHBOURS) :][: len(SIDES)] = layout.NO_CELL
            for side, beyond in board.geometry.neighbours(cell):
                row[int(layout.NEIGHBOURS) + side] = beyond
        for name, table in (
            (layout.CELL_ROWS, rows),
            (layout.PAIR_ROWS, self._pair_rows()),
            (layout.TILE_PAIRS, self._tile_pairs()),
            (layout.TILE_EDGES, self._tile_edges()),
            (layout.TILE_OUTGOING, self._tile_outgoing()),
            (layout.RING_INCOMING, self._ring_incoming()),
            (layout.MATE, board.looks.mate.astype(np.uint64)),
            (layout.MOST_SHARED, _unsigned([most_shared(m) for m in range(self._cells + 1)])),
        ):
            self._header[name] = self._add(table)

    def _add(self, table: Words) -> int:
        """Where a table begins that is added to the others."""
        begin = self._size
        self._parts.append(table.ravel())
        self._size += table.size
        return begin

    def _types_by_tile(self) -> list[int | None]:
        """The type of each tile, None for numbers that no tile has."""
        types = list[int | None]()
        for zone in self._board.zones:
            its = [t for t in zone.types for _ in range(int(self._board.looks.copies[t]))]
            types += its + [None] * (self._sizes.tiles * WORD_BITS - len(its))
        return types

    def _looks(self, frame: Frame) -> NDArray[np.int64]:
        """The look of each bit of the domains of cells with a frame, `NO_LOOK` for none."""
        planes, bits = self._board.planes[frame], self._sizes.tiles * WORD_BITS
        zone = next(z for z, each in enumerate(self._board.zones) if self._has(each.cells, frame))
        place = {t: number for number, t in enumerate(self._board.zones[zone].types)}
        looks = np.full((self._sizes.planes, bits), NO_LOOK, dtype=np.int64)
        for tile, tile_type in enumerate(self._tile_types[zone * bits : (zone + 1) * bits]):
            if tile_type is not None:
                for plane, its in enumerate(planes):
                    looks[plane, tile] = its[place[tile_type]]
        return looks.ravel()

    def _has(self, cells: tuple[int, ...], frame: Frame) -> bool:
        return any(self._board.frames[cell] == frame for cell in cells)

    def _fits(self, frame: Frame) -> Words:
        looks = self._looks(frame)
        shown = np.vstack([self._board.looks.shown, [NO_LOOK] * len(SIDES)])[looks]
        fits = np.empty((len(SIDES), self._colours + 1, self._sizes.domain), dtype=np.uint64)
        for side in SIDES:
            fits[side, 0] = bits_of(looks != NO_LOOK, self._sizes.domain)
            for colour in range(self._colours):
                fits[side, colour + 1] = bits_of(shown[:, side] == colour, self._sizes.domain)
        return fits

    def _demanded(self, frame: Frame) -> Words:
        from dovetail.backends.colorpair.kernels.layout import CODE_BITS

        looks, packed = self._looks(frame), np.zeros(self._sizes.domain * WORD_BITS, np.uint64)
        used = looks != NO_LOOK
        codes = self._board.looks.mate[self._board.looks.shown[looks[used]]].astype(np.uint64) + 1
        packed[used] = (codes << np.arange(len(SIDES), dtype=np.uint64) * CODE_BITS).sum(axis=1)
        return packed

    def _allowed(self, cell: int) -> Words:
        options = self._cell_options(cell)
        return bits_of((options != NO_OPTION) & self._board.is_balanced, self._sizes.domain)

    def _cell_options(self, cell: int) -> NDArray[np.int32]:
        looks = self._looks(self._board.frames[cell])
        options: NDArray[np.int32] = np.append(self._board.looks.option[cell], NO_OPTION)[looks]
        return options.astype(np.int32)

    def _options(self) -> NDArray[np.int32]:
        """The option of each bit of the domain of each cell, shape (n, 64 d), −1 for none."""
        return np.array([self._cell_options(cell) for cell in range(self._cells)])

    def _twins(self, zone: int) -> Words:
        bits = self._sizes.tiles * WORD_BITS
        types = [*self._tile_types[zone * bits : (zone + 1) * bits], None]
        followed = [a is not None and a == b for a, b in pairwise(types)]
        return bits_of(np.array(followed), self._sizes.tiles)

    def _pair_rows(self) -> Words:
        tiles, zone_of = self._sizes.tiles, [*self._pairs.zone_of, 0]
        has = np.zeros((len(zone_of), tiles * WORD_BITS), dtype=bool)
        for tile, pairs in enumerate(self._pairs_by_tile()):
            has[pairs, tile % (tiles * WORD_BITS)] = True
        rows = np.empty((len(zone_of), 1 + tiles), dtype=np.uint64)
        rows[:, 0] = np.array(zone_of) * tiles
        rows[:, 1:] = [bits_of(members, tiles) for members in has]
        return rows

    def _tile_pairs(self) -> Words:
        rows = np.full((len(self._tile_types), 8), self._pairs.none, dtype=np.uint64)
        for row, pairs in zip(rows, self._pairs_by_tile(), strict=True):
            row[: len(pairs)] = pairs
        return rows

    def _pairs_by_tile(self) -> list[list[int]]:
        bits = self._sizes.tiles * WORD_BITS
        return [
            [] if tile_type is None else self._pairs.of_type(tile // bits, tile_type)
            for tile, tile_type in enumerate(self._tile_types)
        ]

    @cached_property
    def _shown(self) -> list[list[int] | None]:
        """By tile the colours that its first look shows."""
        first, shown = first_looks(self._board.looks), self._board.looks.shown
        return [None if t is None else shown[first[t]].tolist() for t in self._tile_types]

    def _tile_edges(self) -> Words:
        layout, mate = self._layout, self._board.looks.mate
        edges = np.zeros((len(self._tile_types), 2, self._colours), dtype=np.uint64)
        for (sides, ring), shown in zip(edges, self._shown, strict=True):
            for colour in shown or ():
                sides[colour] += layout.ONE_SIDE
            for colour in {*(shown or ()), *(int(mate[colour]) for colour in shown or ())}:
                sides[colour] += layout.ONE_TILE
            if shown is not None and (ends := self._ring_ends(shown)) is not None:
                ring[ends[0]] += layout.ONE_OUTGOING
                ring[mate[ends[1]]] += layout.ONE_INCOMING
        return edges.reshape(len(edges), -1)

    def _tile_outgoing(self) -> Words:
        ends = (None if shown is None else self._ring_ends(shown) for shown in self._shown)
        return _unsigned([self._colours if each is None else each[0] for each in ends])

    def _ring_incoming(self) -> Words:
        mate, words = self._board.looks.mate, len(self._tile_types) // WORD_BITS
        follows = np.zeros((self._colours, len(self._tile_types)), dtype=bool)
        for tile, shown in enumerate(self._shown):
            if shown is not None and (ends := self._ring_ends(shown)) is not None:
                follows[mate[ends[1]], tile] = True
        return np.array([bits_of(members, words) for members in follows])

    def _ring_ends(self, shown: list[int]) -> tuple[int, int] | None:
        """The outgoing and the incoming colour of a tile of the ring, None for others."""
        north, east, south, west = (colour == 0 for colour in shown)
        outgoing, incoming = self._ring_sides((north, east, south, west))
        return (shown[outgoing], shown[incoming]) if outgoing in SIDES else None

    def _ring_sides(self, frame: Frame) -> tuple[int, int]:
        """The outgoing and the incoming side, clockwise along the frame, of what lies on it."""
        none = int(self._layout.NO_SIDE)
        if not self._ring_cells or sum(frame) not in (1, 2):
            return none, none
        last = next(side for side in SIDES if frame[side] and not frame[(side + 1) % 4])
        return (last + 1) % 4, opposite(last) if sum(frame) == 2 else (last + 3) % 4

    @property
    def _ring_cells(self) -> int:
        """How many cells lie along the frame; none where they do not make a ring."""
        width, height = self._board.geometry.width, self._board.geometry.height
        return 0 if min(width, height) < 2 else 2 * (width + height) - 4


def most_shared(squares: int) -> int:
    """The largest number of edges that so many unit squares can share (Benoist 2008)."""
    side = isqrt(squares)
    more = squares - side * side
    if more == 0:
        return 2 * side * (side - 1)
    return 2 * side * (side - 1) + 2 * more - (1 if more <= side else 2)


def bits_of(members: NDArray[np.bool_], words: int) -> Words:
    """Members as bits of so many words, from the lowest on."""
    padded = np.zeros(words * WORD_BITS, dtype=bool)
    padded[: len(members)] = members
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def _words(bits: int) -> int:
    return max(1, -(-bits // WORD_BITS))


def _unsigned(values: Any) -> Words:
    return np.array(values, dtype=np.uint64)
