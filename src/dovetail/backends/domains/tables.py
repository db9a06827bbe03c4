"""The tables of the kernel of `domains`, and the record of the root."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.kernels.layout import DomainsTables
from dovetail.backends.shared.tiles import NO_OPTION, NO_ORIENTATION, ZonedBoard
from dovetail.kernels.bits import WordArray, bits_of, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.board_geometry import SIDES, Frame

CHUNK_BITS = 8  # colours in a look-up
CHUNK_SETS = 2**CHUNK_BITS
SETS_OF_CELLS = 3  # sets at the beginning of a record


class DomainsSizes(NamedTuple):
    """Words of a set of cells, of types and of colours, and planes of a domain.

    A domain is a set of types for each plane.
    """

    cells: int
    types: int
    colours: int
    planes: int

    @property
    def domain(self) -> int:
        """Words of a domain."""
        return self.planes * self.types

    @property
    def lanes(self) -> int:
        """Words of the colours on all sides of a cell."""
        return len(SIDES) * self.colours

    @classmethod
    def of(cls, board: ZonedBoard) -> DomainsSizes:
        """Return the sizes that a board needs."""
        palettes = board.palettes.values()
        return cls(
            cells=words_for(len(board.frames)),
            types=max(words_for(len(zone.types)) for zone in board.zones),
            colours=max((words_for(len(palette)) for palette in palettes), default=1),
            planes=board.plane_count,
        )


def build_tables(board: ZonedBoard, sizes: DomainsSizes) -> tuple[DomainsTables, WordArray]:
    """Return the tables of a board, and the record in which nothing has been concluded."""
    zones = board.zones
    cells = [cell for zone in zones for cell in zone.cells]
    frames = [board.frames[cell] for cell in cells]
    number = {cell: v for v, cell in enumerate(cells)}
    domains = _domains(board, sizes)
    options = [board.options(cell, domains[board.frames[cell]]) for cell in cells]
    copies = [board.orientations.copies[list(zone.types)] for zone in zones]
    max_copies = [int(each.max(initial=1)) for each in copies]
    *copies_left_at, colours_at = _ends(
        SETS_OF_CELLS * sizes.cells, [highest * sizes.types for highest in max_copies]
    )
    edges = board.geometry.edge_numbers
    sides = [
        (cell, side, beyond) for cell in cells for side, beyond in board.geometry.neighbours(cell)
    ]
    kinds = list(dict.fromkeys((board.frames[cell], side) for cell, side, _ in sides))
    unions = [_unions(board, domains[frame], frame, side, sizes) for frame, side in kinds]
    kind = [kinds.index((board.frames[cell], side)) for cell, side, _ in sides]
    shown = {frame: _shown(board, domains[frame], frame, sizes) for frame in domains}
    shown_at = dict(zip(shown, _ends(0, [each.size for each in shown.values()]), strict=False))
    tables = DomainsTables(
        domains_at=np.uint64(colours_at + sizes.colours * len(set(edges.values()))),
        zone_of=_unsigned([z for z, zone in enumerate(zones) for _ in zone.cells]),
        members=_flat([bits_of(np.isin(cells, zone.cells), sizes.cells) for zone in zones]),
        copies_left_at=_unsigned(copies_left_at),
        max_copies=_unsigned(max_copies),
        sides_at=_unsigned(_ends(0, [len(SIDES) - sum(frame) for frame in frames])),
        edge_at=_unsigned(
            [colours_at + sizes.colours * edges[cell, side] for cell, side, _ in sides]
        ),
        beyond=_unsigned([number[beyond] for _, _, beyond in sides]),
        chunks=_unsigned([len(union) for union in unions])[kind],
        unions_at=_unsigned(_ends(0, [union.size for union in unions]))[kind],
        shown_at=_unsigned([shown_at[frame] for frame in frames]),
        unions=_flat(unions),
        shown=_flat(shown.values()),
        option=np.concatenate(options),
    )
    palettes = {
        edges[cell, side]: len(board.palettes[board.frames[cell], side]) for cell, side, _ in sides
    }
    parts = [bits_of(np.ones(len(cells), dtype=bool), sizes.cells)] * SETS_OF_CELLS
    for each, highest in zip(copies, max_copies, strict=True):
        parts.extend(bits_of(each > few, sizes.types) for few in range(highest))
    for edge in range(len(palettes)):
        parts.append(bits_of(np.ones(palettes[edge], dtype=bool), sizes.colours))
    for option in options:
        parts.append(bits_of((option != NO_OPTION) & board.is_balanced, sizes.domain))
    return tables, np.concatenate(parts)


def _domains(board: ZonedBoard, sizes: DomainsSizes) -> dict[Frame, NDArray[np.int64]]:
    """Return the orientation of each bit of a domain, by the frame of its cell."""
    places = np.arange(sizes.types * WORD_BITS)
    return {
        frame: board.domain(frame, np.where(places < len(planes[0]), places, -1))
        for frame, planes in board.planes.items()
    }


def _unions(
    board: ZonedBoard, domain: NDArray[np.int64], frame: Frame, side: int, sizes: DomainsSizes
) -> WordArray:
    """Return the bits of a domain that show any colour of a set on a side.

    The shape is (chunks, sets of a chunk's colours, words of a domain).
    """
    palette = board.palettes[frame, side]
    shown = np.append(board.edge_colours(side), NO_ORIENTATION)[domain]
    chunks = max(1, -(-len(palette) // CHUNK_BITS))
    single = np.zeros((chunks * CHUNK_BITS, sizes.domain), dtype=np.uint64)
    for number, colour in enumerate(palette):
        single[number] = bits_of(shown == colour, sizes.domain)
    unions = np.zeros((chunks, CHUNK_SETS, sizes.domain), dtype=np.uint64)
    for bit in range(CHUNK_BITS):
        colour_bits = single[bit::CHUNK_BITS, None]
        unions[:, 1 << bit : 2 << bit] = unions[:, : 1 << bit] | colour_bits
    return unions


def _shown(
    board: ZonedBoard, domain: NDArray[np.int64], frame: Frame, sizes: DomainsSizes
) -> WordArray:
    """Return the colour that each bit of a domain shows, as a set for each side beside a cell."""
    shown = np.zeros((len(domain), len(SIDES), sizes.colours * WORD_BITS), dtype=bool)
    used = np.flatnonzero(domain != NO_ORIENTATION)
    for lane, side in enumerate(side for side in SIDES if not frame[side]):
        colours = board.edge_colours(side)[domain[used]]
        shown[used, lane, np.searchsorted(board.palettes[frame, side], colours)] = True
    packed = np.packbits(shown, axis=2, bitorder="little").view("<u8")
    return packed.astype(np.uint64)


def _ends(begin: int, lengths: Iterable[int]) -> list[int]:
    """Return the offsets of parts with these lengths, and the end of the last part."""
    return list(accumulate(lengths, initial=begin))


def _unsigned(values: Any) -> WordArray:
    return np.array(values, dtype=np.uint64)


def _flat(parts: Iterable[WordArray]) -> WordArray:
    return np.concatenate([np.empty(0, np.uint64), *(part.ravel() for part in parts)])
