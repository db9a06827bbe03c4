"""Offsets in the two flat arrays of the kernels; `colorpair.tables` describes their parts.

`tables`, which never change, begin with a header of `HEADER_SIZE` words. `memory` begins with its
counters, followed by a record for each level of the search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

NAMES = 43
HEADER_SIZE = 48  # whole cache lines
(
    # How many there are.
    CELLS,
    COLOURS,
    PAIRS,
    ZONES,
    RING_CELLS,
    # Where in a record something begins.
    TILES_LEFT,
    OPEN,
    SURROUNDED,
    THREE_KNOWN,
    ALL_KNOWN,
    EDGES_LEFT,
    RING_LEFT,
    KNOWN,
    DEMANDS,
    COLOURS_LEFT,
    RECORD_WORDS,
    # Where in the tables something begins.
    CELL_ROWS,
    PAIR_ROWS,
    TILE_PAIRS,
    TILE_EDGES,
    TILE_OUTGOING,
    RING_INCOMING,
    MATE,
    MAX_SHARED,
    COLOUR_TILES,
    # Where in `memory` something begins.
    RECORDS,
    BRANCH,
    CANDIDATE_COUNT,
    CANDIDATES,
    CONFLICTS,
    PLACE,
    CAUSE,
    CELL_OF,
    PENDING,
    WHY,
    SHAVEN,
    NEEDED,
    SEIZED,
    TIGHT,
    TIGHT_NUMBER,
    SINGLE,
    MET,
    VALUES,
) = (np.uint64(number) for number in range(NAMES))

# A row of a cell.
CELL_ROW = np.uint64(16)
(
    FREE,  # where in a record the tiles left of its zone begin
    FITS,  # where in the tables: what fits a colour at a side
    DEMANDED,  # what an orientation demands of the neighbours
    ALLOWED,  # the orientations that it may take at all
    TWINS,  # the tiles of the zone that are followed by a twin
    SEQUENCE,  # the sequence pairs of two codes
    OPPOSITE,  # the opposite pairs of two codes
    OUTGOING,  # its ring side clockwise, NO_SIDE if it does not lie on the ring
    INCOMING,
    ZONE_COLOURS,  # where in a record the colours left of its zone begin, if they are counted
    NEIGHBOURS,  # four cells, NO_CELL beyond the frame
) = (np.uint64(number) for number in range(11))
NO_CELL = np.uint64(2**64 - 1)
NO_SIDE = np.uint64(4)

# Known sides of a cell: four codes, a colour's number plus one, 0 where nothing is known.
CODE_BITS, CODE_MASK = np.uint64(16), np.uint64(0xFFFF)

# A demand: how many cells there are, and the exclusive or of their numbers.
ONE_DEMAND = np.uint64(1 << 32)
DEMAND_BITS, CELL_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)

# Fields of a colour: sides of tiles left, sides that cells demand, tiles with the colour or its
# mate.
FIELD_BITS, FIELD_MASK = np.uint64(21), np.uint64((1 << 21) - 1)
ONE_SIDE, ONE_DEMANDED, ONE_TILE = (np.uint64(1 << shift) for shift in (0, 21, 42))
# The same of a colour on the ring: outgoing sides, incoming sides of its mate, demands of either.
ONE_OUTGOING, ONE_INCOMING, ONE_RING_DEMAND = (np.uint64(1 << shift) for shift in (0, 21, 42))
# Of a colour in a zone: `ONE_SIDE` and `ONE_DEMANDED`, and the exclusive or of the cells that
# demand it, a cell once for each side.
COLOUR_CELL_BITS = np.uint64(42)

# Counters in `memory` behind the common entries of a search's state; its work is placements.
FORCED, PROBES, JUMPED, PENDING_COUNT = (np.uint64(OWN + number) for number in range(4))
COUNTERS = OWN + 4

# Rules, the bits of a set.
(
    CONTRADICTION,
    INSTANTIATION,
    PREEMPTION,
    SHARED_EDGES,
    CYCLES,
    BACKJUMPING,
    FOUR_PATTERN,
    THREE_PATTERN,
    SURROUNDED_PATTERN,
    TWO_SURROUNDED_PATTERN,
) = (np.uint64(1 << number) for number in range(10))

# Which pair is the most urgent, see `cells.choose`.
(
    MIN_OFFER,
    MIN_EXPECTED_OFFER,
    MIN_EXPECTED_GAP,
    MIN_EXPECTED_RATIO,
    MAX_EXPECTED_FILTERING,
) = (np.uint64(number) for number in range(5))


class ColorPairWords(NamedTuple):
    """Tuples of zeros, uint64; each has as many entries as sets of its kind have words.

    | field | set |
    |---|---|
    | `tiles` | the tiles of a zone |
    | `cells` | cells, or levels of the search |
    | `domain` | the domain of a cell |
    | `colours` | a word if single colours are counted, else empty |
    | `values` | a word if candidates are ordered by probability, else empty |
    """

    tiles: tuple[Any, ...]
    cells: tuple[Any, ...]
    domain: tuple[Any, ...]
    colours: tuple[Any, ...]
    values: tuple[Any, ...]


class ColorPairStack(NamedTuple):
    """State of one search, for n cells, p pairs and t tile numbers.

    If candidates are not ordered, t is 0.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `memory` | flat | uint64 | see above and `tables` |
    | `factor` | (p + 1 + t,) | float64 | scratch, the first p + 1 are 1: see `cells.choose` |
    | `random` | (1,) | uint64 | the state of a stream of random numbers |
    | `fits` | (n + 1,) | uint64 | placements tried, by cells that were open |
    """

    memory: NDArray[np.uint64]
    factor: NDArray[np.float64]
    random: NDArray[np.uint64]
    fits: NDArray[np.uint64]


class Settings(NamedTuple):
    """The settings of a search, see `ColorPairConfig`.

    | field | dtype | meaning |
    |---|---|---|
    | `rules` | uint64 | the rules that are switched on, as a set: see above |
    | `choice` | uint64 | which pair is the most urgent: see above |
    | `shaving` | uint64 | largest number of candidates of cells that are shaven, 0 for none |
    """

    rules: np.uint64
    choice: np.uint64
    shaving: np.uint64
