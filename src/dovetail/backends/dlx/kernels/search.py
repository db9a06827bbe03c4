"""Knuth's dancing links with colours and multiplicities, as one resumable kernel.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X, C
and M. What is arranged differently, and why:

* An item that may be covered several times is branched on by removing each tried option
  from the whole matrix, so that every set of options is met once.
* Every level has its own row of `choices`, copied when an option is taken. Undoing is then
  relinking alone, without a counter to restore per link.
* Taking an option stops as soon as an open item that the next choice looks at has lost its
  last choice (heuristics that pick cells do not notice a piece that has). The option is a
  node all the same, so node counts are those of the plain algorithm.

Heuristics that pick cells, with the exception they make for cells of one choice: Busche 2011
and 2018, option -o of polycube.

Everything is unsigned save the values of `choices`: numba then leaves out the code for
negative indices.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.filters import filtered, volume_trigger
from dovetail.backends.dlx.kernels.links import (
    DOWN,
    ITEM,
    ONE,
    SIX,
    SPACER,
    STEP,
    TWO,
    UP,
    ZERO,
    hide_column,
    is_open,
    relink_option,
    remove_option,
    restore_option,
    unhide_column,
    unlink_option,
)
from dovetail.backends.kernels.hooks import (
    FILTERS,
    PARITY,
    PARITY_TRIGGER,
    TRACE,
    TRACED,
    VOLUME_TRIGGER,
    move_sums,
    move_sums_back,
    record,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.slices import (
    BUFFER_FULL,
    EXHAUSTED,
    NODE_LIMIT,
    REMOVAL,
    WORK_SPENT,
)

# Entries of `state`, an array of uint64 that a slice hands to the next.
LEVEL, PLACED, PHASE, NODES, UPDATES, SOLUTIONS, BUFFERED, REMOVED = range(8)
STATE_SIZE = 8

# What to do next, kept in state[PHASE].
DESCEND, UNDO, NEXT, DONE = (np.uint64(phase) for phase in range(4))

NOTHING = np.uint32(0xFFFF_FFFE)  # in level_node: the branch that takes no further option
SIXTEENTH = np.uint64(4)  # looking at an item costs about a sixteenth of passing a node
LARGEST = np.int32(0x7FFF_FFFF)

FEWEST_CHOICES = np.uint64(layout.FEWEST_CHOICES)
STOP = np.uint64(layout.STOP)
FEWEST_OPEN = np.uint64(layout.FEWEST_OPEN)
FIRST_ORDER = np.uint64(layout.FIRST_ORDER)
LAST_RANK = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def toggle(item, active, bit):
    """Open or close a primary item; does nothing to a secondary one."""
    active[item >> SIX] ^= bit[item]


@kernel(inline=True)
def use_room(item, choices, base, room, slack):
    """Count one more option for an item; True if it can take another after it."""
    left = np.uint64(room[item]) - ONE
    room[item] = left
    if left >= slack[item]:  # one less is needed
        choices[base + item] += 1
    return left > ZERO


@kernel(inline=True)
def book_members(node, links, colour, choices, base, room, slack, active, bit):
    """Count `node`'s option for its other items, and close those that are full."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    for other in range(first, end, STEP):
        if other != node and colour[other >> TWO] == 0:
            item = np.uint64(links[other + ITEM])
            if not use_room(item, choices, base, room, slack):
                toggle(item, active, bit)


