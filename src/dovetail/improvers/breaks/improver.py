"""The improver `breaks`: depth-first search in a fixed order, with late mismatches."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError
from dovetail.improvers.base import Improver, Lies
from dovetail.improvers.breaks.colours import preferred_sides
from dovetail.improvers.breaks.lists import entry_count
from dovetail.improvers.breaks.presets import PRESETS
from dovetail.improvers.breaks.schedule import Schedule, allowed_from
from dovetail.improvers.breaks.search import BreaksImprovement
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.fill_order import BOARDS, NODES, fill_order
from dovetail.improvers.shared.mismatches import allowed_by_model
from dovetail.models.best_order import DEFAULT
from dovetail.models.board_orders import BEST, check_order
from dovetail.models.expected_boards import filling_of

MODEL = "model"
MAX_ENTRIES = 50_000_000
MAX_DIGITS = 10


@dataclass(frozen=True)
class BreaksConfig(Config):
    """Settings of `breaks`."""

    order: tuple[str, ...] = setting(
        (BEST,),
        "Order in which to fill the cells, as for the backend rows; best is the one with fewest "
        "mismatches by the model.",
    )
    schedule: tuple[str, ...] = setting(
        (MODEL,),
        "Tiles on the board from which a further mismatch is allowed, ascending; or model, which "
        f"derives them from the board; or {', '.join(PRESETS)}, published for the 16 x 16 board.",
    )
    boards: float = setting(
        BOARDS, "For the schedule model: partial boards to see at each depth before a restart."
    )
    restart_nodes: int = setting(NODES, "Nodes after which to start again in another order.")
    colours_first: int = setting(
        2, "How many colours away from the frame, the rarest ones, to use up first."
    )

    def __post_init__(self) -> None:
        check_order(self.order)
        if not self.schedule:
            raise ConfigError(f"schedule is empty; expected {MODEL}, a preset or numbers of tiles")
        if self.boards <= 0 or self.restart_nodes < 1 or self.colours_first < 0:
            raise ConfigError(
                "breaks: boards and restart_nodes are positive, colours_first is 0 or more"
            )
        if len(self.schedule) > 1 or self.schedule[0] not in (MODEL, *PRESETS):
            _depths(self.schedule)


class Breaks(Improver[BreaksConfig]):
    """Verhaard's and Blackwood's method, its schedule derived from the board."""

    name = "breaks"
    summary = "depth-first in a fixed order, with mismatches that unlock by depth (numba)"
    config_type = BreaksConfig

    def refuses(self, board: BoardArrays, config: BreaksConfig) -> str | None:
        entries = entry_count(board, fill_order(board, (DEFAULT,)))
        if entries > MAX_ENTRIES:
            return f"its lists would have {entries:,} entries; it supports {MAX_ENTRIES:,}"
        if config.schedule == (MODEL,) and filling_of(board.puzzle, ()) is None:
            return "the model does not describe this board; set -c schedule=DEPTHS"
        preset = PRESETS.get(config.schedule[0])
        if preset is not None and board.cells != preset.cells:
            return f"schedule {config.schedule[0]} is for boards of {preset.cells} cells"
        return None

    def begin(
        self, board: BoardArrays, config: BreaksConfig, seed: int, start: Lies | None
    ) -> BreaksImprovement:
        order = _order(board, config)
        return BreaksImprovement(
            board,
            order,
            schedule_of(board, order, config),
            preferred_sides(board, config.colours_first),
            seed,
        )


def _order(board: BoardArrays, config: BreaksConfig) -> list[int]:
    return fill_order(board, config.order, config.restart_nodes, config.boards)


def schedule_of(board: BoardArrays, order: list[int], config: BreaksConfig) -> Schedule:
    """Return what a config asks of a board after each step of an order."""
    steps, hinted = len(order), board.cells - len(order)
    preset = PRESETS.get(config.schedule[0])
    if preset is not None:
        tiles = range(hinted + 1, board.cells + 1)
        allowed = allowed_from([depth - hinted for depth in preset.depths], steps)
        return Schedule(allowed, [preset.quota(count) for count in tiles], config.restart_nodes)
    if config.schedule == (MODEL,):
        positions = [board.puzzle.geometry.position(cell) for cell in order]
        filling = filling_of(board.puzzle, positions, hints_first=True)
        assert filling is not None, "a board that the model does not describe is refused"
        allowed = allowed_by_model(filling, config.restart_nodes, config.boards)
    else:
        allowed = allowed_from([depth - hinted for depth in _depths(config.schedule)], steps)
    return Schedule(allowed, [0] * steps, config.restart_nodes)


def _depths(words: tuple[str, ...]) -> list[int]:
    if all(word.isdecimal() and len(word) < MAX_DIGITS for word in words):
        depths = [int(word) for word in words]
        if depths == sorted(depths):
            return depths
    raise ConfigError(
        f"schedule {','.join(words)!r:.60}; valid: {MODEL}, {', '.join(PRESETS)}, or numbers of "
        "tiles, ascending, as in 201,206,211"
    )
