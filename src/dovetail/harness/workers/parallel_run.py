"""Runs of jobs on workers, from planning to the result.

Dividing a puzzle beforehand into many parts for each worker is the method of J.-C. Régin, M.
Rezgui, A. Malapert, "Embarrassingly parallel search", CP 2013.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import WorkersError
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import plan_job, start_run
from dovetail.harness.run.clock import Interruption, RunClock
from dovetail.harness.run.events import Compiling, Event, Started
from dovetail.harness.run.job import Job, Limits, RandomOrder, Trials
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session, placements_of
from dovetail.harness.workers.base import Workers
from dovetail.harness.workers.checkpoint import (
    Checkpoint,
    CheckpointPart,
    CheckpointRun,
    Division,
    Listing,
)
from dovetail.harness.workers.coordinator import Coordinator
from dovetail.harness.workers.options import ParallelOptions
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle, Task

if TYPE_CHECKING:
    from dovetail.harness.workers.clusters.slurm import SlurmResources

# Number of parts for each worker if the search cannot return unexplored parts.
TASKS_PER_WORKER = 30
# Maximum number of trials that are divided. Each is a part, which takes about 1 kB.
MAX_TRIALS = 100_000


def question_digest(job: Job) -> str:
    """Return the digest that identifies the run of a job in a checkpoint.

    Of the limits, only the limit on solutions is included, because parts are not searched beyond
    this limit. For an improvement, returns the settings without limits as JSON.
    """
    if not job.improves:
        return replace(job, limits=Limits(solutions=job.limits.solutions)).digest
    left_out = ("request", "improves", "limits", "cold_start")
    stated = {name: value for name, value in job.stated.items() if name not in left_out}
    names = {"puzzle": stated.pop("puzzle"), "improver": stated.pop("backend")}
    return json.dumps({**names, "objective": job.objective, **stated})


class Pool:
    """The workers of a command, which are started when they are first needed."""

    def __init__(self, start: Callable[[], Workers]) -> None:
        self._start = start
        self._workers: Workers | None = None

    def workers(self) -> Workers:
        """Return the workers; start them if there are none."""
        self._workers = self._workers or self._start()
        return self._workers

    def close(self, *, busy: bool = False) -> None:
        """End the workers, if any; with `busy`, only if a worker has an assignment."""
        if self._workers is not None and not (busy and self._workers.are_idle()):
            self._workers.close()
            self._workers = None


class RunsOnWorkers:
    """The runs of a command on workers, by the numbers of their jobs.

    Raises `ConfigError` for a checkpoint that belongs to other jobs or cannot be used, and
    `FormatError` for an invalid file of SLURM resources.
    """

    def __init__(self, jobs: Sequence[Job], options: ParallelOptions) -> None:
        self._jobs, self._options = jobs, options
        self._slurm: SlurmResources | None = None
        if options.cluster is not None:
            from dovetail.harness.workers.clusters.slurm import slurm_file

            self._slurm = slurm_file(options.cluster)
        # Pools by the SLURM resources and the memory limit of their jobs.
        self._pools: dict[tuple[SlurmResources | None, int | None], Pool] = {}
        questions = [question_digest(job) for job in jobs]
        path = None if options.checkpoint is None else Path(options.checkpoint)
        self._checkpoint = Checkpoint(path, questions, list(map(_name, jobs)))

    def close(self) -> None:
        """End the workers, and finish writing the checkpoint."""
        for pool in self._pools.values():
            pool.close()
        self._checkpoint.close()

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """Yield the events of the run of a job by its number; the last event is `Result`.

        Raises `WorkersError` if workers cannot be started or have failed; the message says whether
        the run can be resumed.
        """
        job = self._jobs[number]
        pool = self._pool_for(job)
        try:
            if job.improves:
                from dovetail.harness.workers.islands.islands import improve_on_islands

                run = self._checkpoint.run(number)
                yield from improve_on_islands(job, self._options, run, interruption)
                return
            if _may_be_divided(job):
                pool.workers()  # workers start while the plan is made
            run = self._checkpoint.run(number)
            yield from run_parallel(job, self._options, run, pool, interruption)
        except WorkersError as error:
            if self._checkpoint.run(number).division is None:  # there are no results
                raise
            kept = "the results so far are lost; with a checkpoint, the run could be continued"
            if path := self._checkpoint.path:
                kept = f"{path} has the results so far: the same command continues the run"
            raise WorkersError(f"{error}; {kept}") from None
        finally:
            pool.close(busy=True)

    def keep_for(self, jobs: Iterable[Job]) -> None:
        """End the workers that none of the remaining `jobs` can use."""
        for key in self._pools.keys() - set(map(self._resources, jobs)):
            self._pools.pop(key).close()

    def _resources(self, job: Job) -> tuple[SlurmResources | None, int | None]:
        others = self._options.resources.get(job.digest)
        return self._slurm and self._slurm.of_solver(others), job.limits.memory_bytes

    def _pool_for(self, job: Job) -> Pool:
        """Return the pool with the resources of a job; without SLURM, only one pool is kept."""
        key = slurm, _ = self._resources(job)
        if slurm is None:
            self.keep_for([job])
        return self._pools.setdefault(key, Pool(partial(self._new_workers, job, slurm)))

    def _new_workers(self, job: Job, slurm: SlurmResources | None) -> Workers:
        options, memory_bytes = self._options, job.limits.memory_bytes
        hangs_s = options.worker_timeout_s
        if options.cluster is not None:
            from dovetail.harness.workers.clusters.cluster import ClusterWorkers

            return ClusterWorkers(
                options.cluster, slurm=slurm, memory_bytes=memory_bytes, late_s=2 * hangs_s
            )
        from dovetail.harness.workers.local import LocalWorkers

        backend = None if job.backend == AUTO else job.backend
        return LocalWorkers(
            options.workers, backend=backend, memory_bytes=memory_bytes, hangs_s=hangs_s
        )


def _may_be_divided(job: Job) -> bool:
    """Return whether a job can be divided, as far as this is known before planning."""
    backend = named_backend(job.backend)
    return not (backend and backend.threads) and job.random is None


def _name(job: Job) -> str:
    """Return the name of a run in messages about a checkpoint."""
    listed = ", solutions listed" if job.request.listing else ""
    return f"{job.puzzle.name}, {job.backend}{listed}"


def run_parallel(
    job: Job,
    options: ParallelOptions,
    run: CheckpointRun,
    pool: Pool,
    interruption: Interruption | None = None,
) -> Iterator[Event]:
    """Run a job on workers, starting from the state of its checkpoint; the last event is `Result`.

    Raises the errors of `runs.execute`, and `DovetailError` for an error that a worker reports.
    """
    clock = RunClock(job.limits.time_s, interruption or Interruption())
    with clock.interruption.defer():
        lowered = yield from start_run(job, clock, searches_here=False)
        if isinstance(lowered, Result):
            run.settle(lowered.status)
            yield lowered
            return
        given_up: dict[str, str] = {}
        while True:
            session = yield from _session(job, run, lowered, clock, given_up)
            if isinstance(session, Result):
                run.settle(session.status)
                yield session
                return
            finished = yield from _ParallelRun(options, run, session, pool).events()
            reason = session.given_up(finished)
            if reason is None:
                yield session.with_choices(finished)
                return
            given_up[session.plan.backend] = reason
            run.write("forget")


def _session(
    job: Job,
    run: CheckpointRun,
    lowered: LoweredPuzzle,
    clock: RunClock,
    given_up: dict[str, str],
) -> Generator[Event, None, Session | Result]:
    """Return a session of the recorded plan or of a new plan, or a result without a search.

    A plan that is made while the run is being stopped may differ from the plan of an undisturbed
    run. The run therefore ends without a plan, and the next command plans again.
    """
    if run.plan is not None:
        plan = replace(plan_from_json(run.plan), puzzle=job.puzzle)
        return Session(plan, job.limits, clock=clock, lowered=lowered)
    session = yield from plan_job(lowered, job, clock, given_up, on_workers=True)
    cut = clock.ending_status()
    if cut is None or isinstance(session, Result):
        return session
    return Result(
        cut,
        0,
        reason="stopped while planning",
        warm_up_s=clock.warming.wall_s,
        prepare_s=clock.preparing.wall_s,
    )


class _ParallelRun:
    """The run of a session's plan on workers."""

    def __init__(
        self, options: ParallelOptions, run: CheckpointRun, session: Session, pool: Pool
    ) -> None:
        self._options, self._run, self._session, self._pool = options, run, session, pool
        self._clock, self._limits = session.clock, session.limits

    def events(self) -> Generator[Event, None, Result]:
        """Search the plan, yield the events and return the result."""
        session, run = self._session, self._run
        finished = yield from session.examine()
        if finished is None and session.stops_at_first:
            reason = "its workers search in one process; expected no jobs, cluster or checkpoint"
            finished = Result(Status.SKIPPED, reason=reason)
        if finished is not None:
            run.settle(finished.status)
            return finished
        if run.plan is None:
            self._begin(division_of(session))
        division = Division(str(run.division))
        if division is Division.WHOLE:
            return (yield from self._search_whole())
        return (yield from self._search(division))

    def _begin(self, division: Division) -> list[CheckpointPart]:
        """Record the plan and its first parts, and return the parts."""
        parts = list[SubProblem]()
        match division:
            case Division.CUT:
                parts = [SubProblem(cut_from=self._session.plan.backend)]
            case Division.TASK:
                wanted = TASKS_PER_WORKER * self._pool.workers().count
                least = self._session.least_images
                whole = self._session.task
                parts = divided_task(whole, wanted) if least is None else least.parts(wanted)
            case Division.TRIALS:
                order = self._session.plan.order
                assert isinstance(order, Trials)
                parts = [SubProblem(trial=number) for number in range(order.count)]
        return self._run.begin(plan_to_json(self._session.plan), division.value, parts)

    def _search_whole(self) -> Generator[Event, None, Result]:
        """Search an undivided plan in this process; the checkpoint does not store its result."""
        session, run = self._session, self._run
        self._pool.close()
        yield from self._clock.compile(session.backend, session.task, session.config)
        run.sit_down(1)
        finished = yield from session.search(session.collector())
        run.end(finished.status, finished.solve_s)
        parallel = replace(run.parallel(Division.WHOLE), why_whole=why_whole(session))
        return replace(finished, parallel=parallel)

    def _search(self, division: Division) -> Generator[Event, None, Result]:
        session, clock, plan = self._session, self._clock, self._session.plan
        is_limited = self._limits.solutions is not None
        options, by_trials = self._options, division is Division.TRIALS
        if by_trials:  # no trial promises more than another
            options = replace(options, subproblem_order="serial")
        lists = plan.request.listing or is_limited or by_trials
        collector, listing = session.collector() if lists else None, None
        if collector is not None:
            any_order = is_limited and options.subproblem_order == "promising"
            lowered = session.task.lowered
            listing = Listing(self._run, collector, lowered, any_order=any_order)
        coordinator = Coordinator(
            self._run,
            self._pool.workers(),
            division,
            session,
            options,
            divide_by_task=lambda: self._begin(Division.TASK),
            listing=listing,
        )
        yield Compiling(under_way=True)
        with clock.warming:
            request = replace(plan.request, listing=lists)
            self._pool.workers().begin(replace(plan, request=request))
            coordinator.wait_for_a_worker()
        yield Started(clock.warming.wall_s)
        with clock.solving:
            yield from coordinator.events()
        totals, (fewest, largest) = coordinator.totals, self._run.workers
        result = coordinator.result
        exact = result.status == Status.EXHAUSTED
        other = None if collector is None else collector.expansion.other
        broken = session.least_images is not None
        whole = session.task.within(SubProblem(cut_from=plan.backend, least_images=broken))
        expansion = whole.symmetry_expansion() if collector is None else collector.expansion
        return replace(
            result,
            other_counts=session.task.other_counts(result.count, other) if exact else {},
            verified=totals.verified if collector is None else collector.verified,
            placements=placements_of(session.task),
            symmetry_expansion=expansion.name,
            parallel=replace(
                self._run.parallel(coordinator.division.value),
                workers=largest,
                fewest_workers=None if fewest == largest else fewest,
                same_nodes=self._has_serial_nodes(coordinator.division, result),
            ),
            warm_up_s=clock.warming.wall_s,
            prepare_s=clock.preparing.wall_s,
            solve_s=self._run.wall_s,
            solve_cpu_s=totals.solve_cpu_s,
            check_s=totals.check_s + clock.verifying.wall_s,
            peak_bytes=totals.peak_bytes or None,
            example=None if collector is None else collector.example,
        )

    def _has_serial_nodes(self, division: Division, result: Result) -> bool:
        """Return whether the number of nodes, if any, does not depend on how the run is divided."""
        if result.nodes is None:
            return True
        if division is Division.TRIALS:
            return result.status is Status.REMAINING_LIMIT
        is_limited = self._limits.solutions is not None or result.status is Status.NODE_LIMIT
        return division is Division.CUT and not self._session.backend.learns and not is_limited