@kernel(inline=True)
def unbook_members(node, links, colour, room, active, bit):
    """Undo `book_members`."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    for other in range(first, end, STEP):
        if other != node and colour[other >> TWO] == 0:
            item = np.uint64(links[other + ITEM])
            if room[item] == 0:
                toggle(item, active, bit)
            room[item] += ONE


@kernel(inline=True)
def clear_members(node, mark, links, colour, choices, base, room, painted, active, watched):
    """Take out every option that contradicts `node`'s.

    Of a full item, all options; of a secondary item that gets its colour here (`mark` is 1 +
    the level), those of other colours. Returns (member, row, passed): where it stopped
    because an open item below `watched` lost its last choice, (end, end) if it did not, and
    the nodes passed.
    """
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    passed = ONE
    for other in range(first, end, STEP):
        item = np.uint64(links[other + ITEM])
        hue = colour[other >> TWO]
        if other == node or (room[item] != 0 if hue == 0 else painted[item] != 0):
            continue
        if hue != 0:
            painted[item] = mark
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            passed += ONE
            if hue == 0 or colour[row >> TWO] != hue:
                lost = unlink_option(row, links, choices, base, active)
                if lost < watched:
                    return other, row, passed
            row = np.uint64(links[row + DOWN])
    return end, end, passed


@kernel(inline=True)
def restore_members(node, mark, member, row, links, colour, room, painted):
    """Undo `clear_members`, which stopped at `row` of `member`, or passed all (end, end)."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    other = member
    if member == end:
        other -= STEP
        row = np.uint64(links[(np.uint64(links[other + ITEM]) << TWO) + UP])
    while other >= first:
        item = np.uint64(links[other + ITEM])
        hue = colour[other >> TWO]
        if other != node and (room[item] == 0 if hue == 0 else painted[item] == mark):
            header = item << TWO
            while row != header:
                if hue == 0 or colour[row >> TWO] != hue:
                    relink_option(row, links)
                row = np.uint64(links[row + UP])
            if hue != 0:
                painted[item] = 0
        other -= STEP
        if other >= first:
            row = np.uint64(links[(np.uint64(links[other + ITEM]) << TWO) + UP])


@kernel(inline=True)
def take_back(node, branch, mark, member, row, links, colour, room, once, painted, bit, active):
    """Undo an option that was taken in `branch`, as far as (member, row) says it was."""
    restore_members(node, mark, member, row, links, colour, room, painted)
    unbook_members(node, links, colour, room, active, bit)
    if not once[branch]:
        if room[branch] == 0:
            unhide_column(branch, links)
            toggle(branch, active, bit)
        room[branch] += ONE


