"""The flat arrays that the kernels work on, for one board.

The tables below describe the parts. The header has their offsets, see `kernels.layout`. There are n
cells in z zones, k colours (the frame's is the first) and p pairs. A set of the tiles of a zone has
w words, a set of cells or of levels c words, and a domain d words. A zone has 64 w numbers for its
tiles, not all in use; `ZoneTiles.types` has the type of each number.

| part of `tables` | words | meaning |
|---|---|---|
| `CELL_ROWS` | 16 n | by cell: see `kernels.layout` |
| `FITS` of a frame | 4 (k + 1) d | by side and code: orientations that show it; all for code 0 |
| `DEMANDED` of a frame | 64 d | by orientation: the codes that its neighbours have to show |
| `ALLOWED` of a cell | d | the orientations for which the cell has options |
| `TWINS` of a zone | w | the tiles that are followed by a twin, a tile of the same type |
| `SEQUENCE`, `OPPOSITE` of a zone | (k + 1)² | by two codes: the pair |
| `PAIR_ROWS` | (1 + w) (p + 1) | by pair: the offset of its zone in a record, then its tiles |
| `TILE_PAIRS` | 512 w z | by tile: its pairs; p in place of a repeated pair |
| `TILE_EDGES` | 128 w z k | by tile: its share of `EDGES_LEFT` and of `RING_LEFT` |
| `TILE_OUTGOING` | 64 w z | by tile: the colour of its outgoing side on the ring; k for none |
| `RING_INCOMING` | k z w | by colour: the tiles that may follow it on the ring |
| `MATE` | k | by colour: the colour on the other side of an edge |
| `MAX_SHARED` | n + 1 | by number of tiles: the most edges that they can share |
| `COLOUR_TILES` | k z w | by zone and colour: the tiles with it; for single colours only |

| part of a record | words | meaning |
|---|---|---|
| `TILES_LEFT` | z w | the unused tiles; the first part of the record |
| `OPEN` | c | the cells that are not filled |
| `SURROUNDED`, `THREE_KNOWN`, `ALL_KNOWN` | c each | open cells with at least 2, 3, 4 known sides |
| `EDGES_LEFT`, `RING_LEFT` | k each | by colour: numbers of sides and tiles, see `kernels.layout` |
| `KNOWN` | n | by cell: the codes of its known sides; a filled cell keeps its last codes |
| `DEMANDS` | p + 1 | by pair: number and exclusive or of the cells that demand it |
| `COLOURS_LEFT` | k z | by zone and colour: see `kernels.layout`; for single colours only |

| part of `memory` | words | meaning |
|---|---|---|
| `RECORDS` | (n + 2) records | by level; trials use the record after the current level's |
| `BRANCH`, `CANDIDATE_COUNT` | n + 1 each | by level: see `kernels.search` |
| `CANDIDATES` | (n + 1) d | by level: see `kernels.search` |
| `CONFLICTS` | (n + 1) c | by level: see `kernels.search` |
| `PLACE` | n | by filled cell: the bit of its tile and rotation in the domain |
| `CAUSE` | c n | by filled cell: the levels of the decisions from which it follows |
| `CELL_OF` | 64 w z | by used tile: its cell |
| `PENDING` | 96 n + 64 | stack of the pairs to check |
| `WHY`, `SHAVEN` | c each | explanations, as sets of levels |
| `VALUES` | 1 + (n + 1) (64 d + 1) | see `kernels.search`; only if candidates are ordered |
| `NEEDED`, `SEIZED`, `TIGHT`, `TIGHT_NUMBER`, `SINGLE`, `MET` | | scratch arrays of single rules |
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
from dovetail.models.boards.edges import frame_of
from dovetail.models.boards.geometry import SIDES, BoardGeometry, Frame, opposite

Colours = tuple[int, ...]
Pair = tuple[str, int, int]

SEQUENCE, OPPOSITE = "sequence", "opposite"
PAIR_ROW = 8  # words of a row of `TILE_PAIRS`


class ColorPairSizes(NamedTuple):
    """Sizes of sets for a board.

    A domain has a set of tiles for each plane, see `ZonedBoard.planes`. Decisions and trials have
    levels from 1 to the number of cells.
    """

    tiles: int  # words of a set of the tiles of a zone
    cells: int  # words of a set of cells or levels
    planes: int  # number of planes of a domain

    @property
    def domain(self) -> int:
        """Words of a domain."""
        return self.planes * self.tiles

    @classmethod
    def of(cls, board: ZonedBoard) -> ColorPairSizes:
        """Return the sizes for a board."""
        copies = board.orientations.copies
        return cls(
            tiles=max(words_for(int(copies[list(zone.types)].sum())) for zone in board.zones),
            cells=words_for(len(board.frames) + 2),
            planes=board.plane_count,
        )


def pairs_of(shown: Colours, *, opposites: bool) -> list[Pair]:
    """Return the pairs of a tile that shows four colours, without repetitions."""
    north, east, south, west = shown
    around = ((north, east), (east, south), (south, west), (west, north))
    pairs = [(SEQUENCE, *each) for each in around]
    if opposites:
        across = ((north, south), (east, west))
        pairs += [(OPPOSITE, min(each), max(each)) for each in across]
    return list(dict.fromkeys(pairs))


class PairNumbers:
    """Numbers of pairs, from 0: first the pairs of the tiles of each zone, then one for each zone.

    The number of a zone stands for all pairs that none of its tiles has. `none`, the number after
    the last, stands for no pair. `zone_of` has the zone of each other number.
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
        """Return the numbers, in a zone, of the pairs of a type, in the order of `pairs_of`."""
        return [self._number[zone, pair] for pair in self._of_type(tile_type)]

    def of_codes(self, zone: int, form: str, colours: int) -> NDArray[np.uint64]:
        """Return the number of the pair for every two codes, shape (k + 1, k + 1) for k colours.

        The number is `none` if a code is 0, and for opposite pairs if the search ignores them.
        """
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
    """The tables `TWINS`, `PAIR_ROWS`, `RING_INCOMING`, `COLOUR_TILES` and those named `TILE_…`.

    `types`, shape (z, 64 w), has the type of each tile by zone, and −1 for unused numbers.
    """

    def __init__(self, board: ZonedBoard, sizes: ColorPairSizes, pairs: PairNumbers) -> None:
        self._board, self._words, self._pairs = board, sizes.tiles, pairs
        self._mate = board.orientations.mate
        self.types = np.full((len(board.zones), sizes.tiles * WORD_BITS), -1, dtype=np.int64)
        for row, zone in zip(self.types, board.zones, strict=True):
            tiles = np.repeat(zone.types, board.orientations.copies[list(zone.types)])
            row[: len(tiles)] = tiles
        # Numbers of the tiles, and the colours that the first orientation of each tile shows.
        self._tile = np.flatnonzero(self.types >= 0)
        first = first_orientations(board.orientations)
        orientation = [first[tile_type] for tile_type in self.types.flat[self._tile].tolist()]
        self._shown = board.orientations.shown[orientation]
        self._zone, self._bit = np.divmod(self._tile, self.types.shape[1])

    @property
    def all(self) -> WordArray:
        """The set of all tiles, z w words."""
        return bits_of(self.types.ravel() >= 0, self.types.size // WORD_BITS)

    def twins(self, zone: int) -> WordArray:
        """Return the tiles of a zone that are followed by a tile of the same type."""
        types = self.types[zone]
        return bits_of((types[:-1] >= 0) & (types[:-1] == types[1:]), self._words)

    def pair_rows(self) -> WordArray:
        """Return `PAIR_ROWS`, shape (p + 1, 1 + w)."""
        zone_of = np.array([*self._pairs.zone_of, 0])
        has = np.zeros((len(zone_of), self.types.shape[1]), dtype=bool)
        for bit, pairs in zip(self._bit, self._pairs_by_tile, strict=True):
            has[pairs, bit] = True
        begins = (zone_of * self._words).astype(np.uint64)
        return np.column_stack([begins, bits_of(has, self._words)])

    def tile_pairs(self) -> WordArray:
        """Return `TILE_PAIRS`, shape (64 w z, `PAIR_ROW`)."""
        rows = np.full((self.types.size, PAIR_ROW), self._pairs.none, dtype=np.uint64)
        for tile, pairs in zip(self._tile, self._pairs_by_tile, strict=True):
            rows[tile, : len(pairs)] = pairs
        return rows

    def edges(self) -> WordArray:
        """Return `TILE_EDGES`, shape (64 w z, 2 k)."""
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
        """Return the number of sides with each colour on the tiles of a zone, shape (k,)."""
        shown = self._shown[self._zone == zone].ravel()
        return np.bincount(shown, minlength=len(self._mate)).astype(np.uint64)

    def with_colours(self, zone: int) -> WordArray:
        """Return by colour the tiles of a zone that have the colour, shape (k, w)."""
        has, in_zone = np.zeros((len(self._mate), self.types.shape[1]), bool), self._zone == zone
        has[self._shown[in_zone], self._bit[in_zone, None]] = True
        return bits_of(has, self._words)

    def outgoing(self) -> WordArray:
        """Return `TILE_OUTGOING`, shape (64 w z,)."""
        colours = np.full(self.types.size, len(self._mate), dtype=np.uint64)
        tile, outgoing, _ = self._ring_ends
        colours[tile] = outgoing
        return colours

    def incoming(self) -> WordArray:
        """Return `RING_INCOMING`, shape (k, z w)."""
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
        """Tiles on the ring, their outgoing colours and the colours that they follow, in 3 rows."""
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
    """Return the outgoing and the incoming side of a cell or tile on the ring, clockwise.

    `frame` tells for each side whether it lies on the frame. The result is None off the ring.
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
    """The arrays of a board. `words` is the array that the kernels call `tables`.

    `option`, shape (n, 64 d), int32, has the option of each cell and bit of its domain, −1 for
    none. Parts for single colours and for ordered candidates exist only if the config needs them.
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
        """The array `memory` before a search; in the first record no cell is filled."""
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
        """Write the offsets of the parts of `memory` into the header; return its size in words."""
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
        """Return the orientation of each bit of the domain of cells with this frame."""
        zone = self._zone_of[self._board.frames.index(frame)]
        place = {t: number for number, t in enumerate(self._board.zones[zone].types)}
        types = self._tiles.types[zone].tolist()
        return self._board.domain(frame, np.array([place.get(each, -1) for each in types]))
