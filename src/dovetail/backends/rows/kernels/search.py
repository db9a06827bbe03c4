"""Brute force as a resumable kernel: every tile that fits is tried, cell after cell.

Candidates are bit sets looked up by the known colours, as in the fast programs of the community of
Eternity II. Each depth has its own set of free tiles, so that no move has to be undone. When a cell
has no candidate left, the search returns directly to the last cell that has one.
"""

import numpy as np

from dovetail.backends.rows.kernels.layout import (
    BACK,
    END,
    ENTRY,
    FRAME_BITS,
    LEFT,
    NEIGHBOURS,
    NOTHING,
    PLAN_BITS,
    SEEN,
    SLOT,
    SLOT_BITS,
    SLOT_MASK,
    START,
    STATE,
    WORD,
)
from dovetail.backends.shared.kernels.guide import RANDOM
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    DESCENT,
    EXHAUSTED,
    LEVEL,
    SOLUTIONS,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ROW_STEP = ONE << SLOT_BITS


@kernel
def search(tables, others, stack, solutions, guide, nodes):
    """Search on until all is done, `nodes` more tiles are put down, or the buffer is full.

    Returns the reason: `EXHAUSTED`, `WORK_SPENT` or `BUFFER_FULL` of `dovetail.kernels.layout`.
    `tables`, `others` and `stack` are the `RowsTables`, `OtherWords` and `RowsStack` of `layout`.
    `others` is None if no slot changes a second word. `solutions`, shape (rows, cells), dtype
    uint64, gets the solutions as entries of `seen`; stack.state[BUFFERED] rows are filled. `guide`
    is a `Guide` of `shared.kernels.guide`.
    """
    plan, step, masks, fitting = tables.plan, tables.step, tables.masks, tables.fitting
    seen, taken, tile, later = tables.seen, tables.taken, tables.tile, tables.later
    free, frames, fits = stack.free, stack.frames, stack.fits
    placed_at, progress = stack.placed_at, stack.state
    if others is not None:
        other_word, other = others.word, others.change
    last = np.uint64(len(fits)) - ONE
    width = np.uint64(len(stack.words)) + ONE
    depth, unspent, reason = progress[LEVEL], nodes, EXHAUSTED
    here, frame, level = depth << PLAN_BITS, depth << FRAME_BITS, depth * width
    row, at, left, state, back = kept(frames, frame)
    seen_at, end, next_at, next_end = onward(plan, here)
    before, next_free = free[level + at], free[level + next_at]
    begun, descents, is_new = progress[DESCENT], np.uint64(len(guide.begins)), False
    if descents:
        left = ZERO
    while True:
        if left == ZERO:
            if descents:
                if not is_new:
                    differs = guide.begins[begun] if begun < descents else ZERO
                    begun += ONE
                    if differs < depth:
                        depth = differs
                        here, frame, level = depth << PLAN_BITS, depth << FRAME_BITS, depth * width
                        row, at, left, state, back = kept(frames, frame)
                        seen_at, end, next_at, next_end = onward(plan, here)
                        next_free = free[level + next_at]
                is_new = False
                row -= (at - plan[here + WORD]) << SLOT_BITS
                at = plan[here + WORD]
                before = free[level + at]
                left = masks[row >> SLOT_BITS] & before
                if begun > descents:
                    break
                branches = ones(left)
                for word in range(at + ONE, end):
                    branches += ones(masks[(row >> SLOT_BITS) + word - at] & free[level + word])
                descent = begun - ONE
                guide.widths[descent, depth] = np.float64(branches)
                guide.placed[descent, depth] = np.int64(depth)
                if guide.paths[descent, depth] == RANDOM and branches > ZERO:
                    guide.paths[descent, depth] = below(guide.random, branches)
                branch = guide.paths[descent, depth]
                if branch >= branches:
                    left = ZERO
                    continue
                while branch >= ones(left):
                    branch -= ones(left)
                    at += ONE
                    row += ROW_STEP
                    before = free[level + at]
                    left = masks[row >> SLOT_BITS] & before
                for _ in range(branch):
                    left &= left - ONE
                left &= ZERO - left
            elif at + ONE < end:
                at += ONE
                row += ROW_STEP
                before = free[level + at]
                left = masks[row >> SLOT_BITS] & before
                continue
            elif back == NOTHING:
                if depth > ZERO:
                    depth = frame = ZERO
                    row, at, left, state, back = kept(frames, frame)
                break
            else:
                depth = back
                here, frame, level = depth << PLAN_BITS, depth << FRAME_BITS, depth * width
                row, at, left, state, back = kept(frames, frame)
                seen_at, end, next_at, next_end = onward(plan, here)
                before, next_free = free[level + at], free[level + next_at]
                continue
        if unspent == ZERO:
            reason = WORK_SPENT
            break
        unspent -= ONE
        fits[depth] += ONE
        bit = trailing_zeros(left)
        left &= left - ONE
        entry, slot = row | bit, at << SLOT_BITS | bit
        changed = before ^ taken[slot]
        key, word = state + np.uint64(seen[seen_at + entry]), next_at
        open_slots = changed if word == at else next_free
        if others is not None:
            open_slots ^= other[slot] if other_word[slot] == word else ZERO
        candidates = fitting[key] & open_slots
        while candidates == ZERO and word + ONE < next_end:
            word += ONE
            open_slots = changed if word == at else free[level + word]
            if others is not None:
                open_slots ^= other[slot] if other_word[slot] == word else ZERO
            candidates = masks[np.uint64(step[key]) + word - next_at] & open_slots
        if candidates == ZERO:
            continue
        frames[frame + ENTRY], frames[frame + SLOT] = entry, slot
        frames[frame + LEFT], frames[frame + STATE], frames[frame + BACK] = left, state, back
        if depth == last:
            if descents:
                guide.solved[descent] = 1
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
        back = depth if left != ZERO or at + ONE < end else back
        below_level = level + width
        for k in range(len(stack.words)):
            copied = np.uint64(k)
            free[below_level + copied] = free[level + copied]
        free[below_level + at] = changed
        if others is not None:
            free[below_level + other_word[slot]] ^= other[slot]
        depth += ONE
        here, frame, level = here + (ONE << PLAN_BITS), frame + (ONE << FRAME_BITS), below_level
        left, before, at = candidates, open_slots, word
        row = (np.uint64(step[key]) + word - next_at) << SLOT_BITS
        seen_at, end, next_at, next_end = onward(plan, here)
        next_free = free[level + next_at]
        state = plan[here + START]
        place = here + NEIGHBOURS
        while plan[place] != NOTHING:
            colour = np.uint64(seen[plan[place + ONE] + frames[plan[place]]])
            state = np.uint64(step[state + colour])
            place += TWO
        if descents:
            left, is_new = ZERO, True
    frames[frame + ENTRY], frames[frame + SLOT] = row, at << SLOT_BITS
    frames[frame + LEFT], frames[frame + STATE], frames[frame + BACK] = left, state, back
    progress[LEVEL] = depth
    progress[DESCENT] = begun
    return reason


@kernel(inline=True)
def kept(frames, frame):
    """Return a frame's first entry of the current word, word of `free`, LEFT, STATE and BACK."""
    return (
        frames[frame + ENTRY] & ~SLOT_MASK,
        frames[frame + SLOT] >> SLOT_BITS,
        frames[frame + LEFT],
        frames[frame + STATE],
        frames[frame + BACK],
    )


@kernel(inline=True)
def onward(plan, here):
    """Return SEEN and END of a row of `plan`, and WORD and END of the next row."""
    there = here + (ONE << PLAN_BITS)
    return plan[here + SEEN], plan[here + END], plan[there + WORD], plan[there + END]
