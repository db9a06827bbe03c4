"""Filters after a placement: they remove options until the placement is undone.

Source: Busche 2011, "Image Filters": the parity, volume and fit filters applied repeatedly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.dlx.kernels.links import DOWN, ONE, TWO, ZERO, drop_option, is_open
from dovetail.backends.shared.kernels.hooks import (
    FIT_FILTER,
    PARITY,
    PARITY_FILTER,
    STAMP,
    VOLUME_FILTER,
    VOLUMES,
    Hooks,
    volume_fires,
)
from dovetail.jit import kernel
from dovetail.models.reductions.kernels.fit import drop_unfit
from dovetail.models.reductions.kernels.layout import (
    Columns,
    Flood,
    Parts,
    PlacementTable,
    Region,
    Witnesses,
)
from dovetail.models.reductions.kernels.parts import label_parts, leaves_unfillable

# Binary logarithms of costs, with the cost of passing a node as unit. FLOOD: the cost of testing
# the neighbourhood of an option. FIT: the cost of the fit filter for each member of a column.
FLOOD = np.uint64(4)
FIT = np.uint64(4)


class FitTables(NamedTuple):
    """Arguments of `drop_unfit`, and the numbers of its items in the matrix.

    Here the items are numbered as in `Columns`: cells, then shapes. n is the number of options.
    `columns`, `needed`, `max_count` and `kept` are written before every call.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `placements` | | | `PlacementTable` of the options |
    | `item` | (items,) | uint64 | number of each item in the matrix |
    | `columns` | | | `Columns` of the open items |
    | `needed` | (items,) | int64 | how often an open item still has to be covered |
    | `max_count` | (shapes,) | int64 | how often an open shape may still be used |
    | `kept` | (n,) | bool | True for an option in the matrix |
    | `witnesses` | | | `Witnesses` |
    """

    placements: PlacementTable
    item: NDArray[np.uint64]
    columns: Columns
    needed: NDArray[np.int64]
    max_count: NDArray[np.int64]
    kept: NDArray[np.bool_]
    witnesses: Witnesses


class DlxHooks(NamedTuple):
    """The hooks of a packing problem, with the items of its c cells and its shapes.

    The options of a shape have at most s different values of `Hooks.parity_step`, called steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `search` | | | `Hooks` of the search |
    | `item_of_cell` | (c,) | uint64 | item of each cell |
    | `shape_items` | (2,) | uint64 | first item of a shape, and 1 + the last |
    | `parity_steps` | (shapes, s + 1) | uint64 | number of steps of each shape, then the steps |
    | `cells` | (options, size) | int32 | cells of each option, padded with −1 |
    | `fit` | | | `FitTables`; None without the fit filter, to save compilation |
    """

    search: Hooks
    item_of_cell: NDArray[np.uint64]
    shape_items: NDArray[np.uint64]
    parity_steps: NDArray[np.uint64]
    cells: NDArray[np.int32]
    fit: FitTables | None


@kernel(inline=True)
def find_open_cells(hooks, capacity, bit, active):
    """Set `hooks.search.open_cell` to 1 for each open cell and to 0 for all others."""
    for cell in range(len(hooks.item_of_cell)):
        item = hooks.item_of_cell[cell]
        uncovered = is_open(item, active) if bit[item] else capacity[item] != ZERO
        hooks.search.open_cell[cell] = np.uint8(1) if uncovered else np.uint8(0)


@kernel
def volume_trigger(hooks, remaining, capacity, bit, active):
    """Find the open cells and return whether the volume trigger fires; see `volume_fires`."""
    find_open_cells(hooks, capacity, bit, active)
    return volume_fires(hooks.search, remaining)


@kernel
def filtered(hooks, remaining, matrix, choices, base, removed, height):
    """Remove options from the matrix by the filters that are on.

    Returns the new height of `removed`, and the work in nodes passed.
    """
    capacity, bit, active = matrix.capacity, matrix.bit, matrix.active
    post_placement_actions, passed = hooks.search.post_placement_actions[remaining], ZERO
    if post_placement_actions & PARITY_FILTER:
        height, looked_at = parity_filtered(hooks, matrix, choices, base, removed, height)
        passed += looked_at
    if post_placement_actions & VOLUME_FILTER:
        find_open_cells(hooks, capacity, bit, active)
        height, looked_at = volume_filtered(hooks, matrix, choices, base, removed, height)
        passed += looked_at << FLOOD
    if post_placement_actions & FIT_FILTER:
        height, looked_at = fit_filtered(hooks.fit, hooks, matrix, choices, base, removed, height)
        passed += looked_at << FIT
    return height, passed


@kernel
def parity_filtered(hooks, matrix, choices, base, removed, height):
    """Remove options after which the pieces left cannot have the parity of the open cells.

    Returns the new height of `removed`, and the number of options tested.
    """
    links, option, active, looked_at = matrix.links, matrix.option, matrix.active, ZERO
    here, reachable = hooks.search.state[PARITY], hooks.search.parity_reachable
    first = hooks.shape_items[0]
    for item in range(first, hooks.shape_items[1]):
        if not is_open(item, active):
            continue
        steps = hooks.parity_steps[item - first]
        harmless = True
        for k in range(ONE, steps[0] + ONE):
            if steps[k] > here or not reachable[here - steps[k]]:
                harmless = False
        if harmless:
            continue
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            following = np.uint64(links[row + DOWN])
            looked_at += ONE
            if not reachable[here - hooks.search.parity_step[option[row >> TWO]]]:
                height = drop_option(row, links, choices, base, active, removed, height)
            row = following
    return height, looked_at


@kernel
def volume_filtered(hooks, matrix, choices, base, removed, height):
    """Remove options that cut off a part of the open cells that the pieces left cannot fill.

    Returns the new height of `removed`, and the number of options tested.
    """
    links, option, active = matrix.links, matrix.option, matrix.active
    own, looked_at = hooks.search, ZERO
    region, parts = Region(own.neighbours, own.optional), Parts(own.part, own.volume, own.empty)
    flood = Flood(own.mark, own.waiting)
    count = label_parts(
        own.open_cell, own.neighbours, own.optional, own.part, own.volume, own.empty, own.waiting
    )
    for item in range(hooks.shape_items[0], hooks.shape_items[1]):
        if not is_open(item, active):
            continue
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            following = np.uint64(links[row + DOWN])
            looked_at += ONE
            placement = option[row >> TWO]
            stamp = np.int64(own.state[STAMP])
            own.state[STAMP] += TWO
            if leaves_unfillable(
                hooks.cells[placement],
                region,
                parts,
                count,
                own.volume_reachable,
                np.int64(own.state[VOLUMES] - own.volume_step[placement]),
                flood,
                stamp,
            ):
                height = drop_option(row, links, choices, base, active, removed, height)
            row = following
    return height, looked_at


@kernel
def fit_filtered(fit, hooks, matrix, choices, base, removed, height):
    """Remove options after which an open cell or shape that needs an option has no option left.

    A single pass goes from the last option to the first. Returns the new height of `removed`, and
    the number of members in the columns of open items.
    """
    if fit is None:
        return height, ZERO
    links, option, active = matrix.links, matrix.option, matrix.active
    capacity, slack = matrix.capacity, matrix.slack
    cell_count, start, member = len(hooks.item_of_cell), fit.columns.start, fit.columns.member
    fit.kept[:] = False
    filled = 0
    for number in range(len(fit.item)):
        item = fit.item[number]
        start[number] = filled
        fit.needed[number] = 0
        if not is_open(item, active):
            continue
        fit.needed[number] = np.int64(capacity[item]) - np.int64(slack[item])
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            member[filled] = option[row >> TWO]
            filled += 1
            row = np.uint64(links[row + DOWN])
        if number >= cell_count:
            fit.max_count[number - cell_count] = capacity[item]
            for k in range(start[number], filled):
                fit.kept[member[k]] = True
    start[len(fit.item)] = filled
    drop_unfit(
        fit.placements, fit.columns, fit.needed, fit.max_count, False, fit.kept, fit.witnesses
    )
    for item in range(hooks.shape_items[0], hooks.shape_items[1]):
        if not is_open(item, active):
            continue
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            following = np.uint64(links[row + DOWN])
            if not fit.kept[option[row >> TWO]]:
                height = drop_option(row, links, choices, base, active, removed, height)
            row = following
    return height, np.uint64(filled)
