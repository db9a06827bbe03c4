"""The settings of `domains`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dovetail.backends.base import Config, setting
from dovetail.models.options.edges import MAX_OPTIONS

Choice = Literal["per-edge", "fewest"]


@dataclass(frozen=True)
class DomainsConfig(Config):
    """Settings of `domains`; numbers of colours and candidates never exceed `MAX_OPTIONS`."""

    choice: Choice = setting(
        "per-edge",
        "Cell to branch on: the one with the fewest candidates (fewest), or with the fewest "
        "candidates per edge that has several colours left (per-edge).",
    )
    single_place: bool = setting(
        True, "Place a tile type that has exactly as many cells left as copies to be used."
    )
    lazy_colours: int = setting(
        3,
        "Propagate a change of an edge at once if at most this many colours are left; "
        "otherwise wait until the cell is visited for another reason.",
        least=1,
        most=MAX_OPTIONS,
    )
    lazy_candidates: int = setting(
        24,
        "Propagate the loss of a tile type in a cell at once if the cell has at most this many "
        "candidates left; otherwise wait until the cell is visited for another reason.",
        least=1,
        most=MAX_OPTIONS,
    )
