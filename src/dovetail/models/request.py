"""What is asked of a puzzle: which count, after which reductions, and whether solutions too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from dovetail.errors import ConfigError, shorten, unknown_name


class Symmetry(StrEnum):
    """Which solutions count as one.

    `ALL`: every solution counts. `UNIQUE`: solutions that a rotation of the region carries
    into one another count once; in two dimensions reflections too, where they carry the set
    of pieces to itself. `MIRROR`: reflections in any dimension, where they do.
    """

    ALL = "all"
    UNIQUE = "unique"
    MIRROR = "mirror"

    @classmethod
    def named(cls, name: str) -> Symmetry:
        """The symmetry called `name`; `ConfigError` lists the valid ones."""
        if name not in list(cls):
            raise unknown_name("symmetry", str(name), cls)
        return cls(name)


class ReductionName(StrEnum):
    """What takes placements out of the search before it begins, each a module of `reductions`.

    `PROBE` is the redundancy filter with a piece that the harness has yet to find by trying.
    """

    REDUNDANCY = "redundancy"
    PROBE = "probe"
    VOLUME = "volume"


REDUCTION_FORMS = ("redundancy", "redundancy=PIECE", "probe", "volume", "volume@PIECES")
_VOLUME_DOWN_TO = re.compile(r"volume@([0-9]{1,6})")


@dataclass(frozen=True)
class Reduction:
    """One reduction.

    `piece` is the one that `redundancy` confines, None for the best. `down_to` has `volume`
    filter again after every placement while at least so many pieces remain, None for never.
    """

    name: ReductionName
    piece: str | None = None
    down_to: int | None = None

    @classmethod
    def parse(cls, text: str) -> Reduction:
        """`volume`, `volume@PIECES`, `redundancy`, `redundancy=PIECE` or `probe`."""
        name, equals, piece = text.partition("=")
        down_to = _VOLUME_DOWN_TO.fullmatch(text)
        if down_to is not None and int(down_to[1]) >= 1:
            return cls(ReductionName.VOLUME, down_to=int(down_to[1]))
        if name.partition("@")[0] not in list(ReductionName):
            raise unknown_name("reduction", name, REDUCTION_FORMS)
        if name not in list(ReductionName) or (
            equals and (name != ReductionName.REDUNDANCY or not piece)
        ):
            raise ConfigError(
                f"reduction {shorten(text)!r}; expected {', '.join(REDUCTION_FORMS)}, "
                "with a number of pieces from 1"
            )
        return cls(ReductionName(name), piece or None)

    def __str__(self) -> str:
        if self.down_to is not None:
            return f"{self.name}@{self.down_to}"
        return str(self.name) if self.piece is None else f"{self.name}={self.piece}"


@dataclass(frozen=True)
class Request:
    """What a task is to answer.

    Identical pieces and tiles are interchangeable, so that exchanging them makes no new
    solution, unless `labelled`. With `listing` the solutions themselves are wanted, not only
    their number. `reductions` of a packing puzzle are applied in their order; they change the
    work and never the answer.
    """

    symmetry: Symmetry = Symmetry.UNIQUE
    labelled: bool = False
    listing: bool = False
    reductions: tuple[Reduction, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "symmetry", Symmetry.named(self.symmetry))
        object.__setattr__(self, "reductions", tuple(self.reductions))
        names = [reduction.name for reduction in self.reductions]
        if len(set(names)) < len(names):
            raise ConfigError("a reduction is asked for twice; expected each once")
        if {ReductionName.REDUNDANCY, ReductionName.PROBE} <= set(names):
            raise ConfigError("redundancy and probe each confine a piece; expected one of them")

    @property
    def filtered_down_to(self) -> int | None:
        """Down to how many pieces remaining the volume filter works, None for before all."""
        return next((one.down_to for one in self.reductions if one.down_to is not None), None)
