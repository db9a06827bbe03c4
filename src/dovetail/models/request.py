"""The request for a puzzle: which count, after which reductions, and whether to list solutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from dovetail.errors import ConfigError, shorten, show, unknown_name

# The values of `Symmetry`, for type checkers.
SymmetryValue = Literal["all", "unique", "mirror"]


class Symmetry(StrEnum):
    """Symmetries up to which solutions are counted.

    With `ALL`, every solution counts. With `UNIQUE`, solutions that are images of each other under
    rotations of the region count once. In two dimensions, so do images under reflections that map
    the set of pieces to itself. With `MIRROR`, such reflections are included in any dimension.
    Boards of tiles are reflected only if the tiles may be flipped.

    A symmetry maps every piece, with its allowed placements, to itself or to an interchangeable
    piece. A piece for which this is impossible may become another piece that has the moved
    placements, such as its mirror image. This is excluded for a piece that looks like a piece with
    other placements.
    """

    ALL = "all"
    UNIQUE = "unique"
    MIRROR = "mirror"

    @classmethod
    def named(cls, name: str) -> Symmetry:
        """Return the symmetry called `name`; raise `ConfigError` for an unknown name."""
        if name not in list(cls):
            raise unknown_name("symmetry", name, cls)
        return cls(name)

    @property
    def broken(self) -> Symmetry:
        """Symmetries that symmetry breaking removes: `UNIQUE` for itself, else `MIRROR`."""
        return self.UNIQUE if self is self.UNIQUE else self.MIRROR


class ReductionName(StrEnum):
    """Reductions, which remove placements from the search before it begins."""

    REDUNDANCY = "redundancy"
    PROBE = "probe"  # the redundancy filter with a piece that the harness finds by trial
    PARITY = "parity"
    VOLUME = "volume"
    FIT = "fit"


class Representatives(StrEnum):
    """Rule by which `redundancy` chooses the place to keep among symmetric places of a piece."""

    # The first place by orientation, then by position. On boards, the first cell by columns from
    # the left, each column from the bottom.
    FIRST = "first"
    # The first place by position among the orientations that no rotation makes lower, so that
    # turning the piece over excludes positions, not orientations (Busche's rule for one-sided
    # pieces).
    ONE_SIDED = "one-sided"
    # For boards only: the first cell by columns from the left, each column from the top.
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
PLAIN_REDUCTIONS = tuple(form for form in REDUCTION_FORMS if form.islower())  # nothing to replace
BOARD_REDUCTIONS = ("redundancy", "redundancy:top-left")  # the plain forms for boards
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
    """A reduction with its parameters."""

    name: ReductionName
    piece: str | None = None
    """Piece or tile that `redundancy` restricts; None for the best one, see `break_symmetry`."""
    down_to: int | None = None
    """`parity`, `volume` and `fit` filter again after every placement while at least this many
    pieces remain; None to filter only before the search."""
    to_fixed_point: bool = False
    """True if `fit` repeats its filter before the search until nothing changes."""
    representatives: Representatives = Representatives.FIRST
    """Rule by which `redundancy` chooses the places that it keeps."""

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
        """Return the reduction that `text` names; raise `ConfigError` unless it is valid.

        The valid forms are in `REDUCTION_FORMS`.
        """
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
        """Return the reduction; a `redundancy` with the default rule gets `representatives`."""
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
    """Checks after each placement, which is taken back at once if the check fails."""

    PARITY = "parity"
    VOLUME = "volume"


TRIGGER_FORMS = (
    *("parity", "parity@PIECES", "volume", "volume@PIECES"),
    *("volume:CELLS", "volume:CELLS@PIECES"),
)
_TRIGGER = re.compile(r"([a-z]+)(?::([0-9]{1,6}))?(?:@([0-9]{1,6}))?")


@dataclass(frozen=True)
class Trigger:
    """Backtrack trigger: a check after every placement while at least `down_to` pieces remain."""

    name: TriggerName
    down_to: int = 1
    min_cells: int | None = None
    """If set, `volume` backtracks only if at least two parts of at least this many cells cannot be
    filled. The check is then also made if the placement leaves a cell or piece without options."""

    def __post_init__(self) -> None:
        """Raise `ConfigError` for a number below 1, and for `parity` with a number of cells."""
        has_cells = self.min_cells is not None
        if self.down_to < 1 or (has_cells and self.name != TriggerName.VOLUME):
            raise _no_trigger(str(self))
        if self.min_cells is not None and self.min_cells < 1:
            raise _no_trigger(str(self))

    @classmethod
    def parse(cls, text: str) -> Trigger:
        """Return the trigger that `text` names; raise `ConfigError` unless it is valid.

        The valid forms are in `TRIGGER_FORMS`.
        """
        name = text.partition("@")[0].partition(":")[0]
        if name not in list(TriggerName):
            raise unknown_name("trigger", name, TRIGGER_FORMS)
        parts = _TRIGGER.fullmatch(text)
        if parts is None:
            raise _no_trigger(text)
        return cls(TriggerName(name), int(parts[3] or 1), int(parts[2]) if parts[2] else None)

    def __str__(self) -> str:
        name = f"{self.name}" if self.min_cells is None else f"{self.name}:{self.min_cells}"
        return name if self.down_to == 1 else f"{name}@{self.down_to}"


def _no_trigger(text: str) -> ConfigError:
    return ConfigError(
        f"trigger {shorten(text)!r}; expected {', '.join(TRIGGER_FORMS)}, with numbers from 1, "
        "for example volume:7@11"
    )


@dataclass(frozen=True)
class Trace:
    """Request to record the first `max_count` steps: placements made and placements taken back.

    A placement is recorded only if it is made while at least `down_to` pieces remain.
    """

    max_count: int = 10_000
    down_to: int = 1

    def __post_init__(self) -> None:
        if self.max_count < 1 or self.down_to < 1:
            raise ConfigError(
                f"a trace with max_count {self.max_count} and down_to {self.down_to}; "
                "expected both to be 1 or more"
            )


@dataclass(frozen=True)
class Request:
    """The question that a task answers.

    `reductions` and `triggers` change the work and never the answer.
    """

    symmetry: Symmetry = Symmetry.UNIQUE
    labelled: bool = False
    """True if exchanging identical pieces or tiles gives a different solution."""
    listing: bool = False
    """True if solutions are wanted and not only their number."""
    reductions: tuple[Reduction, ...] = ()
    """Reductions in the order in which they are applied."""
    triggers: tuple[Trigger, ...] = ()
    trace: Trace | None = None
    """Request to record the search; None to record nothing."""
    stop_at_remaining: int | None = None
    """Number of pieces left to place: the search ends once taking back a placement leaves this
    number, as a trial of Busche 2011 does. None for a complete search."""

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
        """Return the request for these names; raise `ConfigError` for an invalid name."""
        return cls(
            Symmetry.named(symmetry),
            labelled,
            listing,
            tuple(map(Reduction.parse, _texts("reductions", reductions))),
            tuple(map(Trigger.parse, _texts("triggers", triggers))),
        )

    @property
    def breaks_symmetry(self) -> bool:
        """True if a reduction of the request breaks the symmetry."""
        return any(reduction.name in BREAK_SYMMETRY for reduction in self.reductions)


def _texts(what: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return `words` as a tuple; raise `ConfigError` unless they are a list of strings."""
    texts = None if isinstance(words, str) or not isinstance(words, Iterable) else tuple(words)
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"{what} are {show(words)}; expected a list of strings")
    return texts


def _check_once(what: str, names: Iterable[str]) -> None:
    names = list(names)
    if len(set(names)) < len(names):
        raise ConfigError(f"the same {what} is given twice; expected each once")
