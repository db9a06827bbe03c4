"""From a job to a plan: the one way that counting, sampling, estimating and all others go."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.planning.candidate import Candidate
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.piece_sampling import samples_piece, select_piece, with_piece
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Plan
from dovetail.harness.run.result import Chosen, PieceSelection, Result
from dovetail.harness.run.session import NodeGuard, Session, open_run, returned
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import LoweredPuzzle, Task


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
