"""The next level: the best candidates without duplicates."""

import numpy as np

from dovetail.improvers.shared.beam.kernels.layout import (
    BAR,
    COUNT,
    KNOWN,
    KNOWN_SIDES,
    MADE,
    OPEN,
    OPEN_SIDES,
    RANKED,
    TAKEN,
)
from dovetail.jit import kernel

ONE, SIX, SIXTY_THREE, TABLE_SHIFT = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(20)
NOTHING = np.uint64(0)


@kernel
def select(tiles, states, candidates, step, after, parents, laid, max_candidates):
    """Go through so many candidates of a level, the best first; return whether that is all.

    They are written into `after`, at most as many as it holds; of those with the same hash the
    first counts. `parents` and `laid` (w,), int32, get the state and the orientation that each
    comes from. `rank` has sorted the candidates.
    """
    progress, table = candidates.progress, candidates.table
    mask = np.uint64(len(table) - 1)
    made, taken = progress[MADE], progress[TAKEN]
    last = min(progress[RANKED], taken + max_candidates)
    while taken < last and made < len(parents):
        at = candidates.order[taken]
        taken += 1
        key = candidates.hash[at] | ONE
        entry = (key >> TABLE_SHIFT) & mask
        while table[np.int64(entry)] != NOTHING and table[np.int64(entry)] != key:
            entry = (entry + ONE) & mask
        if table[np.int64(entry)] == key:
            continue
        table[np.int64(entry)] = key
        parents[made] = candidates.parent[at]
        laid[made] = candidates.orientation[at]
        after.hash[made] = candidates.hash[at]
        _lay(tiles, states, step, after, made, parents[made], laid[made])
        made += 1
    progress[MADE], progress[TAKEN] = made, taken
    return made == len(parents) or taken == progress[RANKED]


@kernel
def rank(candidates):
    """Set `order` to the candidates from the bar on, the highest ranks first, and clear `table`."""
    counts, bar = candidates.counts, candidates.progress[BAR]
    for number in range(len(counts)):
        counts[number] = 0
    for at in range(candidates.progress[COUNT]):
        if candidates.rank[at] >= bar:
            counts[candidates.rank[at]] += 1
    total = 0
    for number in range(len(counts) - 1, -1, -1):
        here = counts[number]
        counts[number] = total
        total += here
    for at in range(candidates.progress[COUNT]):
        number = candidates.rank[at]
        if number >= bar:
            candidates.order[counts[number]] = at
            counts[number] += 1
    for entry in range(len(candidates.table)):
        candidates.table[entry] = NOTHING
    candidates.progress[RANKED] = total
    candidates.progress[TAKEN] = 0
    candidates.progress[MADE] = 0


@kernel
def _lay(tiles, states, step, after, at, parent, orientation):
    """Write the state that comes of laying an orientation."""
    tile = np.uint64(orientation >> 2)
    for word in range(states.used.shape[1]):
        after.used[at, word] = states.used[parent, word]
    after.used[at, np.int64(tile >> SIX)] |= ONE << (tile & SIXTY_THREE)
    for slot in range(states.slots.shape[1]):
        after.slots[at, slot] = states.slots[parent, slot]
    for colour in range(states.left.shape[1]):
        after.left[at, colour] = states.left[parent, colour]
        after.facing[at, colour] = states.facing[parent, colour]
    for side in range(4):
        after.left[at, tiles.sides[orientation, side]] -= 1
    matched = states.matched[parent]
    for number in range(tiles.steps[step, KNOWN]):
        side = tiles.steps[step, KNOWN_SIDES + 2 * number]
        slot = tiles.steps[step, KNOWN_SIDES + 2 * number + 1]
        colour = states.slots[parent, slot]
        after.facing[at, colour] -= 1
        after.slots[at, slot] = 0
        if tiles.sides[orientation, side] == colour:
            matched += 1
    for number in range(tiles.steps[step, OPEN]):
        colour = tiles.sides[orientation, tiles.steps[step, OPEN_SIDES + 2 * number]]
        after.slots[at, tiles.steps[step, OPEN_SIDES + 2 * number + 1]] = np.uint8(colour)
        after.facing[at, colour] += 1
    worth = 0.0
    for colour in range(1, states.left.shape[1]):
        worth += tiles.potential[after.left[at, colour], after.facing[at, colour]]
    after.matched[at] = matched
    after.worth[at] = worth
