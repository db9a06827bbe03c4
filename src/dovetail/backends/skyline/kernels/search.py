"""The corner-filling search for boxes as a resumable kernel.

The filled cells always form columns that stand on the floor. The places before the corner to fill,
along its row and its column, are higher. The corner is therefore the first corner of the piece that
covers it, and the search branches on the types of pieces that fit there. If cells may stay empty,
the last branch leaves the corner empty.

A state is dead if it leads to no solution. A state is known to be dead at once if more of its cells
provably cannot be filled than may stay empty. A run of open cells along an axis can only be filled
if its length is a sum of sides of unused pieces.

States that a search finds to be dead are stored in a table. The trees of these states are not
searched again; the nodes of the trees are counted as saved. Descents neither read nor write the
table, so that a path of branches always leads to the same node.
"""

import numpy as np

from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.backends.skyline.kernels.layout import (
    AXES,
    BASE,
    BEFORE,
    BRANCH,
    COLUMN,
    CORNER,
    DONE,
    EMPTY,
    ENTER,
    FIRST,
    HEIGHT,
    HITS,
    LONGEST,
    NOT_ALL,
    PASSED,
    PLACE_BASE,
    PLACE_CORNER,
    PLACE_TYPE,
    PLACED,
    ROW,
    SAVED,
    SECOND,
    TRIED,
    UNRANKED,
    WIDTH,
)
from dovetail.jit import kernel
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
    WORK,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below

FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
SHIFT = np.uint64(29)
STEP_BITS = 20  # number of bits for the height in a word that stands for a step of the skyline
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel(inline=True)
def sums_of(axis, boxes, copies):
    """Return the possible sums of sides of unused pieces along an axis, as bits 0 to 63."""
    shape, sides = boxes.shape, boxes.sides
    reached, first = ONE, len(shape)
    while first > 0:
        last = first
        while first > 0 and shape[first - 1] == shape[last - 1]:
            first -= 1
        for _ in range(copies[shape[first]]):
            before = reached
            for which in range(first, last):
                if sides[which, axis] <= LONGEST:
                    reached |= before << np.uint64(sides[which, axis])
            if reached == before:
                break
    return reached


@kernel(inline=True)
def is_sum(run, sums):
    """Return whether the length of a run is among the sums, or exceeds `LONGEST`."""
    return run > LONGEST or sums >> np.uint64(run) & ONE != ZERO


@kernel(inline=True)
def fill_lost(boxes, copies, lost):
    """Write the array `lost` for the unused pieces."""
    for axis in range(AXES):
        sums = sums_of(axis, boxes, copies)
        lost[axis, 0] = 0
        for run in range(1, min(boxes.extent[axis], LONGEST) + 1):
            lost[axis, run] = 0 if is_sum(run, sums) else lost[axis, run - 1] + 1


@kernel(inline=True)
def lost_in(run, axis, lost):
    """Return a lower bound on the number of cells of a run that cannot be filled."""
    return lost[axis, run] if run <= LONGEST else 0


@kernel(inline=True)
def lost_on_level(level, heights, extent, lost):
    """Return a lower bound on the number of cells at a height of the box that stay empty."""
    rows, columns = extent[ROW], extent[COLUMN]
    along_rows = along_columns = 0
    for row in range(rows):
        run = 0
        for at in range(row * columns, (row + 1) * columns):
            if heights[at] <= level:
                run += 1
            elif run > 0:
                along_columns += lost_in(run, COLUMN, lost)
                run = 0
        along_columns += lost_in(run, COLUMN, lost)
    if rows > 1:
        for column in range(columns):
            run = 0
            for at in range(column, rows * columns, columns):
                if heights[at] <= level:
                    run += 1
                elif run > 0:
                    along_rows += lost_in(run, ROW, lost)
                    run = 0
            along_rows += lost_in(run, ROW, lost)
    return max(along_rows, along_columns)


@kernel(inline=True)
def is_dead(heights, extent, lost, allowed):
    """Return whether more than `allowed` cells provably cannot be filled."""
    top, unfilled = extent[HEIGHT], 0
    for at in range(len(heights)):
        unfilled += lost_in(top - heights[at], HEIGHT, lost)
    if unfilled > allowed:
        return True
    unfilled, level = 0, 0
    while level < top:
        above, is_open = top, False
        for at in range(len(heights)):
            if heights[at] <= level:
                is_open = True
            elif heights[at] < above:
                above = heights[at]
        if is_open:
            unfilled += (above - level) * lost_on_level(level, heights, extent, lost)
            if unfilled > allowed:
                return True
        level = above
    return False


