"""What the kernels of `repair` and those who call them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Board(NamedTuple):
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


class Rules(NamedTuple):
    """How a board is repaired.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `operators` | (k,) | int64 | operators of destruction, one of which is drawn each time |
    | `settings` | (5,) | int64 | see above |
    | `acceptance` | (w,) | float64 | the chance of a board that is so many edges worse |
    """

    operators: NDArray[np.int64]
    settings: NDArray[np.int64]
    acceptance: NDArray[np.float64]


class Walk(NamedTuple):
    """A board under repair, n cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `placed` | (n,) | int32 | the orientations that lie |
    | `best` | (n,) | int32 | those of the best board |
    | `trial` | (n,) | int32 | those of the board that may be accepted |
    | `cells` | (n,) | int32 | the cells of the window, in the order of filling |
    | `order` | (n,) | int32 | cells by how much they are wanted in it |
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
    | `worth` | (c, c) | int64 | what a tile is worth in a cell |
    | `turned` | (c, c) | int32 | the orientation that it has there |
    | `potential` | (2, c + 1) | int64 | of cells and of tiles |
    | `slack` | (c + 1,) | int64 | what a tile lacks to be next |
    | `held` | (c + 1,) | int64 | the cell that holds a tile |
    | `before` | (c + 1,) | int64 | the tile before it on an augmenting path |
    | `at` | (c + 1,) | int64 | by depth: the next entry to be tried |
    | `missed` | (c + 1,) | int64 | by depth: mismatches before |
    | `rest` | (c + 1,) | int64 | by depth: mismatches that all that follow have at least |
    | `chosen` | (c,) | int32 | by depth: what lay in the best refill |
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