def division_of(session: Session) -> Division:
    """Return the division of the plan of a session that has begun.

    Trials have the division `TRIALS`. A plan that is divided to break symmetry (see
    `Session.least_images`) has the division `TASK`. If a search with the division `CUT` turns out
    not to return its unexplored parts, the run is later divided by `TASK`.
    """
    if why_whole(session) is not None:
        return Division.WHOLE
    backend = session.backend
    if isinstance(session.plan.order, Trials):
        return Division.TRIALS
    if session.least_images is not None:
        return Division.TASK
    cuts = backend.cuts and backend.cuts_task(session.task, session.config)
    return Division.CUT if cuts else Division.TASK


def why_whole(session: Session) -> str | None:
    """Return the reason why the plan of a session is not divided; None if it is divided."""
    backend, plan = session.backend, session.plan
    if backend.threads:
        return f"{backend.name} runs in one process (-c threads=N sets the number of threads)"
    if isinstance(plan.order, RandomOrder):
        return "searches in random orders run in one process"
    if isinstance(plan.order, Trials) and plan.order.count > MAX_TRIALS:
        return f"more than {MAX_TRIALS:,} trials run in one process"
    if plan.sub_problem is not None:
        return "a plan of a sub-problem runs in one process"
    return backend.why_undivided(session.task, session.config)