@kernel(inline=True)
def outline(heights, extent, ends):
    """Write to `ends` the column after each step of a skyline; return the number of steps."""
    steps = 0
    for at in range(1, extent[COLUMN]):
        if heights[at] != heights[at - 1]:
            ends[steps] = at
            steps += 1
    ends[steps] = extent[COLUMN]
    return steps + 1


@kernel(inline=True)
def is_dead_in_plane(boxes, heights, copies, ends, sums):
    """Return whether a rectangle provably cannot be filled completely.

    Besides the sums of `is_dead`, the function compares the area of each valley with the area of
    the unused pieces that are no wider than the valley. The sums along both axes are written to
    `sums`.
    """
    extent = boxes.extent
    top, upright = extent[HEIGHT], sums_of(HEIGHT, boxes, copies)
    across = sums_of(COLUMN, boxes, copies)
    sums[HEIGHT], sums[COLUMN] = upright, across
    steps = outline(heights, extent, ends)
    for step in range(steps):
        if not is_sum(top - heights[ends[step] - 1], upright):
            return True
    for step in range(steps):
        level = heights[ends[step] - 1]
        if level == top:
            continue
        first = last = step
        while first > 0 and heights[ends[first - 1] - 1] <= level:
            first -= 1
        while last + 1 < steps and heights[ends[last + 1] - 1] <= level:
            last += 1
        if not is_sum(ends[last] - (ends[first - 1] if first > 0 else 0), across):
            return True
        left = heights[ends[step - 1] - 1] if step > 0 else top
        right = heights[ends[step + 1] - 1] if step + 1 < steps else top
        walled = min(left, right)
        if walled > level:
            width = ends[step] - (ends[step - 1] if step > 0 else 0)
            area = (walled - level) * width
            which = len(boxes.shape) - 1
            while which >= 0 and area > 0:
                if boxes.sides[which, COLUMN] <= width and (
                    which == 0
                    or boxes.shape[which - 1] != boxes.shape[which]
                    or boxes.sides[which - 1, COLUMN] > width
                ):
                    shape = boxes.shape[which]
                    area -= copies[shape] * boxes.sides[which, HEIGHT] * boxes.sides[which, COLUMN]
                which -= 1
            if area > 0:
                return True
    return False


@kernel(inline=True)
def has_place(boxes, heights, copies):
    """Return False if the piece of `places` is still required but has no open place, else True."""
    places, sides, columns = boxes.places, boxes.sides, boxes.extent[COLUMN]
    if len(places) == 0:
        return True
    shape = boxes.shape[places[0, PLACE_TYPE]]
    if copies[shape] <= boxes.unused[shape]:
        return True
    for number in range(len(places)):
        which, corner = places[number, PLACE_TYPE], places[number, PLACE_CORNER]
        base = places[number, PLACE_BASE]
        is_open, row = True, 0
        while is_open and row < sides[which, ROW]:
            begin = corner + row * columns
            for at in range(begin, begin + sides[which, COLUMN]):
                if heights[at] > base:
                    is_open = False
                    break
            row += 1
        if is_open:
            return True
    return False


@kernel(inline=True)
def write_key(level, root, heights, copies, keys):
    """Write the key of a state: a hash of the root's rank, the heights and the unused copies."""
    first, second = FIRST_FACTOR, SECOND_FACTOR
    for at in range(-1, len(heights) + len(copies)):
        if at < 0:
            value = np.uint64(root)
        elif at >= len(heights):
            value = np.uint64(copies[at - len(heights)])
        elif at > 0 and heights[at] == heights[at - 1]:
            continue
        else:
            value = np.uint64(at << STEP_BITS | heights[at])
        first = (first ^ value) * FIRST_FACTOR
        first ^= first >> SHIFT
        second = (second + value) * SECOND_FACTOR
        second ^= second >> SHIFT
    keys[level, FIRST], keys[level, SECOND] = first, second


@kernel(inline=True)
def corner_of(heights, extent):
    """Return the corner to fill: in the plane in the narrowest valley, in space a lowest corner."""
    rows, best = extent[ROW], 0
    if rows > 1:
        for at in range(len(heights)):
            if heights[at] < heights[best]:
                best = at
        return best
    columns, narrowest, begin = extent[COLUMN], extent[COLUMN] + 1, 0
    while begin < columns:
        end = begin + 1
        while end < columns and heights[end] == heights[begin]:
            end += 1
        is_valley = begin == 0 or heights[begin - 1] > heights[begin]
        is_valley = is_valley and (end == columns or heights[end] > heights[begin])
        if is_valley and heights[begin] < extent[HEIGHT] and end - begin < narrowest:
            best, narrowest = begin, end - begin
        begin = end
    return best


