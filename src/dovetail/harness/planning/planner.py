"""From a job to a plan: the one way that counting, sampling, estimating and all others go."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.config import build_config, plain_values
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.piece_sampling import samples_piece, select_piece, with_piece
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Limits, Plan, RandomOrder
from dovetail.harness.run.result import Chosen, PieceSelection, Result
from dovetail.harness.run.session import NodeGuard, Session, open_run, returned
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request
from dovetail.models.task import LoweredPuzzle, Task


@dataclass(frozen=True, eq=False)
class Candidate:
    """A backend with the settings of its config and the task that it would be given."""

    backend: AnyBackend
    task: Task
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.backend.name

    @cached_property
    def config(self) -> Config:
        """The whole config."""
        config_type: type[Config] = self.backend.config_type
        return build_config(config_type, self.settings, f"backend {self.name}")

    def session(
        self,
        limits: Limits,
        clock: RunClock,
        *,
        seed: int = 0,
        order: RandomOrder | None = None,
    ) -> Session:
        """Return the session of a trial, whose time the clock does not count."""
        task = self.task
        plan = Plan(task.puzzle, task.request, self.name, self.settings, seed, order)
        return Session(plan, limits, clock=clock.for_trial(), task=task)

    @property
    def plain_settings(self) -> dict[str, object]:
        """The settings as a job has them."""
        return plain_values(self.config, self.settings)


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate chosen, and why.

    `search` is one for its task that has been prepared already, None where there is none;
    `piece_selection` reports how sampling selected the piece that breaks symmetry, if it did.
    With a `guard` the search may show that its forecast was wrong: then another is to be chosen.
    `forecast_s` are the seconds that the search is expected to take, at a speed that was measured.
    """

    candidate: Candidate
    why: str
    search: Search | None = None
    piece_selection: PieceSelection | None = None
    guard: NodeGuard | None = None
    forecast_s: float | None = None

    def reported(self, reductions: tuple[Reduction, ...], left_out: str | None) -> Chosen:
        """Return what a run reports of it, whose request has these reductions.

        `left_out` says what was not tried for lack of time, if anything was.
        """
        candidate = self.candidate
        names = tuple(map(str, reductions))
        why = self.why if left_out is None else f"{self.why}; {left_out}"
        return Chosen(candidate.name, candidate.plain_settings, names, why, self.forecast_s)


# Choosing tells what happens; in the end there is a choice, or None where nothing takes the puzzle.
Choosing = Generator[Event, None, Choice | None]


@dataclass(frozen=True, eq=False)
class Planned:
    """A plan, and what planning has made of it already.

    `task` and `search` are None where they are still to be made. `piece_selection` says how the
    piece that breaks symmetry was selected, where that took trials, and `chosen` what `auto` chose:
    anew, if its `guard` gives the search up (workers make it to its end).
    """

    plan: Plan
    task: Task | None = None
    search: Search | None = None
    piece_selection: PieceSelection | None = None
    chosen: Chosen | None = None
    guard: NodeGuard | None = None

    def session(self, job: Job, lowered: LoweredPuzzle, clock: RunClock) -> Session:
        """Return the session of the plan within the limits of its job."""
        return Session(
            self.plan,
            job.limits,
            clock=clock,
            lowered=lowered,
            task=self.task,
            search=self.search,
            guard=self.guard,
        )

    def given_up(self, finished: Result) -> str | None:
        """Return why what `auto` chose has given up, so that it has to choose anew, or None."""
        if self.chosen is None:
            return None
        if finished.status == Status.SKIPPED:
            return finished.reason or "it stopped"
        if finished.status == Status.NODE_LIMIT and self.guard is not None:
            return f"not finished after {finished.nodes or 0:,} nodes, more than were expected"
        return None

    def completed(self, finished: Result) -> Result:
        """Return a result with what planning adds to it."""
        return replace(finished, piece_selection=self.piece_selection, chosen=self.chosen)


def start_run(
    job: Job, clock: RunClock, *, searches_here: bool = True
) -> Generator[Event, None, LoweredPuzzle | Result]:
    """Check what a job names, and open its run; kernels are loaded if it `searches_here`.

    Returns the result at once where the job names a backend that is not installed. Raises
    `ConfigError` for an unknown backend or config key and `PuzzleError` for a puzzle that cannot
    be lowered.
    """
    named_config(job.backend, job.config)
    if samples_piece(job.request) and isinstance(job.puzzle, EdgePuzzle):
        raise ConfigError(
            f"probe is for packing puzzles, and {job.puzzle.name} is not one; expected redundancy"
        )
    backend = named_backend(job.backend)
    reason = None if backend is None else not_installed(backend)
    if reason is not None:
        return Result(Status.SKIPPED, reason=reason)
    loaded = backend if searches_here else None
    return (yield from open_run(job.puzzle, job.request, loaded, clock, job.limits))


def plan_job(lowered: LoweredPuzzle, job: Job, clock: RunClock) -> Generator[Event, None, Planned]:
    """Plan a job that names its backend: settle how symmetry is broken.

    A backend may ask for a piece that breaks symmetry where the request asks for none, and short
    trials select it where the request leaves it to them. Raises `ConfigError` for trials that
    cannot be made.
    """
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    with clock.preparing:
        request = settled_request(lowered, job.request, backend, config)
    if not samples_piece(request):
        return Planned(Plan.of(job, request))
    with clock.preparing:
        filtered = lowered.task(with_piece(request, None))
        hopeless = why_unsolvable(filtered) or backend.refuses(filtered, config)
    if hopeless:  # which the session will report
        return Planned(Plan.of(job, filtered.request), filtered)
    yield from clock.compile(backend, filtered, config, estimating=True)
    with clock.preparing:
        candidate = Candidate(backend, filtered, job.config)
        request, selection = select_piece(candidate, request, lowered, job.seed, clock)
    return Planned(Plan.of(job, request), piece_selection=selection)


def settled_request(
    lowered: LoweredPuzzle, request: Request, backend: AnyBackend, config: Config
) -> Request:
    """Return the request with the reduction by which its backend breaks symmetry, if it does.

    One that is asked for keeps the places that the backend's search fills first.
    """
    task = lowered.task(replace(request, reductions=()))
    if not request.breaks_symmetry:
        added = backend.symmetry_breaking(task, config)
        added_first = () if added is None else (added,)
        return replace(request, reductions=(*added_first, *request.reductions))
    representatives = backend.representatives(task, config)
    kept = tuple(one.keeping(representatives) for one in request.reductions)
    return replace(request, reductions=kept)


def begin_session(
    job: Job, interruption: Interruption | None = None, *, clock: RunClock | None = None
) -> Session:
    """Plan a job that names its backend and begin its session, for those who want no events.

    A `clock` that runs already is charged. Raises `BackendError` where the backend is missing or
    refuses the puzzle, and `ConfigError` for a job of several searches or a puzzle that is known to
    have no solution.
    """
    if job.order is not None:
        raise ConfigError(
            "traces and estimates need a single search in the given option order; expected no "
            "random order"
        )
    clock = clock or RunClock(job.limits.time_s, interruption)
    lowered = returned(start_run(job, clock))
    if isinstance(lowered, Result):
        raise BackendError(lowered.reason)
    session = returned(plan_job(lowered, job, clock)).session(job, lowered, clock)
    session.begin_quietly()
    return session
