"""The improver `beam`."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import Config, setting
from dovetail.improvers.base import Improver, Placed
from dovetail.improvers.beam.search import BeamSearch
from dovetail.improvers.shared.beam.plan import max_sides
from dovetail.improvers.shared.beam.potential import SOFTNESS, WEIGHT, pairing_potential
from dovetail.improvers.shared.beam.refusal import refusal
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.models.board_orders import BEST, check_order


@dataclass(frozen=True)
class BeamConfig(Config):
    """Settings of `beam`."""

    order: tuple[str, ...] = setting(
        (BEST,),
        "Order in which to fill the cells, as for the backend rows; best is the one with fewest "
        "mismatches by the model. Each beam turns or reflects it.",
    )
    width: int = setting(
        0, "States kept after each cell; 0: as many as the time that is left allows.", least=0
    )
    weight: float = setting(
        WEIGHT,
        "Weight of the colours that are left against matched edges: of the logarithm of the number "
        "of ways to pair their sides.",
        least=0,
        most=1000,
    )
    softness: float = setting(
        SOFTNESS,
        "What is added to each factor of that number: an open side may have no partner.",
        above=0,
        most=1000,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)


class Beam(Improver[BeamConfig]):
    """Beam search in a fixed order."""

    name = "beam"
    summary = "beam search that keeps the colours that are left easy to pair (numba)"
    config_type = BeamConfig

    def refuses(self, board: BoardArrays, config: BeamConfig) -> str | None:
        return refusal(board, config.width)

    def begin(
        self, board: BoardArrays, config: BeamConfig, seed: int, start: Placed | None
    ) -> BeamSearch:
        potential = pairing_potential(max_sides(board), config.weight, config.softness)
        return BeamSearch(board, config.order, potential, config.width or None, seed)