@kernel(inline=True)
def fits_floor(corner, rows, columns, heights, extent):
    """Return whether a rectangle at a corner lies inside the floor and has a single height."""
    row, column = corner // extent[COLUMN], corner % extent[COLUMN]
    if row + rows > extent[ROW] or column + columns > extent[COLUMN]:
        return False
    base = heights[corner]
    for r in range(rows):
        for at in range(corner + r * extent[COLUMN], corner + r * extent[COLUMN] + columns):
            if heights[at] != base:
                return False
    return True


@kernel(inline=True)
def root_rank(level, boxes, stack):
    """Return the rank of the option in the box's first corner; `UNRANKED` without an option."""
    if level == 0 or stack.branches[0, stack.levels[0, TRIED] - 1] == len(boxes.shape):
        return UNRANKED
    which = stack.branches[0, stack.levels[0, TRIED] - 1]
    return boxes.rank[boxes.option[which, 0]]


@kernel(inline=True)
def write_branches(level, root, boxes, stack, allowed):
    """Write the branches of a level; `allowed` is the number of cells that may still stay empty."""
    extent, heights, sides = boxes.extent, stack.heights, boxes.sides
    corner = corner_of(heights, extent)
    base, width, floor = heights[corner], 0, len(heights)
    valley, is_tight = corner, boxes.spare == 0 and extent[ROW] == 1
    while is_tight and valley < floor and heights[valley] == base:
        valley += 1
    for which in range(len(boxes.shape)):
        if stack.copies[boxes.shape[which]] == 0 or base + sides[which, HEIGHT] > extent[HEIGHT]:
            continue
        if is_tight:
            above = extent[HEIGHT] - base - sides[which, HEIGHT]
            beside = valley - corner - sides[which, COLUMN]
            if beside < 0 or not is_sum(beside, stack.sums[COLUMN]):
                continue
            if not is_sum(above, stack.sums[HEIGHT]):
                continue
        option = boxes.option[which, base * floor + corner]
        if (
            option >= 0
            and boxes.least[option] >= (root if level > 0 else boxes.rank[option])
            and fits_floor(corner, sides[which, ROW], sides[which, COLUMN], heights, extent)
        ):
            stack.branches[level, width] = which
            width += 1
    if allowed > 0 and base < extent[HEIGHT] and not boxes.full[base * floor + corner]:
        stack.branches[level, width] = len(boxes.shape)
        width += 1
    row = stack.levels[level]
    row[CORNER], row[BASE], row[WIDTH], row[TRIED] = corner, base, width, 0


@kernel(inline=True)
def raise_floor(corner, which, height, boxes, heights):
    """Set the height of the places that a type at a corner covers, or of a corner left empty."""
    if which == len(boxes.shape):
        heights[corner] = height
        return
    columns = boxes.extent[COLUMN]
    for row in range(boxes.sides[which, ROW]):
        begin = corner + row * columns
        for at in range(begin, begin + boxes.sides[which, COLUMN]):
            heights[at] = height


@kernel(inline=True)
def is_solved(boxes, stack):
    """Return whether the required pieces are used and all cells are filled.

    If no piece is left, cells that may stay empty can be open.
    """
    copies, any_left = stack.copies, False
    for which in range(len(copies)):
        if copies[which] > boxes.unused[which]:
            return False
        any_left = any_left or copies[which] > 0
    floor = len(stack.heights)
    for at in range(floor):
        for height in range(stack.heights[at], boxes.extent[HEIGHT]):
            if any_left or boxes.full[height * floor + at]:
                return False
    return True


@kernel(inline=True)
def record(level, boxes, stack, row):
    """Write the options placed on earlier levels into `row`, padded with −1."""
    filled = 0
    for above in range(level):
        taken = stack.levels[above]
        which = stack.branches[above, taken[TRIED] - 1]
        if which < len(boxes.shape):
            row[filled] = boxes.option[which, taken[BASE] * len(stack.heights) + taken[CORNER]]
            filled += 1
    row[filled:] = -1


@kernel(inline=True)
def is_left(level, placed, types, stack, guide):
    """Return whether the descents are done with a level; if not, set its next branch."""
    row, state, paths = stack.levels[level], stack.state, guide.paths
    if row[TRIED] > 0:
        following = state[DESCENT] + ONE
        if following == np.uint64(len(paths)) or np.uint64(level) > guide.begins[following]:
            return True
        state[DESCENT] = following
    descent, width = state[DESCENT], row[WIDTH]
    stack.keys[level, BEFORE] = NOT_ALL
    if width == 0:
        return True
    guide.widths[descent, level] = width
    guide.placed[descent, level] = placed
    guide.closing[descent, level] = stack.branches[level, width - 1] == types
    if paths[descent, level] == RANDOM:
        paths[descent, level] = below(guide.random, np.uint64(width))
    if paths[descent, level] == END:
        return True
    row[TRIED] = np.int64(paths[descent, level])
    return False


