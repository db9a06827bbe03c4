"""What is taken off a board: the cells of a window, chosen by one of several operators.

Each operator ranks cells; the first ones that may be emptied are the window.
"""

from dovetail.improvers.repair.kernels.draws import draw, shuffle
from dovetail.improvers.repair.kernels.layout import (
    APART,
    COMPONENT,
    HIGH,
    LOW,
    MISMATCHED,
    PER_EDGE,
    RECTANGLE,
)
from dovetail.jit import kernel

NORTH, EAST = 0, 1
TRIES = 6  # rectangles of which that with most mismatches is taken
MIN_SIDE = 3


@kernel
def choose(board, rules, walk):
    """Set `cells` to those of a window on the board that lies, in an order of filling.

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
    """Set `mismatches` to how many edges of each cell do not match, on a full board."""
    for cell in range(len(placed)):
        mismatches[cell] = 0
    for cell in range(len(placed)):
        for side in (NORTH, EAST):
            other = board.neighbours[cell, side]
            if other >= 0 and (
                board.sides[placed[cell], side] != board.sides[placed[other], side + 2]
            ):
                mismatches[cell] += 1
                mismatches[other] += 1


@kernel
def _rectangle(board, walk, low, high):
    """The cells of a rectangle, of some random ones that with most mismatches."""
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
    """Cells with mismatches that hang together, a random one first, then what is around them."""
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
    """All cells at random; where asked for, those with mismatches before the others."""
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
    """Set `cells` to the first ones that are free and, where asked for, do not touch."""
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