@kernel(inline=True)
def fewest_choices(choices, base, active):
    """The first open item with the fewest choices, and their number.

    The number is not positive when some item cannot be covered any more, and `LARGEST` when
    no item is open.
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
def open_neighbours(cell, near_start, near, room, bit, active):
    """How many neighbours of a cell are not covered, be they to be covered or not."""
    count = ZERO
    for k in range(np.uint64(near_start[cell]), np.uint64(near_start[cell + ONE])):
        item = np.uint64(near[k])
        if is_open(item, active) if bit[item] else room[item] != 0:
            count += ONE
    return count


@kernel(inline=True)
def first_cell(rule, ranks, near_start, near, choices, base, cells, room, bit, active):
    """The open cell that comes first by `rule`, and its number of choices.

    Cells of one choice come before all others; ties go to the fewest choices, then to the
    first. The number is not positive when some cell cannot be covered any more, and `LARGEST`
    when no cell is open.
    """
    chosen, fewest, least = ZERO, LARGEST, LAST_RANK
    for cell in range(cells):
        if not is_open(cell, active):
            continue
        left = choices[base + cell]
        if left <= 0:
            return cell, left
        if left == 1:
            rank = ZERO
        elif rule == FEWEST_OPEN:
            rank = ONE + open_neighbours(cell, near_start, near, room, bit, active)
        else:
            rank = ONE + np.uint64(ranks[(rule - FIRST_ORDER) * cells + cell])
        if rank < least or (rank == least and left < fewest):
            chosen, fewest, least = cell, left, rank
    return chosen, fewest


@kernel(inline=True)
def record_solution(level, level_node, option, row):
    """Write the options taken on the levels below `level` into `row`, padded with −1."""
    filled = ZERO
    for depth in range(level):
        if level_node[depth] != NOTHING:
            row[filled] = option[level_node[depth] >> TWO]
            filled += ONE
    row[filled:] = -1


@kernel(inline=True)
def put_back(removed, height, mark, links):
    """Put options back that were taken out when `removed` was higher than `mark`."""
    while height > mark:
        height -= ONE
        restore_option(np.uint64(removed[height]), links)
    return height


@kernel(inline=True)
def copy_row(choices, start, items):
    """Copy the row of `choices` at `start` into the next one."""
    for source in range(start, start + items):
        choices[source + items] = choices[source]


@kernel
def search(
    links,
    colour,
    option,
    choices,
    items,
    room,
    slack,
    once,
    painted,
    bit,
    active,
    heuristic,
    watched,
    ranks,
    near_start,
    near,
    cells,
    level_item,
    level_node,
    level_removed,
    level_width,
    level_tried,
    removed,
    fits,
    solutions,
    state,
    hooks,
    pieces,
    until,
    work,
    node_limit,
):
    """Go on searching for about `work` steps; returns why the slice ended.

    A step is a node passed or sixteen items looked at.

    The first ten arrays are those of `Links`, save that `choices` has a row of `items` entries
    per level, one after another, of which the first is given. The next five are those of
    `Rules`, and `cells` is how many items, from the first on, are cells. The stack, each
    (levels,) uint32: `level_item` is the item branched on, `level_node` the node of the option
    taken, `level_removed` the height of the stack `removed` (options,) uint32 on entry,
    `level_width` the number of branches there, `level_tried` how many have been begun.
    `fits[d]` counts the options taken when d had been taken before. `solutions` (rows, width)
    int32 is filled from row state[BUFFERED] on, short rows padded with −1; when it is full
    the slice ends. `hooks` are `DlxHooks` or None; with them every solution has so many `pieces`.
    The slice also ends when an option is taken back and `until` remain taken.
    """
    level, placed, phase = state[LEVEL], state[PLACED], state[PHASE]
    nodes, updates, height = state[NODES], state[UPDATES], state[REMOVED]
    work_end = updates + work
    reason = EXHAUSTED
    if hooks is not None:
        own = hooks.search
        duties, tally, fired, trace = own.duties, own.state, own.fired, own.trace
        parity_step, volume_step = own.parity_step, own.volume_step
        parity_reachable = own.parity_reachable
        trace_room = np.uint64(len(trace)) if len(trace) else LAST_RANK
    while phase != DONE:
        if updates >= work_end:
            reason = WORK_SPENT
            break
        updates += ONE
        if hooks is not None and tally[TRACED] + TWO > trace_room:
            reason = BUFFER_FULL
            break

        if phase == DESCEND:
            updates += items >> SIXTEENTH
            level_removed[level] = height
            if hooks is not None and duties[pieces - placed] & FILTERS:
                height, passed = filtered(
                    hooks,
                    pieces - placed,
                    links,
                    option,
                    choices,
                    level * items,
                    room,
                    bit,
                    active,
                    removed,
                    height,
                )
                updates += passed
            rule = heuristic[placed]
            chosen, fewest = ZERO, LARGEST
            if rule >= FEWEST_OPEN:
                chosen, fewest = first_cell(
                    rule,
                    ranks,
                    near_start,
                    near,
                    choices,
                    level * items,
                    cells,
                    room,
                    bit,
                    active,
                )
            if fewest == LARGEST and rule != STOP:  # no cell is open, or cells are like others
                chosen, fewest = fewest_choices(choices, level * items, active)
            phase = UNDO if level > ZERO else DONE
            if fewest == LARGEST:
                record_solution(level, level_node, option, solutions[state[BUFFERED]])
                state[BUFFERED] += ONE
                state[SOLUTIONS] += ONE
                if state[BUFFERED] == np.uint64(solutions.shape[0]):
                    reason = BUFFER_FULL
                    break
            elif fewest > 0:
                level_item[level] = chosen
                level_node[level] = chosen << TWO
                level_width[level] = fewest
                level_tried[level] = ZERO
                if once[chosen]:
                    toggle(chosen, active, bit)
                    updates += hide_column(chosen, links, choices, level * items, active)
                level += ONE
                phase = NEXT
            continue

        depth = level - ONE
        branch = np.uint64(level_item[depth])
        header = branch << TWO
        node = np.uint64(level_node[depth])
        here = depth * items

        if phase == UNDO:
            phase = NEXT
            if hooks is not None:  # what the filters took out where the search went no deeper
                height = put_back(removed, height, level_removed[level], links)
            if node == NOTHING:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            else:
                end = np.uint64(links[node + SPACER])
                take_back(
                    node, branch, level, end, end, links, colour, room, once, painted, bit, active
                )
                placed -= ONE
                if hooks is not None:
                    placement, left = option[node >> TWO], pieces - placed - ONE
                    move_sums_back(placement, tally, parity_step, volume_step)
                    if duties[left] & TRACE:
                        record(~placement, left + ONE, trace, tally)
                if placed == until:
                    reason = REMOVAL
                    break

        if once[branch]:
            following = np.uint64(links[node + DOWN])
            exhausted = following == header
        else:
            following = np.uint64(links[header + DOWN])
            exhausted = node == NOTHING or following == header or choices[here + branch] <= 0
            if exhausted and node != NOTHING and room[branch] <= slack[branch]:
                copy_row(choices, here, items)
                toggle(branch, active, bit)
                updates += hide_column(branch, links, choices, level * items, active)
                level_node[depth] = NOTHING
                level_tried[depth] += ONE
                phase = DESCEND
                continue

        if exhausted:
            if once[branch]:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            height = put_back(removed, height, level_removed[depth], links)
            level -= ONE
            phase = UNDO if level > ZERO else DONE
            continue

        if nodes >= node_limit:
            reason = NODE_LIMIT
            break
        level_node[depth] = following
        level_tried[depth] += ONE
        below = level * items
        if once[branch]:
            copy_row(choices, here, items)
        else:
            remove_option(following, links, choices, here, active)
            removed[height] = following
            height += ONE
            copy_row(choices, here, items)
            if not use_room(branch, choices, below, room, slack):
                toggle(branch, active, bit)
                updates += hide_column(branch, links, choices, below, active)
        book_members(following, links, colour, choices, below, room, slack, active, bit)
        member, row, passed = clear_members(
            following,
            level,
            links,
            colour,
            choices,
            below,
            room,
            painted,
            active,
            watched[placed + ONE],
        )
        updates += passed
        nodes += ONE
        fits[placed] += 1
        dead = member != row  # it stopped: some item that is watched has no choice left
        if hooks is not None:
            placement, left = option[following >> TWO], pieces - placed - ONE
            move_sums(placement, tally, parity_step, volume_step)
            duty = duties[left]
            if duty & TRACE:
                record(placement, left, trace, tally)
            if not dead and duty & PARITY_TRIGGER and not parity_reachable[tally[PARITY]]:
                fired[0, left] += ONE
                dead = True
            if not dead and duty & VOLUME_TRIGGER:
                dead = volume_trigger(hooks, left, room, bit, active)
                updates += items
            if dead:
                move_sums_back(placement, tally, parity_step, volume_step)
                if duty & TRACE:
                    record(~placement, left + ONE, trace, tally)
        if not dead:
            phase = DESCEND
            placed += ONE
        else:
            take_back(
                following,
                branch,
                level,
                member,
                row,
                links,
                colour,
                room,
                once,
                painted,
                bit,
                active,
            )
            if placed == until:
                reason = REMOVAL
                break

    state[LEVEL], state[PLACED], state[PHASE] = level, placed, phase
    state[NODES], state[UPDATES], state[REMOVED] = nodes, updates, height
    return reason
