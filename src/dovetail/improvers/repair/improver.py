"""The improver `repair`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

import numpy as np

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError
from dovetail.extras import install_command
from dovetail.improvers.base import Improver, Placed
from dovetail.improvers.repair.kernels import layout
from dovetail.improvers.repair.refill import Refill
from dovetail.improvers.repair.search import RepairSearch
from dovetail.improvers.repair.walk import DESTROY, BoardWalk
from dovetail.improvers.shared.beam.fill import BeamFill
from dovetail.improvers.shared.beam.plan import max_sides
from dovetail.improvers.shared.beam.potential import pairing_potential
from dovetail.improvers.shared.beam.refusal import refusal
from dovetail.improvers.shared.board_arrays import EMPTY, BoardArrays
from dovetail.improvers.shared.fill_order import fill_order
from dovetail.models.board_orders import BEST
from dovetail.random_stream import RandomStream

RefillName = Literal["beam", "greedy", "assignment", "exact", "cpsat"]
BEAM_SHARES = 0.24, 0.4  # of the board's cells, in a window for beams
# The fewest and most cells of a window for the other refills.
SIZES: dict[RefillName, tuple[int, int]] = {
    "greedy": (4, 12),
    "assignment": (12, 40),
    "exact": (6, 10),
    "cpsat": (9, 16),
}
BY_KERNEL: dict[RefillName, int] = {
    "greedy": layout.GREEDY,
    "assignment": layout.ASSIGNMENT,
    "exact": layout.EXACT,
}
MIN_SHARE = 0.6  # of the cells that are set, in the smallest window
MAX_CELLS = 64  # of a window for another refill than beams
MAX_PLACEMENTS = 20_000  # placements of an exact search for one window


@dataclass(frozen=True)
class RepairConfig(Config):
    """Settings of `repair`."""

    destroy: tuple[str, ...] = setting(
        ("rectangle",),
        "What to take off the board, one of several at random.",
        choices=DESTROY,
    )
    refill: RefillName = setting(
        "beam",
        "How to fill a window again: beam; greedy; assignment, the best tiles for cells that do "
        "not touch; exact, depth-first with a bound on mismatches; cpsat, by OR-Tools.",
    )
    cells: int = setting(0, "Cells of a window at most; 0: as many as suit the refill.", least=0)
    width: int = setting(2048, "States kept after each cell when a beam fills a window.", least=1)
    noise: float = setting(
        0.8,
        "Matched edges by which the worth of a tile may be off, at random, when a window is filled "
        "greedily or by assignment.",
        least=0,
        most=1000,
    )
    temperature: float = setting(
        0.3,
        "Matched edges at which boards are accepted by annealing, when the time begins.",
        least=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.destroy:
            raise ConfigError(f"destroy is empty; expected some of {', '.join(DESTROY)}")
        if self.cells > MAX_CELLS and self.refill != "beam":
            raise ConfigError(f"cells is {self.cells}; {self.refill} fills {MAX_CELLS} at most")


class Repair(Improver[RepairConfig]):
    """Large neighbourhood search."""

    name = "repair"
    summary = "takes parts off a board and fills them again, by beams or otherwise (numba)"
    config_type = RepairConfig

    def refuses(self, board: BoardArrays, config: RepairConfig) -> str | None:
        if config.refill == "cpsat" and find_spec("ortools") is None:
            return f"refill=cpsat needs ortools: {install_command('cpsat')}"
        return refusal(board, config.width)

    def begin(
        self, board: BoardArrays, config: RepairConfig, seed: int, start: Placed | None
    ) -> RepairSearch:
        random = RandomStream(seed)
        potential = pairing_potential(max_sides(board))
        placed = (board.fixed if start is None else start).copy()
        order = [cell for cell in fill_order(board, (BEST,)) if placed[cell] == EMPTY]
        opening = BeamFill(board, placed, order, potential, config.width, random.word())

        def repairing(placed: Placed) -> tuple[BoardWalk, Refill]:
            low, high = window_sizes(config, int(np.count_nonzero(board.fixed == EMPTY)))
            settings = {
                layout.LOW: low,
                layout.HIGH: high,
                layout.APART: config.refill == "assignment",
                layout.NOISE: round(config.noise * layout.PER_EDGE),
                layout.MAX_PLACEMENTS: MAX_PLACEMENTS,
            }
            walk = BoardWalk(
                board, placed, config.destroy, settings, config.temperature, random.word()
            )
            return walk, _refill(walk, config, random.word(), high)

        return RepairSearch(board, opening, repairing)


def window_sizes(config: RepairConfig, free: int) -> tuple[int, int]:
    """The fewest and most cells of a window, on a board with so many cells without hints."""
    if config.cells:
        low, high = int(MIN_SHARE * config.cells), config.cells
    elif config.refill == "beam":
        low, high = (int(share * free) for share in BEAM_SHARES)
    else:
        low, high = SIZES[config.refill]
    return max(1, min(low, free)), max(1, min(high, free))


def _refill(walk: BoardWalk, config: RepairConfig, seed: int, max_cells: int) -> Refill:
    from dovetail.improvers.repair.beam_refill import BeamRefill
    from dovetail.improvers.repair.cpsat_refill import CpSatRefill
    from dovetail.improvers.repair.kernel_refill import KernelRefill

    if config.refill == "beam":
        return BeamRefill(walk, pairing_potential(max_sides(walk.board)), config.width, seed)
    if config.refill == "cpsat":
        return CpSatRefill(walk, seed)
    return KernelRefill(walk, BY_KERNEL[config.refill], max_cells)
