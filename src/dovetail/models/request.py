"""What is asked of a puzzle: which count, after which reductions, and whether solutions too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from dovetail.errors import ConfigError, shorten, unknown_name


class Symmetry(StrEnum):
    """Which solutions count as one.

    `ALL`: every solution counts. `UNIQUE`: solutions that a rotation of the region carries
    into one another count once; in two dimensions reflections too, where they carry the set
    of pieces to itself. `MIRROR`: reflections in any dimension, where they do.

    A symmetry carries every piece, with its allowed placements, to itself or to an interchangeable
    piece. A piece that cannot be moved like that becomes another one, such as its mirror image,
    unless a different piece looks like it and has other placements.
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

    @property
    def broken(self) -> Symmetry:
        """Symmetries that symmetry breaking removes, whatever is counted.

        All of them, those that reflect included, unless mirror images are distinguished.
        """
        return self.UNIQUE if self is self.UNIQUE else self.MIRROR


class ReductionName(StrEnum):
    """What takes placements out of the search before it begins, each a module of `reductions`.

    `PROBE` is the redundancy filter with a piece that the harness has yet to find by trying.
    """

    REDUNDANCY = "redundancy"
    PROBE = "probe"
    PARITY = "parity"
    VOLUME = "volume"
    FIT = "fit"


class Representatives(StrEnum):
    """Which of the places that symmetries carry into one another `redundancy` keeps for a piece.

    `FIRST`: the first by orientation, then by position. `ONE_SIDED`: the first by position among
    those whose orientation is the lowest that turns in the plane make of it, so that turning over
    divides positions, not orientations (Busche's rule for one-sided pieces). `TOP_LEFT`: on a
    board, the first of its cells by columns from the left, each from the top, where `FIRST` begins
    at the bottom.
    """

    FIRST = "first"
    ONE_SIDED = "one-sided"
    TOP_LEFT = "top-left"


BREAK_SYMMETRY = (ReductionName.REDUNDANCY, ReductionName.PROBE)

FIXED_POINT = "fixed-point"
REDUCTION_FORMS = (
    "redundancy",
    "redundancy=PIECE",
    "redundancy:one-sided",
    "redundancy:one-sided=PIECE",
    "redundancy:top-left",
    "redundancy:top-left=TILE",
    "probe",
    "parity",
    "parity@PIECES",
    "volume",
    "volume@PIECES",
    "fit",
    "fit@PIECES",
    f"fit={FIXED_POINT}",
)
PLAIN_REDUCTIONS = tuple(form for form in REDUCTION_FORMS if form.islower())  # no parameter
BOARD_REDUCTIONS = ("redundancy", "redundancy:top-left")  # the plain ones of boards
PACKING_REDUCTIONS = tuple(form for form in PLAIN_REDUCTIONS if form != BOARD_REDUCTIONS[1])
REPEATED = (ReductionName.PARITY, ReductionName.VOLUME, ReductionName.FIT)
_DOWN_TO = re.compile(r"([a-z]+)@([0-9]{1,6})")
_REPRESENTATIVES = {
    "redundancy": Representatives.FIRST,
    "redundancy:one-sided": Representatives.ONE_SIDED,
    "redundancy:top-left": Representatives.TOP_LEFT,
}


@dataclass(frozen=True)
class Reduction:
    """One reduction.

    `piece` is the one that `redundancy` restricts, None for the best, and `representatives` are the
    places that it keeps. `down_to` has `parity`, `volume` or `fit` filter again after every
    placement while at least so many pieces remain, None for never. `to_fixed_point` has `fit`, if
    it filters only before the search, filter until nothing changes.
    """

    name: ReductionName
    piece: str | None = None
    down_to: int | None = None
    to_fixed_point: bool = False
    representatives: Representatives = Representatives.FIRST

    def __post_init__(self) -> None:
        """Raise `ConfigError` for a setting that the reduction does not have."""
        whole_piece = self.piece is None and self.representatives == Representatives.FIRST
        fits = (
            (whole_piece or self.name == ReductionName.REDUNDANCY)
            and (self.down_to is None or (self.name in REPEATED and self.down_to >= 1))
            and (
                not self.to_fixed_point or (self.name == ReductionName.FIT and self.down_to is None)
            )
        )
        if not fits:
            raise ConfigError(
                f"reduction {shorten(str(self))!r}; expected {', '.join(REDUCTION_FORMS)}, "
                "with a number of pieces from 1"
            )

    @classmethod
    def parse(cls, text: str) -> Reduction:
        """One of `REDUCTION_FORMS`; raises `ConfigError` naming them."""
        repeated = _DOWN_TO.fullmatch(text)
        if repeated is not None and repeated[1] in REPEATED and int(repeated[2]) >= 1:
            return cls(ReductionName(repeated[1]), down_to=int(repeated[2]))
        name, equals, value = text.partition("=")
        if name.partition("@")[0].partition(":")[0] not in list(ReductionName):
            raise unknown_name("reduction", name, REDUCTION_FORMS)
        if bool(equals) == bool(value) and name in _REPRESENTATIVES:
            return cls(
                ReductionName.REDUNDANCY, value or None, representatives=_REPRESENTATIVES[name]
            )
        if text == f"{ReductionName.FIT}={FIXED_POINT}":
            return cls(ReductionName.FIT, to_fixed_point=True)
        if text not in list(ReductionName):
            raise ConfigError(
                f"reduction {shorten(text)!r}; expected {', '.join(REDUCTION_FORMS)}, "
                "with a number of pieces from 1"
            )
        return cls(ReductionName(text))

    def keeping(self, representatives: Representatives) -> Reduction:
        """Return it with these places kept, where it is `redundancy` and leaves them open."""
        is_open = self.representatives == Representatives.FIRST
        if self.name != ReductionName.REDUNDANCY or not is_open:
            return self
        return replace(self, representatives=representatives)

    def __str__(self) -> str:
        value = FIXED_POINT if self.to_fixed_point else self.piece
        first = self.representatives == Representatives.FIRST
        name = f"{self.name}" if first else f"{self.name}:{self.representatives}"
        text = name if value is None else f"{name}={value}"
        return text if self.down_to is None else f"{text}@{self.down_to}"


