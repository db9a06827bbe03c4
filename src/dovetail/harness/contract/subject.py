"""The backend that is checked: runs puzzles on it, and states in words what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from dovetail.backends.base import Search
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.harness.execution.execute import execute
from dovetail.harness.execution.isolation import execute_isolated
from dovetail.harness.execution.launch import finish
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.printable import is_printable

ALL = Request(Symmetry.ALL)
# Of each run; the puzzles of the checks take hundredths of a second.
TIME_LIMIT_S = 30.0

Solutions = set[tuple[int, ...]]


class ViolationError(Exception):
    """A backend does not do what is required; the message is what it did, and on which puzzle."""


class RefusalError(Exception):
    """A backend refuses what a check asks; the message is its reason."""


class Subject:
    """A backend that is checked with a config. `asked` is what it was asked last, for messages.

    Raises `ConfigError` for an unknown backend, and for settings that it does not have.
    """

    def __init__(
        self,
        name: str,
        settings: Mapping[str, object] = MappingProxyType({}),
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        self.backend = backend_named(name)
        config_type = self.backend.config_type
        # without settings nothing is read, since what the config is made of is itself checked
        self.config = (
            build_config(config_type, settings, f"backend {name}") if settings else config_type()
        )
        self._settings = dict(settings)  # a job is pickled
        self.asked = name
        self._time_limit_s = time_limit_s

    @property
    def is_sliced(self) -> bool:
        """Whether its searches are cut into slices; others run in a process of their own."""
        return self.backend.control == "slices"

    def job(
        self,
        puzzle: Puzzle,
        request: Request = ALL,
        *,
        nodes: int | None = None,
        solutions: int | None = None,
        time_s: float | None = None,
        random: RandomOrder | None = None,
    ) -> Job:
        """Return the job of a run, and note what is asked."""
        limits = Limits(self._time_limit_s if time_s is None else time_s, nodes, solutions)
        how = [request.symmetry, *map(str, (*request.reductions, *request.triggers))]
        how += ["labelled"] * request.labelled + ["in a random order"] * (random is not None)
        self.asked = f"{puzzle.name} ({', '.join(how)})"
        return Job(puzzle, request, self.backend.name, self._settings, limits=limits, random=random)

    def finished(self, job: Job, *, isolated: bool = False) -> Result:
        """Run a job; a refusal and a wrong solution are raised."""
        finished = finish(execute_isolated(job) if isolated else execute(job))
        self._pass_on(finished)
        return finished

    def counted(self, job: Job) -> Result:
        """Run a job that the backend has to finish, and return its result.

        The backend is asked first whether it refuses, also where no search would follow.
        """
        reason = self.backend.refuses(_task(job.puzzle, job.request), self.config)
        if reason is not None:
            self._refuse(reason)
        finished = self.finished(job)
        self.require_status(finished, Status.EXHAUSTED)
        return finished

    def listed(self, job: Job) -> tuple[Result, Solutions]:
        """Run a job that lists solutions; each is its options in ascending order."""
        solutions: Solutions = set()
        finished = None
        for event in execute(job.listed()):
            if isinstance(event, Found):
                solutions |= {_options(row) for row in event.options.tolist()}
            if isinstance(event, Result):
                finished = event
        assert finished is not None, "a run ends with Result"
        self._pass_on(finished)
        return finished, solutions

    def slices(self, job: Job, slice_work: int) -> Iterator[tuple[Search, Status | None]]:
        """Yield the search of a job after each slice of so much work; nothing checks it here."""
        with session_of(job).begun() as session:
            search = session.prepare_search().search
            for status in session.advance(search, session.limits, slice_work):
                yield search, status

    def found(self, job: Job) -> Solutions:
        """Return what a search finds, right or wrong, each as options in ascending order."""
        found: Solutions = set()
        for search, _ in self.slices(job, slice_work=10**6):
            found |= {_options(row) for row in search.take().tolist()}
        return found

    def first_taken(self, *puzzles: Puzzle) -> Puzzle:
        """Return the first of some puzzles that the backend takes; raises a refusal for none."""
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
        """Raise a violation with what was asked, unless the backend has kept what it should."""
        if not kept:
            raise ViolationError(f"{self.asked}: {otherwise}")

    def require_status(self, finished: Result, expected: Status) -> None:
        """Raise a violation for a run that ended in another way."""
        why = f" ({finished.reason})" if finished.reason else ""
        self.require(
            finished.status == expected,
            f"expected it to end with {expected}; it ended with {finished.status}{why}",
        )

    def _pass_on(self, finished: Result) -> None:
        """Raise the refusal, the failure or the wrong solution that ended a run."""
        reason = finished.reason or ""
        if finished.status == Status.SKIPPED:
            self._refuse(reason)
        if finished.status == Status.WRONG:
            raise ViolationError(f"{self.asked}: a solution is wrong: {reason}")
        self.require(finished.status != Status.FAILED, f"it failed: {reason}")

    def _refuse(self, reason: str) -> None:
        """Raise a refusal whose reason is a line, and a violation for another."""
        self._require_reason(reason)
        raise RefusalError(reason)

    def _require_reason(self, reason: str) -> None:
        """Raise a violation for a reason that is no line of text."""
        self.require(
            isinstance(reason, str) and bool(reason.strip()) and is_printable(reason),
            f"expected a single-line reason for the refusal; it is {reason!r}",
        )


def _options(row: list[int]) -> tuple[int, ...]:
    return tuple(sorted(option for option in row if option >= 0))


@cache
def _task(puzzle: Puzzle, request: Request = ALL) -> Task:
    return build_task(puzzle, request)
