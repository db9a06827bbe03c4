"""The improver `breaks`: depth-first search in a fixed order, with late mismatches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError
from dovetail.improvers.base import Improver, Placed
from dovetail.improvers.breaks.colours import colours_for_quota, rarest_colours, sides_of_colours
from dovetail.improvers.breaks.lists import entry_count
from dovetail.improvers.breaks.presets import PRESETS, Preset
from dovetail.improvers.breaks.schedule import Schedule, allowed_from
from dovetail.improvers.breaks.search import BreaksSearch
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.fill_order import BOARDS, NODES, fill_order
from dovetail.improvers.shared.mismatches import allowed_by_model
from dovetail.models.best_order import DEFAULT
from dovetail.models.board_orders import BEST, check_order
from dovetail.models.edges import EdgePuzzle
from dovetail.models.expected_boards import filling_of

MODEL = "model"
MAX_ENTRIES = 50_000_000
MAX_DIGITS = 10
MAX_NODES = 2**62  # what they are added to fits a word


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
        """The published schedule, if it is one."""
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

    A published one begins at the corner that is nearest to the hints.
    """
    preset, puzzle = config.preset, board.puzzle
    if preset is None or config.order != (BEST,):
        return fill_order(board, config.order, config.max_nodes, config.boards)
    cells = preset.order(puzzle.width, puzzle.height)
    return fill_order(board, tuple(f"{x}.{y}" for x, y in cells), turn=_corner(puzzle))


def _corner(puzzle: EdgePuzzle) -> int:
    """The corner with the least sum of distances to the hints: 1 for the right, plus 2 for the top.

    The first of several; the bottom left one without hints.
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
    """Return what a config asks of a board after each step of an order.

    `preferred` (4 n,) are the sides of each orientation that are of colours used up first. Those of
    hinted tiles count from the beginning; the tiles themselves as if spread evenly over the order.
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
