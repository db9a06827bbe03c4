"""Choosing a backend and a config for a job that leaves it to `auto`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

from dovetail.backends.base import Search
from dovetail.backends.registry import backend_named
from dovetail.harness.auto.boards import choose_for_board
from dovetail.harness.auto.candidate import Candidate, Choice, Choosing
from dovetail.harness.auto.confined import confined_task
from dovetail.harness.auto.covers import choose_for_cover
from dovetail.harness.auto.named import named_config
from dovetail.harness.auto.packing import choose_for_packing
from dovetail.harness.auto.tryout import CutShortError, Tryout
from dovetail.harness.events import Chosen, Event, Finished, ended
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.probe import Probe, confining, probes
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.outcome import Counters, Outcome, Status
from dovetail.models.reductions.pipeline import warm_up
from dovetail.models.task import Task


@dataclass(frozen=True, eq=False)
class Decided:
    """The job that names what was chosen, its time limit shortened by what choosing took.

    `task` is its puzzle lowered and `search` one that has been prepared, each None where there is
    none yet.
    """

    job: Job
    chosen: Chosen
    task: Task | None
    search: Search | None
    probe: Probe | None
    warm_up_s: float
    prepare_s: float
    baseline_bytes: int | None

    def told(self, event: Event) -> Event:
        """What a run of the job tells, choosing being part of it."""
        if not isinstance(event, Finished):
            return event
        return replace(
            event,
            chosen=self.chosen,
            probe=event.probe or self.probe,
            warm_up_s=event.warm_up_s + self.warm_up_s,
            prepare_s=event.prepare_s + self.prepare_s,
        )


def decide(
    job: Job, interruption: Interruption, given_up: Mapping[str, str]
) -> Generator[Event, None, Decided | Finished]:
    """Choose for a job whose backend is `auto`; the end of the run where that is all of it.

    Backends that have `given_up` in the midst of a search are not chosen again.

    Limits hold meanwhile; what it takes is part of preparing, save for compiling. The choice is the
    same every time, unless there is less memory. Raises `ConfigError` for settings of `auto`, and
    what lowering raises.
    """
    named_config(job.backend, job.config)
    tryout = Tryout(job, interruption, given_up)
    with tryout.warming:
        warm_up(job.request)
    yield from tryout.start()
    cut = None
    try:
        choice = yield from _choose(tryout)
    except CutShortError as error:
        choice, cut = None, error.status
    warm_up_s, prepare_s = tryout.warming.wall_s, tryout.preparing.wall_s
    if cut is not None:
        outcome = Outcome(cut, None, Counters(), "a backend was still being chosen")
        return Finished(outcome, warm_up_s=warm_up_s, prepare_s=prepare_s)
    if choice is None:
        return ended(Status.SKIPPED, tryout.refused, prepare_s=prepare_s)
    named = _named(job, choice.candidate, prepare_s)
    lowered = named.trials is None and not probes(job.request)
    return Decided(
        named,
        choice.told(named.request.reductions),
        choice.candidate.task if lowered else None,
        choice.search,
        choice.probe,
        warm_up_s,
        prepare_s,
        tryout.baseline_bytes,
    )


def _choose(tryout: Tryout) -> Choosing:
    """The choice for a puzzle of any kind."""
    puzzle, request = tryout.job.puzzle, tryout.job.request
    if isinstance(puzzle, CoverProblem):
        return choose_for_cover(tryout)
    asked = confining(request, None)
    task = tryout.lowered(asked) if probes(request) else confined_task(tryout)
    with tryout.preparing:
        solved = why_unsolvable(task) is not None
    if solved:
        dlx = Candidate(backend_named("dlx"), tryout.lowered(asked))
        return Choice(dlx, "there is nothing to search")
    if probes(request):
        return _for_probe(tryout, task)
    if isinstance(puzzle, EdgePuzzle):
        return (yield from choose_for_board(tryout, task))
    return (yield from choose_for_packing(tryout, task))


def _for_probe(tryout: Tryout, task: Task) -> Choice | None:
    """What tells a probe most of what it asks."""
    for name in ("bitset", "dlx"):
        candidate = tryout.candidate(name, task)
        if candidate is not None:
            return Choice(candidate, "it tells what share of its search is done, for the probe")
    return None


def _named(job: Job, candidate: Candidate, prepare_s: float) -> Job:
    """The job with what was chosen, and what is left of its time."""
    limits = job.limits
    if limits.time_s is not None:
        limits = replace(limits, time_s=max(0.0, limits.time_s - prepare_s))
    request = job.request if probes(job.request) else candidate.task.request
    config = candidate.plain_settings
    return replace(job, backend=candidate.name, config=config, request=request, limits=limits)
