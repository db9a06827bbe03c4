"""The improver `repair`."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError, unknown_name
from dovetail.improvers.base import Improver, Lies
from dovetail.improvers.repair.search import RepairImprovement
from dovetail.improvers.repair.windows import WINDOWS
from dovetail.improvers.shared.beam.plan import max_sides
from dovetail.improvers.shared.beam.potential import pairing_potential
from dovetail.improvers.shared.beam.refusal import refusal
from dovetail.improvers.shared.board_arrays import BoardArrays


@dataclass(frozen=True)
class RepairConfig(Config):
    """Settings of `repair`."""

    windows: tuple[str, ...] = setting(
        ("rectangle",),
        f"What to take off the board, one of several at random: {', '.join(WINDOWS)}.",
    )
    width: int = setting(512, "States kept after each cell when a window is filled again.")

    def __post_init__(self) -> None:
        for window in self.windows:
            if window not in WINDOWS:
                raise unknown_name("window", window, WINDOWS)
        if not self.windows or self.width < 1:
            raise ConfigError("repair: at least one window, and a width of 1 or more")


class Repair(Improver[RepairConfig]):
    """Large neighbourhood search."""

    name = "repair"
    summary = "takes parts off a board and fills them again by beam search (numba)"
    config_type = RepairConfig

    def refuses(self, board: BoardArrays, config: RepairConfig) -> str | None:
        return refusal(board, config.width)

    def begin(
        self, board: BoardArrays, config: RepairConfig, seed: int, start: Lies | None
    ) -> RepairImprovement:
        potential = pairing_potential(max_sides(board))
        return RepairImprovement(board, config.windows, potential, config.width, seed, start)
