"""When a bit of a state no longer matters: as no option is left that it could bar.

Without this the colours of edges within the filled part of a board, for instance, would tell states
apart that have the same completions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.zdd.hitting_set import hitting_set
from dovetail.backends.zdd.ordered_options import OrderedOptions
from dovetail.backends.zdd.state_bits import StateBits


@dataclass(frozen=True, eq=False)
class Guards:
    """Items that guard fields: each option of a field has one of its guards.

    `items`, shape (f, w), uint64, has the bits of the guards of each field. Taking option
    `options[k]` closes a guard of field `fields[k]`; both have shape (t,), int64.
    """

    items: NDArray[np.uint64]
    options: NDArray[np.int64]
    fields: NDArray[np.int64]


def guards_of(fields: NDArray[np.int64], options: OrderedOptions, bits: StateBits) -> Guards:
    """Return few items that are branched on for each of the items in `fields`."""
    guard = np.zeros((len(fields), bits.words), dtype=np.uint64)
    touching, touched = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for number, field in enumerate(fields.tolist()):
        covers = np.zeros(options.count, dtype=bool)
        covers[options.option[options.item == field]] = True
        covering = covers[options.option] & options.branched
        chosen = hitting_set(options.option[covering], options.item[covering])
        np.bitwise_or.at(guard[number], bits.word[chosen], bits.mask[chosen])
        own = np.unique(options.option[np.isin(options.item, chosen)])
        touching.append(own)
        touched.append(np.full(len(own), number))
    return Guards(guard, np.concatenate(touching), np.concatenate(touched))
