"""The search with edge domains as a resumable kernel.

Every cell has a domain: the orientations of tiles that it can still take. Every edge has a set of
colours. A placement is made in a copy of the node's record and propagated there. A cell loses the
orientations that need a colour which an edge has lost. An edge loses the colours that a cell can no
longer show. A type whose last copy is taken is removed from all cells that have not taken a copy.

Sets of types, sets of colours and domains are tuples of uint64 words. The length of a tuple is part
of its type, so that loops over it are unrolled and its words stay in registers.
"""

import numpy as np

from dovetail.backends.domains.kernels.layout import FORCED, MAX_COPIES, PER_EDGE
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import keep, loaded, ones, size, trailing_zeros
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
    WORD_BITS,
    WORK,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below as random_below

ZERO, ONE, TWO, THREE, SIX, SEVEN, EIGHT = (np.uint64(number) for number in (0, 1, 2, 3, 6, 7, 8))
SIXTY_THREE, BYTE = np.uint64(63), np.uint64(255)

CONTRADICTION, NOTHING_FORCED, SOME_FORCED = range(3)
DISTINGUISHED = np.uint64(MAX_COPIES)


@kernel(inline=True)
def emptied(words):
    """Return the empty set with the number of words of `words`."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, ZERO)
    return words


@kernel(inline=True)
def both(words, others):
    """Return the intersection of two sets."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, words[k] & others[k])
    return words


