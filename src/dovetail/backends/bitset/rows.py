"""Which options contradict which: the sets of options that members of an option stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.bitset.kernels.layout import Rows
from dovetail.models.cover import UNCOLOURED, CoverProblem


def build_rows(cover: CoverProblem) -> Rows:
    """The rows of a problem."""
    items, primary = cover.item_count, cover.primary_count
    once = (cover.lower == 1) & (cover.upper == 1)
    exclusive = np.ones(items, dtype=bool)  # all options of the item contradict one another
    exclusive[:primary] = once
    coloured = cover.colour != UNCOLOURED
    keys = np.stack([cover.item[coloured], cover.colour[coloured]])
    colours, number = np.unique(keys, axis=1, return_inverse=True)
    own = cover.item.copy()
    own[coloured] = items + number.reshape(-1)

    options = cover.option_count
    of_option = cover.option_of_member
    counted = ~exclusive[cover.item]
    counted_start, counted_items = _by_option(of_option[counted], cover.item[counted], options)
    rival_start, rival = _by_option(of_option[~counted], own[~counted], options)
    mark_start, mark = _by_option(
        np.concatenate([of_option, of_option[coloured]]),
        np.concatenate([cover.item, own[coloured]]),
        options,
    )
    single = (cover.item < primary) & ~counted
    return Rows(
        once=once,
        whole=np.concatenate([np.arange(items), colours[0]]).astype(np.uint32),
        mark_start=mark_start,
        mark=mark,
        rival_start=rival_start,
        rival=rival,
        closes=np.bincount(of_option[single], minlength=options).astype(np.uint32),
        counted_start=counted_start,
        counted=counted_items,
    )


def _by_option(
    of_option: NDArray[np.int32], value: NDArray[np.int32], options: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Values in the order of their options, and where those of each option begin."""
    start = np.zeros(options + 1, dtype=np.uint32)
    start[1:] = np.cumsum(np.bincount(of_option, minlength=options))
    return start, value[np.argsort(of_option, kind="stable")].astype(np.uint32)
