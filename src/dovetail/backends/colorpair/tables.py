"""The flat arrays that the kernels work on, for one board.

The table describes each part; the header has its offset, see `kernels.layout`. There
are n cells in z zones, k colours, the frame's being the first, p pairs, w words of the tiles of a
zone, c words of a set of cells or levels, and d of a domain. `tiles` tells how tiles are numbered.

| tables | words | meaning |
|---|---|---|
| `CELL_ROWS` | 16 n | see `kernels.layout` |
| `FITS` of a frame | 4 (k + 1) d | by side and code: the orientations with it, all for code 0 |
| `DEMANDED` of a frame | 64 d | by orientation: the codes that its neighbours have to show |
| `ALLOWED` of a cell | d | the orientations that it has options for |
| `TWINS` of a zone | w | the tiles that are followed by a twin |
| `SEQUENCE`, `OPPOSITE` of a zone | (k + 1)² | by two codes: the pair |
| `PAIR_ROWS` | (1 + w) (p + 1) | where in a record its zone's tiles begin, the tiles that have it |
| `TILE_PAIRS` | 8 by tile | its pairs, p in place of a repeated pair |
| `TILE_EDGES` | 2 k by tile | what of `EDGES_LEFT` and `RING_LEFT` goes with it |
| `TILE_OUTGOING` | by tile | the colour of its outgoing side on the ring, k if it has none |
| `RING_INCOMING` | k z w | by colour: the tiles that may follow it on the ring |
| `MATE` | k | the colour on the other side of an edge |
| `MAX_SHARED` | n + 1 | the most edges that a number of tiles can share |
| `COLOUR_TILES` | k z w | by zone and colour: the tiles that have it; with single colours only |

| record | words | meaning |
|---|---|---|
| `TILES_LEFT` | z w | the tiles that have not been put; it begins the record |
| `OPEN` | c | the cells that are not filled |
| `SURROUNDED`, `THREE_KNOWN`, `ALL_KNOWN` | c each | with two, three, four known sides or more |
| `EDGES_LEFT`, `RING_LEFT` | k each | sides and tiles left by colour, see `kernels.layout` |
| `KNOWN` | n | the codes of the sides; of a filled cell, the sides known before |
| `DEMANDS` | p + 1 | the cells that demand a pair: how many, and the exclusive or of them |
| `COLOURS_LEFT` | k z | edges by zone and colour, see `kernels.layout`; with single colours only |

| memory | words | meaning |
|---|---|---|
| `RECORDS` | (n + 2) records | by level, one more for trials |
| `BRANCH`, `CANDIDATE_COUNT` | 1, 1 by level | see `kernels.search` |
| `CANDIDATES`, `CONFLICTS` | d, c by level | see `kernels.search` |
| `PLACE` | n | what a filled cell holds, by its bit in the domain |
| `CAUSE` | c n | the levels of the decisions that it follows from |
| `CELL_OF` | 64 w z | the cell that holds a tile |
| `PENDING` | 96 n + 64 | pairs to be looked at |
| `WHY`, `SHAVEN` | c each | explanations |
| `VALUES` | 1, 64 d + 1 by level | see `kernels.search`; only where values are ordered |
| `NEEDED`, `SEIZED`, `TIGHT`, `TIGHT_NUMBER`, `SINGLE`, `MET` | | scratch of one rule |
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.shared.tiles import NO_OPTION, NO_ORIENTATION, TileOrientations, ZonedBoard
from dovetail.kernels.bits import WordArray, bits_of, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.board_geometry import SIDES, BoardGeometry, Frame, opposite
from dovetail.models.edges import frame_of

Colours = tuple[int, ...]
Pair = tuple[str, int, int]

SEQUENCE, OPPOSITE = "sequence", "opposite"
PAIR_ROW = 8  # words of a row of `TILE_PAIRS`


class ColorPairSizes(NamedTuple):
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
    def of(cls, board: ZonedBoard) -> ColorPairSizes:
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


class ZoneTiles:
    """The tables `TWINS`, `PAIR_ROWS`, `RING_INCOMING`, `COLOUR_TILES` and those by tile.

    `types` has the type of each tile, by zone, −1 for none, shape (z, 64 w).
    """

    def __init__(self, board: ZonedBoard, sizes: ColorPairSizes, pairs: PairNumbers) -> None:
        self._board, self._words, self._pairs = board, sizes.tiles, pairs
        self._mate = board.orientations.mate
        self.types = np.full((len(board.zones), sizes.tiles * WORD_BITS), -1, dtype=np.int64)
        for row, zone in zip(self.types, board.zones, strict=True):
            tiles = np.repeat(zone.types, board.orientations.copies[list(zone.types)])
            row[: len(tiles)] = tiles
        # The tiles that there are, and the colours that the first orientation of each shows.
        self._tile = np.flatnonzero(self.types >= 0)
        first = first_orientations(board.orientations)
        orientation = [first[tile_type] for tile_type in self.types.flat[self._tile].tolist()]
        self._shown = board.orientations.shown[orientation]
        self._zone, self._bit = np.divmod(self._tile, self.types.shape[1])

    @property
    def all(self) -> WordArray:
        """All tiles, as a set of the words of all zones."""
        return bits_of(self.types.ravel() >= 0, self.types.size // WORD_BITS)

    def twins(self, zone: int) -> WordArray:
        """Return the tiles of a zone that are followed by a twin."""
        types = self.types[zone]
        return bits_of((types[:-1] >= 0) & (types[:-1] == types[1:]), self._words)

    def pair_rows(self) -> WordArray:
        """Shape (p + 1, 1 + w)."""
        zone_of = np.array([*self._pairs.zone_of, 0])
        has = np.zeros((len(zone_of), self.types.shape[1]), dtype=bool)
        for bit, pairs in zip(self._bit, self._pairs_by_tile, strict=True):
            has[pairs, bit] = True
        begins = (zone_of * self._words).astype(np.uint64)
        return np.column_stack([begins, bits_of(has, self._words)])

    def tile_pairs(self) -> WordArray:
        """Shape (tiles, `PAIR_ROW`)."""
        rows = np.full((self.types.size, PAIR_ROW), self._pairs.none, dtype=np.uint64)
        for tile, pairs in zip(self._tile, self._pairs_by_tile, strict=True):
            rows[tile, : len(pairs)] = pairs
        return rows

    def edges(self) -> WordArray:
        """Shape (tiles, 2 k)."""
        edges = np.zeros((self.types.size, 2, len(self._mate)), dtype=np.uint64)
        at, has = self._tile[:, None], np.zeros((self.types.size, len(self._mate)), dtype=bool)
        np.add.at(edges[:, 0], (at, self._shown), layout.ONE_SIDE)
        has[at, self._shown] = has[at, self._mate[self._shown]] = True
        edges[:, 0] += has * layout.ONE_TILE
        tile, outgoing, followed = self._ring_ends
        edges[tile, 1, outgoing] += layout.ONE_OUTGOING
        edges[tile, 1, followed] += layout.ONE_INCOMING
        return edges.reshape(len(edges), -1)

    def colours(self, zone: int) -> WordArray:
        """Edges of each colour on the tiles of a zone, shape (k,)."""
        shown = self._shown[self._zone == zone].ravel()
        return np.bincount(shown, minlength=len(self._mate)).astype(np.uint64)

    def with_colours(self, zone: int) -> WordArray:
        """By colour the tiles of a zone that have it, shape (k, w)."""
        has, own = np.zeros((len(self._mate), self.types.shape[1]), bool), self._zone == zone
        has[self._shown[own], self._bit[own, None]] = True
        return bits_of(has, self._words)

    def outgoing(self) -> WordArray:
        """Shape (tiles,)."""
        colours = np.full(self.types.size, len(self._mate), dtype=np.uint64)
        tile, outgoing, _ = self._ring_ends
        colours[tile] = outgoing
        return colours

    def incoming(self) -> WordArray:
        """Shape (k, z w)."""
        follows = np.zeros((len(self._mate), self.types.size), dtype=bool)
        tile, _, followed = self._ring_ends
        follows[followed, tile] = True
        return bits_of(follows, self.types.size // WORD_BITS)

    @cached_property
    def _pairs_by_tile(self) -> list[list[int]]:
        types = self.types[self._zone, self._bit]
        return list(map(self._pairs.of_type, self._zone.tolist(), types.tolist()))

    @cached_property
    def _ring_ends(self) -> NDArray[np.int64]:
        """Tiles of the ring, their outgoing colours and the colours that they follow, (3, n)."""
        ends = list[tuple[int, int, int]]()
        for tile, shown in zip(self._tile.tolist(), self._shown.tolist(), strict=True):
            sides = ring_sides(frame_of(tuple(shown)))
            if sides is not None and ring_cells(self._board.geometry):
                ends.append((tile, shown[sides[0]], int(self._mate[shown[sides[1]]])))
        return np.array(ends, dtype=np.int64).reshape(-1, 3).T


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


class ColorPairTables:
    """The arrays `words` and `option` and, made when asked for, `memory`.

    Parts for single colours and for ordered values are present only if the config needs them.

    `option` has the option of each bit of the domain of each cell, shape (n, 64 d), dtype int32, −1
    for none.
    """

    def __init__(
        self, board: ZonedBoard, sizes: ColorPairSizes, pairs: PairNumbers, config: ColorPairConfig
    ) -> None:
        self._board, self._sizes, self._pairs = board, sizes, pairs
        self._has_single_colours = config.single_colours
        self._orders_values = config.value_order != "given"
        self._tiles = ZoneTiles(board, sizes, pairs)
        self._zone_of = {cell: z for z, zone in enumerate(board.zones) for cell in zone.cells}
        self._orientations = {frame: self._domain(frame) for frame in board.planes}
        self.option = np.array(
            [
                board.options(cell, self._orientations[frame])
                for cell, frame in enumerate(board.frames)
            ]
        )
        self._header = np.zeros(layout.HEADER_SIZE, dtype=np.uint64)
        self._parts, self._size = [self._header], len(self._header)
        self._count()
        self._lay_out_record()
        self._add_tables()
        self._memory_words = self._lay_out_memory()
        self.words = np.concatenate(self._parts)

    @cached_property
    def memory(self) -> WordArray:
        """The memory before a search: in its first record nothing is known and nothing put."""
        header = self._header
        memory = np.zeros(self._memory_words, dtype=np.uint64)
        record = memory[int(header[layout.RECORDS]) :][: int(header[layout.RECORD_WORDS])]
        open_at, edges_at = int(header[layout.OPEN]), int(header[layout.EDGES_LEFT])
        record[:open_at] = self._tiles.all
        every_cell = np.ones(len(self._board.frames), dtype=bool)
        record[open_at : open_at + self._sizes.cells] = bits_of(every_cell, self._sizes.cells)
        left = self._tiles.edges().sum(axis=0)
        record[edges_at : edges_at + len(left)] = left
        if self._has_single_colours:
            colours_at = int(header[layout.COLOURS_LEFT])
            colours = [self._tiles.colours(zone) for zone in range(len(self._board.zones))]
            record[colours_at:] = np.concatenate(colours)
        return memory

    def _count(self) -> None:
        board = self._board
        for name, count in (
            (layout.CELLS, len(board.frames)),
            (layout.COLOURS, len(board.orientations.mate)),
            (layout.PAIRS, self._pairs.none),
            (layout.ZONES, len(board.zones)),
            (layout.RING_CELLS, ring_cells(board.geometry)),
        ):
            self._header[name] = count

    def _lay_out_record(self) -> None:
        board, sizes = self._board, self._sizes
        parts = (
            (layout.TILES_LEFT, len(board.zones) * sizes.tiles),
            (layout.OPEN, sizes.cells),
            (layout.SURROUNDED, sizes.cells),
            (layout.THREE_KNOWN, sizes.cells),
            (layout.ALL_KNOWN, sizes.cells),
            (layout.EDGES_LEFT, len(board.orientations.mate)),
            (layout.RING_LEFT, len(board.orientations.mate)),
            (layout.KNOWN, len(board.frames)),
            (layout.DEMANDS, self._pairs.none + 1),
            (
                layout.COLOURS_LEFT,
                len(board.zones) * len(board.orientations.mate) * self._has_single_colours,
            ),
        )
        end = self._lay_out(parts, 0)
        self._header[layout.RECORD_WORDS] = end

    def _lay_out_memory(self) -> int:
        """Return the size of `memory` in words."""
        cells, sizes = len(self._board.frames), self._sizes
        pairs, zone_words = self._pairs.none + 1, len(self._board.zones) * sizes.tiles
        parts = (
            (layout.RECORDS, (cells + 2) * int(self._header[layout.RECORD_WORDS])),
            (layout.BRANCH, cells + 1),
            (layout.CANDIDATE_COUNT, cells + 1),
            (layout.CANDIDATES, (cells + 1) * sizes.domain),
            (layout.CONFLICTS, (cells + 1) * sizes.cells),
            (layout.PLACE, cells),
            (layout.CAUSE, cells * sizes.cells),
            (layout.CELL_OF, zone_words * WORD_BITS),
            (layout.PENDING, 96 * cells + 64),
            (layout.WHY, sizes.cells),
            (layout.SHAVEN, sizes.cells),
            (layout.NEEDED, sizes.tiles),
            (layout.SEIZED, zone_words),
            (layout.TIGHT, (cells + 1) * (1 + sizes.tiles)),
            (layout.TIGHT_NUMBER, pairs),
            (layout.SINGLE, sizes.cells + cells),
            (layout.MET, pairs),
            (
                layout.VALUES,
                (1 + (cells + 1) * (1 + WORD_BITS * sizes.domain)) * self._orders_values,
            ),
        )
        return self._lay_out(parts, layout.COUNTERS)

    def _lay_out(self, parts: Iterable[tuple[np.uint64, int]], begin: int) -> int:
        """Write the offsets of consecutive parts into the header; return the end offset."""
        for name, words in parts:
            self._header[name] = begin
            begin += words
        return begin

    def _add_tables(self) -> None:
        tiles, cells = self._tiles, len(self._board.frames)
        shared = [max_shared(squares) for squares in range(cells + 1)]
        for name, table in (
            (layout.CELL_ROWS, self._cell_rows()),
            (layout.PAIR_ROWS, tiles.pair_rows()),
            (layout.TILE_PAIRS, tiles.tile_pairs()),
            (layout.TILE_EDGES, tiles.edges()),
            (layout.TILE_OUTGOING, tiles.outgoing()),
            (layout.RING_INCOMING, tiles.incoming()),
            (layout.MATE, self._board.orientations.mate.astype(np.uint64)),
            (layout.MAX_SHARED, np.array(shared, dtype=np.uint64)),
            (layout.COLOUR_TILES, self._colour_tiles()),
        ):
            self._header[name] = self._add(table)

    def _add(self, table: WordArray) -> int:
        """Append a table; return its offset."""
        begin = self._size
        self._parts.append(table.ravel())
        self._size += table.size
        return begin

    def _colour_tiles(self) -> WordArray:
        zones = range(len(self._board.zones) if self._has_single_colours else 0)
        none = np.zeros(0, dtype=np.uint64)
        return np.concatenate([none, *(self._tiles.with_colours(zone).ravel() for zone in zones)])

    def _cell_rows(self) -> WordArray:
        board, domain = self._board, self._sizes.domain
        fits = {frame: self._add(self._fits(frame)) for frame in board.planes}
        demanded = {frame: self._add(self._demanded(frame)) for frame in board.planes}
        zones, colours = range(len(board.zones)), len(board.orientations.mate)
        twins = [self._add(self._tiles.twins(zone)) for zone in zones]
        sequence, facing = (
            [self._add(self._pairs.of_codes(zone, kind, colours)) for zone in zones]
            for kind in (SEQUENCE, OPPOSITE)
        )
        rows = np.zeros((len(board.frames), int(layout.CELL_ROW)), dtype=np.uint64)
        for cell, row in enumerate(rows):
            frame, zone = board.frames[cell], self._zone_of[cell]
            row[layout.FREE] = zone * self._sizes.tiles
            row[layout.FITS], row[layout.DEMANDED] = fits[frame], demanded[frame]
            allowed = (self.option[cell] != NO_OPTION) & board.is_balanced
            row[layout.ALLOWED] = self._add(bits_of(allowed, domain))
            row[layout.TWINS] = twins[zone]
            row[layout.SEQUENCE], row[layout.OPPOSITE] = sequence[zone], facing[zone]
            on_ring = ring_sides(frame) if ring_cells(board.geometry) else None
            row[layout.OUTGOING], row[layout.INCOMING] = on_ring or [layout.NO_SIDE] * 2
            if self._has_single_colours:
                row[layout.ZONE_COLOURS] = int(self._header[layout.COLOURS_LEFT]) + zone * colours
            row[int(layout.NEIGHBOURS) :][: len(SIDES)] = layout.NO_CELL
            for side, beyond in board.geometry.neighbours(cell):
                row[int(layout.NEIGHBOURS) + side] = beyond
        return rows

    def _fits(self, frame: Frame) -> WordArray:
        orientations, colours = self._orientations[frame], len(self._board.orientations.mate)
        shown = np.vstack([self._board.orientations.shown, [NO_ORIENTATION] * len(SIDES)])[
            orientations
        ]
        fits = np.empty((len(SIDES), colours + 1, self._sizes.domain), dtype=np.uint64)
        for side in SIDES:
            fits[side, 0] = bits_of(orientations != NO_ORIENTATION, self._sizes.domain)
            for colour in range(colours):
                fits[side, colour + 1] = bits_of(shown[:, side] == colour, self._sizes.domain)
        return fits

    def _demanded(self, frame: Frame) -> WordArray:
        orientations = self._orientations[frame]
        used, packed = orientations != NO_ORIENTATION, np.zeros(len(orientations), dtype=np.uint64)
        codes = (
            self._board.orientations.mate[
                self._board.orientations.shown[orientations[used]]
            ].astype(np.uint64)
            + 1
        )
        shifts = np.arange(len(SIDES), dtype=np.uint64) * layout.CODE_BITS
        packed[used] = (codes << shifts).sum(axis=1)
        return packed

    def _domain(self, frame: Frame) -> NDArray[np.int64]:
        """Return the orientation of each bit of the domains of cells with a frame."""
        zone = self._zone_of[self._board.frames.index(frame)]
        place = {t: number for number, t in enumerate(self._board.zones[zone].types)}
        types = self._tiles.types[zone].tolist()
        return self._board.domain(frame, np.array([place.get(each, -1) for each in types]))