@kernel(inline=True)
def joined(words, others, begin):
    """Return the union of a set and the set that begins at index `begin` of `others`."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, words[k] | others[begin + np.uint64(k)])
    return words


@kernel(inline=True)
def differs(words, others, begin):
    """Return 0 if a set equals the set that begins at index `begin` of `others`, else not 0."""
    any_bit = ZERO
    for k in range(len(words)):
        any_bit |= words[k] ^ others[begin + np.uint64(k)]
    return any_bit


@kernel(inline=True)
def types_of(plane, domain):
    """Return the set of types in a domain, with the number of words of `plane`."""
    for w in range(len(plane)):
        word = ZERO
        for p in range(len(domain) // len(plane)):
            word |= domain[p * len(plane) + w]
        plane = tuple_setitem(plane, w, word)
    return plane


@kernel
def choose(words, records, at, domains_at, sides_at, edge_at, weight, choice):
    """Return the cell with the least score in the record at `at`, and its number of candidates.

    The score is the number of candidates. With `PER_EDGE`, it is divided by 1 + 2 · the number of
    the cell's edges that have several colours left, because a placement there constrains more
    neighbours. On ties, the cell that has lost its last candidate most often is chosen, then the
    first cell. The number of candidates is 0 if every cell has 1 candidate. The other arguments are
    parts of the arguments of `search`.
    """
    cell_words, domain, colours = words.cells, words.domain, words.colours
    domain_words = np.uint64(len(domain))
    max_parts = float(1 + 2 * (len(words.lanes) // len(colours)))
    chosen, lowest, heaviest, candidates = ZERO, np.inf, ZERO, ZERO
    for word in range(cell_words):
        rest = records[at + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            count = size(loaded(domain, records, at + domains_at + cell * domain_words))
            if float(count) > lowest * max_parts:
                continue  # the score cannot be the lowest, whatever the cell's edges
            parts = ONE
            if choice == PER_EDGE:
                for m in range(sides_at[cell], sides_at[cell + ONE]):
                    several = size(loaded(colours, records, at + edge_at[m])) > ONE
                    parts += TWO if several else ZERO
            score = float(count) / float(parts)
            if score < lowest or (score == lowest and weight[cell] > heaviest):
                chosen, lowest, heaviest, candidates = cell, score, weight[cell], count
    return chosen, candidates


@kernel
def force_places(words, records, at, domains_at, members, needed_at, max_needed, scratch):
    """Reserve cells for types that have only as many cells left as copies to use; queue the cells.

    Returns `SOME_FORCED`, `NOTHING_FORCED`, or `CONTRADICTION` if a type has too few cells or a
    cell would have to take two types. After a contradiction, the record has no meaning. The
    arguments are parts of the arguments of `search`; `at` is the offset of the record.

    The cells of all types are counted at once, in unary: `at_least` gets, for each j from 0 to at
    most `MAX_COPIES`, the set of types that more than j cells can take. No cells are reserved for
    types with more than `MAX_COPIES` copies to use.
    """
    cell_words, domain, types = words.cells, words.domain, words.types
    queue, at_least = scratch.queue, scratch.at_least
    domain_words, type_words = np.uint64(len(domain)), np.uint64(len(types))
    untaken, touched, result = at + cell_words, at + cell_words + cell_words, NOTHING_FORCED
    for zone in range(np.uint64(len(max_needed))):
        counted = min(max_needed[zone], DISTINGUISHED)
        if counted == ZERO:
            continue
        for k in range((counted + ONE) * type_words):
            at_least[k] = ZERO
        for word in range(cell_words):
            rest = records[untaken + word] & members[zone * cell_words + word]
            while rest:
                cell = (word << SIX) + trailing_zeros(rest)
                rest &= rest - ONE
                its = types_of(
                    types, loaded(domain, records, at + domains_at + cell * domain_words)
                )
                for w in range(len(types)):
                    again, k = its[w], np.uint64(w)
                    for _ in range(counted):
                        once_more = at_least[k] & again
                        at_least[k] |= again
                        again = once_more
                        k += type_words
                    at_least[k] |= again
        forced_any = ZERO
        for w in range(type_words):
            forced, here, k = ZERO, at + needed_at[zone] + w, w
            for copies in range(ONE, counted + ONE):
                wanted = records[here]
                here += type_words
                if wanted & ~at_least[k]:
                    return CONTRADICTION
                if copies < max_needed[zone]:
                    wanted &= ~records[here]  # types of which exactly `copies` copies are needed
                k += type_words
                forced |= wanted & ~at_least[k]
            at_least[w] = forced
            forced_any |= forced
        if forced_any == ZERO:
            continue
        result = SOME_FORCED
        for word in range(cell_words):
            rest = records[untaken + word] & members[zone * cell_words + word]
            while rest:
                cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
                rest ^= bit
                here = at + domains_at + cell * domain_words
                its, many = types_of(types, loaded(domain, records, here)), ZERO
                for w in range(len(types)):
                    many += ones(its[w] & at_least[np.uint64(w)])
                if many > ONE:
                    return CONTRADICTION
                if many == ONE:
                    for _ in range(len(domain) // len(types)):
                        for w in range(type_words):
                            records[here] &= at_least[w]
                            here += ONE
                    records[touched + word] |= bit
                    queue[word] |= bit
    return result


# Most rules are code of `search`, because calls that pass all arrays spend time on counting
# references. The rules with their own functions take single arrays of `DomainsTables`.
@kernel
def search(tables, words, stack, solutions, rules, guide, node_limit, revision_limit):
    """Search on until a limit is reached, the buffer is full, or the search is done.

    `tables`, `words`, `stack` and `rules` are the `DomainsTables`, `DomainsWords`, `DomainsStack`
    and `DomainsRules` of `layout`. `solutions`, shape (rows, cells), int32, gets options;
    state[BUFFERED] rows are filled. `node_limit` and `revision_limit` are limits on the totals of
    all slices. Returns why the slice ended.

    `guide` is a `Guide` of `shared.kernels.guide`, or None for a search. Descents do not count
    failures, so that a path of branches leads to the same node every time.
    """
    domains_at, zone_of, members = tables.domains_at, tables.zone_of, tables.members
    copies_left_at, max_copies = tables.copies_left_at, tables.max_copies
    needed_at, max_needed = tables.needed_at, tables.max_needed
    sides_at, edge_at, beyond = tables.sides_at, tables.edge_at, tables.beyond
    chunks, unions_at, unions = tables.chunks, tables.unions_at, tables.unions
    shown_at, shown, option = tables.shown_at, tables.shown, tables.option
    cell_words, record_words = words.cells, words.record
    domain, types, colours, lanes = words.domain, words.types, words.colours, words.lanes
    records, branch, candidate_count = stack.records, stack.branch, stack.candidate_count
    weight, fits, state = stack.weight, stack.fits, stack.state
    scratch = stack.scratch
    queue, seen = scratch.queue, scratch.seen
    single_place = rules.single_place
    lazy_colours, lazy_candidates = rules.lazy_colours, rules.lazy_candidates
    domain_words, type_words = np.uint64(len(domain)), np.uint64(len(types))
    planes, cells = len(domain) // len(types), np.uint64(len(zone_of))
    failure = ONE
    if guide is not None:
        paths, begins, widths, random = guide.paths, guide.begins, guide.widths, guide.random
        failure = ZERO
    depth, revisions, forced = state[LEVEL], state[WORK], state[FORCED]
    while True:
        if state[PHASE] == ZERO:
            state[PHASE] = ONE
            at = ZERO
            for word in range(cell_words):
                queue[word] = ZERO
                for zone in range(np.uint64(len(max_copies))):
                    queue[word] |= members[zone * cell_words + word]
        else:
            if guide is not None and depth > ZERO and widths[state[DESCENT], depth - ONE] > 0.0:
                # The next descent begins at the level where it differs from this descent.
                state[DESCENT] += ONE
                is_last = state[DESCENT] == np.uint64(len(paths))
                depth = ZERO if is_last else min(depth, begins[state[DESCENT]] + ONE)
            if depth == ZERO:
                reason = EXHAUSTED
                break
            above = (depth - ONE) * record_words
            cell = branch[depth - ONE]
            k = domains_at + cell * domain_words
            if guide is not None:
                row, level, several = state[DESCENT], depth - ONE, ZERO
                for word in range(cell_words):
                    several += ones(records[above + word])
                widths[row, level] = np.float64(candidate_count[level])
                guide.placed[row, level] = np.int64(cells - several)
                if paths[row, level] == RANDOM:
                    paths[row, level] = random_below(random, candidate_count[level])
                if paths[row, level] == END:
                    continue
                skipped = paths[row, level]
                while ones(records[above + k]) <= skipped:
                    skipped -= ones(records[above + k])
                    k += ONE
                candidate = records[above + k]
                for _ in range(skipped):
                    candidate &= candidate - ONE
                candidate &= ZERO - candidate
            else:
                # Try the next candidate of the last cell branched on.
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
                candidate = records[above + k] & (ZERO - records[above + k])
                records[above + k] ^= candidate
            state[NODES] += ONE
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
                # Revise the first cell of the queue: remove the orientations that its edges forbid.
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
                    weight[cell] += failure
                    consistent = False
                    break
                keep(domain, records, here)
                records[touched + word] &= ~bit

                # Collect the colours that the cell can still show on each of its edges.
                lanes = emptied(lanes)
                for k in range(len(domain)):
                    rest, row = domain[k], shown_at[cell] + np.uint64(WORD_BITS * k * len(lanes))
                    while rest:
                        shown_row = row + trailing_zeros(rest) * np.uint64(len(lanes))
                        lanes = joined(lanes, shown, shown_row)
                        rest &= rest - ONE
                keep(lanes, seen, ZERO)
                lane = ZERO
                for m in range(sides_at[cell], sides_at[cell + ONE]):
                    before = loaded(colours, records, at + edge_at[m])
                    after = both(before, loaded(colours, seen, lane))
                    lane += np.uint64(len(colours))
                    if size(after) < size(before):
                        keep(after, records, at + edge_at[m])
                        if size(after) <= lazy_colours:
                            other = beyond[m]
                            queue[other >> SIX] |= ONE << (other & SIXTY_THREE)

                # A cell with one candidate is filled. A cell with one type takes a copy of it.
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
                    if needed_at[zone] != copies_left_at[zone]:
                        needed = max_needed[zone]
                        here = at + needed_at[zone] + needed * type_words + place
                        while needed > ZERO:
                            here -= type_words
                            needed -= ONE
                            if records[here] & taken_type:
                                records[here] ^= taken_type
                                needed = ZERO
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
                    words, records, at, domains_at, members, needed_at, max_needed, scratch
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
        missing = ZERO
        for zone in range(np.uint64(len(max_needed))):
            for w in range(type_words if max_needed[zone] else ZERO):
                missing |= records[at + needed_at[zone] + w]
        if missing:
            continue
        if guide is not None:
            guide.solved[state[DESCENT]] = ONE
            if depth == ZERO:
                guide.solved[:] = ONE
        for cell in range(cells):
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
