"""The arguments of the kernel of `domains`: tables, sizes, state and rules."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# An entry of `state` beside the common ones. The phase is 0 before the root is searched, the level
# is the number of cells branched on, and the work is the number of domains revised.
FORCED = OWN
STATE_SIZE = OWN + 1

# Rules for the cell to branch on, see `kernels.search.choose`.
PER_EDGE, FEWEST = range(2)

# Copies of a type, and its cells, are counted up to this number.
MAX_COPIES = 4


class DomainsTables(NamedTuple):
    """Lookup tables of a board, and offsets into a record.

    There are n cells in the order of z zones, and m sides of cells that do not lie on the frame.
    `DomainsSizes` are those of `domains.tables`.

    A record holds the knowledge at a node, in uint64 words:

    | part | words |
    |---|---|
    | the cells with several candidates left | `DomainsSizes.cells` |
    | the cells that no tile has been taken for | `DomainsSizes.cells` |
    | the cells whose domain has changed since their edges were looked at | `DomainsSizes.cells` |
    | by zone, j < `max_copies`: types with > j left | Σ `max_copies` · `DomainsSizes.types` |
    | by zone, j < `max_needed`: types with > j to use | Σ `max_needed` · `DomainsSizes.types` |
    | the colours left of every edge | edges · `DomainsSizes.colours` |
    | the domain of every cell | n · `DomainsSizes.domain` |

    Zones whose copies all have to be used share the first part by zone: `needed_at` leads there.
    Bit t of plane p of a domain is the p-th orientation there of the type at place t of the zone.
    Names that end in `_at` are offsets, into a record or another array.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `domains_at` | () | uint64 | in a record: the domain of the first cell |
    | `zone_of` | (n,) | uint64 | the zone of a cell |
    | `members` | (z · `DomainsSizes.cells`,) | uint64 | the cells of each zone, as a set |
    | `copies_left_at` | (z,) | uint64 | in a record: the types of which copies are left |
    | `max_copies` | (z,) | uint64 | the most copies of a type |
    | `needed_at` | (z,) | uint64 | in a record: the types of which copies have to be used |
    | `max_needed` | (z,) | uint64 | the most copies of a type that have to be used |
    | `sides_at` | (n + 1,) | uint64 | sides of cell v are `sides_at[v]` to `sides_at[v + 1]` |
    | `edge_at` | (m,) | uint64 | in a record: the colours of the edge at a side |
    | `beyond` | (m,) | uint64 | the cell on the other side of it |
    | `chunks` | (m,) | uint64 | the number of its chunks of eight colours |
    | `unions_at` | (m,) | uint64 | in `unions`: the sets of colours of a side |
    | `shown_at` | (n,) | uint64 | in `shown`: the bits of a cell |
    | `unions` | flat | uint64 | by chunk and set of its colours: the bits that show any of them |
    | `shown` | flat | uint64 | by bit of a domain, `DomainsSizes.lanes` words: its colours |
    | `option` | flat | int32 | by bit of the domains of all cells: the option, −1 for none |

    `shown` has the colours on the sides that face cells, side by side.
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

    | field | meaning |
    |---|---|
    | `cells` | uint64: words of a set of cells |
    | `record` | uint64: words of a record |
    | `domain`, `types`, `colours` | tuples of zeros, uint64, as long as a domain and these sets |
    | `lanes` | zeros, uint64, as many as the colours of all sides of a cell have words |
    """

    cells: np.uint64
    record: np.uint64
    domain: tuple[Any, ...]
    types: tuple[Any, ...]
    colours: tuple[Any, ...]
    lanes: tuple[Any, ...]


class DomainsScratch(NamedTuple):
    """Arrays for the conclusions at a node.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `queue` | (`DomainsWords.cells`,) | uint64 | the cells to be revised, as a set |
    | `seen` | (words of `DomainsWords.lanes`,) | uint64 | colours that a cell shows, by side |
    | `at_least` | (5 · words of `DomainsWords.types`,) | uint64 | see `search.force_places` |
    """

    queue: NDArray[np.uint64]
    seen: NDArray[np.uint64]
    at_least: NDArray[np.uint64]


class DomainsStack(NamedTuple):
    """The state of a search between slices, for n cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `records` | ((n + 1) · `DomainsWords.record`,) | uint64 | a record for each level |
    | `branch` | (n + 1,) | uint64 | by level the cell branched on |
    | `candidate_count` | (n + 1,) | uint64 | by level the number of its candidates |
    | `weight` | (n,) | uint64 | how often a cell has lost its last candidate |
    | `fits` | (n + 1,) | uint64 | placements tried, by cells that had several candidates left |
    | `state` | (STATE_SIZE,) | uint64 | see above |

    In a record, the domain of the cell branched on has only the untried candidates, except in
    descents.
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
