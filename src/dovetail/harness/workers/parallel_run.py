"""Run the jobs of a command on workers, each from planning to the result."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import plan_job, start_run
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Compiling, Event, Started
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.harness.run.result import Parallel, Result
from dovetail.harness.run.session import Session, placements_of
from dovetail.harness.workers.base import Workers, WorkersError, WorkerSource
from dovetail.harness.workers.checkpoint import Journal, JournalRun, StoredPart
from dovetail.harness.workers.coordinator import Coordinator, CoordinatorSettings
from dovetail.harness.workers.division import Division, divided_task, division_of, why_whole
from dovetail.harness.workers.listing import Listing
from dovetail.harness.workers.local_workers import LocalWorkers
from dovetail.harness.workers.options import ParallelOptions, SubProblemOrder
from dovetail.harness.workers.part_tree import WHOLE
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle

# How many sub-problems there are for each worker where they cannot be cut later.
TASKS_PER_WORKER = 30


def question_digest(job: Job) -> str:
    """Return the digest of what a job asks, whatever its limits: that of a checkpoint's run.

    A limit on solutions is part of it: sub-problems are not searched beyond it.
    """
    return replace(job, limits=Limits(solutions=job.limits.solutions)).digest


def run_parallel(
    job: Job,
    options: ParallelOptions,
    journal: JournalRun,
    workers: WorkerSource,
    interruption: Interruption | None = None,
) -> Iterator[Event]:
    """Run a job on workers, from where its journal stands; the last event is `Result`.

    Raises `DovetailError` as `execute` does, and for what workers report.
    """
    clock = RunClock(job.limits.time_s, interruption or Interruption())
    with clock.interruption.defer():
        lowered = yield from start_run(job, clock, searches_here=False)
        if isinstance(lowered, Result):
            journal.settle(lowered.status)
            yield lowered
            return
        given_up: dict[str, str] = {}
        while True:
            session = yield from _planned(job, journal, lowered, clock, given_up)
            if isinstance(session, Result):
                journal.settle(session.status)
                yield session
                return
            finished = yield from _ParallelRun(options, journal, session, workers).events()
            reason = session.given_up(finished)
            if reason is None:
                yield session.with_choices(finished)
                return
            given_up[session.plan.backend] = reason
            journal.forget()


def _planned(
    job: Job,
    journal: JournalRun,
    lowered: LoweredPuzzle,
    clock: RunClock,
    given_up: dict[str, str],
) -> Generator[Event, None, Session | Result]:
    """Return a session of the plan in the journal, or of a new plan.

    A plan that was made while the run was stopped may not be the one that it would have been: then
    the run ends without it, and the next command plans anew.
    """
    known = journal.plan
    if known is not None:
        plan = replace(plan_from_json(known), puzzle=job.puzzle)
        return Session(plan, job.limits, clock=clock, lowered=lowered)
    session = yield from plan_job(lowered, job, clock, given_up, on_workers=True)
    cut = clock.cut()
    if cut is None or isinstance(session, Result):
        return session
    return Result(
        cut,
        reason="stopped while planning",
        warm_up_s=clock.warming.wall_s,
        prepare_s=clock.preparing.wall_s,
    )


class _ParallelRun:
    """A planned job on its workers."""

    def __init__(
        self,
        options: ParallelOptions,
        journal: JournalRun,
        session: Session,
        source: WorkerSource,
    ) -> None:
        self._options, self._journal = options, journal
        self._session, self._plan, self._limits = session, session.plan, session.limits
        self._clock, self._source = session.clock, source
        self._listing = session.plan.request.listing or session.limits.solutions is not None
        self._collector: SolutionCollector | None = None

    def events(self) -> Generator[Event, None, Result]:
        """Search, and return the result."""
        finished = yield from self._session.examine()
        if finished is None and self._session.stops_at_first:
            reason = "its workers search in one process; expected no jobs, cluster or checkpoint"
            finished = Result(Status.SKIPPED, reason=reason)
        if finished is not None:
            self._journal.settle(finished.status)
            return finished
        if self._journal.plan is None:
            self._begin(division_of(self._session))
        division = Division(str(self._journal.division))
        if division == Division.WHOLE:
            return (yield from self._search_whole())
        if self._listing:
            self._collector = self._session.collector()
        return (yield from self._search(division))

    def _begin(self, division: Division) -> list[StoredPart]:
        """Write the plan and its first sub-problems into the journal, and return these."""
        parts = list[StoredPart]()
        match division:
            case Division.CUT:
                parts = [StoredPart(WHOLE, SubProblem(cut_from=self._plan.backend))]
            case Division.TASK:
                wanted = TASKS_PER_WORKER * self._source.workers().count
                parts = divided_task(self._session.task, wanted)
        self._journal.begin(plan_to_json(self._plan), division.value, parts)
        return parts

    def _search_whole(self) -> Generator[Event, None, Result]:
        """Search what cannot be divided in one process; the journal keeps nothing of it."""
        self._source.dismiss()
        session = self._session
        yield from self._clock.compile(session.backend, session.task, session.config)
        self._journal.sit_down(1)
        finished: Result | None = None
        for event in session.search(session.collector()):
            if isinstance(event, Result):
                finished = event
            else:
                yield event
        assert finished is not None, "a run ends with Result"
        self._journal.end(finished.status, finished.solve_s)
        why = why_whole(session)
        sittings = self._journal.sittings
        return replace(
            finished, parallel=Parallel(1, Division.WHOLE.value, sittings=sittings, why_whole=why)
        )

    def _search(self, division: Division) -> Generator[Event, None, Result]:
        plan, clock, options = self._plan, self._clock, self._options
        collector, listing = self._collector, None
        if collector is not None:
            first = options.order == SubProblemOrder.PROMISING and collector.stops
            lowered = self._session.task.lowered
            listing = Listing(self._journal, collector, lowered, any_order=first)
        coordinator = Coordinator(
            self._journal,
            self._source.workers(),
            division,
            self._limits,
            clock,
            divide_by_task=lambda: self._begin(Division.TASK),
            listing=listing,
            settings=CoordinatorSettings(
                options.audit,
                plan.seed,
                options.checkpoint is not None,
                options.order,
                self._session.backend.learns,
            ),
        )
        yield from self._start_workers(coordinator)
        with clock.solving:
            yield from coordinator.events()
        totals = coordinator.totals
        fewest, largest = self._journal.workers
        return replace(
            coordinator.result,
            verified=totals.verified if collector is None else collector.verified,
            placements=placements_of(self._session.task),
            symmetry_expansion=self._expansion_name(),
            parallel=replace(
                totals.parallel(coordinator.division.value),
                workers=largest,
                fewest_workers=None if fewest == largest else fewest,
                same_nodes=self._has_same_nodes(coordinator),
            ),
            warm_up_s=clock.warming.wall_s,
            prepare_s=clock.preparing.wall_s,
            solve_s=self._journal.wall_s,
            solve_cpu_s=totals.solve_cpu_s,
            check_s=totals.check_s + clock.verifying.wall_s,
            peak_bytes=totals.peak_bytes or None,
            example=None if collector is None else collector.example,
        )

    def _start_workers(self, coordinator: Coordinator) -> Iterator[Event]:
        """Give the workers the plan, and wait until one of them is ready: time does not count."""
        plan = self._plan
        yield Compiling(under_way=True)
        with self._clock.warming:
            request = replace(plan.request, listing=self._listing)
            self._source.workers().begin(replace(plan, request=request))
            coordinator.wait_for_a_worker()
        yield Started(self._clock.warming.wall_s)

    def _has_same_nodes(self, coordinator: Coordinator) -> bool:
        """Return whether the nodes, if they are counted, are those of a serial search."""
        as_one = coordinator.division is Division.CUT and not self._session.backend.learns
        return not coordinator.totals.counts_nodes or (as_one and self._limits.solutions is None)

    def _expansion_name(self) -> str:
        if self._collector is not None:
            return self._collector.expansion_name
        part = SubProblem(cut_from=self._plan.backend)
        return self._session.task.within(part).symmetry_expansion().name


class RunsOnWorkers:
    """Runs the `jobs` of a command as its `options` say, each by its number.

    Raises `ConfigError` for a checkpoint that is of other jobs or cannot be used.
    """

    def __init__(self, jobs: Sequence[Job], options: ParallelOptions) -> None:
        self._jobs, self._options = jobs, options
        self._workers: Workers | None = None
        self._job: Job | None = None
        questions = [question_digest(job) for job in jobs]
        path = None if options.checkpoint is None else Path(options.checkpoint)
        self._journal = Journal(path, questions, list(map(_name, jobs)))

    def close(self) -> None:
        """End the workers, and finish writing the checkpoint."""
        self.dismiss()
        self._journal.close()

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """Yield the events of a run; the last one is `Result`.

        Raises `WorkersError` when there are no workers; it says whether the run can go on.
        """
        self._job = job = self._jobs[number]
        try:
            if self._is_divided(job):
                self.workers()  # they start while the plan is made
            journal = self._journal.run(number)
            yield from run_parallel(job, self._options, journal, self, interruption)
        except WorkersError as error:
            raise WorkersError(f"{error}; {self._what_is_kept}") from None
        finally:
            if self._workers is not None and not self._workers.are_idle():
                self.dismiss()

    def workers(self) -> Workers:
        """Return the workers, which are started if there are none."""
        if self._workers is None:
            assert self._job is not None, "no run has begun"
            self._workers = self._new_workers(self._job)
        return self._workers

    def dismiss(self) -> None:
        """End the workers, if there are any."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    @property
    def _what_is_kept(self) -> str:
        """Whether another command can continue, in words."""
        if self._journal.path is None:
            return "nothing is kept of the run; a checkpoint would keep what is done"
        return f"{self._journal.path} keeps what is done: the same command continues from there"

    def _is_divided(self, job: Job) -> bool:
        """Return whether a job is divided, as far as this is known before there is a plan."""
        backend = named_backend(job.backend)
        if backend is not None and backend.threads:
            return False
        return job.random is None and job.trials is None

    def _new_workers(self, job: Job) -> Workers:
        options, memory_bytes = self._options, job.limits.memory_bytes
        hangs_s = options.worker_timeout_s
        if options.cluster is not None:
            from dovetail.harness.workers.cluster import ClusterWorkers

            return ClusterWorkers(options.cluster, memory_bytes=memory_bytes, late_s=2 * hangs_s)
        backend = None if job.backend == AUTO else job.backend
        return LocalWorkers(
            options.workers, backend=backend, memory_bytes=memory_bytes, hangs_s=hangs_s
        )


def _name(job: Job) -> str:
    """Return the name of a run in messages about a checkpoint."""
    listed = ", solutions listed" if job.request.listing else ""
    return f"{job.puzzle.name}, {job.backend}{listed}"
