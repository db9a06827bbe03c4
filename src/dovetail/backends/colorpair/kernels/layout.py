"""Offsets in the two flat arrays of the kernels; `colorpair.tables` describes their parts.

`tables` begins with a header of `HEADER_SIZE` words and never changes. `memory` begins with
counters. A record for each level of the search and other arrays follow.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

NAMES = 43
HEADER_SIZE = 48  # whole cache lines
(
    # Entries of the header: numbers of cells, colours, …
    CELLS,
    COLOURS,
    PAIRS,
    ZONES,
    RING_CELLS,
    # Offsets of the parts of a record, and its size.
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
    # Offsets of the parts of `tables`.
    CELL_ROWS,
    PAIR_ROWS,
    TILE_PAIRS,
    TILE_EDGES,
    TILE_OUTGOING,
    RING_INCOMING,
    MATE,
    MAX_SHARED,
    COLOUR_TILES,
    # Offsets of the parts of `memory`.
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

# Entries of the row of a cell in `CELL_ROWS`. FITS to OPPOSITE are offsets in `tables`.
CELL_ROW = np.uint64(16)
(
    FREE,  # offset in a record: the unused tiles of the cell's zone
    FITS,  # by side and code, the orientations that fit
    DEMANDED,  # by orientation, the codes that it demands of the neighbours
    ALLOWED,  # the orientations for which the cell has an option
    TWINS,  # the tiles of the zone that are followed by a twin
    SEQUENCE,  # by two codes, the pair on adjacent sides
    OPPOSITE,  # by two codes, the pair on opposite sides
    OUTGOING,  # the side to the next cell of the ring clockwise; NO_SIDE for a cell off the ring
    INCOMING,  # the side to the previous cell of the ring; NO_SIDE for a cell off the ring
    ZONE_COLOURS,  # offset in a record: the zone's part of `COLOURS_LEFT`, if there is one
    NEIGHBOURS,  # four cells, NO_CELL beyond the frame
) = (np.uint64(number) for number in range(11))
NO_CELL = np.uint64(2**64 - 1)
NO_SIDE = np.uint64(4)

# An entry of `KNOWN`: a code for each of four sides. A code is 1 + the number of the colour; 0 for
# an unknown side.
CODE_BITS, CODE_MASK = np.uint64(16), np.uint64(0xFFFF)

# An entry of `DEMANDS`: the number of cells that demand a pair, and the exclusive or of the cells.
ONE_DEMAND = np.uint64(1 << 32)
DEMAND_BITS, CELL_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)

# Fields of an entry of `EDGES_LEFT`: numbers of sides of unused tiles with a colour, of sides on
# which open cells demand the colour, and of unused tiles with the colour or its mate.
FIELD_BITS, FIELD_MASK = np.uint64(21), np.uint64((1 << 21) - 1)
ONE_SIDE, ONE_DEMANDED, ONE_TILE = (np.uint64(1 << shift) for shift in (0, 21, 42))
# Fields of an entry of `RING_LEFT`: numbers of unused tiles with the colour on the outgoing side,
# of unused tiles with the mate on the incoming side, and of demands for either.
ONE_OUTGOING, ONE_INCOMING, ONE_RING_DEMAND = (np.uint64(1 << shift) for shift in (0, 21, 42))
# Fields of an entry of `COLOURS_LEFT`: `ONE_SIDE` and `ONE_DEMANDED` as above, and the exclusive or
# of the cells that demand the colour, each taken once for each side.
COLOUR_CELL_BITS = np.uint64(42)

# Counters in `memory`, after the common entries of a search's state. `WORK` counts placements.
FORCED, PROBES, JUMPED, PENDING_COUNT = (np.uint64(OWN + number) for number in range(4))
COUNTERS = OWN + 4

# Rules and patterns, as bits of a set.
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

# Measures that select the most urgent pair, see `cells.choose`.
(
    MIN_OFFER,
    MIN_EXPECTED_OFFER,
    MIN_EXPECTED_GAP,
    MIN_EXPECTED_RATIO,
    MAX_EXPECTED_FILTERING,
) = (np.uint64(number) for number in range(5))


class ColorPairWords(NamedTuple):
    """Tuples of zeros, uint64. The length of a tuple is the number of words of a kind of set.

    | field | set |
    |---|---|
    | `tiles` | the tiles of a zone |
    | `cells` | cells, or levels of the search |
    | `domain` | the domain of a cell |
    | `colours` | no set: 1 entry if single colours are counted, else none |
    | `values` | no set: 1 entry if candidates are ordered by probability, else none |
    """

    tiles: tuple[Any, ...]
    cells: tuple[Any, ...]
    domain: tuple[Any, ...]
    colours: tuple[Any, ...]
    values: tuple[Any, ...]


class ColorPairStack(NamedTuple):
    """State of a search: n cells, p pairs, t tile numbers (0 if candidates are not ordered).

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `memory` | flat | uint64 | see above and `colorpair.tables` |
    | `factor` | (p + 1 + t,) | float64 | scratch of `cells.choose`, which leaves p + 1 ones |
    | `random` | (1,) | uint64 | state of a stream of random numbers |
    | `fits` | (n + 1,) | uint64 | number of placements tried, by number of open cells before |
    """

    memory: NDArray[np.uint64]
    factor: NDArray[np.float64]
    random: NDArray[np.uint64]
    fits: NDArray[np.uint64]


class Settings(NamedTuple):
    """The settings of a search, see `ColorPairConfig`.

    | field | dtype | meaning |
    |---|---|---|
    | `rules` | uint64 | rules and patterns that are switched on, as a set: see above |
    | `choice` | uint64 | the measure that selects the most urgent pair: see above |
    | `shaving` | uint64 | largest number of candidates of a cell that is shaved; 0 for none |
    """

    rules: np.uint64
    choice: np.uint64
    shaving: np.uint64
