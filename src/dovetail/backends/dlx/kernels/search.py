"""Knuth's dancing links with colours and multiplicities, as a resumable kernel.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X, C
and M. Differences, and their reasons:

* While the search branches on an item that may be covered several times, each tried option is
  removed from the whole matrix, so that every set of options is met once.
* Every level has its own row of `choices`, copied when an option is taken. Undoing then restores
  only links, no counters.
* Taking an option stops early if a guarded item has no choice left; see `links`.

Numbers of items and offsets of nodes are unsigned, so that numba needs no code for negative
indices.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.choose import LARGEST, LAST_RANK, pick
from dovetail.backends.dlx.kernels.filters import filtered, volume_trigger
from dovetail.backends.dlx.kernels.layout import DESCEND, DONE, NEXT, PLACED, REMOVED, UNDO
from dovetail.backends.dlx.kernels.links import (
    DOWN,
    ONE,
    SPACER,
    TWO,
    ZERO,
    book_members,
    clear_members,
    copy_row,
    cover_item,
    drop_option,
    restore_option,
    take_back,
    toggle,
    uncover_item,
    use_capacity,
)
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.backends.shared.kernels.hooks import (
    FILTERS,
    MIN_CELLS,
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
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    DESCENT,
    EXHAUSTED,
    LEVEL,
    NODE_LIMIT,
    NODES,
    PHASE,
    SOLUTIONS,
    STOPPED_AT_REMAINING,
    WORK,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below as below_bound

NOTHING = np.uint32(0xFFFF_FFFE)  # in level_node: the branch that takes no further option
SIXTEENTH = np.uint64(4)  # a shift: testing an item costs about 1/16 of passing a node

HAND_OVER = np.uint64(layout.HAND_OVER)


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
    """Restore the options in `removed` from its top down to height `mark`; return the height."""
    while height > mark:
        height -= ONE
        restore_option(np.uint64(removed[height]), links)
    return height


# The arguments are NamedTuples, though 31 separate arguments would be up to 3 % faster.
@kernel
def search(matrix, rules, stack, solutions, hooks, guide, work, node_limit):
    """Continue the search for about `work` steps; return why the slice ended.

    A step is a node passed or sixteen items tested.

    `matrix`, `rules` and `stack` are the `DlxLinks`, `DlxRules` and `DlxStack` of `layout`. `hooks`
    are `DlxHooks` or None; with hooks, every solution has the same number of options. `solutions`
    has shape (rows, width) and dtype int32. Solutions are written from row `state[BUFFERED]` on;
    short rows are padded with −1. The slice also ends when `solutions` or the trace is full, when
    another node would exceed `node_limit`, or when `stack.until` options remain after one is
    undone.

    `guide` is a `Guide` of `shared.kernels.guide`; descents begin at the root.
    """
    links, option, capacity = matrix.links, matrix.option, matrix.capacity
    slack, once, bit, active = matrix.slack, matrix.once, matrix.bit, matrix.active
    heuristic, guarded_items = rules.heuristic, rules.guarded_items
    choices, removed, fits, state = stack.choices, stack.removed, stack.fits, stack.state
    level_item, level_node = stack.level_item, stack.level_node
    level_removed = stack.level_removed
    level_width, level_tried = stack.level_width, stack.level_tried
    items = np.uint64(len(capacity))
    level, placed, phase = state[LEVEL], state[PLACED], state[PHASE]
    nodes, updates, height = state[NODES], state[WORK], state[REMOVED]
    work_end, until = updates + work, stack.until
    paths, begins, widths, random = guide.paths, guide.begins, guide.widths, guide.random
    descents, first_row = np.uint64(len(paths)), stack.first_row
    reason = EXHAUSTED
    if hooks is not None:
        own = hooks.search
        actions, tally, trace = own.post_placement_actions, own.state, own.trace
        backtracks, pieces = own.backtracks, np.uint64(len(actions)) - ONE
        parity_step, volume_step = own.parity_step, own.volume_step
        parity_reachable = own.parity_reachable
        trace_capacity = np.uint64(len(trace)) if len(trace) else LAST_RANK
    while phase != DONE:
        if updates >= work_end:
            reason = WORK_SPENT
            break
        if hooks is not None and tally[TRACED] + TWO >= trace_capacity:  # a step adds up to 3 rows
            reason = BUFFER_FULL
            break
        updates += ONE
        if descents > ZERO and phase == UNDO and level == ZERO:
            for k in range(items):
                choices[k] = first_row[k]
            state[DESCENT] += ONE
            if state[DESCENT] == descents:
                break
            phase = DESCEND

        if phase == DESCEND:
            updates += items >> SIXTEENTH
            level_removed[level] = height
            if hooks is not None and actions[pieces - placed] & FILTERS:
                height, passed = filtered(
                    hooks, pieces - placed, matrix, choices, level * items, removed, height
                )
                updates += passed
            rule = heuristic[placed]
            chosen, fewest = pick(
                rule, rules, matrix, choices, level * items, guarded_items[placed]
            )
            phase = UNDO if level > ZERO or descents > ZERO else DONE
            if fewest == LARGEST or (rule == HAND_OVER and fewest > 1):
                if descents > ZERO:
                    guide.solved[state[DESCENT]] = ONE
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
                    updates += cover_item(chosen, links, choices, level * items, active)
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
            if hooks is not None:  # undo the filters if the search did not branch below
                height = put_back(removed, height, level_removed[level], links)
            if node == NOTHING:
                uncover_item(branch, links)
                toggle(branch, active, bit)
            else:
                end = np.uint64(links[node + SPACER])
                take_back(node, branch, level, end, end, matrix)
                placed -= ONE
                if hooks is not None:
                    placement, left = option[node >> TWO], pieces - placed - ONE
                    move_sums_back(placement, tally, parity_step, volume_step)
                    if actions[left] & TRACE:
                        record(~placement, left + ONE, trace, tally)
                if placed == until:
                    reason = STOPPED_AT_REMAINING
                    break

        descended = False
        if descents > ZERO:
            descended = level_tried[depth] > ZERO
            if descended and once[branch]:
                following = state[DESCENT] + ONE
                descended = following == descents or depth > begins[following]
                state[DESCENT] += ZERO if descended else ONE
                node = node if descended else header
            if not descended:
                row = state[DESCENT]
                widths[row, depth] = np.float64(level_width[depth])
                guide.placed[row, depth] = np.int64(placed)
                if not once[branch] and capacity[branch] <= slack[branch]:
                    guide.closing[row, depth] = ONE
                if paths[row, depth] == RANDOM:
                    paths[row, depth] = below_bound(random, np.uint64(level_width[depth]))
                descended = paths[row, depth] == END
                level_tried[depth] += ONE if descended else ZERO
                for _ in range(ZERO if descended else paths[row, depth]):
                    skipped = np.uint64(links[node + DOWN])
                    if once[branch]:
                        node = skipped
                    else:
                        height = drop_option(skipped, links, choices, here, active, removed, height)
        if once[branch]:
            following = np.uint64(links[node + DOWN])
            exhausted = descended or following == header
        else:
            following = np.uint64(links[header + DOWN])
            exhausted = descended or node == NOTHING
            exhausted = exhausted or following == header or choices[here + branch] <= 0
            may_close = not descended and node != NOTHING
            if exhausted and may_close and capacity[branch] <= slack[branch]:
                copy_row(choices, here, items)
                toggle(branch, active, bit)
                updates += cover_item(branch, links, choices, level * items, active)
                level_node[depth] = NOTHING
                level_tried[depth] += ONE
                phase = DESCEND
                continue

        if exhausted:
            if once[branch]:
                uncover_item(branch, links)
                toggle(branch, active, bit)
            height = put_back(removed, height, level_removed[depth], links)
            level -= ONE
            phase = UNDO if level > ZERO or descents > ZERO else DONE
            continue

        if nodes >= node_limit:
            updates -= ONE  # this step is repeated
            reason = NODE_LIMIT
            break
        level_node[depth] = following
        level_tried[depth] += ONE
        below = level * items
        if once[branch]:
            copy_row(choices, here, items)
        else:
            height = drop_option(following, links, choices, here, active, removed, height)
            copy_row(choices, here, items)
            if not use_capacity(branch, choices, below, capacity, slack):
                toggle(branch, active, bit)
                updates += cover_item(branch, links, choices, below, active)
        book_members(following, matrix, choices, below)
        member, row, passed = clear_members(
            following, level, matrix, choices, below, guarded_items[placed + ONE]
        )
        updates += passed
        nodes += ONE
        fits[placed] += 1
        stopped = member != row  # some guarded item has no choice left
        dead = stopped
        if hooks is not None:
            placement, left = option[following >> TWO], pieces - placed - ONE
            move_sums(placement, tally, parity_step, volume_step)
            action = actions[left]
            if action & TRACE:
                record(placement, left, trace, tally)
            if not dead and action & PARITY_TRIGGER and not parity_reachable[tally[PARITY]]:
                backtracks[0, left] += ONE
                dead = True
            # with a minimum size of parts, the trigger is also tested if an item has no choice left
            if action & VOLUME_TRIGGER and (not dead or (stopped and tally[MIN_CELLS] > ZERO)):
                fires = volume_trigger(hooks, left, capacity, bit, active)
                dead = dead or fires
                updates += items
            if dead:
                move_sums_back(placement, tally, parity_step, volume_step)
                if action & TRACE:
                    record(~placement, left + ONE, trace, tally)
        if not dead:
            phase = DESCEND
            placed += ONE
        else:
            take_back(following, branch, level, member, row, matrix)
            if placed == until:
                reason = STOPPED_AT_REMAINING
                break

    state[LEVEL], state[PLACED], state[PHASE] = level, placed, phase
    state[NODES], state[WORK], state[REMOVED] = nodes, updates, height
    return reason
