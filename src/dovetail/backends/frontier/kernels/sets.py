"""Sets of pieces, packed into one number: some bits for each shape say how often it is used.

| argument | shape | dtype | meaning |
|---|---|---|---|
| `packed` | (s,) | uint64 | the sets that some number of moves uses |
| `volume` | (s,) | int64 | how many cells they fill, at least |
| `classes` | | | the `ClassUses` of `layout` |
| `shapes` | | | the `ShapeBits` of `layout` |
| `place` | (2**bits,) | int32 | the number of a set in its layer, −1 where there is none |
"""

import numpy as np

from dovetail.jit import kernel

NOWHERE = -1
HERE, MADE = range(2)
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def _fits_many(here, move_class, class_first, class_shape, class_times, shift, digit, max_count):
    """Whether a set leaves what a class of move uses of shapes that are used several times."""
    for use in range(class_first[move_class], class_first[move_class + 1]):
        shape = class_shape[use]
        used = (here >> shift[shape]) & digit[shape]
        if used + class_times[use] > max_count[shape]:
            return False
    return True


@kernel
def next_sets(packed, volume, cells, classes, shapes, place, made_sets):
    """Make the sets that one more move makes of some, and their volumes; they get their places.

    Only sets that fill at most `cells`. They are added to the `MadeSets` of `layout`. Returns
    whether that was all; otherwise there is no room for what another set may make.
    """
    made, made_volume, progress = made_sets.packed, made_sets.volume, made_sets.progress
    class_first, class_shape, class_times = classes.first, classes.shape, classes.times
    class_packed, class_bars, class_many = classes.packed, classes.bars, classes.many
    class_volume = classes.volume
    shift, digit, max_count = shapes.shift, shapes.digit, shapes.max_count
    sets = progress[MADE]
    for here in range(progress[HERE], len(packed)):
        if sets + len(class_packed) > len(made):
            progress[HERE], progress[MADE] = here, sets
            return False
        for move_class in range(len(class_packed)):
            filled = volume[here] + class_volume[move_class]
            if filled > cells or packed[here] & class_bars[move_class] != ZERO:
                continue
            if class_many[move_class] and not _fits_many(
                packed[here],
                move_class,
                class_first,
                class_shape,
                class_times,
                shift,
                digit,
                max_count,
            ):
                continue
            after = packed[here] + class_packed[move_class]
            to = np.int64(place[after])
            if to != NOWHERE:
                made_volume[to] = min(made_volume[to], filled)
                continue
            place[after] = sets
            made[sets], made_volume[sets] = after, filled
            sets += 1
    progress[HERE], progress[MADE] = len(packed), sets
    return True


@kernel
def enter(packed, place):
    """Give sets their places in their layer."""
    for number in range(len(packed)):
        place[packed[number]] = number


@kernel
def forget(packed, place):
    """Take the places of sets away."""
    for number in range(len(packed)):
        place[packed[number]] = NOWHERE


@kernel
def count_links(packed, classes, shapes, place, by_end, reached, first):
    """Count the moves from sets to those that have a place.

    Grouped by the set that a move leads from, or `by_end` by that which it leads to: `first`,
    int64, zeros before, becomes where the links of each set begin. `reached`, int32, with a row for
    each set and a column for each class of move, becomes the set that is reached.
    """
    class_first, class_shape, class_times = classes.first, classes.shape, classes.times
    class_packed, class_bars, class_many = classes.packed, classes.bars, classes.many
    shift, digit, max_count = shapes.shift, shapes.digit, shapes.max_count
    for here in range(len(packed)):
        for move_class in range(len(class_packed)):
            reached[here, move_class] = NOWHERE
            if packed[here] & class_bars[move_class] != ZERO:
                continue
            if class_many[move_class] and not _fits_many(
                packed[here],
                move_class,
                class_first,
                class_shape,
                class_times,
                shift,
                digit,
                max_count,
            ):
                continue
            to = place[packed[here] + class_packed[move_class]]
            reached[here, move_class] = to
            if to != NOWHERE:
                first[(np.int64(to) if by_end else here) + 1] += 1
    for group in range(1, len(first)):
        first[group] += first[group - 1]


@kernel
def place_links(by_end, reached, first, ends, between):
    """Write, for each link that was counted, the set at its other end and the class of move."""
    for here in range(reached.shape[0]):
        for move_class in range(reached.shape[1]):
            to = np.int64(reached[here, move_class])
            if to != NOWHERE:
                group = to if by_end else here
                ends[first[group]] = here if by_end else to
                between[first[group]] = move_class
                first[group] += 1
    for group in range(len(first) - 1, 0, -1):
        first[group] = first[group - 1]
    first[0] = 0


@kernel
def about(packed, shapes, found):
    """Find whether each set may be all that is used, what it lacks, and what it has.

    `found` are the `AboutSets` of `layout`; shapes beyond the 64th are left out of their bits.
    """
    shift, digit, min_count = shapes.shift, shapes.digit, shapes.min_count
    complete, lacking, present = found.complete, found.lacking, found.present
    for here in range(len(packed)):
        complete[here], lacking[here], present[here] = 1, ZERO, ZERO
        for shape in range(len(shift)):
            used = (packed[here] >> shift[shape]) & digit[shape]
            bit = ONE << np.uint64(shape) if shape < 64 else ZERO
            if used < min_count[shape]:
                complete[here] = 0
                lacking[here] |= bit
            if used > ZERO:
                present[here] |= bit
