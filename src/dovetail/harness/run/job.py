"""Jobs, which define runs, and plans, in which all choices of a job are resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any

from dovetail.errors import ConfigError, show
from dovetail.models.arrays import content_digest
from dovetail.models.boards.partial_board import Objective, PartialBoard
from dovetail.models.cover import states_no_symmetries
from dovetail.models.request import Request, Symmetry, Trigger
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle, Puzzle, Task
from dovetail.plain_data import (
    AnySeconds,
    AtLeastOne,
    Bytes,
    Count,
    Flag,
    Seconds,
    Text,
    Whole,
    plain,
)
from dovetail.printable import Shown

LARGEST_SEED = LARGEST_LIMIT = 2**63 - 1
# Maximum number of trials, and of remaining pieces.
LARGEST_COUNT = 2**31 - 1


@dataclass(frozen=True, repr=False)
class Limits(Shown):
    """Limits of a run; None for no limit.

    A search for solutions with a limit on time or memory takes place in a child process, and the
    parent process also checks the limits.

    >>> str(count("queens-30", limits=Limits(nodes=1000)).status)
    'node-limit'
    """

    time_s: Seconds | None = None
    """Wall-clock seconds of prepare and solve together."""
    nodes: Whole | None = None
    """Maximum number of nodes."""
    solutions: Whole | None = None
    """Maximum number of solutions."""
    memory_bytes: Bytes | None = None
    """Maximum memory of the process that searches."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is None:
                continue
            number = Real if name == "time_s" else Integral
            expected = "a number" if name == "time_s" else "a whole number"
            what = f"limit {name}"
            _check_type(what, value, number, f"{expected}, or None for no limit")
            if not value >= 0:  # also True for NaN
                raise ConfigError(f"{what} is {show(value)}; expected 0 or more")
            if value > LARGEST_LIMIT:
                raise ConfigError(f"{what} is {show(value)}; expected {LARGEST_LIMIT:,} or less")
            object.__setattr__(self, name, float(value) if name == "time_s" else int(value))


@dataclass(frozen=True)
class RandomOrder:
    """A search in a random order of the options."""

    seed: Whole
    """Seed of the order."""
    restarts: Flag = False
    """Whether the search restarts in another order after a number of nodes; see `searches`."""
    hardest_first: Flag = False
    """Whether the order is random only among pieces that are equally hard to fit."""
    within_items: Flag = False
    """Whether each item tries its options in an independent order; see `searches`."""

    def __post_init__(self) -> None:
        _check_seed(self.seed)

    @property
    def searches_once(self) -> bool:
        """Whether this is a single search."""
        return not self.restarts


@dataclass(frozen=True)
class Trials:
    """Many searches, each in a different random order, and each of a small part of the tree.

    A trial ends when it removes a placement and `remaining` pieces are left to place. Source:
    Busche 2011, the Monte-Carlo columns of table 2.
    """

    count: AtLeastOne
    """Number of trials."""
    remaining: AtLeastOne
    """Number of pieces left to place at which a trial ends."""
    seed: Whole = 0
    """Seed of the orders."""
    within_items: Flag = False
    """Whether each item tries its options in an independent order; see `searches`."""

    def __post_init__(self) -> None:
        for name in ("count", "remaining"):
            value, what = getattr(self, name), f"trials: {name}"
            _check_type(what, value, int, "a whole number of 1 or more")
            if not 1 <= value <= LARGEST_COUNT:
                raise ConfigError(f"{what} is {show(value)}; expected 1 to {LARGEST_COUNT:,}")
        _check_seed(self.seed)

    @property
    def searches_once(self) -> bool:
        """Whether this is a single search."""
        return False


@dataclass(frozen=True, repr=False)
class Job(Shown):
    """A question with the backend that answers it, its limits and its seed.

    The search uses the puzzle's order of options unless `random` or `trials` is given. For a cover
    problem without defined symmetries, the symmetry is always `all`.
    """

    puzzle: Puzzle
    request: Request = field(default_factory=Request)
    # Name of a backend, or of an improver if the job `improves`.
    backend: str = "dlx"
    config: Mapping[str, object] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    # Seed of all samples, such as the solutions to verify; if the job `improves`, seed of the
    # search.
    seed: int = 0
    random: RandomOrder | None = None
    trials: Trials | None = None
    # Whether the run takes place in a child process with an empty cache of compiled kernels.
    cold_start: bool = False
    # Whether the job searches for the best board by `objective`, not for solutions.
    improves: bool = False
    objective: Objective = Objective.EDGES
    # Board to improve; None for a board with only the hints.
    start: PartialBoard | None = None
    # Whether the solutions are listed and taken apart.
    disassembles: bool = False

    def __post_init__(self) -> None:
        _check_type("puzzle", self.puzzle, Puzzle, "a puzzle, a catalogue name or a file")
        _check_type("backend", self.backend, str, "its name, a file or a class")
        _check_type("config", self.config, Mapping, "a mapping of keys to values")
        for key in self.config:
            _check_type("config key", key, str, "text")
        _check_type("limits", self.limits, Limits, "Limits(time_s=…, nodes=…, …)")
        _check_type("random", self.random, (RandomOrder, NoneType), "RandomOrder(seed) or None")
        _check_type("trials", self.trials, (Trials, NoneType), "Trials(count, remaining) or None")
        _check_seed(self.seed)
        if states_no_symmetries(self.puzzle):
            object.__setattr__(self, "request", replace(self.request, symmetry=Symmetry.ALL))
        if self.disassembles:
            object.__setattr__(self, "request", replace(self.request, listing=True))
        if self.random is not None and self.trials is not None:
            raise ConfigError("trials use random orders by themselves; expected no random order")
        if self.disassembles and self.trials is not None:
            raise ConfigError("the solutions of trials are not taken apart; expected no trials")

    @property
    def order(self) -> RandomOrder | Trials | None:
        """The random order or the trials; None for the puzzle's order of options."""
        return self.random or self.trials

    def listed(self) -> Job:
        """Return a copy of the job that lists solutions."""
        return replace(self, request=replace(self.request, listing=True))

    @cached_property
    def digest(self) -> str:
        """Digest of all fields; see `stated`."""
        return content_digest(self.stated)

    @property
    def stated(self) -> dict[str, Any]:
        """All fields as JSON, with the digest of the puzzle's content instead of the puzzle.

        Fields that are null, false or empty are left out, also those of the request and the limits.
        The objective `edges` is left out, too. A new field with such a default therefore does not
        change digests.
        """
        names = [field.name for field in fields(self) if field.name != "puzzle"]
        stated = {name: _stated(getattr(self, name)) for name in names}
        if self.objective is Objective.EDGES:
            del stated["objective"]
        stated = {name: value for name, value in stated.items() if _says(value)}
        return {**stated, "puzzle": self.puzzle.digest}


