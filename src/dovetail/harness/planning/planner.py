"""Planning of jobs: symmetry breaking, reductions and the choice of a backend.

A job that names its backend is planned with this backend. For a job with the backend `auto`, a rule
chooses a backend. The rule goes through candidates in a fixed order, and may probe a candidate by
an estimate or by a trial with a budget. `rules` has the rules for cover problems and packing
puzzles, and `boards` has the rule for edge-matching puzzles. The plan names the chosen backend.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from types import MappingProxyType

from dovetail.backends.config import build_config, plain_values
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.tree_size import samples_piece, select_piece, with_piece
from dovetail.harness.planning.trials import (
    Choice,
    Choosing,
    CutShortError,
    Tryout,
    settled_request,
)
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Chosen, Job, PieceSelection, Plan
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session, open_run, returned
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.task import LoweredPuzzle, Task

NOTHING: Mapping[str, str] = MappingProxyType({})


def start_run(
    job: Job, clock: RunClock, *, searches_here: bool = True
) -> Generator[Event, None, LoweredPuzzle | Result]:
    """Check the backend and config of a job, start its run, and return the lowered puzzle.

    With `searches_here`, this process will search, and the kernels are loaded. Returns a result if
    the backend of the job is not installed. Raises `ConfigError` for an unknown backend, for an
    invalid config and for `probe` on an edge-matching puzzle, and `PuzzleError` for a puzzle that
    cannot be lowered.
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


def plan_job(
    lowered: LoweredPuzzle,
    job: Job,
    clock: RunClock,
    given_up: Mapping[str, str] = NOTHING,
    *,
    on_workers: bool = False,
) -> Generator[Event, None, Session | Result]:
    """Plan a job and return the session of its plan, or a result if the run ends while planning.

    If the request does not break symmetry, a reduction that breaks symmetry may be added for the
    backend. If the request asks for sampling, short trials select the piece that breaks symmetry.
    `given_up` has backends that abandoned a search of the job, with the reasons. `auto` does not
    choose these backends and reports the reasons. Limits apply to planning, and the time of
    planning counts as preparing, except for compiling. The choice of `auto` is reproducible unless
    the available memory differs or the budget for choosing is used up; see `ChoosingBudget`. With
    `on_workers`, other processes will search the parts of a search that can be divided. Raises
    `ConfigError` if the backend cannot select a piece by sampling.
    """
    if job.backend == AUTO:
        return (yield from _plan_auto(lowered, job, clock, given_up, on_workers=on_workers))
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    task: Task | None = None
    selection: PieceSelection | None = None
    with clock.preparing:
        request = settled_request(lowered, job.request, backend, config)
    if samples_piece(request):
        with clock.preparing:
            filtered = lowered.task(with_piece(request, None))
            hopeless = filtered.unsolvable_reason or backend.refuses(filtered, config)
        if hopeless:  # the session will report the reason
            task, request = filtered, filtered.request
        else:
            yield from clock.compile(backend, filtered, config)
            with clock.preparing:
                request, selection = select_piece(Plan.of(job, request), filtered, clock)
    plan = replace(Plan.of(job, request), piece_selection=selection)
    return Session(plan, job.limits, clock=clock, lowered=lowered, task=task)


def session_of(
    job: Job,
    clock: RunClock | None = None,
    lowered: LoweredPuzzle | None = None,
    given_up: Mapping[str, str] = NOTHING,
) -> Session:
    """Plan a job without yielding events, and return the session of its plan.

    By default, the session has a new clock with the job's time limit, and the puzzle is lowered.
    Raises `BackendError` if the backend is missing, or if `auto` finds no backend or is
    interrupted. Raises `LimitError` if the time limit is reached while `auto` chooses a backend.
    Also raises the errors of `start_run` and `plan_job`.
    """
    clock = clock or RunClock(job.limits.time_s)
    lowered = lowered or lowered_quietly(job, clock)
    session = returned(plan_job(lowered, job, clock, given_up))
    if isinstance(session, Result):
        error = LimitError if session.status.is_limit else BackendError
        raise error(f"{job.puzzle.name}: {session.reason}")
    return session


