"""Settings of `colorpair`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dovetail.backends.base import Config, setting
from dovetail.errors import ConfigError

PATTERNS = ("four", "three", "surrounded", "two-surrounded")
NO_PATTERN = ("none",)
EVERY_SIZE = 2**63
SEEDS = 2**63


@dataclass(frozen=True)
class ColorPairConfig(Config):
    """Settings of `colorpair`: switches for its rules, and heuristics.

    docs/solvers/colorpair.md explains the rules.
    """

    contradiction: bool = setting(
        True, "Backtrack when fewer tiles offer a colour pair than cells demand it."
    )
    instantiation: bool = setting(
        True, "Place a tile at once when only this tile offers a pair and only one cell demands it."
    )
    opposite: bool = setting(True, "Count the colours on opposite sides of a tile as a pair too.")
    single_colours: bool = setting(
        False,
        "Apply contradiction and instantiation to single colours too: count the edges of each "
        "colour that tiles offer and that cells demand.",
    )
    preemption: bool = setting(
        True,
        "If as many cells demand a pair as tiles offer it, reserve these tiles for these cells.",
    )
    shared_edges: bool = setting(
        True, "Backtrack when sides that no cell demands cannot all lie between unused tiles."
    )
    cycles: bool = setting(
        True, "Backtrack when the frame tiles are forced into a cycle that is too short."
    )
    backjumping: bool = setting(
        True, "Backjump over placements that did not cause the contradiction."
    )
    patterns: tuple[str, ...] = setting(
        PATTERNS,
        "Cells to branch on first, as a list: four (cells with four known sides), three (at least "
        "three), surrounded (two, and a neighbour with at least two), two-surrounded (at least "
        "two, and a neighbour with one known side that has another neighbour with at least two). "
        "The list none turns this off.",
        choices=(*PATTERNS, *NO_PATTERN),
    )
    choice: Literal[
        "min-offer",
        "min-expected-offer",
        "min-expected-gap",
        "min-expected-ratio",
        "max-expected-filtering",
    ] = setting(
        "min-expected-gap",
        "Measure that selects the most urgent pair if no pattern applies; the search then "
        "branches on a random cell that demands this pair.",
    )
    value_order: Literal["given", "probability"] = setting(
        "given",
        "Order in which the search tries the candidates of a cell of the most urgent pair: as "
        "numbered, or by the estimated probability that no other pair needs the tile, highest "
        "first.",
    )
    shaving: Literal["none", "2", "3", "4", "5", "all"] = setting(
        "none",
        "Before each branching, try the candidates of cells with at most this many candidates. If "
        "a single candidate leads to no contradiction, place it; if none does, backtrack.",
    )
    seed: int = setting(0, "Seed of the random choice of cells.", least=0, most=SEEDS - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.patterns != NO_PATTERN:
            if NO_PATTERN[0] in self.patterns:
                raise ConfigError("patterns has none and others; expected none alone, or others")
            in_order = tuple(name for name in PATTERNS if name in self.patterns)
            object.__setattr__(self, "patterns", in_order)  # equal lists give equal configs

    @property
    def rules(self) -> Iterator[str]:
        """Names in `kernels.layout` of the rules and patterns that are switched on."""
        for name in (
            "contradiction",
            "instantiation",
            "preemption",
            "shared_edges",
            "cycles",
            "backjumping",
        ):
            if getattr(self, name):
                yield name.upper()
        for name in PATTERNS:
            if name in self.patterns:
                yield f"{name.replace('-', '_').upper()}_PATTERN"

    @property
    def largest_shaven(self) -> int:
        """Largest number of candidates of a cell that is shaven; 0 for no shaving."""
        sizes = {"none": 0, "all": EVERY_SIZE}
        return sizes[self.shaving] if self.shaving in sizes else int(self.shaving)
