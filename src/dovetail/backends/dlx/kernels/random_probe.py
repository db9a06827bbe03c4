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
from dovetail.backends.dlx.kernels.search import NOTHING, STOP, put_back, record_solution
from dovetail.backends.dlx.kernels.take import (
    book_members,
    clear_members,
    copy_row,
    take_back,
    toggle,
    use_capacity,
)
from dovetail.jit import kernel
from dovetail.kernels.random_stream import below

TAKEN_BACK = np.uint32(0xFFFF_FFFD)  # in level_node: an option that left an item without choice


@kernel
def random_probe(
    links,
    colour,
    option,
    choices,
    items,
    capacity,
    slack,
    once,
    painted,
    bit,
    active,
    heuristic,
    guarded_items,
    ranks,
    near_start,
    near,
    cells,
    level_item,
    level_node,
    level_removed,
    removed,
    level,
    placed,
    height,
    random,
    first_row,
    estimates,
    reached,
    made,
    left,
    left_count,
):
    """Make a descent for each of `reached` and leave everything as it was.

    The arrays up to `removed` are those of `search.search`; `level`, `placed` and `height` are
    where its state says the search is. `random` is the state of a random stream, `first_row`
    room for a row of `choices`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `estimates` | (n, most taken) | float64 | nodes are added, by the options taken before |
    | `reached` | (n,) | float64 | out: how often the end of the descent counts as one of a set
    that the search yields, 0 for a dead end |
    | `made` | (n or 0, stop) | int32 | out: that set, with those taken before the descent |
    | `left` | (0 or options,) | int32 | out: what may complete it, of the last descent |
    | `left_count` | (1,) | int64 | out: how much that is |
    """
    start_level, start_placed, start_height = level, placed, height
    for k in range(items):
        first_row[k] = choices[start_level * items + k]
    for number in range(len(reached)):
        level, placed, height = start_level, start_placed, start_height
        weight, dead = 1.0, False
        while True:
            base = level * items
            rule = heuristic[placed]
            chosen, fewest = ZERO, LARGEST
            if rule >= FEWEST_OPEN:
                chosen, fewest = first_cell(
                    rule, ranks, near_start, near, choices, base, cells, capacity, bit, active
                )
            if fewest == LARGEST and rule != STOP:
                chosen, fewest = fewest_choices(choices, base, active)
            dead = fewest <= 0
            if dead or fewest == LARGEST:
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
            book_members(node, links, colour, choices, following, capacity, slack, active, bit)
            member, row, _ = clear_members(
                node,
                level,
                links,
                colour,
                choices,
                following,
                capacity,
                painted,
                active,
                guarded_items[placed + ONE],
            )
            level_node[level - ONE] = node
            if member != np.uint64(links[node + SPACER]):
                take_back(
                    node,
                    chosen,
                    level,
                    member,
                    row,
                    links,
                    colour,
                    capacity,
                    once,
                    painted,
                    bit,
                    active,
                )
                level_node[level - ONE] = TAKEN_BACK
                dead = True
                break
            placed += ONE

        reached[number] = 0.0 if dead else weight
        if len(made) and not dead:
            record_solution(level, level_node, option, made[number])
            left_count[0] = options_left(links, option, active, cells, items, left)

        while level > start_level:
            depth = level - ONE
            branch, taken = np.uint64(level_item[depth]), np.uint64(level_node[depth])
            if taken == NOTHING:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            elif taken != TAKEN_BACK:
                end = np.uint64(links[taken + SPACER])
                take_back(
                    taken,
                    branch,
                    level,
                    end,
                    end,
                    links,
                    colour,
                    capacity,
                    once,
                    painted,
                    bit,
                    active,
                )
            if once[branch]:
                unhide_column(branch, links)
                toggle(branch, active, bit)
            height = put_back(removed, height, level_removed[depth], links)
            level = depth
        for k in range(items):
            choices[start_level * items + k] = first_row[k]
