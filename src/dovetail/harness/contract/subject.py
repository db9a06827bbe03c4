"""A backend under test, a check that every backend has to pass, and the verdict of the check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.errors import how_many
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import OnEvent, execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.plugins import error_words
from dovetail.printable import is_printable

ALL = Request(Symmetry.ALL)
# Default time limit of a run in seconds. Most puzzles of the checks take hundredths of a second.
TIME_LIMIT_S = 30.0

Solutions = set[tuple[int, ...]]


class ViolationError(Exception):
    """Raised if a backend violates a requirement; the message has `Subject.asked` and a reason."""


class RefusalError(Exception):
    """Raised if a backend refuses a check or lacks the tested ability; the message is a reason."""


class Judgement(StrEnum):
    """The outcome of a check; a refusal with a reason is not a failure."""

    OK = "ok"
    REFUSED = "refused"
    FAILED = "failed"
    NOT_RUN = "not-run"


@dataclass(frozen=True)
class CheckVerdict:
    """The result of a check of a backend."""

    backend: str
    check: str
    requires: str
    judgement: Judgement
    # Reason for a judgement other than `ok`; None for `ok`.
    reason: str | None = None
    total_s: float = 0.0

    @property
    def is_wrong(self) -> bool:
        """Whether the check has failed or was not run."""
        return self.judgement in (Judgement.FAILED, Judgement.NOT_RUN)


class Subject:
    """A backend under test with its config.

    Raises `ConfigError` for an unknown backend and for unknown or invalid settings.
    """

    def __init__(self, name: str, settings: Mapping[str, object] = MappingProxyType({})) -> None:
        self.backend = backend_named(name)
        config_type = self.backend.config_type
        # Default settings are not parsed, because the check `config` tests the config type.
        self.config = (
            build_config(config_type, settings, f"backend {name}") if settings else config_type()
        )
        self._settings = dict(settings)  # a mapping proxy cannot be pickled with a job
        # The puzzle or property that is being tested, for messages.
        self.asked = name

    @property
    def is_sliced(self) -> bool:
        """Whether searches run in slices, rather than each in a separate process."""
        return self.backend.control == "slices"

    def job(
        self,
        puzzle: Puzzle,
        request: Request = ALL,
        *,
        nodes: int | None = None,
        solutions: int | None = None,
        time_s: float = TIME_LIMIT_S,
        random: RandomOrder | None = None,
    ) -> Job:
        """Return a job for a puzzle, and set `asked` to a description of puzzle and request."""
        limits = Limits(time_s, nodes, solutions)
        how = [request.symmetry, *map(str, (*request.reductions, *request.triggers))]
        how += ["labelled"] * request.labelled + ["in a random order"] * (random is not None)
        self.asked = f"{puzzle.name} ({', '.join(how)})"
        return Job(puzzle, request, self.backend.name, self._settings, limits=limits, random=random)

    def result(self, job: Job, expected: Status, on_event: OnEvent | None = None) -> Result:
        """Run a job in this process, and return its result; see `accept`."""
        return self.accept(finish(execute(job), on_event), expected)

    def accept(self, result: Result, expected: Status) -> Result:
        """Return `result` if the run ended with the expected status.

        Raises `RefusalError` for a refusal, and `ViolationError` for a failure, a wrong solution
        or another status.
        """
        reason = result.reason or ""
        if result.status == Status.SKIPPED:
            self.refuse(reason)
        self.require(result.status != Status.WRONG, f"a solution is wrong: {reason}")
        self.require(result.status != Status.FAILED, f"it failed: {reason}")
        why = f" ({reason})" if reason else ""
        ended = f"it ended with {result.status}{why}"
        self.require(result.status == expected, f"expected it to end with {expected}; {ended}")
        return result

    def counted(self, job: Job) -> Result:
        """Run a job that the backend has to finish, and return its result; see `accept`.

        The backend's `refuses` is called first, even if the puzzle needs no search.
        """
        reason = self.backend.refuses(_task(job.puzzle, job.request), self.config)
        if reason is not None:
            self.refuse(reason)
        return self.result(job, Status.EXHAUSTED)

    def count(self, job: Job, expected: int) -> None:
        """Run a job that the backend has to finish, and require its count."""
        count = self.counted(job).count
        wanted = how_many(expected, "solution")
        self.require(count == expected, f"expected {wanted}, found {count}")

    def listed(self, job: Job, expected: Status = Status.EXHAUSTED) -> tuple[Result, Solutions]:
        """Run a job that lists solutions; return its result and its solutions.

        A solution is a tuple of its options in ascending order.
        """
        solutions: Solutions = set()

        def collect(event: Event) -> None:
            if isinstance(event, Found):
                solutions.update(map(options_of, event.options))

        return self.result(job.listed(), expected, collect), solutions

    def slices(self, job: Job, slice_work: int) -> Iterator[tuple[Search, Status | None]]:
        """Yield the search and its status (None before the end) after each slice of `slice_work`.

        Solutions are not verified. A search that runs in a process has no slices of this size.
        """
        with session_of(job).begun() as session:
            search = session.prepare_search().search
            for status in session.advance(search, session.limits, slice_work):
                yield search, status

    def unverified(self, job: Job) -> Solutions:
        """Return all solutions that a search reports, without verifying them.

        A solution is a tuple of its options in ascending order.
        """
        solutions: Solutions = set()
        for search, _ in self.slices(job, slice_work=10**6):
            solutions.update(map(options_of, search.take()))
        return solutions

    def first_taken(self, *puzzles: Puzzle) -> Puzzle:
        """Return the first puzzle that the backend supports.

        Sets `asked` to the name of each puzzle in turn. Raises `RefusalError` with all reasons if
        the backend refuses every puzzle. Raises `ViolationError` for a reason that is not a single
        line.
        """
        reasons = []
        for puzzle in puzzles:
            self.asked = puzzle.name
            reason = self.backend.refuses(_task(puzzle), self.config)
            if reason is None:
                return puzzle
            self._require_reason(reason)
            reasons.append(f"{puzzle.name}: {reason}")
        raise RefusalError("; ".join(reasons))

    def require(self, kept: bool, otherwise: str) -> None:
        """Raise `ViolationError` with `asked` and the message `otherwise`, unless `kept`."""
        if not kept:
            raise ViolationError(f"{self.asked}: {otherwise}")

    def refuse(self, reason: str) -> None:
        """Raise `RefusalError`, or `ViolationError` if the reason is not a single line of text."""
        self._require_reason(reason)
        raise RefusalError(reason)

    def _require_reason(self, reason: str) -> None:
        self.require(
            is_line(reason), f"expected a single-line reason for the refusal; it is {reason!r}"
        )


@dataclass(frozen=True)
class Check:
    """A requirement of every backend, and the function that tests it."""

    name: str
    # The requirement, as a sentence.
    requires: str
    # Raises `ViolationError` if the backend violates the requirement, and `RefusalError` if the
    # backend refuses with a reason.
    run: Callable[[Subject], None]

    def verdict(self, subject: Subject) -> CheckVerdict:
        """Run the check and return its verdict; an exception other than a refusal is a failure."""
        begun = time.perf_counter()
        judgement, reason = Judgement.OK, None
        try:
            self.run(subject)
        except RefusalError as refusal:
            judgement, reason = Judgement.REFUSED, str(refusal)
        except ViolationError as violation:
            judgement, reason = Judgement.FAILED, str(violation)
        except Exception as error:  # a backend may raise any exception
            judgement = Judgement.FAILED
            reason = f"{subject.asked}: it raised {error_words(error)}"
        seconds = time.perf_counter() - begun
        return self.judged(subject.backend.name, judgement, reason, seconds)

    def judged(
        self, backend: str, judgement: Judgement, reason: str | None, seconds: float = 0.0
    ) -> CheckVerdict:
        """Return a verdict of this check with the given judgement."""
        return CheckVerdict(backend, self.name, self.requires, judgement, reason, seconds)


def is_line(text: object) -> bool:
    """Return whether a value is a printable single-line string that is not blank."""
    return isinstance(text, str) and bool(text.strip()) and is_printable(text)


def options_of(row: NDArray[np.int32]) -> tuple[int, ...]:
    """Return the options of a solution in ascending order, without padding."""
    return tuple(sorted(row[row >= 0].tolist()))


@cache
def _task(puzzle: Puzzle, request: Request = ALL) -> Task:
    return build_task(puzzle, request)
