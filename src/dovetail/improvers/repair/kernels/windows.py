"""Windows that are taken off a board: tables, draws, and the choice of their cells.

Each operator ranks cells; the first cells that may be emptied are the window.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.random_stream import word

# Operators of destruction and refills, by number.
RECTANGLE, COMPONENT, RANDOM, MISMATCHED = range(4)
GREEDY, ASSIGNMENT, EXACT = range(3)

# Entries of `settings`: the fewest and most cells of a window, whether they must not touch one
# another, the noise of refills in units of 1 / PER_EDGE of a matched edge, and the most placements
# of an exact search for one window.
LOW, HIGH, APART, NOISE, MAX_PLACEMENTS = range(5)
SETTINGS_SIZE = 5

# Entries of `progress`: the scores of the board that is repaired and of the best one, windows,
# boards accepted, placements, windows whose refill is proved to be the best one.
SCORE, BEST, REPAIRS, ACCEPTED, PLACEMENTS, PROVED = range(6)
PROGRESS_SIZE = 6

PER_EDGE = 1024  # units of worth for a matched edge


class RepairBoard(NamedTuple):
    """n cells, numbered column by column, and 4 n orientations; see `BoardArrays`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | what an orientation shows |
    | `frame` | (4 n,) | int32 | its frame |
    | `cell_frame` | (n,) | int32 | the frame of a cell |
    | `neighbours` | (n, 4) | int32 | the cell beyond each side, −1 beyond the frame |
    | `fixed` | (n,) | int32 | the orientation that a hint fixes, −1 elsewhere |
    | `size` | (2,) | int64 | width and height |
    """

    sides: NDArray[np.int32]
    frame: NDArray[np.int32]
    cell_frame: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    fixed: NDArray[np.int32]
    size: NDArray[np.int64]


class RepairRules(NamedTuple):
    """Operators and limits of repair.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `operators` | (k,) | int64 | operators of destruction; each round draws an operator |
    | `settings` | (5,) | int64 | see above |
    | `acceptance` | (w,) | float64 | probability of accepting a board, by matched edges lost |
    """

    operators: NDArray[np.int64]
    settings: NDArray[np.int64]
    acceptance: NDArray[np.float64]


class Walk(NamedTuple):
    """A board under repair, n cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `placed` | (n,) | int32 | the orientations on the board |
    | `best` | (n,) | int32 | the orientations of the best board |
    | `trial` | (n,) | int32 | the orientations of the next board |
    | `cells` | (n,) | int32 | the cells of the window, in the order of filling |
    | `order` | (n,) | int32 | cells as ranked by the operator, the first most wanted |
    | `mismatches` | (n,) | int32 | edges of each cell that do not match |
    | `mark` | (n,) | uint8 | cells that are chosen |
    | `random` | (1,) | uint64 | the state of a random stream |
    | `progress` | (6,) | int64 | see above |
    """

    placed: NDArray[np.int32]
    best: NDArray[np.int32]
    trial: NDArray[np.int32]
    cells: NDArray[np.int32]
    order: NDArray[np.int32]
    mismatches: NDArray[np.int32]
    mark: NDArray[np.uint8]
    random: NDArray[np.uint64]
    progress: NDArray[np.int64]


class Window(NamedTuple):
    """Space for the refill of a window of c cells at most.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tiles` | (c,) | int32 | the tiles that were taken off and do not lie |
    | `entries` | (4 c,) | int32 | their orientations |
    | `facing` | (4,) | int32 | what a cell's neighbours show |
    | `worth` | (c, c) | int64 | value of a tile in a cell |
    | `turned` | (c, c) | int32 | orientation of the tile with this value |
    | `potential` | (2, c + 1) | int64 | of cells and of tiles |
    | `slack` | (c + 1,) | int64 | what a tile lacks to be next |
    | `held` | (c + 1,) | int64 | the cell that holds a tile |
    | `before` | (c + 1,) | int64 | the tile before it on an augmenting path |
    | `at` | (c + 1,) | int64 | by depth: the next entry to be tried |
    | `missed` | (c + 1,) | int64 | by depth: mismatches before |
    | `rest` | (c + 1,) | int64 | by depth: lower bound of the mismatches of later cells |
    | `chosen` | (c,) | int32 | by depth: orientation in the best refill |
    | `used` | (max(n, c + 1),) | uint8 | 1 for a tile that lies or is on a path |
    """

    tiles: NDArray[np.int32]
    entries: NDArray[np.int32]
    facing: NDArray[np.int32]
    worth: NDArray[np.int64]
    turned: NDArray[np.int32]
    potential: NDArray[np.int64]
    slack: NDArray[np.int64]
    held: NDArray[np.int64]
    before: NDArray[np.int64]
    at: NDArray[np.int64]
    missed: NDArray[np.int64]
    rest: NDArray[np.int64]
    chosen: NDArray[np.int32]
    used: NDArray[np.uint8]


HALF = np.uint64(32)


@kernel(inline=True)
def draw(random, bound):
    """Return a number from 0 to `bound` − 1, which is below 2^32; `random` (1,) is uint64."""
    return np.int64(((word(random) >> HALF) * np.uint64(bound)) >> HALF)


@kernel
def shuffle(random, entries, count):
    """Put the first entries into a random order."""
    for number in range(count - 1, 0, -1):
        other = draw(random, number + 1)
        kept = entries[number]
        entries[number] = entries[other]
        entries[other] = kept


NORTH, EAST = 0, 1
TRIES = 6  # rectangles of which that with most mismatches is taken
MIN_SIDE = 3


@kernel
def choose(board, rules, walk):
    """Set `cells` to the cells of a window on the present board, in an order of filling.

    Returns how many there are: 0 where no operator finds any. Hints are kept.
    """
    operator = rules.operators[draw(walk.random, len(rules.operators))]
    low, high = rules.settings[LOW], rules.settings[HIGH]
    apart = rules.settings[APART] != 0
    wanted = low + draw(walk.random, high - low + 1)
    count_mismatches(board, walk.placed, walk.mismatches)
    if operator == RECTANGLE:
        times = 2 if apart else 1  # of cells that do not touch a rectangle has half as many
        ranked = _rectangle(board, walk, times * low, times * high)
        wanted = ranked
    elif operator == COMPONENT:
        ranked = _component(board, walk)
    else:
        ranked = _at_random(walk, operator == MISMATCHED)
    return _take(board, walk, ranked, wanted, apart)


@kernel
def count_mismatches(board, placed, mismatches):
    """Set `mismatches` to how many edges of each cell do not match, 1 for an empty cell."""
    for cell in range(len(placed)):
        mismatches[cell] = placed[cell] < 0
    for cell in range(len(placed)):
        for side in (NORTH, EAST):
            other = board.neighbours[cell, side]
            if other < 0 or placed[cell] < 0 or placed[other] < 0:
                continue
            if board.sides[placed[cell], side] != board.sides[placed[other], side + 2]:
                mismatches[cell] += 1
                mismatches[other] += 1


@kernel
def _rectangle(board, walk, low, high):
    """Rank the cells of the random rectangle with most mismatches; return their number."""
    width, height = board.size[0], board.size[1]
    highest = -1
    x, y, across, down = 0, 0, width, height
    for _ in range(TRIES):
        area = low + draw(walk.random, high - low + 1)
        side = MIN_SIDE
        while side > 1 and side * side > area:
            side -= 1
        shortest, longest = min(width, side), min(width, max(side, area // side))
        columns = shortest + draw(walk.random, longest - shortest + 1)
        rows = min(height, max(side, area // columns))
        left, bottom = draw(walk.random, width - columns + 1), draw(walk.random, height - rows + 1)
        value = draw(walk.random, PER_EDGE)
        for column in range(left, left + columns):
            for row in range(bottom, bottom + rows):
                value += PER_EDGE * walk.mismatches[column * height + row]
        if value > highest:
            highest = value
            x, y, across, down = left, bottom, columns, rows
    ranked = 0
    for column in range(x, x + across):
        for row in range(y, y + down):
            walk.order[ranked] = column * height + row
            ranked += 1
    return ranked


@kernel
def _component(board, walk):
    """Rank connected cells with mismatches from a random cell on, then the cells around them."""
    cells = len(walk.order)
    spoiled = 0
    for cell in range(cells):
        spoiled += walk.mismatches[cell] > 0
    if spoiled == 0:
        return 0
    skip = draw(walk.random, spoiled)
    first = 0
    while walk.mismatches[first] == 0 or skip > 0:
        skip -= walk.mismatches[first] > 0
        first += 1
    turn = draw(walk.random, 4)
    walk.order[0] = first
    walk.mark[first] = 1
    ranked = 1
    for all_cells in range(2):
        reached = 0
        while reached < ranked:
            for number in range(4):
                other = board.neighbours[walk.order[reached], (number + turn) & 3]
                if (
                    other < 0
                    or walk.mark[other]
                    or (all_cells == 0 and walk.mismatches[other] == 0)
                ):
                    continue
                walk.mark[other] = 1
                walk.order[ranked] = other
                ranked += 1
            reached += 1
    for cell in range(cells):
        walk.mark[cell] = 0
    return ranked


@kernel
def _at_random(walk, spoiled_first):
    """Rank all cells at random, cells with mismatches first if `spoiled_first`."""
    cells = len(walk.order)
    for cell in range(cells):
        walk.order[cell] = cell
    shuffle(walk.random, walk.order, cells)
    if spoiled_first:
        front = 0
        for number in range(cells):
            cell = walk.order[number]
            if walk.mismatches[cell] > 0:
                walk.order[number] = walk.order[front]
                walk.order[front] = cell
                front += 1
    return cells


@kernel
def _take(board, walk, ranked, wanted, apart):
    """Set `cells` to the first cells that are free and, with `apart`, do not touch."""
    chosen = 0
    for number in range(ranked):
        if chosen == wanted:
            break
        cell = walk.order[number]
        touches = False
        for side in range(4):
            other = board.neighbours[cell, side]
            touches |= other >= 0 and walk.mark[other] != 0
        if board.fixed[cell] < 0 and not (apart and touches):
            walk.mark[cell] = 1
            chosen += 1
    _scan(board, walk)
    return chosen


@kernel
def _scan(board, walk):
    """Write the marked cells into `cells`, across the short side of the box around them first.

    From a random corner of it; no cell is marked afterwards.
    """
    width, height = board.size[0], board.size[1]
    left, right, bottom, top = width, -1, height, -1
    for cell in range(len(walk.mark)):
        if walk.mark[cell]:
            left, right = min(left, cell // height), max(right, cell // height)
            bottom, top = min(bottom, cell % height), max(top, cell % height)
    columns, rows = max(0, right - left + 1), max(0, top - bottom + 1)
    corner = draw(walk.random, 4)
    by_column = columns > rows
    outer, inner = (columns, rows) if by_column else (rows, columns)
    written = 0
    for first in range(outer):
        for second in range(inner):
            column, row = (first, second) if by_column else (second, first)
            x = right - column if corner & 1 else left + column
            y = top - row if corner & 2 else bottom + row
            cell = x * height + y
            if walk.mark[cell]:
                walk.mark[cell] = 0
                walk.cells[written] = cell
                written += 1
