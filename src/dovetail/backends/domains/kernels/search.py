"""The search with edge domains as one resumable kernel.

Every cell has a domain, the orientations of tiles that it can still take, and every edge a set of
colours. A placement is made in a copy of the record of what is known, and what follows is drawn
from it: a cell loses the orientations that an edge has no colour for, an edge the colours that a
cell no longer shows; a type whose last copy is taken leaves all other cells.

All but two rules are code of this one function. In functions of their own, which take the arrays,
three quarters of the time went into counting references to them.
The two take single arrays of `Tables`: with all of them a search took 1.03 of the time (E_8_1).
"""

import numpy as np

from dovetail.backends.domains.kernels.choose import choose
from dovetail.backends.domains.kernels.domain import (
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    both,
    differs,
    emptied,
    joined,
    types_of,
)
from dovetail.backends.domains.kernels.layout import FORCED
from dovetail.backends.domains.kernels.places import (
    CONTRADICTION,
    SOME_FORCED,
    force_places,
)
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, NODES, PHASE, SOLUTIONS, WORK
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT
from dovetail.kernels.word_size import WORD_BITS
from dovetail.kernels.words import keep, loaded, size

THREE, SEVEN, EIGHT, BYTE = (np.uint64(number) for number in (3, 7, 8, 255))


