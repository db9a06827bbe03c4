"""The tables of the kernel of `domains`, and the record of the root."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.kernels.layout import DomainsTables
from dovetail.backends.shared.tiles import NO_OPTION, NO_ORIENTATION, CellKind, ZonedBoard
from dovetail.kernels.bits import WordArray, bits_of, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.boards.geometry import Frame

CHUNK_BITS = 8  # number of colours whose set is looked up at a time
CHUNK_SETS = 1 << CHUNK_BITS
SETS_OF_CELLS = 3  # number of sets of cells at the beginning of a record


class DomainsSizes(NamedTuple):
    """Sizes of sets for a board. A domain is a set of types for each plane."""

    cells: int  # words of a set of cells
    types: int  # words of a set of types
    colours: int  # words of a set of colours
    planes: int  # number of planes of a domain
    sides: int  # number of sides of a cell

    @property
    def domain(self) -> int:
        """Words of a domain."""
        return self.planes * self.types

    @property
    def lanes(self) -> int:
        """Words of the sets of colours for all sides of a cell."""
        return self.sides * self.colours

    @classmethod
    def of(cls, board: ZonedBoard) -> DomainsSizes:
        """Return the sizes for a board."""
        palettes = board.palettes.values()
        return cls(
            cells=words_for(len(board.frames)),
            types=max(words_for(len(zone.types)) for zone in board.zones),
            colours=max((words_for(len(palette)) for palette in palettes), default=1),
            planes=board.plane_count,
            sides=board.geometry.side_count,
        )

    def record(self, board: ZonedBoard) -> int:
        """Return the number of words of a record of the board."""
        counted = sum(int(each.max(initial=0)) for counts in _counts(board) for each in counts)
        sets = SETS_OF_CELLS * self.cells + counted * self.types + len(board.edges) * self.colours
        return sets + len(board.frames) * self.domain

    def tables(self, board: ZonedBoard) -> int:
        """Return the number of words of `unions` and `shown` of the board."""
        chunks = sum(map(_chunks, board.palettes.values()))
        return self.domain * (chunks * CHUNK_SETS + len({*board.kinds}) * WORD_BITS * self.lanes)


def _counts(board: ZonedBoard) -> list[list[NDArray[np.int32]]]:
    """Return for each zone a list with an array of the numbers of copies of its types.

    If not all copies have to be used, a second array has the numbers that have to be used.
    """
    pairs = [
        (board.orientations.copies[list(zone.types)], board.orientations.least[list(zone.types)])
        for zone in board.zones
    ]
    return [[*pair][: 2 - np.array_equal(*pair)] for pair in pairs]


def build_tables(board: ZonedBoard, sizes: DomainsSizes) -> tuple[DomainsTables, WordArray]:
    """Return the tables of a board, and its first record, in which nothing is propagated."""
    zones = board.zones
    cells = [cell for zone in zones for cell in zone.cells]
    frames = [board.frames[cell] for cell in cells]
    number = {cell: v for v, cell in enumerate(cells)}
    domains = _domains(board, sizes)
    options = [board.options(cell, domains[board.frames[cell]]) for cell in cells]
    counts = _counts(board)
    highest = [[int(each.max(initial=0)) for each in pair] for pair in counts]
    *copies_left_at, colours_at = _ends(
        SETS_OF_CELLS * sizes.cells, [sum(pair) * sizes.types for pair in highest]
    )
    needed_at = [
        at + sum(pair[:-1]) * sizes.types for at, pair in zip(copies_left_at, highest, strict=False)
    ]
    edges = board.geometry.edge_numbers
    sides = [
        (cell, side, beyond) for cell in cells for side, beyond in board.geometry.neighbours(cell)
    ]
    lookups = list(dict.fromkeys((board.kinds[cell], side) for cell, side, _ in sides))
    unions = [_unions(board, domains[kind[0]], kind, side, sizes) for kind, side in lookups]
    lookup = [lookups.index((board.kinds[cell], side)) for cell, side, _ in sides]
    kinds = dict.fromkeys(board.kinds)
    shown = {kind: _shown(board, domains[kind[0]], kind, sizes) for kind in kinds}
    shown_at = dict(zip(shown, _ends(0, [each.size for each in shown.values()]), strict=False))
    tables = DomainsTables(
        domains_at=np.uint64(colours_at + sizes.colours * len(set(edges.values()))),
        zone_of=_unsigned([z for z, zone in enumerate(zones) for _ in zone.cells]),
        members=_flat([bits_of(np.isin(cells, zone.cells), sizes.cells) for zone in zones]),
        copies_left_at=_unsigned(copies_left_at),
        max_copies=_unsigned([pair[0] for pair in highest]),
        needed_at=_unsigned(needed_at),
        max_needed=_unsigned([pair[-1] for pair in highest]),
        sides_at=_unsigned(_ends(0, [sizes.sides - sum(frame) for frame in frames])),
        edge_at=_unsigned(
            [colours_at + sizes.colours * edges[cell, side] for cell, side, _ in sides]
        ),
        beyond=_unsigned([number[beyond] for _, _, beyond in sides]),
        chunks=_unsigned([len(union) for union in unions])[lookup],
        unions_at=_unsigned(_ends(0, [union.size for union in unions]))[lookup],
        shown_at=_unsigned([shown_at[board.kinds[cell]] for cell in cells]),
        unions=_flat(unions),
        shown=_flat(shown.values()),
        option=np.concatenate(options),
    )
    palettes = {
        edges[cell, side]: len(board.palettes[board.kinds[cell], side]) for cell, side, _ in sides
    }
    parts = [bits_of(np.ones(len(cells), dtype=bool), sizes.cells)] * SETS_OF_CELLS
    for each, most in zip(chain(*counts), chain(*highest), strict=True):
        parts.extend(bits_of(each > few, sizes.types) for few in range(most))
    for edge in range(len(palettes)):
        parts.append(bits_of(np.ones(palettes[edge], dtype=bool), sizes.colours))
    for option in options:
        parts.append(bits_of((option != NO_OPTION) & board.is_balanced, sizes.domain))
    return tables, np.concatenate(parts)


def _domains(board: ZonedBoard, sizes: DomainsSizes) -> dict[Frame, NDArray[np.int64]]:
    """Return the orientation of each bit of a domain, by the sides of the cell on the frame."""
    places = np.arange(sizes.types * WORD_BITS)
    return {
        frame: board.domain(frame, np.where(places < len(planes[0]), places, -1))
        for frame, planes in board.planes.items()
    }


def _unions(
    board: ZonedBoard, domain: NDArray[np.int64], kind: CellKind, side: int, sizes: DomainsSizes
) -> WordArray:
    """Return, for each set of colours of a chunk, the bits of a domain that allow some of the set.

    The chunks are of `CHUNK_BITS` colours of the side. The result has shape (chunks, `CHUNK_SETS`,
    words of a domain).
    """
    palette = board.palettes[kind, side]
    chunks = _chunks(palette)
    allowed = np.zeros((chunks * CHUNK_BITS, len(domain)), dtype=bool)
    used = np.flatnonzero(domain != NO_ORIENTATION)
    which, colours = board.edge_colours(kind, side, domain[used])
    allowed[np.searchsorted(palette, colours), used[which]] = True
    single = _packed(allowed)
    unions = np.zeros((chunks, CHUNK_SETS, sizes.domain), dtype=np.uint64)
    for bit in range(CHUNK_BITS):
        colour_bits = single[bit::CHUNK_BITS, None]
        unions[:, 1 << bit : 2 << bit] = unions[:, : 1 << bit] | colour_bits
    return unions


def _chunks(palette: Sized) -> int:
    return max(1, -(-len(palette) // CHUNK_BITS))


def _shown(
    board: ZonedBoard, domain: NDArray[np.int64], kind: CellKind, sizes: DomainsSizes
) -> WordArray:
    """Return for each bit of a domain the set of colours that it allows on each inner side."""
    shown = np.zeros((len(domain), sizes.sides, sizes.colours * WORD_BITS), dtype=bool)
    used = np.flatnonzero(domain != NO_ORIENTATION)
    for lane, side in enumerate(side for side in range(sizes.sides) if not kind[0][side]):
        which, colours = board.edge_colours(kind, side, domain[used])
        shown[used[which], lane, np.searchsorted(board.palettes[kind, side], colours)] = True
    return _packed(shown)


def _packed(members: NDArray[np.bool_]) -> WordArray:
    """Return sets as words; the last axis of `members` has the members of a set."""
    return np.packbits(members, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def _ends(begin: int, lengths: Iterable[int]) -> list[int]:
    """Return the offsets of parts with these lengths, and the end of the last part."""
    return list(accumulate(lengths, initial=begin))


def _unsigned(values: Any) -> WordArray:
    return np.array(values, dtype=np.uint64)


def _flat(parts: Iterable[WordArray]) -> WordArray:
    return np.concatenate([np.empty(0, np.uint64), *(part.ravel() for part in parts)])
