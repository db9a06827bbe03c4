"""Brute force as one resumable kernel: every tile that fits, cell after cell.

Candidates are bit sets looked up by the colours known, as in the fast programs of the puzzle's
community. A tile after which the next cell has no candidates is taken back at once, with
nothing kept: that is what happens to most of them.
"""

import numpy as np

from dovetail.backends.rows.kernels.layout import (
    AT,
    BEFORE,
    COLOUR_MASK,
    DEMANDS,
    EARLIER,
    ENTRY,
    FRAME_BITS,
    LEFT,
    MASK,
    NEIGHBOURS,
    PLAN_BITS,
    ROW,
    SHIFT,
    SLOT,
    SLOT_BITS,
    START,
    STATE,
    WORD,
    WORDS,
)
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, SOLUTIONS
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def search(tables, others, stack, solutions, nodes):
    """Search on, until done, `nodes` more tiles are put down, or the buffer is full.

    `tables`, `others` and `stack` are the `Tables`, `OtherWords` and `Stack` of `layout`.
    `others` is None where no slot changes a second word: they cost 10 to 25 % of the time.
    `solutions` (rows, n), uint64, gets entries of `shows`; progress[BUFFERED] rows are filled.
    """
    plan, step, masks, shows = tables.plan, tables.step, tables.masks, tables.shows
    taken, tile, later = tables.taken, tables.tile, tables.later
    free, frames, fits = stack.free, stack.frames, stack.fits
    placed_at, progress = stack.placed_at, stack.state
    if others is not None:
        other_word, other = others.word, others.change
    last = np.uint64(len(fits)) - ONE
    depth, unspent, reason = progress[LEVEL], nodes, EXHAUSTED
    here, frame = depth << PLAN_BITS, depth << FRAME_BITS
    left, row, at, before, state = kept(frames, frame)
    shift, mask, next_at, next_words = onward(plan, here)
    while True:
        if left == ZERO:
            free[at] = before
            if at + ONE < plan[here + WORD] + plan[here + WORDS]:
                at += ONE
                row += ONE
                before = free[at]
                left = masks[row] & before
                continue
            if depth == ZERO:
                break
            depth -= ONE
            here, frame = depth << PLAN_BITS, depth << FRAME_BITS
            left, row, at, before, state = kept(frames, frame)
            shift, mask, next_at, next_words = onward(plan, here)
            if others is not None:
                slot = frames[frame + SLOT]
                free[other_word[slot]] ^= other[slot]
            continue
        if unspent == ZERO:
            reason = WORK_SPENT
            break
        unspent -= ONE
        fits[depth] += ONE
        bit = trailing_zeros(left)
        left &= left - ONE
        slot, entry = at << SLOT_BITS | bit, row << SLOT_BITS | bit
        demands = shows[entry]
        free[at] = before ^ taken[slot]
        if others is not None:
            free[other_word[slot]] ^= other[slot]
        next_row, word = np.uint64(step[state + (demands >> shift & mask)]), ZERO
        candidates = masks[next_row] & free[next_at]
        while candidates == ZERO and word + ONE < next_words:
            word += ONE
            candidates = masks[next_row + word] & free[next_at + word]
        if candidates == ZERO:
            if others is not None:
                free[other_word[slot]] ^= other[slot]
            continue
        keep(frames, frame, left, row, at, before, state)
        frames[frame + DEMANDS], frames[frame + ENTRY] = demands, entry
        frames[frame + SLOT] = slot
        if depth == last:
            if others is not None:
                free[other_word[slot]] ^= other[slot]
            in_order = True
            if len(later):
                for k in range(len(fits)):
                    placed_at[tile[frames[(np.uint64(k) << FRAME_BITS) + SLOT]]] = k
                for k in range(len(later)):
                    in_order &= placed_at[later[k] - ONE] < placed_at[later[k]]
            if not in_order:
                continue
            for k in range(len(fits)):
                solutions[progress[BUFFERED], k] = frames[(np.uint64(k) << FRAME_BITS) + ENTRY]
            progress[BUFFERED] += ONE
            progress[SOLUTIONS] += ONE
            if progress[BUFFERED] == np.uint64(len(solutions)):
                reason = BUFFER_FULL
                break
            continue
        depth += ONE
        here, frame = depth << PLAN_BITS, depth << FRAME_BITS
        left, row, at = candidates, next_row + word, next_at + word
        before = free[at]
        shift, mask, next_at, next_words = onward(plan, here)
        state = plan[here + START]
        for k in range(plan[here + EARLIER]):
            one = here + NEIGHBOURS + (k << ONE)
            colour = frames[plan[one]] >> plan[one + ONE] & COLOUR_MASK
            state = np.uint64(step[state + colour])
    keep(frames, frame, left, row, at, before, state)
    progress[LEVEL] = depth
    return reason


# The helpers have no branches: numba counts references to the arrays it hands to others.


@kernel(inline=True)
def kept(frames, frame):
    """What `keep` wrote: candidates left, row, word of `free` and what it held, and state."""
    return (
        frames[frame + LEFT],
        frames[frame + ROW],
        frames[frame + AT],
        frames[frame + BEFORE],
        frames[frame + STATE],
    )


@kernel(inline=True)
def keep(frames, frame, left, row, at, before, state):
    """Write into a frame what is needed to go on at its depth."""
    frames[frame + LEFT] = left
    frames[frame + ROW] = row
    frames[frame + AT] = at
    frames[frame + BEFORE] = before
    frames[frame + STATE] = state


@kernel(inline=True)
def onward(plan, here):
    """How the next cell's last colour is read; its first word of `free` and how many it has."""
    there = here + (ONE << PLAN_BITS)
    return plan[here + SHIFT], plan[here + MASK], plan[there + WORD], plan[there + WORDS]