@kernel
def search(tables, words, stack, scratch, solutions, rules, node_limit, revision_limit):
    """Search on, until done, so many nodes or revisions have been made, or the buffer is full.

    `tables`, `words`, `stack`, `scratch` and `rules` are the `Tables`, `Words`, `Stack`, `Scratch`
    and `Rules` of `layout`. `solutions` (rows, n), int32, gets options; state[BUFFERED] rows are
    filled. A node is begun on each level, the root being the first.
    """
    domains_at, zone_of, members = tables.domains_at, tables.zone_of, tables.members
    copies_left_at, max_copies = tables.copies_left_at, tables.max_copies
    sides_at, edge_at, beyond = tables.sides_at, tables.edge_at, tables.beyond
    chunks, unions_at, unions = tables.chunks, tables.unions_at, tables.unions
    shown_at, shown, option = tables.shown_at, tables.shown, tables.option
    cell_words, record_words = words.cells, words.record
    domain, types, colours, lanes = words.domain, words.types, words.colours, words.lanes
    records, branch, candidate_count = stack.records, stack.branch, stack.candidate_count
    weight, fits, state = stack.weight, stack.fits, stack.state
    queue, seen = scratch.queue, scratch.seen
    single_place = rules.single_place
    lazy_colours, lazy_candidates = rules.lazy_colours, rules.lazy_candidates
    domain_words, type_words = np.uint64(len(domain)), np.uint64(len(types))
    planes = len(domain) // len(types)
    depth, revisions, forced = state[LEVEL], state[WORK], state[FORCED]
    while True:
        if state[PHASE] == ZERO:
            state[PHASE] = ONE
            at = ZERO
            for word in range(cell_words):
                queue[word] = records[word]
        else:
            # Try the next candidate of the last cell branched on.
            if depth == ZERO:
                reason = EXHAUSTED
                break
            above = (depth - ONE) * record_words
            cell = branch[depth - ONE]
            k = domains_at + cell * domain_words
            end = k + domain_words
            while k < end and records[above + k] == ZERO:
                k += ONE
            if k == end:
                depth -= ONE
                continue
            if state[NODES] == node_limit:
                reason = NODE_LIMIT
                break
            if revisions >= revision_limit:
                reason = WORK_SPENT
                break
            state[NODES] += ONE
            candidate = records[above + k] & (ZERO - records[above + k])
            records[above + k] ^= candidate
            at = above + record_words
            for j in range(record_words):
                records[at + j] = records[above + j]
            keep(emptied(domain), records, at + domains_at + cell * domain_words)
            records[at + k] = candidate
            remaining = ZERO
            for word in range(cell_words):
                remaining += ones(records[at + word])
                queue[word] = ZERO
            fits[remaining] += ONE
            word, bit = cell >> SIX, ONE << (cell & SIXTY_THREE)
            records[at + word] ^= bit
            records[at + cell_words + cell_words + word] |= bit
            queue[word] = bit

        consistent, settled = True, False
        untaken, touched = at + cell_words, at + cell_words + cell_words
        while consistent and not settled:
            word = ZERO
            while word < cell_words:
                if queue[word] == ZERO:
                    word += ONE
                    continue
                # Revise the first cell of the queue: what do its edges leave of its domain?
                revisions += ONE
                cell, bit = (word << SIX) + trailing_zeros(queue[word]), queue[word]
                bit &= ZERO - bit
                queue[word] ^= bit
                here = at + domains_at + cell * domain_words
                domain = loaded(domain, records, here)
                for m in range(sides_at[cell], sides_at[cell + ONE]):
                    its = at + edge_at[m]
                    allowed = loaded(
                        domain, unions, unions_at[m] + (records[its] & BYTE) * domain_words
                    )
                    for j in range(ONE, chunks[m]):
                        chunk = (records[its + (j >> THREE)] >> ((j & SEVEN) << THREE)) & BYTE
                        row = unions_at[m] + ((j << EIGHT) + chunk) * domain_words
                        allowed = joined(allowed, unions, row)
                    domain = both(domain, allowed)
                if differs(domain, records, here) == ZERO and records[touched + word] & bit == ZERO:
                    word = ZERO
                    continue
                count = size(domain)
                if count == ZERO:
                    weight[cell] += ONE
                    consistent = False
                    break
                keep(domain, records, here)
                records[touched + word] &= ~bit

                # Which colours does it still show on its edges? On all of them at once.
                lanes = emptied(lanes)
                for k in range(len(domain)):
                    rest, row = domain[k], shown_at[cell] + np.uint64(WORD_BITS * k * len(lanes))
                    while rest:
                        one = row + trailing_zeros(rest) * np.uint64(len(lanes))
                        lanes = joined(lanes, shown, one)
                        rest &= rest - ONE
                keep(lanes, seen, ZERO)
                lane = ZERO
                for m in range(sides_at[cell], sides_at[cell + ONE]):
                    before = size(loaded(colours, records, at + edge_at[m]))
                    after = loaded(colours, seen, lane)
                    lane += np.uint64(len(colours))
                    if size(after) < before:
                        keep(after, records, at + edge_at[m])
                        if size(after) <= lazy_colours:
                            other = beyond[m]
                            queue[other >> SIX] |= ONE << (other & SIXTY_THREE)

                # Is it down to one candidate, or to one type, whose copy it takes?
                if count == ONE and records[at + word] & bit:
                    records[at + word] ^= bit
                    forced += ONE
                its = types_of(types, domain)
                if records[untaken + word] & bit and size(its) == ONE:
                    records[untaken + word] ^= bit
                    taken_type, place = ZERO, ZERO
                    for w in range(len(types)):
                        taken_type |= its[w]
                        place += np.uint64(w) if its[w] else ZERO
                    zone = zone_of[cell]
                    copies = max_copies[zone]
                    here = at + copies_left_at[zone] + (copies - ONE) * type_words + place
                    while copies > ONE and records[here] & taken_type == ZERO:
                        copies -= ONE
                        here -= type_words
                    records[here] ^= taken_type
                    for word in range(cell_words if copies == ONE else ZERO):
                        rest = records[untaken + word] & members[zone * cell_words + word]
                        while rest:
                            bit = rest & (ZERO - rest)
                            other = (word << SIX) + trailing_zeros(rest)
                            rest ^= bit
                            here = at + domains_at + other * domain_words
                            k, had = here + place, ZERO
                            for _ in range(planes):
                                had |= records[k] & taken_type
                                records[k] &= ~taken_type
                                k += type_words
                            if had:
                                records[touched + word] |= bit
                                few = size(loaded(domain, records, here)) <= lazy_candidates
                                queue[word] |= bit if few else ZERO
                word = ZERO
            settled = True
            if consistent and single_place:
                forcing = force_places(
                    words, records, at, domains_at, members, copies_left_at, max_copies, scratch
                )
                consistent, settled = forcing != CONTRADICTION, forcing != SOME_FORCED
        if not consistent:
            continue

        cell, count = choose(
            words, records, at, domains_at, sides_at, edge_at, weight, rules.choice
        )
        if count:
            branch[depth], candidate_count[depth] = cell, count
            depth += ONE
            continue
        for cell in range(np.uint64(len(zone_of))):
            k = cell * domain_words
            while records[at + domains_at + k] == ZERO:
                k += ONE
            number = (k << SIX) + trailing_zeros(records[at + domains_at + k])
            solutions[state[BUFFERED], cell] = option[number]
        state[BUFFERED] += ONE
        state[SOLUTIONS] += ONE
        if state[BUFFERED] == np.uint64(len(solutions)):
            reason = BUFFER_FULL
            break
    state[LEVEL], state[WORK], state[FORCED] = depth, revisions, forced
    return reason
