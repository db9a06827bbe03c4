"""Windows of a board that are emptied: tables, random draws, and the choice of their cells.

An operator ranks cells. The window consists of the first cells that may be emptied.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.random_stream import word

# Numbers of the operators that choose windows, and of the refills.
RECTANGLE, COMPONENT, RANDOM, MISMATCHED = range(4)
GREEDY, ASSIGNMENT, EXACT = range(3)

# Entries of `settings`: least and largest number of cells of a window; 1 if the cells must not
# touch each other; noise of refills, in units of 1 / PER_EDGE of a matched edge; largest number of
# placements of the exact search for a window.
LOW, HIGH, APART, NOISE, MAX_PLACEMENTS = range(5)
SETTINGS_SIZE = 5

# Entries of `progress`: the score of the board that is repaired, the score of the best board;
# numbers of windows refilled, of boards accepted, of placements, and of windows whose refill is
# proved to be the best.
SCORE, BEST, REPAIRS, ACCEPTED, PLACEMENTS, PROVED = range(6)
PROGRESS_SIZE = 6

PER_EDGE = 1024  # units of worth for a matched edge


class RepairBoard(NamedTuple):
    """A board of n cells, numbered column by column, with 4 n orientations; see `BoardArrays`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | the colours of an orientation, see `BoardArrays` |
    | `frame` | (4 n,) | int32 | the frame of an orientation |
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
    | `operators` | (any,) | int64 | operators; one of them is drawn for each window |
    | `settings` | (5,) | int64 | see above |
    | `acceptance` | (any,) | float64 | probability of accepting a board, by matched edges lost |
    """

    operators: NDArray[np.int64]
    settings: NDArray[np.int64]
    acceptance: NDArray[np.float64]


class Walk(NamedTuple):
    """A board of n cells under repair.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `placed` | (n,) | int32 | the orientations on the board |
    | `best` | (n,) | int32 | the orientations on the best board |
    | `trial` | (n,) | int32 | the orientations on the next board, to be accepted or rejected |
    | `cells` | (n,) | int32 | the cells of the window, in the order of filling |
    | `order` | (n,) | int32 | the cells as ranked by the operator |
    | `mismatches` | (n,) | int32 | by cell: number of mismatched edges; 1 for an empty cell |
    | `mark` | (n,) | uint8 | scratch: 1 for the cells of a set |
    | `random` | (1,) | uint64 | state of a random stream |
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
    """Space for the refill of a window of c cells at most, on a board of n cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tiles` | (c,) | int32 | the tiles taken off; a greedy refill removes tiles that it lays |
    | `entries` | (4 c,) | int32 | exact: the orientations of `tiles` |
    | `facing` | (4,) | int32 | assignment: the colours that the neighbours of a cell show |
    | `worth` | (c, c) | int64 | assignment: the worth of a tile, by cell and tile |
    | `turned` | (c, c) | int32 | assignment: the orientation with this worth |
    | `potential` | (2, c + 1) | int64 | assignment: dual variables of cells and of tiles |
    | `slack` | (c + 1,) | int64 | assignment: by tile, the least reduced cost from the path |
    | `held` | (c + 1,) | int64 | assignment: by tile, the cell that it fills |
    | `before` | (c + 1,) | int64 | assignment: by tile, the tile before it on the path |
    | `at` | (c + 1,) | int64 | exact, by depth: the next entry to try |
    | `missed` | (c + 1,) | int64 | exact, by depth: number of mismatches before |
    | `rest` | (c + 1,) | int64 | exact, by depth: lower bound on the mismatches from here on |
    | `chosen` | (c,) | int32 | exact, by depth: the orientation in the best refill |
    | `used` | (max(n, c + 1),) | uint8 | 1 for a tile that is laid, or that is on the path |
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
    """Return a random number from 0 to `bound` − 1; `bound` is below 2^32.

    `random`, shape (1,), uint64, is the state of a random stream.
    """
    return np.int64(((word(random) >> HALF) * np.uint64(bound)) >> HALF)


@kernel
def shuffle(random, entries, count):
    """Put the first `count` entries into a random order."""
    for number in range(count - 1, 0, -1):
        other = draw(random, number + 1)
        kept = entries[number]
        entries[number] = entries[other]
        entries[other] = kept


NORTH, EAST = 0, 1
TRIES = 6  # number of random rectangles; the rectangle with the most mismatches is taken
MIN_SIDE = 3  # least side of a random rectangle, if its area and the board allow it


@kernel
def choose(board, rules, walk):
    """Set `cells` to the cells of a window, in an order of filling; return their number.

    A random operator chooses the window on the board `placed`. The number is 0 if the operator
    finds no cells. Cells with hints are never chosen.
    """
    operator = rules.operators[draw(walk.random, len(rules.operators))]
    low, high = rules.settings[LOW], rules.settings[HIGH]
    apart = rules.settings[APART] != 0
    wanted = low + draw(walk.random, high - low + 1)
    count_mismatches(board, walk.placed, walk.mismatches)
    if operator == RECTANGLE:
        times = 2 if apart else 1  # about half the cells of a rectangle do not touch
        ranked = _rectangle(board, walk, times * low, times * high)
        wanted = ranked
    elif operator == COMPONENT:
        ranked = _component(board, walk)
    else:
        ranked = _at_random(walk, operator == MISMATCHED)
    return _take(board, walk, ranked, wanted, apart)


@kernel
def count_mismatches(board, placed, mismatches):
    """Set `mismatches` to the number of mismatched edges of each cell, 1 for an empty cell."""
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
    """Rank the cells of the rectangle with the most mismatches among `TRIES` random rectangles.

    Each rectangle has about `low` to `high` cells. Returns the number of cells ranked.
    """
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
    """Rank connected cells with mismatches, from a random cell on, then all others by distance.

    Returns the number of cells ranked; 0 if no cell has a mismatch or is empty.
    """
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
    """Rank all cells at random, cells with mismatches first if `spoiled_first`; return how many."""
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
    """Set `cells` to the first `wanted` ranked cells without hints, in the order of `_scan`.

    With `apart`, cells that touch an earlier cell are left out. Returns the number of cells.
    """
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
    """Write the marked cells into `cells`, and remove the marks.

    The cells are scanned from a random corner of the box around them, line by line along its short
    side.
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
