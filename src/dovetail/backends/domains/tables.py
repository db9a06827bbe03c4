"""The arrays that the kernels work on: where in a record what lies, and what goes with what."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.board import NOWHERE, Board, Frame, Kind

WORD_BITS = 64
CHUNK_BITS = 8  # colours whose sets are looked up at once
CHUNK_SETS = 2**CHUNK_BITS
SIDES = 4
SETS_OF_CELLS = 3  # at the begin of a record

Words = NDArray[np.uint64]


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
        """Words of a domain."""
        return self.planes * self.types

    @property
    def lanes(self) -> int:
        """Words of the colours on all sides of a cell."""
        return SIDES * self.colours

    @classmethod
    def of(cls, board: Board) -> Sizes:
        """The sizes that a board needs."""
        kinds, palettes = board.kinds.values(), board.palettes.values()
        return cls(
            cells=_words(len(board.frames)),
            types=max(_words(len(family.types)) for family in board.families),
            colours=max((_words(len(palette)) for palette in palettes), default=1),
            planes=max(len(kind.looks) for kind in kinds),
        )


class Tables(NamedTuple):
    """n cells in the order of families, f families, m sides of cells that do not lie on the frame.

    A record holds what is known at a node, in uint64 words:

    | what | words |
    |---|---|
    | the cells with several candidates left, those that no tile has been taken for, those whose
    domain has changed since their edges were looked at | 3 · `Sizes.cells` |
    | by family and number j, the types of which more than j copies are left | Σ `levels` ·
    `Sizes.types` |
    | the colours left of every edge | edges · `Sizes.colours` |
    | the domain of every cell: bit t of plane p is the p-th look there of the type at place t
    of the family | n · `Sizes.domain` |

    Words that lie in a record are told by where they begin there.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `domains` | () | uint64 | the domain of the first cell |
    | `family` | (n,) | uint64 | which family a cell belongs to |
    | `members` | (f · `Sizes.cells`,) | uint64 | the cells of each family, as a set |
    | `left` | (f,) | uint64 | the types of which copies are left |
    | `levels` | (f,) | uint64 | the most copies of a type |
    | `sides` | (n + 1,) | uint64 | the sides of cell v are `sides[v]` to `sides[v + 1]` |
    | `edge` | (m,) | uint64 | the colours of the edge at a side |
    | `beyond` | (m,) | uint64 | the cell on the other side of it |
    | `chunks` | (m,) | uint64 | eighths of its colours that are looked up together |
    | `union` | (m,) | uint64 | where in `unions` the sets of colours of a side begin |
    | `shows` | (n,) | uint64 | where in `shown` the bits of a cell begin |
    | `unions` | flat | uint64 | by chunk and set of its colours: what shows one of them |
    | `shown` | flat | uint64 | by bit of a domain: the colour that it shows on each side that
    faces a cell, `Sizes.lanes` words |
    | `option` | flat | int32 | by bit of the domains of all cells: the option, −1 for none |
    """

    domains: np.uint64
    family: Words
    members: Words
    left: Words
    levels: Words
    sides: Words
    edge: Words
    beyond: Words
    chunks: Words
    union: Words
    shows: Words
    unions: Words
    shown: Words
    option: NDArray[np.int32]


def build_tables(board: Board, sizes: Sizes) -> tuple[Tables, Words]:
    """The tables of a board, and the record in which nothing has been concluded."""
    cells = [cell for family in board.families for cell in family.cells]
    copies = [board.looks.copies[list(family.types)] for family in board.families]
    levels = [int(each.max(initial=1)) for each in copies]
    begins = np.cumsum([SETS_OF_CELLS * sizes.cells, *(many * sizes.types for many in levels)])
    edges = _edges(board, cells)
    domains = int(begins[-1]) + sizes.colours * len(edges)
    sides = [(cell, side, beyond) for cell in cells for side, beyond in board.neighbours(cell)]
    number = {cell: v for v, cell in enumerate(cells)}
    unions = _Unions(board, sizes)
    entries = [unions.of(board.frames[cell], side) for cell, side, _ in sides]
    chunks, union = _unsigned(entries).reshape(-1, 2).T
    shown = {frame: _shown(board, frame, sizes) for frame in board.kinds}
    begin_of = dict(zip(shown, _begins([each.size for each in shown.values()]), strict=False))
    options = [_option(board, cell, sizes) for cell in cells]
    tables = Tables(
        domains=np.uint64(domains),
        family=_unsigned([f for f, one in enumerate(board.families) for _ in one.cells]),
        members=_flat(
            [bits_of(np.isin(cells, family.cells), sizes.cells) for family in board.families],
            np.uint64,
        ),
        left=_unsigned(begins[:-1]),
        levels=_unsigned(levels),
        sides=_begins([sum(1 for _ in board.neighbours(cell)) for cell in cells]),
        edge=_unsigned(
            [begins[-1] + sizes.colours * edges[min(a, b), max(a, b)] for a, _, b in sides]
        ),
        beyond=_unsigned([number[beyond] for _, _, beyond in sides]),
        chunks=chunks,
        union=union,
        shows=_unsigned([begin_of[board.frames[cell]] for cell in cells]),
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
    for each, many in zip(copies, levels, strict=True):
        parts.extend(bits_of(each > level, sizes.types) for level in range(many))
    for edge in range(len(edges)):
        parts.append(bits_of(np.ones(palettes[edge], dtype=bool), sizes.colours))
    for option in options:
        parts.append(bits_of((option != NOWHERE) & board.is_balanced, sizes.domain))
    return tables, np.concatenate(parts)


class _Unions:
    """What shows one of some colours on a side of a cell, made once for all cells of a kind."""

    def __init__(self, board: Board, sizes: Sizes) -> None:
        self._board, self._sizes = board, sizes
        self._known = dict[tuple[Frame, int], tuple[int, int]]()
        self.words = list[Words]()

    def of(self, frame: Frame, side: int) -> tuple[int, int]:
        """Chunks of the colours, and where `unions` begin."""
        if (frame, side) not in self._known:
            begin = sum(map(np.size, self.words))
            self.words.append(self._by_chunk(frame, side))
            self._known[frame, side] = (len(self.words[-1]), begin)
        return self._known[frame, side]

    def _by_chunk(self, frame: Frame, side: int) -> Words:
        """Shape (chunks, sets of a chunk's colours, words of a domain)."""
        looks = _looks(self._board.kinds[frame], self._sizes)
        palette = self._board.palettes[frame, side]
        shown = np.append(self._board.edge_colours(frame, side), NOWHERE)[looks]
        chunks = max(1, -(-len(palette) // CHUNK_BITS))
        single = np.zeros((chunks * CHUNK_BITS, self._sizes.domain), dtype=np.uint64)
        for number, colour in enumerate(palette):
            single[number] = bits_of(shown == colour, self._sizes.domain)
        unions = np.zeros((chunks, CHUNK_SETS, self._sizes.domain), dtype=np.uint64)
        for bit in range(CHUNK_BITS):
            one = single[bit::CHUNK_BITS, None]
            unions[:, 1 << bit : 2 << bit] = unions[:, : 1 << bit] | one
        return unions


def _shown(board: Board, frame: Frame, sizes: Sizes) -> Words:
    """The colour that each bit of a domain shows on each side that faces a cell, as a set."""
    looks = _looks(board.kinds[frame], sizes)
    shown = np.zeros((len(looks), SIDES, sizes.colours * WORD_BITS), dtype=bool)
    facing = (side for side in range(4) if not frame[side])
    for lane, side in enumerate(facing):
        colours = board.edge_colours(frame, side)[looks]
        used = np.flatnonzero(looks != NOWHERE)
        palette = board.palettes[frame, side]
        shown[used, lane, np.searchsorted(palette, colours[used])] = True
    packed = np.packbits(shown, axis=2, bitorder="little").view("<u8")
    return packed.astype(np.uint64).reshape(-1)


def _edges(board: Board, cells: list[int]) -> dict[tuple[int, int], int]:
    """The edges between two cells, numbered; the lesser cell comes first."""
    pairs = (
        (min(cell, beyond), max(cell, beyond))
        for cell in cells
        for _, beyond in board.neighbours(cell)
    )
    return {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}


def _looks(kind: Kind, sizes: Sizes) -> NDArray[np.int64]:
    """The look that each bit of a domain stands for, `NOWHERE` for none."""
    looks = np.full((sizes.planes, sizes.types * WORD_BITS), NOWHERE, dtype=np.int64)
    for plane, each in zip(looks, kind.looks, strict=False):
        plane[: len(each)] = each
    return looks.ravel()


def _option(board: Board, cell: int, sizes: Sizes) -> NDArray[np.int32]:
    """The option that each bit of a cell's domain stands for, `NOWHERE` for none."""
    looks = _looks(board.kinds[board.frames[cell]], sizes)
    option: NDArray[np.int32] = np.append(board.looks.option[cell], np.int32(NOWHERE))[looks]
    return option


def bits_of(members: NDArray[np.bool_], words: int) -> Words:
    """Members as bits of so many words, from the lowest on."""
    padded = np.zeros(words * WORD_BITS, dtype=bool)
    padded[: len(members)] = members
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def _words(bits: int) -> int:
    return max(1, -(-bits // WORD_BITS))


def _unsigned(values: Any) -> Words:
    return np.array(values, dtype=np.uint64)


def _begins(lengths: list[int]) -> Words:
    return _unsigned(np.cumsum([0, *lengths]))


def _flat(parts: list[Any], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *(part.ravel() for part in parts)])
