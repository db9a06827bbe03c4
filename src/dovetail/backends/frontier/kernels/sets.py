"""Sets of pieces, packed into a number: some bits for each shape say how often it is used.

| argument | shape | dtype | meaning |
|---|---|---|---|
| `packed` | (s,) | uint64 | the sets that some number of moves uses |
| `volume` | (s,) | int64 | how many cells they fill, at least |
| `classes`, `shapes` | | | `ClassUses`, `ShapeBits` |
| `place` | (2**bits,) | int32 | the number of a set in its layer, −1 where there is none |
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.layout import WORD_BITS

NOWHERE = -1
HERE, MADE = range(2)
ZERO, ONE = np.uint64(0), np.uint64(1)


class ClassUses(NamedTuple):
    """The shapes that k classes of moves use, and the cells they fill.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (k + 1,) | int64 | where the uses of each class begin |
    | `shape`, `times` | (u,) | int64, uint64 | the shapes of its uses, and how often |
    | `packed` | (k,) | uint64 | the bits that it adds to a set |
    | `bars` | (k,) | uint64 | sets with any of these bits do not leave its shapes |
    | `many` | (k,) | uint8 | whether it uses a shape that is used several times |
    | `volume` | (k,) | int64 | how many cells it fills, at least |
    """

    first: NDArray[np.int64]
    shape: NDArray[np.int64]
    times: NDArray[np.uint64]
    packed: NDArray[np.uint64]
    bars: NDArray[np.uint64]
    many: NDArray[np.uint8]
    volume: NDArray[np.int64]


class ShapeBits(NamedTuple):
    """The place of each shape in a packed set, and how often it is used; all (shapes,), uint64.

    | array | meaning |
    |---|---|
    | `shift`, `digit` | the lowest bit of a shape, and the mask of its bits before the shift |
    | `min_count`, `max_count` | how often it is used |
    """

    shift: NDArray[np.uint64]
    digit: NDArray[np.uint64]
    min_count: NDArray[np.uint64]
    max_count: NDArray[np.uint64]


class MadeSets(NamedTuple):
    """Sets as `next_sets` makes them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `packed`, `volume` | (room,) | uint64, int64 | the sets made so far, and their volumes |
    | `progress` | (2,) | int64 | the next set to go on from, and how many are made |
    """

    packed: NDArray[np.uint64]
    volume: NDArray[np.int64]
    progress: NDArray[np.int64]


class AboutSets(NamedTuple):
    """Properties of the sets of a layer.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `complete` | (s,) | uint8 | whether a set may be all that is used |
    | `lacking`, `present` | (s,) | uint64 | shapes still to be used, and shapes used, as bits |
    """

    complete: NDArray[np.uint8]
    lacking: NDArray[np.uint64]
    present: NDArray[np.uint64]


class Links(NamedTuple):
    """The moves between the sets of two layers, grouped by the sets of either layer.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (s + 1,) | int64 | where the links of each set begin |
    | `end`, `move_class` | (l,) | int32 | the set at the other end, and the class of move between |
    """

    first: NDArray[np.int64]
    end: NDArray[np.int32]
    move_class: NDArray[np.int32]


@kernel(inline=True)
def _fitting(packed, class_bars, first, by_end):
    """Return which of up to 64 classes of move, from `first` on, a set leaves, as bits.

    Of shapes used once at most: a mask, since half of the jumps would be mispredicted. With
    `by_end` the classes that the set has.
    """
    fitting = ZERO
    for place in range(np.uint64(min(WORD_BITS, len(class_bars) - first))):
        bars = class_bars[np.uint64(first) + place]
        fitting |= np.uint64((packed & bars) == (bars if by_end else ZERO)) << place
    return fitting


@kernel
def _fits_many(here, move_class, classes, shapes):
    """Return whether a set leaves the shapes used several times that a class of move uses."""
    for use in range(classes.first[move_class], classes.first[move_class + ONE]):
        shape = classes.shape[use]
        used = (here >> shapes.shift[shape]) & shapes.digit[shape]
        if used + classes.times[use] > shapes.max_count[shape]:
            return False
    return True


@kernel
def next_sets(packed, volume, cells, classes, shapes, place, made_sets):
    """Make the sets that another move makes of `packed`, and their volumes.

    Sets that fill at most `cells` are added to `made_sets`, a `MadeSets`. Returns whether all are
    made; otherwise there is no room for the sets that another set may make.
    `place` is −1 before the first set and after the last.
    """
    made, made_volume, progress = made_sets.packed, made_sets.volume, made_sets.progress
    sets = progress[MADE]
    for here in range(progress[HERE], len(packed)):
        if sets + len(classes.packed) > len(made):
            progress[HERE], progress[MADE] = here, sets
            return False
        for block in range(0, len(classes.bars), WORD_BITS):
            fitting = _fitting(packed[here], classes.bars, block, False)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                filled = volume[here] + classes.volume[move_class]
                if filled > cells:
                    continue
                if classes.many[move_class] and not _fits_many(
                    packed[here], move_class, classes, shapes
                ):
                    continue
                after = packed[here] + classes.packed[move_class]
                to = np.int64(place[after])
                if to != NOWHERE:
                    made_volume[to] = min(made_volume[to], filled)
                    continue
                place[after] = sets
                made[sets], made_volume[sets] = after, filled
                sets += 1
    for number in range(sets):
        place[made[number]] = NOWHERE
    progress[HERE], progress[MADE] = len(packed), sets
    return True


@kernel
def link(packed, others, classes, shapes, place, by_end, links):
    """Write the moves between some sets and `others`; returns their number.

    They lead from the sets `packed` or, `by_end`, to them, and are grouped by these. `links` has
    room for a move of each class for each set. `place` is −1 before and after.
    """
    for number in range(len(others)):
        place[others[number]] = number
    first, end, link_class = links.first, links.end, links.move_class
    count = np.uint64(0)
    for here in range(len(packed)):
        for block in range(0, len(classes.bars), WORD_BITS):
            fitting = _fitting(packed[here], classes.bars, block, by_end)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                added = classes.packed[move_class]
                other = packed[here] - added if by_end else packed[here] + added
                if classes.many[move_class] and not _fits_many(
                    other if by_end else packed[here], move_class, classes, shapes
                ):
                    continue
                end[count], link_class[count] = place[other], move_class
                count += np.uint64(place[other] != NOWHERE)
        first[here + 1] = count
    for number in range(len(others)):
        place[others[number]] = NOWHERE
    return np.int64(count)


@kernel
def about(packed, shapes, found):
    """Find whether each set may be all that is used, and the shapes that it lacks and has.

    `found` is an `AboutSets`; shapes beyond the 64th are left out of its bits.
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
