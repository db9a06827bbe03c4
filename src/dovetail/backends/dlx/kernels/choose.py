"""Choice of the item to branch on.

Source of the heuristics that pick cells, and of the precedence of cells with a single choice:
Busche 2011 and 2018, option -o of polycube.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.links import ONE, SIX, ZERO, is_open
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros

LARGEST = np.int32(0x7FFF_FFFF)

FEWEST_OPEN = np.uint64(layout.FEWEST_OPEN)
FIRST_ORDER = np.uint64(layout.FIRST_ORDER)
LAST_RANK = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def fewest_choices(choices, base, active):
    """Return the first open item with the fewest choices, and their number.

    The number is not positive if some item cannot be covered any more, and `LARGEST` if no item is
    open.
    """
    chosen, fewest = ZERO, LARGEST
    offset = ZERO
    for word in active:
        while word != ZERO:
            item = offset + trailing_zeros(word)
            word &= word - ONE
            if choices[base + item] < fewest:
                chosen, fewest = item, choices[base + item]
                if fewest <= 0:
                    return chosen, fewest
        offset += ONE << SIX
    return chosen, fewest


@kernel(inline=True)
def open_neighbours(cell, near_start, near, capacity, bit, active):
    """Return the number of empty neighbours of a cell, including cells that may stay empty."""
    count = ZERO
    for k in range(np.uint64(near_start[cell]), np.uint64(near_start[cell + ONE])):
        item = np.uint64(near[k])
        if is_open(item, active) if bit[item] else capacity[item] != 0:
            count += ONE
    return count


@kernel(inline=True)
def first_cell(rule, rules, matrix, choices, base, guarded_items):
    """Return the open cell that comes first by `rule`, and its number of choices.

    Cells with 1 choice come before all other cells. If no cell has 1 choice, another item below
    `guarded_items` with 1 choice is returned instead. Ties go to the fewest choices, then to the
    lowest number. The number of choices is not positive if a cell or an item below `guarded_items`
    cannot be covered any more. The number is `LARGEST` if no cell is open and no such item has 1
    choice.
    """
    cells, ranks, near_start, near = rules.cells, rules.ranks, rules.near_start, rules.near
    capacity, bit, active = matrix.capacity, matrix.bit, matrix.active
    chosen, fewest, lowest_rank = ZERO, LARGEST, LAST_RANK
    for cell in range(cells):
        if not is_open(cell, active):
            continue
        left = choices[base + cell]
        if left <= 0:
            return cell, left
        if left == 1:
            rank = ZERO
        elif rule == FEWEST_OPEN:
            rank = ONE + open_neighbours(cell, near_start, near, capacity, bit, active)
        else:
            rank = ONE + np.uint64(ranks[(rule - FIRST_ORDER) * cells + cell])
        if rank < lowest_rank or (rank == lowest_rank and left < fewest):
            chosen, fewest, lowest_rank = cell, left, rank
    for item in range(cells, guarded_items):
        left = choices[base + item]
        if left <= 1 and left < fewest and is_open(item, active):
            chosen, fewest = item, left
    return chosen, fewest


@kernel(inline=True)
def pick(rule, rules, matrix, choices, base, guarded_items):
    """Return the item to branch on by `rule`, and its number of choices.

    The number is not positive if some item that was tested cannot be covered any more, and
    `LARGEST` if no item is open.
    """
    chosen, fewest = ZERO, LARGEST
    if rule >= FEWEST_OPEN:
        chosen, fewest = first_cell(rule, rules, matrix, choices, base, guarded_items)
    if fewest == LARGEST:  # no cell is open, or the rule is for all items
        chosen, fewest = fewest_choices(choices, base, matrix.active)
    return chosen, fewest
