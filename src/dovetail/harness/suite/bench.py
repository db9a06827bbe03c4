"""The bench: runs every job of a suite in a separate process and records each run."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from dovetail.errors import TOO_LONG, ConfigError, DovetailError, WorkersError, is_too_long, show
from dovetail.harness.records.environment import load_since
from dovetail.harness.records.outline import example_of, outline, size
from dovetail.harness.records.record import Record, grouped
from dovetail.harness.records.record_files import RecordStore
from dovetail.harness.records.run_record import run_record
from dovetail.harness.records.summary import REPEATABLE, is_result, judged, summaries
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.result import Result
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.options import MAX_JOBS, ParallelOptions
from dovetail.harness.workers.runs import OnEvent, Runs, finish
from dovetail.models.outcome import Status
from dovetail.platform.resources import processor_time

# Seconds after which the main thread wakes up to run Python's signal handlers, because the system
# may deliver a signal to another thread.
WAKE_S = 0.1


class BenchSchedule:
    """A queue of the remaining runs of a plan, for any number of threads.

    A question is a puzzle with a request; jobs of the same question may differ in their reductions.
    The jobs of a question are interleaved: each of these jobs is in the queue once before any is in
    the queue again, so that all are affected equally if the machine becomes slower. Two runs of the
    same job never overlap. A job is not repeated after a run whose status is not reproducible, such
    as `time-limit`.
    """

    def __init__(self, plan: SuitePlan, known: Iterable[Record]) -> None:
        results = [record for record in known if is_result(record)]
        done = {(record.job.digest, record.repeat) for record in results}
        cut = {record.job.digest for record in results if record.result.status not in REPEATABLE}
        self._pending = [
            (planned, repeat)
            for planned, repeat in _interleaved(plan)
            if planned.job.digest not in cut and (planned.job.digest, repeat) not in done
        ]
        self._running: set[str] = set()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> list[tuple[PlannedRun, int]]:
        """The remaining runs in order, each with the number of its repeat."""
        with self._changed:
            return list(self._pending)

    def take(self) -> tuple[PlannedRun, int] | None:
        """Return the next run and the number of its repeat, or None if no run remains.

        Waits while all remaining runs belong to jobs that are running.
        """
        with self._changed:
            while self._pending:
                for index, (planned, _) in enumerate(self._pending):
                    if planned.job.digest not in self._running:
                        self._running.add(planned.job.digest)
                        return self._pending.pop(index)
                self._changed.wait()
            return None

    def ended(self, planned: PlannedRun, status: Status) -> None:
        """Record that a run has ended; drop repeats of its job if `status` is not reproducible."""
        digest = planned.job.digest
        with self._changed:
            self._running.discard(digest)
            if status not in REPEATABLE:
                self._pending = [item for item in self._pending if item[0].job.digest != digest]
            self._changed.notify_all()

    def close(self) -> None:
        """Drop the remaining runs."""
        with self._changed:
            self._pending = []
            self._changed.notify_all()


def _interleaved(plan: SuitePlan) -> Iterator[tuple[PlannedRun, int]]:
    """Yield every repeat of every job, question by question.

    Each repeat begins one job later than the repeat before it, so that the order of the jobs
    changes.
    """
    questions = grouped(
        plan.jobs.values(),
        lambda run: (run.job.puzzle.digest, replace(run.job.request, reductions=())),
    )
    for jobs in questions.values():
        for repeat in range(plan.repeats):
            first = repeat % len(jobs)
            yield from ((planned, repeat) for planned in jobs[first:] + jobs[:first])


def run_plan(
    plan: SuitePlan,
    *,
    store: RecordStore | None = None,
    parallel: int = 1,
    interruption: Interruption | None = None,
    on_begin: Callable[[PlannedRun, int], OnEvent] | None = None,
    workers: ParallelOptions | None = None,
) -> Iterator[Record]:
    """Run the jobs of `plan` whose records are not in `store`; yield each record when its run ends.

    Up to `parallel` runs take place at the same time. With `workers`, several workers search each
    run. The record of a run is in the store before another run takes its place; the record of an
    interrupted run is yielded but not stored. The bench ends early if `interruption` is requested,
    or if the caller stops iterating. Before each run, `on_begin` is called in the thread of the run
    with the run and the number of its repeat. The function that `on_begin` returns is called with
    each event of the run.

    Raises `ConfigError` for an invalid `parallel`, if the store cannot be written, if `workers` are
    combined with parallel runs, improvements or cold starts, and for a checkpoint that cannot be
    used.
    """
    resources = {digest: run.resources for digest, run in plan.jobs.items() if run.resources}
    workers = replace(workers or ParallelOptions(), resources=resources)
    _check_workers(plan, workers, parallel)
    keys = [(digest, repeat) for digest in plan.jobs for repeat in range(plan.repeats)]
    runs = Runs([plan.jobs[digest].job for digest, _ in keys], workers, side_by_side=parallel)
    stop = Interruption(within=interruption)
    schedule = BenchSchedule(plan, [] if store is None else store.records)
    ended_runs: queue.Queue[Record | BaseException | None] = queue.Queue()

    def work() -> None:
        try:
            while (taken := schedule.take()) is not None and not stop.requested:
                planned, repeat = taken
                on_event = None if on_begin is None else on_begin(planned, repeat)
                events = runs.run(keys.index((planned.job.digest, repeat)), stop)
                record = run_once(
                    plan, planned, repeat, events=events, parallel=parallel, on_event=on_event
                )
                if store is not None and record.result.status != Status.INTERRUPTED:
                    store.add(record)
                schedule.ended(planned, record.result.status)
                ended_runs.put(record)
                runs.keep_for(waiting.job for waiting, _ in schedule.waiting)
        except BaseException as error:
            ended_runs.put(error)
        finally:
            ended_runs.put(None)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(parallel)]
    with runs, stop.defer():
        try:
            for thread in threads:
                thread.start()
            yield from _until_all_are_done(ended_runs, parallel)
        finally:
            stop.request()
            schedule.close()
            for thread in threads:
                thread.join()


def _check_workers(plan: SuitePlan, workers: ParallelOptions, parallel: int) -> None:
    """Raise `ConfigError` for an invalid `parallel`, and for runs that workers cannot search."""
    if type(parallel) is not int or not 1 <= parallel <= MAX_JOBS:
        raise ConfigError(f"parallel is {show(parallel)}; expected 1 to {MAX_JOBS}")
    if workers.is_serial:
        return
    if parallel > 1:
        raise ConfigError(
            f"{parallel} parallel runs cannot use workers or a checkpoint; expected 1 run at a time"
        )
    for run in plan.runs:
        if run.job.improves or run.job.cold_start:
            what = "improvements" if run.job.improves else "cold starts"
            raise ConfigError(
                f"{what} cannot use workers or a checkpoint; expected no jobs, cluster or "
                "checkpoint"
            )


def run_once(
    plan: SuitePlan,
    planned: PlannedRun,
    repeat: int = 0,
    *,
    events: Iterator[Event],
    parallel: int = 1,
    on_event: OnEvent | None = None,
) -> Record:
    """Consume the `events` of a run, and return its record; `on_event` is called with each event.

    A run that raises `WorkersError` has the status `failed`, so that a resumed bench repeats it. A
    run that raises another `DovetailError` has the status `skipped`. Native figures that are not
    valid JSON, and a count of too many digits, give the status `failed`.
    """
    puzzle = planned.job.puzzle
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    since = processor_time()
    try:
        result = finish(events, on_event)
    except WorkersError as error:
        result = Result(Status.FAILED, reason=str(error))
    except DovetailError as error:  # for example, the puzzle does not support the request
        result = Result(Status.SKIPPED, reason=str(error))
    load = load_since(since, parallel)
    origin = dict[str, Any](
        **plan.stated[planned.job.digest],
        repeat=repeat,
        suite=plan.name,
        outline=outline(puzzle),
        example=example_of(puzzle, result.example or result.board),
        size=size(puzzle),
        begun=begun,
        load=load,
    )
    record = run_record(planned.job, result, **origin)
    try:
        json.dumps(record.json_fields(), allow_nan=False)
    except (TypeError, ValueError) as error:
        reason = f"native figures are not valid JSON: {error}"
        if is_too_long(result.count, *result.other_counts.values()):
            reason = f"JSON cannot show a count of {TOO_LONG}"
        return run_record(planned.job, Result(Status.FAILED, reason=reason), **origin)
    return record


def plan_results(plan: SuitePlan, records: Iterable[Record]) -> list[Record]:
    """Return a result for each job of `plan` that has records, in the order of the plan.

    Wrong results have the status `wrong`. Records of other jobs, and of more repeats than the plan
    has, are left out. Tags, expected counts, best known scores and published figures are from the
    plan, not from the records.
    """
    groups = grouped(records, lambda record: record.job.digest)
    chosen = [
        replace(record, **stated)
        for digest, stated in plan.stated.items()
        for record in groups.get(digest, ())
        if record.repeat < plan.repeats
    ]
    return judged(summaries(chosen))


def _until_all_are_done(
    ended_runs: queue.Queue[Record | BaseException | None], threads: int
) -> Iterator[Record]:
    while threads:
        try:
            item = ended_runs.get(timeout=WAKE_S)
        except queue.Empty:
            continue
        if isinstance(item, BaseException):
            raise item
        if item is None:
            threads -= 1
        else:
            yield item
