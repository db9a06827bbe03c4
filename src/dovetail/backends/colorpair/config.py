"""The switches of `colorpair`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dovetail.backends.base import Config
from dovetail.errors import ConfigError, unknown_name

PATTERNS = ("four", "three", "surrounded", "two-surrounded")
NO_PATTERN = ("none",)
EVERY_SIZE = 2**63
SEEDS = 2**63


@dataclass(frozen=True)
class ColorPairConfig(Config):
    """Each rule of the article is a switch; see METHODS.md for what they do.

    `patterns`: the cells that are branched on before others are, a list of `four`, `three`,
    `surrounded` and `two-surrounded`, or `none`. `choice`: how the most urgent pair is found where
    no pattern is; a random cell of those that demand it is taken, by `seed`. `shaving`: cells with
    so many candidates or fewer have them tried before each branching. `opposite`: whether the
    colours on opposite sides of a tile are a pair too.

    Raises `ConfigError` for an unknown pattern and for a seed below 0 or from 2^63 on.
    """

    contradiction: bool = True
    instantiation: bool = True
    opposite: bool = True
    preemption: bool = True
    shared_edges: bool = True
    cycles: bool = True
    backjumping: bool = True
    patterns: tuple[str, ...] = PATTERNS
    choice: Literal[
        "min-offer",
        "min-expected-offer",
        "min-expected-gap",
        "min-expected-ratio",
        "max-expected-filtering",
    ] = "min-expected-gap"
    shaving: Literal["none", "2", "3", "4", "5", "all"] = "none"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.patterns != NO_PATTERN:
            for name in self.patterns:
                if name in NO_PATTERN:
                    raise ConfigError(f"backend colorpair: pattern {name!r} stands alone")
                if name not in PATTERNS:
                    raise unknown_name("colorpair pattern", name, [*PATTERNS, *NO_PATTERN])
            in_order = tuple(name for name in PATTERNS if name in self.patterns)
            object.__setattr__(self, "patterns", in_order)  # however they were written
        if not 0 <= self.seed < SEEDS:
            raise ConfigError(f"backend colorpair: seed is {self.seed}; expected 0 to {SEEDS - 1}")

    @property
    def rules(self) -> Iterator[str]:
        """The names in `kernels.layout` of what is switched on."""
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
        """How many candidates a cell has at most that is shaven, 0 for none."""
        sizes = {"none": 0, "all": EVERY_SIZE}
        return sizes[self.shaving] if self.shaving in sizes else int(self.shaving)
