"""Kernels for boards (score, filling) and for beams (children of a level, and the next level)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.random_stream import mixed

NORTH, EAST = 0, 1
EMPTY, UNFILLABLE = -1, -2  # entries of cells without a tile; UNFILLABLE: no tile fits the cell


@kernel
def score(sides, neighbours, placed):
    """Return the number of matched edges between tiles.

    `sides` (4 n, 4), `neighbours` (n, 4), `placed` (n,): int32, as in `BoardArrays`.
    """
    found = 0
    for cell in range(len(placed)):
        if placed[cell] < 0:
            continue
        for side in (NORTH, EAST):
            other = neighbours[cell, side]
            if other >= 0 and placed[other] >= 0:
                found += sides[placed[cell], side] == sides[placed[other], side + 2]
    return found


@kernel(inline=True)
def matches_at(sides, neighbours, placed, cell, orientation):
    """Return the number of edges of a cell that would match if an orientation lay there."""
    found = 0
    for side in range(4):
        other = neighbours[cell, side]
        if other >= 0 and placed[other] >= 0:
            found += sides[orientation, side] == sides[placed[other], side ^ 2]
    return found


@kernel
def fill(sides, frame, cell_frame, neighbours, placed, used, fits):
    """Fill the empty cells of `placed` in place; update `used`.

    The next cell is an empty cell with the most neighbours on the board. The cell gets the tile
    that matches the most neighbours. The first cell and the first orientation win ties. `frame`
    (4 n,) and `cell_frame` (n,) are int32; `used` (n,), uint8, is 1 for each tile on the board. If
    `fits`, tiles have to match all neighbours, and a cell that no tile fits stays empty.
    """
    cells = len(placed)
    for _ in range(cells):
        chosen, max_lying = -1, -1
        for cell in range(cells):
            if placed[cell] != EMPTY:
                continue
            lying = 0
            for side in range(4):
                other = neighbours[cell, side]
                if other >= 0 and placed[other] >= 0:
                    lying += 1
            if lying > max_lying:
                chosen, max_lying = cell, lying
        if chosen < 0:
            break
        best, orientation = max_lying - 1 if fits else -1, UNFILLABLE
        for candidate in range(4 * cells):
            if used[candidate >> 2] or frame[candidate] != cell_frame[chosen]:
                continue
            matches = matches_at(sides, neighbours, placed, chosen, candidate)
            if matches > best:
                best, orientation = matches, candidate
        placed[chosen] = orientation
        if orientation >= 0:
            used[orientation >> 2] = np.uint8(1)
    for cell in range(cells):
        placed[cell] = max(placed[cell], EMPTY)


# Entries of a row of `steps`.
# KNOWN, OPEN: numbers of known sides of the cell, which face tiles laid before, and of open sides,
# which face cells filled later.
# ALL: the list of all orientations that fit the frame of the cell.
# BY_ONE + number: the first of the lists by the colour of the known side with this number.
# BY_TWO: the first of the lists by the colours of the first two known sides; unused if there are
# fewer.
# KNOWN_SIDES: the first of the pairs (side, slot) of the known sides; the slot has the colour that
# matches. OPEN_SIDES: the same for the open sides; the slot gets the colour of the side.
KNOWN, OPEN, ALL, BY_ONE, BY_TWO, KNOWN_SIDES, OPEN_SIDES = 0, 1, 2, 3, 7, 8, 16
STEP_SIZE = 24

# Entries of `progress`.
# COUNT, BAR, ABOVE, WANTED: number of candidates kept; the rank below which no candidate is added;
# number of candidates of at least this rank; number of candidates wanted.
# NEXT, MISMATCHES: the next state to expand; the number of mismatches allowed, or HOLES.
# RANKED, TAKEN, MADE, set after all states are expanded: number of candidates in `order`; number of
# these candidates that `select` has handled; number of states made.
COUNT, BAR, ABOVE, WANTED, NEXT, MISMATCHES, RANKED, TAKEN, MADE = range(9)
PROGRESS_SIZE = 9
HOLES = -1  # no mismatches, but cells may stay empty; tiles count instead of edges

RANKS = 8192  # number of ranks; the rank of a candidate is its value, rounded
PER_EDGE = 64.0  # ranks per matched edge
PER_TILE = 4  # worth of a tile, in matched edges


class BeamTiles(NamedTuple):
    """Tables of a beam, for n cells, s steps, k colours and at most m − 1 sides of a colour.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | `BoardArrays.sides` |
    | `steps` | (s, 24) | int64 | a row for each cell of the order; see above |
    | `begin` | (any,) | int64 | by list: the index in `entries` at which it begins |
    | `entries` | (any,) | int32 | the orientations of all lists |
    | `potential` | (m, m + 1) | float64 | see `beam.pairing_potential` |
    | `tile_hash` | (n,) | uint64 | a random word for each tile |
    | `slot_hash` | (slots, k) | uint64 | a random word for each colour in each slot |
    """

    sides: NDArray[np.int32]
    steps: NDArray[np.int64]
    begin: NDArray[np.int64]
    entries: NDArray[np.int32]
    potential: NDArray[np.float64]
    tile_hash: NDArray[np.uint64]
    slot_hash: NDArray[np.uint64]


class BeamStates(NamedTuple):
    """The states of a level: tiles on the board, and open sides; at most w states, k colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `used` | (w, words) | uint64 | the tiles on the board: bit t % 64 of word t // 64 for tile t |
    | `slots` | (w, slots) | uint8 | the colours of open sides, 0 beside a cell left empty |
    | `left` | (w, k) | int32 | by colour: number of sides on tiles that are not on the board |
    | `facing` | (w, k) | int32 | by colour: number of open sides |
    | `matched` | (w,) | int32 | matched edges, or `PER_TILE` for each tile laid |
    | `worth` | (w,) | float64 | the potential, summed over colours |
    | `hash` | (w,) | uint64 | hash of the tiles on the board and the slots |
    """

    used: NDArray[np.uint64]
    slots: NDArray[np.uint8]
    left: NDArray[np.int32]
    facing: NDArray[np.int32]
    matched: NDArray[np.int32]
    worth: NDArray[np.float64]
    hash: NDArray[np.uint64]


class BeamCandidates(NamedTuple):
    """Children of the states of a level: at most c candidates; k colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `parent` | (c,) | int32 | the number of the state |
    | `orientation` | (c,) | int32 | the orientation laid, −1 for none |
    | `rank` | (c,) | int32 | the value, rounded; higher is better |
    | `hash` | (c,) | uint64 | `BeamStates.hash` of the child |
    | `counts` | (RANKS,) | int64 | number of candidates of each rank |
    | `order` | (c,) | int32 | the candidates by descending rank |
    | `table` | (t,) | uint64 | hash table of the states made; t is a power of two above c |
    | `progress` | (9,) | int64 | see above |
    | `gain` | (2, k) | float64 | by colour: potential gained by a known (0) or open side (1) |
    | `base` | (2,) | float64 | the value of rank RANKS / 2; 1 if this value is set |
    """

    parent: NDArray[np.int32]
    orientation: NDArray[np.int32]
    rank: NDArray[np.int32]
    hash: NDArray[np.uint64]
    counts: NDArray[np.int64]
    order: NDArray[np.int32]
    table: NDArray[np.uint64]
    progress: NDArray[np.int64]
    gain: NDArray[np.float64]
    base: NDArray[np.float64]


ONE, SIX, SIXTY_THREE, FRACTION_SHIFT = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(11)
UNIT = 1.0 / 2.0**53
MIDDLE = float(RANKS // 2)


@kernel
def expand(tiles, states, candidates, step, first, last, noise, seed):
    """Add the children of states `first` to `last` − 1 at a step to the candidates.

    The value of a child is `matched`, plus the potential of its colours, plus noise up to `noise`
    that breaks ties and depends on the hash of the child and `seed` (uint64). The gains of sides
    are added as if each side were the only side of its colour. Up to `MISMATCHES` known sides may
    mismatch. Children whose rank is below the bar are left out. The bar rises when enough
    candidates have a higher rank. If tiles count, a child may leave the cell empty, and sides
    beside empty cells match all tiles.
    """
    steps, potential, gain = tiles.steps, tiles.potential, candidates.gain
    known, opened = steps[step, KNOWN], steps[step, OPEN]
    counts_tiles = candidates.progress[MISMATCHES] == HOLES
    for state in range(first, last):
        value = float(states.matched[state]) + states.worth[state]
        hashed, wild = states.hash[state], 0
        for number in range(known):
            slot = steps[step, KNOWN_SIDES + 2 * number + 1]
            colour = states.slots[state, slot]
            hashed ^= tiles.slot_hash[slot, colour]
            if colour == 0:
                wild += 1
                continue
            left, facing = states.left[state, colour], states.facing[state, colour]
            value += potential[left, facing - 1] - potential[left, facing]
            states.facing[state, colour] = facing - 1
        best_known, best_open = _set_gains(potential, states, state, gain)
        for number in range(known):
            slot = steps[step, KNOWN_SIDES + 2 * number + 1]
            states.facing[state, states.slots[state, slot]] += states.slots[state, slot] != 0
        missed, empty_value = candidates.progress[MISMATCHES], value
        if counts_tiles:
            missed = wild
            value += PER_TILE - (known - wild)  # with its matches, a tile is worth PER_TILE
        if candidates.base[1] == 0.0:
            candidates.base[0] = value + known * (1.0 + best_known) + opened * best_open
            candidates.base[1] = 1.0
        if counts_tiles:
            child = hashed
            for side in range(opened):
                child ^= tiles.slot_hash[steps[step, OPEN_SIDES + 2 * side + 1], 0]
            _offer(candidates, state, -1, empty_value, child, noise, seed)
        highest = value + known * best_known + opened * best_open + noise
        while (
            missed > 0
            and not counts_tiles
            and _rank(candidates, highest + known - missed) < candidates.progress[BAR]
        ):
            missed -= 1
        # A tile may match more sides than it has to, apart from sides beside cells left empty.
        matches = known - missed if counts_tiles else known
        for number in range(known if 0 < missed < known else 1):
            highest = value + matches + opened * best_open + noise
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
                _offer(candidates, state, orientation, found, child, noise, seed)


@kernel(inline=True)
def _offer(candidates, state, orientation, value, child, noise, seed):
    """Keep a child if its value, with noise, has at least the rank of the bar."""
    luck = float(mixed(child ^ seed) >> FRACTION_SHIFT) * UNIT
    rank = min(_rank(candidates, value + noise * luck), RANKS - 1)
    if rank >= candidates.progress[BAR]:
        keep(candidates, state, orientation, rank, child)


@kernel(inline=True)
def _set_gains(potential, states, state, gain):
    """Set `gain`; return the highest gain of a known side and of an open side."""
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
    """Return an upper bound of the gain of the known sides if `missed` of them need not match.

    If some sides may mismatch but not all, the known side `number` is assumed to match.
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
    """Return the rank of a value, at least 0; it may exceed the highest rank."""
    return max(np.int64((value - candidates.base[0]) * PER_EDGE + MIDDLE), 0)


