"""Random descents through the tree of a search by dancing links.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29, 1975. A descent begins where the search is and takes one branch of every node,
each with the same probability; the branches of a node count as often as all numbers of branches
before them multiplied.

The tree is the one of `kernels.search`, branch for branch: of an item that may be covered
several times, the branch that takes its k-th option is reached by removing those before it,
and the one that takes none closes the item and is no node. How that kernel picks the item is
written out here again: with a helper of both it takes 2 to 4 % longer (6x10, redundancy).
"""

import numpy as np

from dovetail.backends.dlx.kernels.choose import (
    FEWEST_OPEN,
    LARGEST,
    fewest_choices,
    first_cell,
)
from dovetail.backends.dlx.kernels.layout import PLACED, REMOVED
from dovetail.backends.dlx.kernels.left import options_left
from dovetail.backends.dlx.kernels.links import (
    DOWN,
    ONE,
    SPACER,
    TWO,
    ZERO,
    hide_column,
    remove_option,
    unhide_column,
)
from dovetail.backends.dlx.kernels.search import (
    HAND_OVER,
    NOTHING,
    STOP,
    put_back,
    record_solution,
)
from dovetail.backends.dlx.kernels.take import (
    book_members,
    clear_members,
    copy_row,
    take_back,
    toggle,
    use_capacity,
)
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.jit import kernel
from dovetail.kernels.random_stream import below

TAKEN_BACK = np.uint32(0xFFFF_FFFD)  # in level_node: an option that left an item without choice


# With NamedTuples a call takes about a microsecond longer: 1.01 of the time with 25 descents a call
# on tetris-cube, 1.15 with one descent a call where that takes two microseconds.
@kernel
def random_probe(matrix, rules, stack, random, estimates, reached, made, left):
    """Make a descent for each of `reached` and leave everything as it was.

    `matrix`, `rules` and `stack` are the `Links`, `Rules` and `Stack` of `layout`. The descents
    begin where the state of the stack says the search is. `random` is the state of a random stream.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `estimates` | (n, most taken) | float64 | nodes are added, by the options taken before |
    | `reached` | (n,) | float64 | out: how often the end of the descent counts as one of a set
    that the search yields, 0 for a dead end |
    | `made` | (n or 0, most taken) | int32 | out: that set, with those taken before the descent,
    padded with −1 |
    | `left` | (options,) | int32 | out: what may complete it, of the last descent with a set |

    Returns how much is in `left`, 0 without `made`.
    """
    links, option, capacity = matrix.links, matrix.option, matrix.capacity
    slack, once, bit, active = matrix.slack, matrix.once, matrix.bit, matrix.active
    heuristic, guarded_items = rules.heuristic, rules.guarded_items
    choices, removed, state = stack.choices, stack.removed, stack.state
    level_item, level_node = stack.level_item, stack.level_node
    level_removed = stack.level_removed
    items = np.uint64(len(capacity))
    start_level, start_placed, start_height = state[LEVEL], state[PLACED], state[REMOVED]
    first_row = stack.first_row
    for k in range(items):
        first_row[k] = choices[start_level * items + k]
    left_count = ZERO
    for number in range(len(reached)):
        level, placed, height = start_level, start_placed, start_height
        weight, dead = 1.0, False
        while True:
            base = level * items
            rule = heuristic[placed]
            chosen, fewest = ZERO, LARGEST
            if rule >= FEWEST_OPEN:
                chosen, fewest = first_cell(
                    rule, rules, matrix, choices, base, guarded_items[placed]
                )
            if fewest == LARGEST and rule != STOP:
                chosen, fewest = fewest_choices(choices, base, active)
            dead = fewest <= 0
            if dead or fewest == LARGEST or (rule == HAND_OVER and fewest > 1):
                break

            header = chosen << TWO
            level_item[level] = chosen
            level_removed[level] = height
            if once[chosen]:
                toggle(chosen, active, bit)
                hide_column(chosen, links, choices, base, active)
            level += ONE
            branches = np.uint64(fewest)
            may_close = not once[chosen] and capacity[chosen] <= slack[chosen]
            options = branches - ONE if may_close else branches
            estimates[number, placed] += weight * np.float64(options)
            weight *= np.float64(branches)
            skipped = below(random, branches)
            node = np.uint64(links[header + DOWN])
            for _ in range(skipped):
                if not once[chosen]:
                    remove_option(node, links, choices, base, active)
                    removed[height] = node
                    height += ONE
                node = np.uint64(links[node + DOWN])
            following = level * items
            if once[chosen]:
                copy_row(choices, base, items)
            elif skipped == options:
                copy_row(choices, base, items)
                toggle(chosen, active, bit)
                hide_column(chosen, links, choices, following, active)
                level_node[level - ONE] = NOTHING
                continue
            else:
                remove_option(node, links, choices, base, active)
                removed[height] = node
                height += ONE
                copy_row(choices, base, items)
                if not use_capacity(chosen, choices, following, capacity, slack):
                    toggle(chosen, active, bit)
                    hide_column(chosen, links, choices, following, active)
            book_members(node, matrix, choices, following)
            member, row, _ = clear_members(
                node, level, matrix, choices, following, guarded_items[placed + ONE]
            )
            level_node[level - ONE] = node
            if member != np.uint64(links[node + SPACER]):
                take_back(node, chosen, level, member, row, matrix)
                level_node[level - ONE] = TAKEN_BACK
                dead = True
                break
            placed += ONE

        reached[number] = 0.0 if dead else weight
        if len(made) and not dead:
            record_solution(level, level_node, option, made[number])
            left_count = options_left(matrix, rules.cells, left)

        while level > start_level:
            depth = level - ONE
            branch, taken = np.uint64(level_item[depth]), np.uint64(level_node[depth])
            if taken == NOTHING:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            elif taken != TAKEN_BACK:
                end = np.uint64(links[taken + SPACER])
                take_back(taken, branch, level, end, end, matrix)
            if once[branch]:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            height = put_back(removed, height, level_removed[depth], links)
            level = depth
        for k in range(items):
            choices[start_level * items + k] = first_row[k]
    return left_count
