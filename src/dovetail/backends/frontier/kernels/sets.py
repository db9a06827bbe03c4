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
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.word_size import WORD_BITS

NOWHERE = -1
HERE, MADE = range(2)
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel(inline=True)
def _fitting(packed, class_bars, first, by_end):
    """Which of up to 64 classes of move, from `first` on, a set leaves, as bits; or, `by_end`, has.

    By their `class_bars` alone. A mask, since half of the jumps would be mispredicted.
    """
    fitting = ZERO
    for place in range(np.uint64(min(WORD_BITS, len(class_bars) - first))):
        bars = class_bars[np.uint64(first) + place]
        fitting |= np.uint64((packed & bars) == (bars if by_end else ZERO)) << place
    return fitting


@kernel
def _fits_many(here, move_class, class_first, class_shape, class_times, shift, digit, max_count):
    """Whether a set leaves what a class of move uses of shapes that are used several times."""
    for use in range(class_first[move_class], class_first[move_class + ONE]):
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
        for block in range(0, len(class_bars), WORD_BITS):
            fitting = _fitting(packed[here], class_bars, block, False)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                filled = volume[here] + class_volume[move_class]
                if filled > cells:
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
def link(packed, classes, shapes, place, by_end, links):
    """Write the moves between some sets and those that have a place; returns how many they are.

    They lead from the sets `packed` or, `by_end`, to them, and are grouped by these. `links` are
    the `Links` of `layout`, with room for a move of each class for each set.
    """
    class_first, class_shape, class_times = classes.first, classes.shape, classes.times
    class_packed, class_bars, class_many = classes.packed, classes.bars, classes.many
    shift, digit, max_count = shapes.shift, shapes.digit, shapes.max_count
    first, end, link_class = links.first, links.end, links.move_class
    count = np.uint64(0)
    for here in range(len(packed)):
        for block in range(0, len(class_bars), WORD_BITS):
            fitting = _fitting(packed[here], class_bars, block, by_end)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                added = class_packed[move_class]
                other = packed[here] - added if by_end else packed[here] + added
                if class_many[move_class] and not _fits_many(
                    other if by_end else packed[here],
                    move_class,
                    class_first,
                    class_shape,
                    class_times,
                    shift,
                    digit,
                    max_count,
                ):
                    continue
                end[count], link_class[count] = place[other], move_class
                count += np.uint64(place[other] != NOWHERE)
        first[here + 1] = count
    return np.int64(count)


@kernel
def about(packed, shapes, found):
    """Find whether each set may be all that is used, what it lacks, and what it has.

    `found` are the `AboutSets` of `layout`; shapes beyond the 64th are left out of their bits.
    """
    shift, digit, min_count = shapes.shift, shapes.digit, shapes.min_count
    complete, lacking, present = found.complete, found.lacking, found.present
    for here in range(len(packed)):
        used_up, lacks, has = True, ZERO, ZERO
        for shape in range(len(shift)):
            used = (packed[here] >> shift[shape]) & digit[shape]
            bit = ONE << np.uint64(shape) if shape < 64 else ZERO
            is_enough = used >= min_count[shape]
            used_up &= is_enough
            lacks |= ZERO if is_enough else bit
            has |= bit if used > ZERO else ZERO
        complete[here], lacking[here], present[here] = used_up, lacks, has