@kernel(inline=True)
def _list_for(tiles, slots, state, step, number, missed):
    """Return the list of the orientations to try if `missed` known sides need not match.

    The list has all orientations that fit the frame if no side must match. If some side may
    mismatch, or if there is 1 known side, the list has the orientations that match at the known
    side `number`. Otherwise the list has the orientations that match at the first two known sides.
    """
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
    """Return how many known sides match, and how many of them come before side `number`."""
    matched, before = 0, 0
    for side in range(tiles.steps[step, KNOWN]):
        colour = slots[state, tiles.steps[step, KNOWN_SIDES + 2 * side + 1]]
        if tiles.sides[orientation, tiles.steps[step, KNOWN_SIDES + 2 * side]] == colour:
            matched += 1
            before += side < number
    return matched, before


@kernel(inline=True)
def keep(candidates, state, orientation, rank, hashed):
    """Append a candidate that is not below the bar; raise the bar if enough are above it.

    If there is no space, surplus candidates are dropped first.
    """
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
    """Drop the candidates below the bar; at the bar, keep the first, up to `WANTED` in all."""
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


TABLE_SHIFT = np.uint64(20)
NOTHING = np.uint64(0)


@kernel
def select(tiles, states, candidates, step, after, parents, laid, max_candidates):
    """Make states of the next level from the best candidates; return True when the level is done.

    At most `max_candidates` candidates are handled. The states are written into `after` as long as
    it has room. Of candidates with the same hash only the first is used. `parents` and `laid`,
    shape (w,), int32, get the parent and the orientation of each state. `rank` must have sorted the
    candidates.
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
        _lay(tiles, states, candidates, step, after, made, parents[made], laid[made])
        made += 1
    progress[MADE], progress[TAKEN] = made, taken
    return made == len(parents) or taken == progress[RANKED]


@kernel
def rank(candidates):
    """Set `order` to the candidates not below the bar, by descending rank, and prepare `select`.

    `counts` is overwritten.
    """
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
def _lay(tiles, states, candidates, step, after, at, parent, orientation):
    """Write row `at` of `after`, apart from the hash: the state `parent` with one more cell.

    The cell gets an orientation, or stays empty if `orientation` is −1.
    """
    counts_tiles = candidates.progress[MISMATCHES] == HOLES
    for word in range(states.used.shape[1]):
        after.used[at, word] = states.used[parent, word]
    if orientation >= 0:
        tile = np.uint64(orientation >> 2)
        after.used[at, np.int64(tile >> SIX)] |= ONE << (tile & SIXTY_THREE)
    for slot in range(states.slots.shape[1]):
        after.slots[at, slot] = states.slots[parent, slot]
    for colour in range(states.left.shape[1]):
        after.left[at, colour] = states.left[parent, colour]
        after.facing[at, colour] = states.facing[parent, colour]
    for side in range(4 if orientation >= 0 else 0):
        after.left[at, tiles.sides[orientation, side]] -= 1
    matched = states.matched[parent]
    if counts_tiles:
        matched += PER_TILE * (orientation >= 0)
    for number in range(tiles.steps[step, KNOWN]):
        side = tiles.steps[step, KNOWN_SIDES + 2 * number]
        slot = tiles.steps[step, KNOWN_SIDES + 2 * number + 1]
        colour = states.slots[parent, slot]
        after.facing[at, colour] -= colour != 0
        after.slots[at, slot] = 0
        if not counts_tiles and tiles.sides[orientation, side] == colour:
            matched += 1
    for number in range(tiles.steps[step, OPEN] if orientation >= 0 else 0):
        colour = tiles.sides[orientation, tiles.steps[step, OPEN_SIDES + 2 * number]]
        after.slots[at, tiles.steps[step, OPEN_SIDES + 2 * number + 1]] = np.uint8(colour)
        after.facing[at, colour] += 1
    worth = 0.0
    for colour in range(1, states.left.shape[1]):
        worth += tiles.potential[after.left[at, colour], after.facing[at, colour]]
    after.matched[at] = matched
    after.worth[at] = worth