def lowered_quietly(job: Job, clock: RunClock) -> LoweredPuzzle:
    """Start the run of a job without yielding events; return the lowered puzzle.

    Raises `BackendError` if the backend of the job is missing, and the errors of `start_run`.
    """
    lowered = returned(start_run(job, clock))
    if isinstance(lowered, Result):
        raise BackendError(lowered.reason)
    return lowered


def check_one_search(job: Job, subject: str) -> None:
    """Raise `ConfigError` for a job with several searches or with a search in a random order.

    `subject` is the plural noun at the beginning of the message, such as "traces".
    """
    if job.order is not None:
        raise ConfigError(
            f"{subject} need a single search in the given option order; expected no random order"
        )


def _plan_auto(
    lowered: LoweredPuzzle,
    job: Job,
    clock: RunClock,
    given_up: Mapping[str, str],
    *,
    on_workers: bool,
) -> Generator[Event, None, Session | Result]:
    """Choose a backend and a config; return the session of the plan, or a result if this fails."""
    tryout = Tryout(lowered, job, clock, given_up, on_workers=on_workers)
    try:
        choice = yield from _choose(tryout)
    except CutShortError as error:
        return Result(
            error.status,
            reason="stopped while choosing a backend",
            warm_up_s=clock.warming.wall_s,
            prepare_s=clock.preparing.wall_s,
        )
    if choice is None:
        return Result(Status.SKIPPED, reason=tryout.reasons(), prepare_s=clock.preparing.wall_s)
    candidate, left_out = choice.candidate, tryout.budget.explanation
    name, settings = candidate.plan.backend, plain_values(candidate.config, candidate.plan.config)
    sampled = samples_piece(job.request)
    request = job.request if sampled else candidate.task.request
    chosen = Chosen(
        name,
        settings,
        tuple(map(str, request.reductions)),
        choice.why if left_out is None else f"{choice.why}; {left_out}",
        choice.forecast_s,
    )
    yield chosen
    named = replace(job, backend=name, config=settings, request=request)
    if sampled:
        session = yield from plan_job(lowered, named, clock)
        assert isinstance(session, Session), "a job that names its backend has a plan"
        session.plan = replace(session.plan, chosen=chosen)
        return session
    return Session(
        replace(Plan.of(named), chosen=chosen, piece_selection=choice.piece_selection),
        job.limits,
        clock=clock,
        lowered=lowered,
        task=None if job.trials is not None else candidate.task,
        search=choice.search,
        guard=choice.guard,
    )


def _choose(tryout: Tryout) -> Choosing:
    """Choose a backend by the rule for puzzles of this kind."""
    from dovetail.harness.planning.rules import choose_for_cover, choose_for_packing

    puzzle, request = tryout.job.puzzle, tryout.job.request
    if isinstance(puzzle, CoverProblem):
        return (yield from choose_for_cover(tryout))
    unsampled = with_piece(request, None)
    sampled = samples_piece(request)
    task = tryout.task(unsampled) if sampled else tryout.symmetry_breaking_task()
    with tryout.clock.preparing:
        solved = task.unsolvable_reason is not None
    if solved:
        dlx = Session(Plan(puzzle, unsampled, "dlx"), task=tryout.task(unsampled))
        return Choice(dlx, "there is nothing to search")
    if sampled:
        candidate = tryout.first_candidate(task, "bitset", "dlx")
        why = "it is suited to selecting a piece by sampling"
        return None if candidate is None else Choice(candidate, why)
    if isinstance(puzzle, EdgePuzzle):
        from dovetail.harness.planning.boards import choose_for_board  # imports `rows`

        return (yield from choose_for_board(tryout, task))
    return (yield from choose_for_packing(tryout, task))
