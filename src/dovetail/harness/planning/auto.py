"""Choosing a backend and a config for a job that leaves it to `auto`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace

from dovetail.backends.registry import backend_named
from dovetail.harness.planning.candidate import Candidate, Choice, Choosing
from dovetail.harness.planning.covers import choose_for_cover
from dovetail.harness.planning.packing import choose_for_packing
from dovetail.harness.planning.piece_sampling import samples_piece, with_piece
from dovetail.harness.planning.planner import Planned, plan_job
from dovetail.harness.planning.tryout import CutShortError, Tryout
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job, Plan
from dovetail.harness.run.result import Result
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import LoweredPuzzle, Task


def choose(
    lowered: LoweredPuzzle,
    job: Job,
    clock: RunClock,
    given_up: Mapping[str, str],
    *,
    on_workers: bool = False,
) -> Generator[Event, None, Planned | Result]:
    """Plan a job whose backend is `auto`; returns the end of the run where that is all of it.

    Backends that have `given_up` in the midst of a search are not chosen again. Limits hold
    meanwhile; what it takes is part of preparing, save for compiling. The choice is the same
    every time, unless there is less memory or the time for choosing, see `ChoosingBudget`, is over.
    With `on_workers`, other processes search what can be divided.
    """
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
        return Result(Status.SKIPPED, reason=tryout.refused, prepare_s=clock.preparing.wall_s)
    candidate = choice.candidate
    settled = job.request if samples_piece(job.request) else candidate.task.request
    named = replace(job, backend=candidate.name, config=candidate.plain_settings, request=settled)
    chosen = choice.reported(settled.reductions, tryout.budget.explanation)
    yield chosen
    if samples_piece(settled):
        planned = yield from plan_job(lowered, named, clock)
        return replace(planned, chosen=chosen)
    task = None if job.trials is not None else candidate.task
    return Planned(
        Plan.of(named),
        task,
        choice.search,
        piece_selection=choice.piece_selection,
        chosen=chosen,
        guard=choice.guard,
    )


def _choose(tryout: Tryout) -> Choosing:
    """The choice for a puzzle of any kind."""
    puzzle, request = tryout.job.puzzle, tryout.job.request
    if isinstance(puzzle, CoverProblem):
        return (yield from choose_for_cover(tryout))
    asked = with_piece(request, None)
    task = tryout.task(asked) if samples_piece(request) else symmetry_breaking_task(tryout)
    with tryout.clock.preparing:
        solved = why_unsolvable(task) is not None
    if solved:
        dlx = Candidate(backend_named("dlx"), tryout.task(asked))
        return Choice(dlx, "there is nothing to search")
    if samples_piece(request):
        return _for_sampling(tryout, task)
    if isinstance(puzzle, EdgePuzzle):
        from dovetail.harness.planning.boards import choose_for_board  # with the tables of `rows`

        return (yield from choose_for_board(tryout, task))
    return (yield from choose_for_packing(tryout, task))


def _for_sampling(tryout: Tryout, task: Task) -> Choice | None:
    """The solver from whose searches sampling learns most of each piece."""
    for name in ("bitset", "dlx"):
        candidate = tryout.candidate(name, task)
        if candidate is not None:
            return Choice(
                candidate,
                "it is suited to selecting a piece by sampling",
            )
    return None


def symmetry_breaking_task(tryout: Tryout) -> Task:
    """The job's task, symmetry broken by the piece or tile that the redundancy filter takes.

    As it is asked where that is not wanted or would change nothing.
    """
    request = tryout.job.request
    if request.breaks_symmetry:
        return tryout.task(request)
    best = Reduction(ReductionName.REDUNDANCY)
    task = tryout.task(replace(request, reductions=(best, *request.reductions)))
    symmetry_breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if symmetry_breaking is None or len(symmetry_breaking.group) == 1:
        return tryout.task(request)
    assert isinstance(task.options, PackingOptions | EdgeOptions)
    named = replace(best, piece=task.options.option_groups.names[symmetry_breaking.option_group][0])
    return replace(task, request=replace(request, reductions=(named, *request.reductions)))
