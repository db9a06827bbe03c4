"""The improver `breaks`: depth-first search in a fixed order, with late mismatches.

Colours that are used up first leave tiles with fewer colours, which match more easily.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError
from dovetail.improvers.base import Improver, Placed
from dovetail.improvers.breaks.search import BreaksSearch, Schedule, entry_count
from dovetail.improvers.shared.board import BOARDS, NODES, BoardArrays, allowed_by_model, fill_order
from dovetail.models.best_order import DEFAULT
from dovetail.models.board_geometry import Position
from dovetail.models.board_orders import BEST, check_order
from dovetail.models.edges import EdgePuzzle
from dovetail.models.expected_boards import filling_of

SPARE = 1.1  # times the sides that a quota asks for: colours with more are not used up by it
MODEL = "model"
MAX_ENTRIES = 50_000_000
MAX_DIGITS = 10
MAX_NODES = 2**62  # what they are added to fits a word


def allowed_from(depths: Sequence[int], steps: int) -> list[int]:
    """Return the mismatches allowed after each step if each depth unlocks a mismatch.

    A depth is the number of cells filled by then.
    """
    return [sum(depth <= step + 1 for depth in depths) for step in range(steps)]


@dataclass(frozen=True)
class Preset:
    """A published schedule: the depths that unlock mismatches, and further rules.

    `quotas` are (cells, sides), ascending, with straight lines between them: this many sides must
    be of the preferred colours once this many cells of the order are filled; nothing is asked
    before the first and beyond the last. The order goes through `in_rows` cells row by row, then
    through the remaining cells by columns. With `apart`, no tile has two sides that do not match.
    """

    cells: int
    depths: tuple[int, ...]
    quotas: tuple[tuple[int, float], ...]
    in_rows: int
    restart_nodes: int
    apart: bool

    @property
    def max_quota(self) -> int:
        """The most sides of preferred colours that are asked for."""
        return max(map(self.quota, range(self.cells)))

    def quota(self, filled: int) -> int:
        """Return how many sides of preferred colours a board must have after `filled` cells."""
        for (low, before), (high, after) in pairwise(self.quotas):
            if low < filled <= high:
                return int(before + (after - before) * (filled - low) / (high - low))
        return 0

    def order(self, width: int, height: int) -> list[Position]:
        """Return all cells of a board, from the bottom left."""
        by_rows = [(x, y) for y in range(height) for x in range(width)]
        return by_rows[: self.in_rows] + sorted(by_rows[self.in_rows :])


# J. Blackwood, 2020, as published. That the frame's other cells come among inner ones beyond depth
# 180 is published, in which order is not: columns, the first of which is where the first mismatch
# unlocks, are ours.
PRESETS = {
    "blackwood": Preset(
        cells=256,
        depths=(201, 206, 211, 216, 221, 225, 229, 233, 237, 239),
        quotas=((16, 0), (26, 28), (56, 71), (76, 89), (102, 106), (160, 119)),
        in_rows=180,
        restart_nodes=50_000_000_000,
        apart=True,
    ),
}


def rarest_colours(board: BoardArrays, count: int) -> list[int]:
    """Return the `count` rarest colours away from the frame."""
    inner = board.sides[board.frame == 0]
    times = np.bincount(inner.reshape(-1), minlength=board.colours)
    return [int(colour) for colour in np.argsort(times, kind="stable") if times[colour]][:count]


def colours_for_quota(board: BoardArrays, sides: int) -> list[int]:
    """Return a colour of the frame and two others that together have `sides` sides; [] if none do.

    The frame's colour is rare on hinted tiles: where they lie on the frame, a colour that is used
    up does not reach them. The other colours have few more sides than `sides`, and then most sides
    for each tile that shows the colour: they lie on few tiles, so a search that prefers them meets
    a quota which grows with the tiles.
    """
    shown = np.stack([(board.sides == one).sum(axis=1) for one in range(board.colours)])
    shown = shown.reshape(board.colours, board.cells, 4).mean(axis=2)  # a mate where it is turned
    times = shown.sum(axis=1)
    hinted = shown[:, board.fixed[board.fixed >= 0] // 4].sum(axis=1)
    of_frame, inner = _by_place(board)
    best, found = (np.inf, True, 0.0), []
    for first in of_frame:
        for others in combinations([one for one in inner if one != first], 2):
            chosen = [first, *others]
            have = times[chosen].sum()
            tiles = np.count_nonzero(shown[chosen].any(axis=0))
            if have >= sides:
                rank = (hinted[first], bool(have > SPARE * sides), -have / tiles)
                if rank < best:
                    best, found = rank, chosen
    return found


def sides_of_colours(board: BoardArrays, colours: Sequence[int]) -> NDArray[np.uint32]:
    """Return how many sides of each orientation, shape (4 n,), have a colour of `colours`."""
    sides: NDArray[np.uint32] = np.isin(board.sides, colours).sum(axis=1).astype(np.uint32)
    return sides


def _by_place(board: BoardArrays) -> tuple[list[int], list[int]]:
    """Return colours along the frame and away from it; colours found only there if any."""
    on_frame = board.frame[:, None] >> np.arange(4) & 1 == 1
    along = ~on_frame & (np.roll(on_frame, 1, axis=1) | np.roll(on_frame, -1, axis=1))
    of_frame = set(board.sides[along].tolist())
    inner = set(board.sides[~on_frame & ~along].tolist())
    return sorted(of_frame - inner or of_frame), sorted(inner - of_frame or inner)


@dataclass(frozen=True)
class BreaksConfig(Config):
    """Settings of `breaks`."""

    order: tuple[str, ...] = setting(
        (BEST,),
        "Order in which to fill the cells, as for the backend rows; best is the one with fewest "
        "mismatches by the model, or the one published with the schedule.",
    )
    schedule: tuple[str, ...] = setting(
        (MODEL,),
        "Tiles on the board from which a further mismatch is allowed, ascending; or model, which "
        "derives them from the board; or blackwood, published for the 16 x 16 board with an order, "
        "quotas of sides of three colours, a cap on nodes, and the rule that no tile has two "
        "mismatches. Verhaard's is missing: its numbers are not known here.",
    )
    boards: float = setting(
        BOARDS,
        "For the schedule model: partial boards to see at each depth before a restart.",
        above=0,
    )
    restart_nodes: int = setting(
        0,
        f"Nodes after which to start again in another order; 0: {NODES:,}, or as published with "
        "the schedule. That is too many where tiles of the frame are hinted: an opening may lead "
        "nowhere.",
        least=0,
        most=MAX_NODES,
    )
    colours_first: int = setting(
        2,
        "How many colours away from the frame, the rarest ones, to use up first; a published "
        "schedule has its own: one of the frame and two others.",
        least=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)
        if not self.schedule:
            raise ConfigError(f"schedule is empty; expected {MODEL}, a preset or numbers of tiles")
        if len(self.schedule) > 1 or self.schedule[0] not in (MODEL, *PRESETS):
            _depths(self.schedule)

    @property
    def preset(self) -> Preset | None:
        """The published schedule; None for other schedules."""
        return PRESETS.get(self.schedule[0])

    @property
    def max_nodes(self) -> int:
        """The nodes after which to start again."""
        return self.restart_nodes or (NODES if self.preset is None else self.preset.restart_nodes)


class Breaks(Improver[BreaksConfig]):
    """Verhaard's and Blackwood's method, its schedule derived from the board."""

    name = "breaks"
    summary = "depth-first in a fixed order, with mismatches that unlock by depth (numba)"
    config_type = BreaksConfig

    def refuses(self, board: BoardArrays, config: BreaksConfig) -> str | None:
        entries = entry_count(board, fill_order(board, (DEFAULT,)))
        if entries > MAX_ENTRIES:
            return f"its lists would have {entries:,} entries; it supports {MAX_ENTRIES:,}"
        if config.schedule == (MODEL,) and filling_of(board.puzzle, (), hints_first=True) is None:
            return "the model does not describe this board; set -c schedule=DEPTHS"
        preset = config.preset
        if preset is not None and board.cells != preset.cells:
            return f"schedule {config.schedule[0]} is for boards of {preset.cells} cells"
        if preset is not None and not colours_for_quota(board, preset.max_quota):
            return (
                f"schedule {config.schedule[0]} asks for {preset.max_quota} sides of three "
                "colours, one of them of the frame; no three have so many"
            )
        return None

    def begin(
        self, board: BoardArrays, config: BreaksConfig, seed: int, start: Placed | None
    ) -> BreaksSearch:
        order = order_of(board, config)
        preferred = sides_of_colours(board, colours_first(board, config))
        schedule = schedule_of(board, order, preferred, config)
        return BreaksSearch(board, order, schedule, preferred, seed)


def order_of(board: BoardArrays, config: BreaksConfig) -> list[int]:
    """Return the cells without hints in the order of a config.

    A published order begins at the corner that is nearest to the hints.
    """
    preset, puzzle = config.preset, board.puzzle
    if preset is None or config.order != (BEST,):
        return fill_order(board, config.order, config.max_nodes, config.boards)
    cells = preset.order(puzzle.width, puzzle.height)
    return fill_order(board, tuple(f"{x}.{y}" for x, y in cells), turn=_corner(puzzle))


def _corner(puzzle: EdgePuzzle) -> int:
    """Return the corner with the least sum of distances to the hints: 1 for right, plus 2 for top.

    Of several corners the first, and without hints the bottom left.
    """
    width, height = puzzle.width - 1, puzzle.height - 1
    return min(
        range(4),
        key=lambda corner: sum(
            abs(hint.x - (corner & 1) * width) + abs(hint.y - (corner >> 1) * height)
            for hint in puzzle.hints
        ),
    )


def colours_first(board: BoardArrays, config: BreaksConfig) -> list[int]:
    """Return the colours that a config uses up first."""
    if config.preset is not None:
        return colours_for_quota(board, config.preset.max_quota)
    return rarest_colours(board, config.colours_first)


def schedule_of(
    board: BoardArrays, order: list[int], preferred: NDArray[np.uint32], config: BreaksConfig
) -> Schedule:
    """Return the requirements of a config on a board after each step of an order.

    `preferred` (4 n,) are the sides of each orientation with colours used up first. Sides of hinted
    tiles count from the beginning; the tiles themselves as if spread evenly over the order.
    """
    steps, hinted, preset = len(order), board.cells - len(order), config.preset
    if config.schedule == (MODEL,):
        positions = [board.puzzle.geometry.position(cell) for cell in order]
        filling = filling_of(board.puzzle, positions, hints_first=True)
        assert filling is not None, "a board that the model does not describe is refused"
        allowed = allowed_by_model(filling, config.max_nodes, config.boards)
    else:
        depths = _depths(config.schedule) if preset is None else preset.depths
        allowed = allowed_from([depth - hinted for depth in depths], steps)
    if preset is None:
        return Schedule(allowed, [0] * steps, config.max_nodes)
    given = int(preferred[board.fixed[board.fixed >= 0]].sum())
    quota = [
        max(0, preset.quota(step + 1 + hinted * (step + 1) // steps) - given)
        for step in range(steps)
    ]
    return Schedule(allowed, quota, config.max_nodes, preset.apart)


def _depths(words: tuple[str, ...]) -> list[int]:
    if all(word.isdecimal() and len(word) < MAX_DIGITS for word in words):
        depths = [int(word) for word in words]
        if depths == sorted(depths):
            return depths
    raise ConfigError(
        f"schedule {','.join(words)!r:.60}; valid: {MODEL}, {', '.join(PRESETS)}, or numbers of "
        "tiles, ascending, as in 201,206,211"
    )