def divided_task(task: Task, wanted: int) -> list[SubProblem]:
    """Divide a task into about `wanted` parts, or fewer if no part can be divided further.

    The parts are in a fixed order. The part with the fewest placed options is divided first, by the
    options of an item. This item has the fewest options among the items that must be covered
    exactly once and have two or more options.
    """
    cover = task.lowered.options.cover
    allowed = np.ones(cover.option_count, dtype=bool)
    if task.reduced is not None:
        allowed[:] = False
        allowed[task.reduced.kept] = True
    parts = list[SubProblem]()
    waiting = deque([SubProblem()])
    while waiting and len(parts) + len(waiting) < wanted:
        part = waiting.popleft()
        branches = _branches(cover, part.kept(cover) & allowed)
        if branches is None:
            parts.append(part)
        else:
            waiting.extend(SubProblem((*part.taken, int(option))) for option in branches)
    return sorted([*parts, *waiting], key=lambda part: part.taken)


def _branches(cover: CoverProblem, kept: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Return the options of the item to branch on, see `divided_task`.

    Returns None if none of the items that must be covered exactly once has two or more options, or
    if one of these items has no options.
    """
    members = kept[cover.option_of_member]
    left = np.bincount(cover.item[members], minlength=cover.item_count)
    once = np.zeros(cover.item_count, dtype=bool)
    once[: cover.primary_count] = (cover.lower == 1) & (cover.upper == 1)
    if (left[once] == 0).any():
        return None
    open_items = np.flatnonzero(once & (left > 1))
    if not len(open_items):
        return None
    item = open_items[left[open_items].argmin()]
    branches: NDArray[np.int64] = cover.option_of_member[members & (cover.item == item)]
    return branches