@kernel
def search(boxes, stack, solutions, guide, work, node_limit):
    """Search for `work` more steps, at most `node_limit` nodes in all; return why the slice ended.

    A slice also ends when the buffer is full or the search is done.

    `boxes` and `stack` are the `Boxes` and `SkylineStack` of `layout`. `solutions` (rows, pieces),
    int32, gets the options of each solution, padded with −1, from row state[BUFFERED] on. `guide`
    is a `Guide` of `shared.kernels.guide`, or None for a search.
    """
    heights, copies, levels = stack.heights, stack.copies, stack.levels
    branches, state, types = stack.branches, stack.state, len(boxes.shape)
    level, placed, empty = np.int64(state[LEVEL]), np.int64(state[PLACED]), np.int64(state[EMPTY])
    nodes, steps = np.int64(state[NODES]), np.int64(state[WORK])
    phase, end, reason = state[PHASE], steps + work, EXHAUSTED
    keys, known, mask = stack.keys, stack.known, np.uint64(len(stack.known) - 1)
    cost = 8 + len(heights) // 2
    while phase != DONE:
        if steps >= end:
            reason = WORK_SPENT
            break
        if phase == ENTER:
            phase = BRANCH
            steps += cost
            levels[level, WIDTH] = levels[level, TRIED] = 0
            if is_solved(boxes, stack):
                if guide is not None:
                    guide.solved[state[DESCENT]] = ONE
                record(level, boxes, stack, solutions[state[BUFFERED]])
                state[BUFFERED] += ONE
                state[SOLUTIONS] += ONE
                if state[BUFFERED] == np.uint64(len(solutions)):
                    reason = BUFFER_FULL
                    break
                continue
            if boxes.spare == 0 and boxes.extent[ROW] == 1:
                dead = is_dead_in_plane(boxes, heights, copies, stack.ends, stack.sums)
            else:
                fill_lost(boxes, copies, stack.lost)
                dead = is_dead(heights, boxes.extent, stack.lost, boxes.spare - empty)
            if not dead and has_place(boxes, heights, copies):
                root = root_rank(level, boxes, stack)
                write_key(level, root, heights, copies, keys)
                at, keys[level, BEFORE] = keys[level, FIRST] & mask, state[SOLUTIONS]
                keys[level, PASSED] = np.uint64(nodes) + state[SAVED]
                is_known = keys[level, FIRST] ^ known[at, 0] <= mask
                if is_known and keys[level, SECOND] == known[at, 1] and guide is None:
                    state[HITS] += ONE
                    state[SAVED] += known[at, 0] & mask
                else:
                    write_branches(level, root, boxes, stack, boxes.spare - empty)
            continue
        is_done = levels[level, TRIED] == levels[level, WIDTH]
        if guide is not None:
            is_done = is_left(level, placed, types, stack, guide)
        if is_done:
            steps += 1
            if levels[level, WIDTH] > 0 and keys[level, BEFORE] == state[SOLUTIONS]:
                at = keys[level, FIRST] & mask
                tree = np.uint64(nodes) + state[SAVED] - keys[level, PASSED]
                known[at, 0] = keys[level, FIRST] - at + min(tree, mask)
                known[at, 1] = keys[level, SECOND]
            if level == 0:
                if guide is not None:
                    state[DESCENT] += ONE
                    phase = ENTER if state[DESCENT] < np.uint64(len(guide.paths)) else DONE
                    continue
                phase = DONE
                break
            level -= 1
            corner, base = levels[level, CORNER], levels[level, BASE]
            which = branches[level, levels[level, TRIED] - 1]
            raise_floor(corner, which, base, boxes, heights)
            if which == types:
                empty -= 1
            else:
                copies[boxes.shape[which]] += 1
                placed -= 1
            continue
        corner, base = levels[level, CORNER], levels[level, BASE]
        which = branches[level, levels[level, TRIED]]
        if which == types:
            raise_floor(corner, which, base + 1, boxes, heights)
            empty += 1
        else:
            if nodes >= node_limit:
                reason = NODE_LIMIT
                break
            nodes += 1
            stack.fits[placed] += 1
            placed += 1
            copies[boxes.shape[which]] -= 1
            raise_floor(corner, which, base + boxes.sides[which, HEIGHT], boxes, heights)
        levels[level, TRIED] += 1
        level += 1
        phase = ENTER
    state[LEVEL], state[PHASE] = np.uint64(level), phase
    state[PLACED], state[EMPTY] = np.uint64(placed), np.uint64(empty)
    state[NODES], state[WORK] = np.uint64(nodes), np.uint64(steps)
    return reason
