"""The arrays that the kernels work on: where in a record what lies, and what goes with what."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.kernels.layout import Tables
from dovetail.backends.shared.bit_sets import WordArray, bits_of, words_for
from dovetail.backends.shared.tile_orientations import NO_OPTION, NO_ORIENTATION
from dovetail.backends.shared.zoned_board import Planes, ZonedBoard
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.board_geometry import SIDES, Frame

CHUNK_BITS = 8  # colours whose sets are looked up at once
CHUNK_SETS = 2**CHUNK_BITS
SETS_OF_CELLS = 3  # at the begin of a record


class Sizes(NamedTuple):
    """What every set takes: words of a set of cells, of types and of colours, planes of a domain.

    A domain is as many sets of types as it has planes.
    """

    cells: int
    types: int
    colours: int
    planes: int

    @property
    def domain(self) -> int:
        """WordArray of a domain."""
        return self.planes * self.types

    @property
    def lanes(self) -> int:
        """WordArray of the colours on all sides of a cell."""
        return len(SIDES) * self.colours

    @classmethod
    def of(cls, board: ZonedBoard) -> Sizes:
        """The sizes that a board needs."""
        palettes = board.palettes.values()
        return cls(
            cells=words_for(len(board.frames)),
            types=max(words_for(len(zone.types)) for zone in board.zones),
            colours=max((words_for(len(palette)) for palette in palettes), default=1),
            planes=max(map(len, board.planes.values())),
        )


def build_tables(board: ZonedBoard, sizes: Sizes) -> tuple[Tables, WordArray]:
    """The tables of a board, and the record in which nothing has been concluded."""
    cells = [cell for zone in board.zones for cell in zone.cells]
    copies = [board.orientations.copies[list(zone.types)] for zone in board.zones]
    max_copies = [int(each.max(initial=1)) for each in copies]
    begins = np.cumsum(
        [SETS_OF_CELLS * sizes.cells, *(highest * sizes.types for highest in max_copies)]
    )
    edges = _edges(board, cells)
    domains_at = int(begins[-1]) + sizes.colours * len(edges)
    sides = [
        (cell, side, beyond) for cell in cells for side, beyond in board.geometry.neighbours(cell)
    ]
    number = {cell: v for v, cell in enumerate(cells)}
    unions = _Unions(board, sizes)
    entries = [unions.of(board.frames[cell], side) for cell, side, _ in sides]
    chunks, unions_at = _unsigned(entries).reshape(-1, 2).T
    shown = {frame: _shown(board, frame, sizes) for frame in board.planes}
    begin_of = dict(zip(shown, _begins([each.size for each in shown.values()]), strict=False))
    options = [_option(board, cell, sizes) for cell in cells]
    tables = Tables(
        domains_at=np.uint64(domains_at),
        zone_of=_unsigned([z for z, zone in enumerate(board.zones) for _ in zone.cells]),
        members=_flat(
            [bits_of(np.isin(cells, zone.cells), sizes.cells) for zone in board.zones],
            np.uint64,
        ),
        copies_left_at=_unsigned(begins[:-1]),
        max_copies=_unsigned(max_copies),
        sides_at=_begins([sum(1 for _ in board.geometry.neighbours(cell)) for cell in cells]),
        edge_at=_unsigned(
            [begins[-1] + sizes.colours * edges[min(a, b), max(a, b)] for a, _, b in sides]
        ),
        beyond=_unsigned([number[beyond] for _, _, beyond in sides]),
        chunks=chunks,
        unions_at=unions_at,
        shown_at=_unsigned([begin_of[board.frames[cell]] for cell in cells]),
        unions=_flat(unions.words, np.uint64),
        shown=_flat(list(shown.values()), np.uint64),
        option=_flat(options, np.int32),
    )
    palettes = {
        edges[min(a, b), max(a, b)]: len(board.palettes[board.frames[a], side])
        for a, side, b in sides
    }
    every_cell = np.ones(len(cells), dtype=bool)
    parts = [bits_of(every_cell, sizes.cells)] * SETS_OF_CELLS
    for each, highest in zip(copies, max_copies, strict=True):
        parts.extend(bits_of(each > few, sizes.types) for few in range(highest))
    for edge in range(len(edges)):
        parts.append(bits_of(np.ones(palettes[edge], dtype=bool), sizes.colours))
    for option in options:
        parts.append(bits_of((option != NO_OPTION) & board.is_balanced, sizes.domain))
    return tables, np.concatenate(parts)


class _Unions:
    """What shows one of some colours on a side of a cell, made once for cells with one frame."""

    def __init__(self, board: ZonedBoard, sizes: Sizes) -> None:
        self._board, self._sizes = board, sizes
        self._known = dict[tuple[Frame, int], tuple[int, int]]()
        self.words = list[WordArray]()

    def of(self, frame: Frame, side: int) -> tuple[int, int]:
        """Chunks of the colours, and where `unions` begin."""
        if (frame, side) not in self._known:
            begin = sum(map(np.size, self.words))
            self.words.append(self._by_chunk(frame, side))
            self._known[frame, side] = (len(self.words[-1]), begin)
        return self._known[frame, side]

    def _by_chunk(self, frame: Frame, side: int) -> WordArray:
        """Shape (chunks, sets of a chunk's colours, words of a domain)."""
        orientations = _orientations(self._board.planes[frame], self._sizes)
        palette = self._board.palettes[frame, side]
        shown = np.append(self._board.edge_colours(side), NO_ORIENTATION)[orientations]
        chunks = max(1, -(-len(palette) // CHUNK_BITS))
        single = np.zeros((chunks * CHUNK_BITS, self._sizes.domain), dtype=np.uint64)
        for number, colour in enumerate(palette):
            single[number] = bits_of(shown == colour, self._sizes.domain)
        unions = np.zeros((chunks, CHUNK_SETS, self._sizes.domain), dtype=np.uint64)
        for bit in range(CHUNK_BITS):
            one = single[bit::CHUNK_BITS, None]
            unions[:, 1 << bit : 2 << bit] = unions[:, : 1 << bit] | one
        return unions


def _shown(board: ZonedBoard, frame: Frame, sizes: Sizes) -> WordArray:
    """The colour that each bit of a domain shows on each side that faces a cell, as a set."""
    orientations = _orientations(board.planes[frame], sizes)
    shown = np.zeros((len(orientations), len(SIDES), sizes.colours * WORD_BITS), dtype=bool)
    facing = (side for side in SIDES if not frame[side])
    used = np.flatnonzero(orientations != NO_ORIENTATION)
    for lane, side in enumerate(facing):
        colours = board.edge_colours(side)[orientations[used]]
        shown[used, lane, np.searchsorted(board.palettes[frame, side], colours)] = True
    packed = np.packbits(shown, axis=2, bitorder="little").view("<u8")
    return packed.astype(np.uint64).reshape(-1)


def _edges(board: ZonedBoard, cells: list[int]) -> dict[tuple[int, int], int]:
    """The edges between two cells, numbered; the lesser cell comes first."""
    pairs = (
        (min(cell, beyond), max(cell, beyond))
        for cell in cells
        for _, beyond in board.geometry.neighbours(cell)
    )
    return {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}


def _orientations(planes: Planes, sizes: Sizes) -> NDArray[np.int64]:
    """The orientation that each bit of a domain stands for, `NO_ORIENTATION` for none."""
    orientations = np.full((sizes.planes, sizes.types * WORD_BITS), NO_ORIENTATION, dtype=np.int64)
    for plane, each in zip(orientations, planes, strict=False):
        plane[: len(each)] = each
    return orientations.ravel()


def _option(board: ZonedBoard, cell: int, sizes: Sizes) -> NDArray[np.int32]:
    """The option that each bit of a cell's domain stands for, `NO_OPTION` for none."""
    orientations = _orientations(board.planes[board.frames[cell]], sizes)
    option: NDArray[np.int32] = np.append(board.orientations.option[cell], np.int32(NO_OPTION))[
        orientations
    ]
    return option


def _unsigned(values: Any) -> WordArray:
    return np.array(values, dtype=np.uint64)


def _begins(lengths: list[int]) -> WordArray:
    return _unsigned(np.cumsum([0, *lengths]))


def _flat(parts: list[Any], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *(part.ravel() for part in parts)])