def _stated(value: Any) -> Any:
    """Return a value as JSON; null, false and empty fields of a dataclass are left out.

    A dataclass within a sequence keeps all its fields, unless it is a trigger.
    """
    if isinstance(value, tuple) and all(isinstance(member, Trigger) for member in value):
        return [_stated(trigger) for trigger in value]
    if not is_dataclass(value):
        return plain(value)
    members = {field.name: _stated(getattr(value, field.name)) for field in fields(value)}
    return {name: member for name, member in members.items() if _says(member)}


def _says(value: Any) -> bool:
    """Return whether a JSON value is neither null nor false nor empty."""
    return not (value is None or value is False or value in ([], {}))


def _check_type(
    what: str, value: object, valid: type | UnionType | tuple[type, ...], expected: str
) -> None:
    """Raise `ConfigError` unless a value has a `valid` type; a bool is never valid."""
    if not isinstance(value, valid) or isinstance(value, bool):
        raise ConfigError(f"{what} is {show(value)}; expected {expected}")


def _check_seed(seed: int) -> None:
    _check_type("seed", seed, int, f"a whole number from 0 to {LARGEST_SEED}")
    if not 0 <= seed <= LARGEST_SEED:
        raise ConfigError(f"seed is {show(seed)}; expected 0 to {LARGEST_SEED}")


@dataclass(frozen=True)
class Chosen:
    """The backend, config and reductions that `auto` chose, and the reason."""

    backend: Text
    """Name of the backend."""
    config: Mapping[str, object]
    """Settings of the backend."""
    reductions: tuple[Text, ...]
    """All reductions, including reductions for symmetry breaking."""
    why: Text
    """Reason for the choice: sizes, and the backends that refused or were left out."""
    forecast_s: AnySeconds | None = field(default=None, compare=False)
    """Expected processor seconds of the search, from a speed measured on this puzzle (for
    `frontier`, from the number of states); null if the search is short or its size is unknown."""


@dataclass(frozen=True)
class PieceEstimate:
    """A sampled piece, and the estimated size of a search in which it breaks symmetry."""

    piece: Text
    """Name of the piece."""
    nodes: Count
    """Number of nodes of the sampling."""
    estimate: Count | None
    """Estimated number of nodes of a whole search; null if the progress of a search is unknown."""
    error: Count | None
    """Standard error of the estimate; 0 if a search finished, null without an estimate."""


@dataclass(frozen=True)
class PieceSelection:
    """The selection of the piece that breaks symmetry."""

    pieces: tuple[PieceEstimate, ...]
    """The sampled pieces in the puzzle's order."""
    chosen: Text | None
    """Name of the chosen piece; null if none was chosen."""


@dataclass(frozen=True)
class Plan:
    """A puzzle, a request, and a backend with its config, with all choices resolved."""

    puzzle: Puzzle
    # Its reductions define how symmetry is broken.
    request: Request
    # Name of a backend, never `auto`.
    backend: str
    config: Mapping[str, object] = field(default_factory=dict)
    # Seed of all samples, such as the solutions to verify.
    seed: int = 0
    # Random order or trials; None for the puzzle's order of options.
    order: RandomOrder | Trials | None = None
    # Part of the puzzle to search; None for the whole puzzle.
    sub_problem: SubProblem | None = None
    # Choices that were made while planning and that the result reports.
    chosen: Chosen | None = None
    piece_selection: PieceSelection | None = None

    @classmethod
    def of(cls, job: Job, request: Request | None = None) -> Plan:
        """Return the plan of a job with a named backend.

        By default, the plan has the request of the job.
        """
        request = job.request if request is None else request
        return cls(job.puzzle, request, job.backend, job.config, job.seed, job.order)

    @property
    def searches_once(self) -> bool:
        """Whether the plan is a single search, in which no solution is found twice."""
        return self.order is None or self.order.searches_once

    def task(self, lowered: LoweredPuzzle) -> Task:
        """Return the task for the backend; `lowered` is the lowered puzzle of the plan.

        Raises `ConfigError` if the puzzle does not support the request.
        """
        request = self.request
        if isinstance(self.order, Trials):
            request = replace(request, stop_at_remaining=self.order.remaining)
        return lowered.task(request, self.sub_problem)
