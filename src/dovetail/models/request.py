"""What is asked of a puzzle: which of its three counts, and whether solutions are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dovetail.errors import unknown_name


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


@dataclass(frozen=True)
class Request:
    """What a task is to answer.

    Identical pieces and tiles are interchangeable, so that exchanging them makes no new
    solution, unless `labelled`. With `listing` the solutions themselves are wanted, not only
    their number.
    """

    symmetry: Symmetry = Symmetry.UNIQUE
    labelled: bool = False
    listing: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "symmetry", Symmetry.named(self.symmetry))
