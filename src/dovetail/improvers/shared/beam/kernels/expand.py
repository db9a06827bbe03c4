"""The children of states: every tile that may be laid next, ranked, the best ones kept."""

import numpy as np

from dovetail.improvers.shared.beam.kernels.layout import (
    ABOVE,
    ALL,
    BAR,
    BY_ONE,
    BY_TWO,
    COUNT,
    KNOWN,
    KNOWN_SIDES,
    MISMATCHES,
    OPEN,
    OPEN_SIDES,
    PER_EDGE,
    RANKS,
    WANTED,
)
from dovetail.jit import kernel
from dovetail.kernels.random_stream import mixed

ONE, SIX, SIXTY_THREE, FRACTION_SHIFT = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(11)
UNIT = 1.0 / 2.0**53
MIDDLE = float(RANKS // 2)


@kernel
def expand(tiles, states, candidates, step, first, last, noise, seed):
    """Add the children of states `first` to `last` − 1 at a step to the candidates.

    A child's value is its matched edges and the potential of its colours, plus up to `noise` by its
    hash and `seed` (uint64), which breaks ties. Children below the bar are left out: it rises as
    soon as as many as are wanted have a higher rank. The gains of sides are added up as if each
    were the only one of its colour.
    """
    steps, potential, gain = tiles.steps, tiles.potential, candidates.gain
    known, opened = steps[step, KNOWN], steps[step, OPEN]
    for state in range(first, last):
        value = float(states.matched[state]) + states.worth[state]
        hashed = states.hash[state]
        for number in range(known):
            slot = steps[step, KNOWN_SIDES + 2 * number + 1]
            colour = states.slots[state, slot]
            hashed ^= tiles.slot_hash[slot, colour]
            left, facing = states.left[state, colour], states.facing[state, colour]
            value += potential[left, facing - 1] - potential[left, facing]
            states.facing[state, colour] = facing - 1
        best_known, best_open = _set_gains(potential, states, state, gain)
        for number in range(known):
            slot = steps[step, KNOWN_SIDES + 2 * number + 1]
            states.facing[state, states.slots[state, slot]] += 1
        if candidates.base[1] == 0.0:
            candidates.base[0] = value + known * (1.0 + best_known) + opened * best_open
            candidates.base[1] = 1.0
        highest = value + known * best_known + opened * best_open + noise
        missed = candidates.progress[MISMATCHES]
        while missed > 0 and _rank(candidates, highest + known - missed) < candidates.progress[BAR]:
            missed -= 1
        for number in range(known if 0 < missed < known else 1):
            highest = value + known - missed + opened * best_open + noise
            highest += _known_gain(
                tiles, states.slots, state, step, number, missed, gain, best_known
            )
            if _rank(candidates, highest) < candidates.progress[BAR]:
                continue
            which = _list_for(tiles, states.slots, state, step, number, missed)
            for entry in range(tiles.begin[which], tiles.begin[which + 1]):
                orientation = tiles.entries[entry]
                tile = np.uint64(orientation >> 2)
                if states.used[state, np.int64(tile >> SIX)] & (ONE << (tile & SIXTY_THREE)):
                    continue
                matched, before = _matched(tiles, states.slots, state, step, orientation, number)
                if matched < known - missed or (before and 0 < missed < known):
                    continue
                found = value + matched
                for side in range(known):
                    found += gain[0, tiles.sides[orientation, steps[step, KNOWN_SIDES + 2 * side]]]
                for side in range(opened):
                    found += gain[1, tiles.sides[orientation, steps[step, OPEN_SIDES + 2 * side]]]
                if _rank(candidates, found + noise) < candidates.progress[BAR]:
                    continue
                child = hashed ^ tiles.tile_hash[np.int64(tile)]
                for side in range(opened):
                    colour = tiles.sides[orientation, steps[step, OPEN_SIDES + 2 * side]]
                    child ^= tiles.slot_hash[steps[step, OPEN_SIDES + 2 * side + 1], colour]
                luck = float(mixed(child ^ seed) >> FRACTION_SHIFT) * UNIT
                rank = min(_rank(candidates, found + noise * luck), RANKS - 1)
                if rank >= candidates.progress[BAR]:
                    keep(candidates, state, orientation, rank, child)


@kernel(inline=True)
def _set_gains(potential, states, state, gain):
    """Set what each colour's side is worth, and return the highest of known and of open ones."""
    best_known, best_open, found = 0.0, 0.0, False
    for colour in range(1, gain.shape[1]):
        gain[0, colour] = 0.0
        gain[1, colour] = 0.0
        left, facing = states.left[state, colour], states.facing[state, colour]
        if left:
            before = potential[left, facing]
            gain[0, colour] = potential[left - 1, facing] - before
            gain[1, colour] = potential[left - 1, facing + 1] - before
            best_known = max(best_known, gain[0, colour]) if found else gain[0, colour]
            best_open = max(best_open, gain[1, colour]) if found else gain[1, colour]
            found = True
    return best_known, best_open


@kernel(inline=True)
def _known_gain(tiles, slots, state, step, number, missed, gain, best_known):
    """The most that the known sides can be worth where `missed` of them need not match.

    All others match, or of one that misses at least side `number` does.
    """
    known = tiles.steps[step, KNOWN]
    if missed >= known:
        return known * best_known
    if missed > 0:
        slot = tiles.steps[step, KNOWN_SIDES + 2 * number + 1]
        return gain[0, slots[state, slot]] + (known - 1) * best_known
    worth = 0.0
    for side in range(known):
        worth += gain[0, slots[state, tiles.steps[step, KNOWN_SIDES + 2 * side + 1]]]
    return worth


@kernel(inline=True)
def _rank(candidates, value):
    """The rank of a value, from 0 on, perhaps above all that there are."""
    return max(np.int64((value - candidates.base[0]) * PER_EDGE + MIDDLE), 0)


@kernel(inline=True)
def _list_for(tiles, slots, state, step, number, missed):
    """The list of what may be laid where known side `number` matches, or all where none must."""
    known = tiles.steps[step, KNOWN]
    if missed >= known:
        return tiles.steps[step, ALL]
    colour = np.int64(slots[state, tiles.steps[step, KNOWN_SIDES + 2 * number + 1]])
    if missed > 0 or known == 1:
        return tiles.steps[step, BY_ONE + number] + colour
    other = np.int64(slots[state, tiles.steps[step, KNOWN_SIDES + 3]])
    return tiles.steps[step, BY_TWO] + colour * tiles.slot_hash.shape[1] + other


@kernel(inline=True)
def _matched(tiles, slots, state, step, orientation, number):
    """How many known sides match, and how many of them before side `number`."""
    matched, before = 0, 0
    for side in range(tiles.steps[step, KNOWN]):
        colour = slots[state, tiles.steps[step, KNOWN_SIDES + 2 * side + 1]]
        if tiles.sides[orientation, tiles.steps[step, KNOWN_SIDES + 2 * side]] == colour:
            matched += 1
            before += side < number
    return matched, before


@kernel(inline=True)
def keep(candidates, state, orientation, rank, hashed):
    """Append a candidate of a rank from the bar on, and raise the bar if enough are above it."""
    progress = candidates.progress
    if progress[COUNT] == len(candidates.parent):
        _drop_surplus(candidates)
    at = progress[COUNT]
    candidates.parent[at] = state
    candidates.orientation[at] = orientation
    candidates.rank[at] = rank
    candidates.hash[at] = hashed
    progress[COUNT] += 1
    candidates.counts[rank] += 1
    progress[ABOVE] += 1
    while progress[ABOVE] - candidates.counts[progress[BAR]] >= progress[WANTED]:
        progress[ABOVE] -= candidates.counts[progress[BAR]]
        progress[BAR] += 1


@kernel
def _drop_surplus(candidates):
    """Leave out the candidates below the bar, and the last ones at it beyond those wanted."""
    progress = candidates.progress
    bar = progress[BAR]
    higher = progress[ABOVE] - candidates.counts[bar]
    kept, ties = 0, 0
    for at in range(progress[COUNT]):
        rank = candidates.rank[at]
        if rank > bar or (rank == bar and higher + ties < progress[WANTED]):
            ties += rank == bar
            candidates.parent[kept] = candidates.parent[at]
            candidates.orientation[kept] = candidates.orientation[at]
            candidates.rank[kept] = rank
            candidates.hash[kept] = candidates.hash[at]
            kept += 1
    candidates.counts[bar] = ties
    progress[ABOVE] = progress[COUNT] = kept