class TriggerName(StrEnum):
    """What is checked after a placement, which is taken back at once where it cannot be."""

    PARITY = "parity"
    VOLUME = "volume"


TRIGGER_FORMS = ("parity", "parity@PIECES", "volume", "volume@PIECES")


@dataclass(frozen=True)
class Trigger:
    """A backtrack trigger: checked after every placement while at least `down_to` pieces remain."""

    name: TriggerName
    down_to: int = 1

    def __post_init__(self) -> None:
        """Raise `ConfigError` for a number of pieces that there cannot be."""
        if self.down_to < 1:
            raise ConfigError(
                f"trigger {shorten(str(self))!r}; expected {', '.join(TRIGGER_FORMS)}, "
                "with a number of pieces from 1"
            )

    @classmethod
    def parse(cls, text: str) -> Trigger:
        """One of `TRIGGER_FORMS`; raises `ConfigError` naming them."""
        name, at, _ = text.partition("@")
        if name not in list(TriggerName):
            raise unknown_name("trigger", name, TRIGGER_FORMS)
        repeated = _DOWN_TO.fullmatch(text)
        if at and (repeated is None or int(repeated[2]) < 1):
            raise ConfigError(
                f"trigger {shorten(text)!r}; expected {', '.join(TRIGGER_FORMS)}, "
                "with a number of pieces from 1"
            )
        return cls(TriggerName(name), int(repeated[2]) if repeated else 1)

    def __str__(self) -> str:
        return str(self.name) if self.down_to == 1 else f"{self.name}@{self.down_to}"


@dataclass(frozen=True)
class Trace:
    """What of a search is recorded: the first `max_count` placements made and taken back.

    Only those that are made while at least `down_to` pieces remain.
    """

    max_count: int = 10_000
    down_to: int = 1

    def __post_init__(self) -> None:
        if self.max_count < 1 or self.down_to < 1:
            raise ConfigError(
                f"a trace of {self.max_count} placements while {self.down_to} pieces remain; "
                "expected both to be 1 or more"
            )


@dataclass(frozen=True)
class Request:
    """What a task is to answer.

    Identical pieces and tiles are interchangeable, so that exchanging them makes no new solution,
    unless `labelled`. With `listing` the solutions themselves are wanted, not only their number.
    `reductions` of a packing puzzle are applied in their order; they and the `triggers` change the
    work and never the answer. With a `trace` the search is recorded. With `stop_at_remaining` it
    ends as soon as taking back a placement leaves so many pieces to be placed: a trial of Busche
    2011.
    """

    symmetry: Symmetry = Symmetry.UNIQUE
    labelled: bool = False
    listing: bool = False
    reductions: tuple[Reduction, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    trace: Trace | None = None
    stop_at_remaining: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "symmetry", Symmetry.named(self.symmetry))
        object.__setattr__(self, "reductions", tuple(self.reductions))
        object.__setattr__(self, "triggers", tuple(self.triggers))
        names = [reduction.name for reduction in self.reductions]
        _check_once("reduction", names)
        _check_once("trigger", [trigger.name for trigger in self.triggers])
        if set(BREAK_SYMMETRY) <= set(names):
            raise ConfigError("redundancy and probe both restrict a piece; expected one of them")

    @classmethod
    def named(
        cls,
        symmetry: str,
        labelled: bool,
        reductions: Iterable[str] = (),
        triggers: Iterable[str] = (),
        *,
        listing: bool = False,
    ) -> Request:
        """The request that is written in words; raises `ConfigError` for a word that is none."""
        return cls(
            Symmetry.named(symmetry),
            labelled,
            listing,
            tuple(map(Reduction.parse, _texts("reductions", reductions))),
            tuple(map(Trigger.parse, _texts("triggers", triggers))),
        )

    @property
    def breaks_symmetry(self) -> bool:
        """Whether a reduction of the request breaks the symmetry."""
        return any(reduction.name in BREAK_SYMMETRY for reduction in self.reductions)


def _texts(what: str, words: Iterable[str]) -> tuple[str, ...]:
    """The `words` as a tuple; `ConfigError` for what is no list of strings."""
    texts = None if isinstance(words, str) or not isinstance(words, Iterable) else tuple(words)
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"{what} are {shorten(repr(words))}; expected a list of strings")
    return texts


def _check_once(what: str, names: Iterable[str]) -> None:
    names = list(names)
    if len(set(names)) < len(names):
        raise ConfigError(f"the same {what} is given twice; expected each once")
