"""The arguments of the kernel of `domains`: tables, sizes, state and rules."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# An entry of `state` after the common entries: the number of forced placements. Of the common
# entries, `PHASE` is 0 before the root is searched, `LEVEL` is the number of cells branched on, and
# `WORK` is the number of domains revised.
FORCED = OWN
STATE_SIZE = OWN + 1

# Rules for the cell to branch on, see `kernels.search.choose`.
PER_EDGE, FEWEST = range(2)

# `search.force_places` counts copies of a type, and cells that can take it, up to this number.
MAX_COPIES = 4


class DomainsTables(NamedTuple):
    """Lookup tables of a board, and offsets into a record.

    There are n cells, ordered by z zones, and m inner sides, that is, sides of cells that do not
    lie on the frame. `DomainsSizes` is in `domains.tables`.

    A record has the knowledge at a node, in uint64 words:

    | part | words |
    |---|---|
    | the cells with several candidates | `DomainsSizes.cells` |
    | the cells for which no copy of a type has been taken | `DomainsSizes.cells` |
    | the cells whose domain has changed since their edges were revised | `DomainsSizes.cells` |
    | by zone and j < `max_copies`: the types with > j copies left | Σ `max_copies` · words |
    | by zone and j < `max_needed`: the types with > j copies to use | Σ `max_needed` · words |
    | the remaining colours of every edge | edges · `DomainsSizes.colours` |
    | the domain of every cell | n · `DomainsSizes.domain` |

    In the rows by zone, "words" is `DomainsSizes.types`. If all copies of a zone have to be used,
    its second part is the same as its first part, and `needed_at` equals `copies_left_at`.

    Bit t of plane p of a domain stands for the type at place t of the zone, in the p-th orientation
    that it can have in the cell. Names that end in `_at` are offsets, into a record or another
    array.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `domains_at` | () | uint64 | in a record: the domain of the first cell |
    | `zone_of` | (n,) | uint64 | by cell: its zone |
    | `members` | (z · `DomainsSizes.cells`,) | uint64 | by zone: its cells, as a set |
    | `copies_left_at` | (z,) | uint64 | by zone, in a record: the types with copies left |
    | `max_copies` | (z,) | uint64 | by zone: the most copies of a type |
    | `needed_at` | (z,) | uint64 | by zone, in a record: the types with copies to use |
    | `max_needed` | (z,) | uint64 | by zone: the most copies of a type that have to be used |
    | `sides_at` | (n + 1,) | uint64 | by cell: its first inner side; then m |
    | `edge_at` | (m,) | uint64 | by inner side, in a record: the colours of its edge |
    | `beyond` | (m,) | uint64 | by inner side: the cell beyond it |
    | `chunks` | (m,) | uint64 | by inner side: the number of its chunks of eight colours |
    | `unions_at` | (m,) | uint64 | by inner side, in `unions`: its first chunk |
    | `shown_at` | (n,) | uint64 | by cell, in `shown`: its first bit |
    | `unions` | flat | uint64 | by chunk and set of its colours: the bits that allow any of them |
    | `shown` | flat | uint64 | by bit: the colours it allows on inner sides, `lanes` words |
    | `option` | flat | int32 | by bit of the domains of all cells: the option, −1 for none |
    """

    domains_at: np.uint64
    zone_of: NDArray[np.uint64]
    members: NDArray[np.uint64]
    copies_left_at: NDArray[np.uint64]
    max_copies: NDArray[np.uint64]
    needed_at: NDArray[np.uint64]
    max_needed: NDArray[np.uint64]
    sides_at: NDArray[np.uint64]
    edge_at: NDArray[np.uint64]
    beyond: NDArray[np.uint64]
    chunks: NDArray[np.uint64]
    unions_at: NDArray[np.uint64]
    shown_at: NDArray[np.uint64]
    unions: NDArray[np.uint64]
    shown: NDArray[np.uint64]
    option: NDArray[np.int32]


class DomainsWords(NamedTuple):
    """Numbers of words of the sets of a board, see `tables.DomainsSizes`.

    `cells` and `record` are the numbers for a set of cells and for a record, uint64. The other
    fields are tuples of zeros, uint64; the length of a tuple is the number of words of its set.
    """

    cells: np.uint64
    record: np.uint64
    domain: tuple[Any, ...]
    types: tuple[Any, ...]
    colours: tuple[Any, ...]
    lanes: tuple[Any, ...]


class DomainsScratch(NamedTuple):
    """Scratch arrays for the propagation at a node; sizes are those of `tables.DomainsSizes`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `queue` | (cells,) | uint64 | the cells to be revised, as a set |
    | `seen` | (lanes,) | uint64 | the colours that a cell shows, by inner side |
    | `at_least` | ((MAX_COPIES + 1) · types,) | uint64 | see `search.force_places` |
    """

    queue: NDArray[np.uint64]
    seen: NDArray[np.uint64]
    at_least: NDArray[np.uint64]


class DomainsStack(NamedTuple):
    """State of a search between slices, for n cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `records` | ((n + 1) · `DomainsWords.record`,) | uint64 | a record for each level |
    | `branch` | (n + 1,) | uint64 | by level: the cell branched on |
    | `candidate_count` | (n + 1,) | uint64 | by level: the number of candidates of this cell |
    | `weight` | (n,) | uint64 | by cell: how often it has lost its last candidate |
    | `fits` | (n + 1,) | uint64 | placements tried, by number of cells with several candidates |
    | `state` | (STATE_SIZE,) | uint64 | see above |

    `scratch` has the arrays of `DomainsScratch`. Except in descents, the domain of the cell
    branched on has only the untried candidates in the record of its level.
    """

    records: NDArray[np.uint64]
    branch: NDArray[np.uint64]
    candidate_count: NDArray[np.uint64]
    weight: NDArray[np.uint64]
    fits: NDArray[np.uint64]
    state: NDArray[np.uint64]
    scratch: DomainsScratch


class DomainsRules(NamedTuple):
    """The settings of a search, see `DomainsConfig`: `choice` is `PER_EDGE` or `FEWEST`."""

    choice: np.uint64
    single_place: bool
    lazy_colours: np.uint64
    lazy_candidates: np.uint64
