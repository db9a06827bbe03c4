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
    members_of, branched = _Members(options), options.branched
    for number, field in enumerate(fields.tolist()):
        covering = members_of.options(members_of.item(field))
        covering = covering[branched[covering]]
        chosen = hitting_set(options.option[covering], options.item[covering])
        np.bitwise_or.at(guard[number], bits.word[chosen], bits.mask[chosen])
        closing = [options.option[members_of.item(item)] for item in chosen]
        own = np.unique(np.concatenate([*touching[:1], *closing]))
        touching.append(own)
        touched.append(np.full(len(own), number))
    return Guards(guard, np.concatenate(touching), np.concatenate(touched))


class _Members:
    """The members of an item, and all members of the options that have some of them."""

    def __init__(self, options: OrderedOptions) -> None:
        self._option, self._by_item = options.option, np.argsort(options.item, kind="stable")
        self._item_start = _starts(options.item, len(options.position))
        self._option_start = _starts(options.option, options.count)

    def item(self, item: int) -> NDArray[np.int64]:
        start = self._item_start
        return self._by_item[start[item] : start[item + 1]]

    def options(self, members: NDArray[np.int64]) -> NDArray[np.int64]:
        own = np.unique(self._option[members])
        begin, size = self._option_start[own], np.diff(self._option_start)[own]
        before = np.repeat(begin - (np.cumsum(size) - size), size)
        return before + np.arange(len(before))


def _starts(group: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """Return where each group begins once its members are sorted by it, and the end."""
    return np.append(0, np.cumsum(np.bincount(group, minlength=groups)))
