"""What is asked of a puzzle: which count, after which reductions, and whether solutions too."""

from __future__ import annotations

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
    """What takes placements out of the search before it begins, each a module of `reductions`."""

    REDUNDANCY = "redundancy"
    VOLUME = "volume"


@dataclass(frozen=True)
class Reduction:
    """One reduction; `piece` is the one that `redundancy` confines, None for the best."""

    name: ReductionName
    piece: str | None = None

    @classmethod
    def parse(cls, text: str) -> Reduction:
        """`volume`, `redundancy` or `redundancy=PIECE`."""
        name, equals, piece = text.partition("=")
        if name not in list(ReductionName):
            raise unknown_name("reduction", name, ReductionName)
        if equals and (name != ReductionName.REDUNDANCY or not piece):
            raise ConfigError(
                f"reduction {shorten(text)!r}; expected redundancy, redundancy=PIECE or volume"
            )
        return cls(ReductionName(name), piece or None)

    def __str__(self) -> str:
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
