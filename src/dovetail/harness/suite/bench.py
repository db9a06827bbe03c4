"""Runs a suite: every job in a process of its own, every run a record."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from dovetail.errors import ConfigError, DovetailError
from dovetail.harness.execution.isolation import execute_isolated
from dovetail.harness.execution.launch import OnEvent, finish
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.runs import Runs
from dovetail.harness.records.environment import LoadMeter
from dovetail.harness.records.outline import example_of, outline, size
from dovetail.harness.records.record import Record
from dovetail.harness.records.recording import run_record
from dovetail.harness.records.store import RecordStore
from dovetail.harness.records.summary import judged, summaries
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.result import Result
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.suite.schedule import Schedule
from dovetail.models.outcome import Status

# Python's handlers of signals run in the main thread only, when it does: one that waits without
# end sleeps on where the system has given the signal to another thread.
WAKE_S = 0.1


def run_plan(
    plan: SuitePlan,
    *,
    store: RecordStore | None = None,
    parallel: int = 1,
    interruption: Interruption | None = None,
    on_begin: Callable[[PlannedRun, int], OnEvent] | None = None,
    spread: ParallelOptions | None = None,
) -> Iterator[Record]:
    """Run what `plan` asks for and `store` does not have; yields each record when it is made.

    Runs go one after another, or `parallel` of them side by side: then their times are those
    of a busy machine. Each is `spread` over workers, if so asked. The record of each run is in the
    store before another run begins in its place; that of an interrupted run is only yielded. Ends
    early when `interruption` is requested; a caller that stops iterating ends what runs. `on_begin`
    is called with each run and its number among the repeats, before it begins, by the thread that
    runs it; what it returns is called with each event of the run. Raises `ConfigError` when the
    store cannot be written, for runs side by side or with cold starts that are spread, and for a
    checkpoint that cannot be used.
    """
    spread = spread or ParallelOptions()
    if parallel > 1 and not spread.is_serial:
        raise ConfigError(
            f"{parallel} parallel runs with workers or a checkpoint; expected one run at a time"
        )
    if not spread.is_serial and any(run.job.improves for run in plan.runs):
        raise ConfigError(
            "improvements with workers or a checkpoint; expected runs in one process each, without "
            "jobs, cluster and checkpoint"
        )
    if not spread.is_serial and any(run.job.cold_start for run in plan.runs):
        raise ConfigError(
            "cold starts with workers or a checkpoint; expected runs in one process each, without "
            "jobs, cluster and checkpoint"
        )
    places = [(digest, repeat) for digest in plan.jobs for repeat in range(plan.repeats)]
    runs = None
    if not spread.is_serial:
        runs = Runs([plan.jobs[digest].job for digest, _ in places], spread)
    stop = Interruption(within=interruption)
    schedule = Schedule(plan, [] if store is None else store.records)
    ended_runs: queue.Queue[Record | BaseException | None] = queue.Queue()

    def work() -> None:
        try:
            while (taken := schedule.take()) is not None and not stop.requested:
                planned, repeat = taken
                on_event = None if on_begin is None else on_begin(planned, repeat)
                number = places.index((planned.job.digest, repeat))
                events = None if runs is None else runs.run(number, stop)
                record = run_once(
                    plan,
                    planned,
                    repeat,
                    parallel=parallel,
                    interruption=stop,
                    on_event=on_event,
                    events=events,
                )
                if store is not None and record.result.status != Status.INTERRUPTED:
                    store.add(record)
                schedule.ended(planned, record.result.status)
                ended_runs.put(record)
        except BaseException as error:
            ended_runs.put(error)
        finally:
            ended_runs.put(None)

    workers = [threading.Thread(target=work, daemon=True) for _ in range(parallel)]
    with stop.defer():
        try:
            for worker in workers:
                worker.start()
            yield from _until_all_are_done(ended_runs, parallel)
        finally:
            stop.request()
            schedule.close()
            for worker in workers:
                worker.join()
            if runs is not None:
                runs.close()


def run_once(
    plan: SuitePlan,
    planned: PlannedRun,
    repeat: int = 0,
    *,
    parallel: int = 1,
    interruption: Interruption | None = None,
    on_event: OnEvent | None = None,
    events: Iterator[Event] | None = None,
) -> Record:
    """The record of one run; without `events`, it runs in a child process."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    if events is None:
        events = execute_isolated(planned.job, interruption, side_by_side=parallel)
    with LoadMeter() as meter:
        finished = _finished(events, on_event)

    origin = dict[str, Any](
        repeat=repeat,
        suite=plan.name,
        tags=planned.tags,
        expected=planned.expected,
        best_known=planned.best_known,
        published=plan.rows.get(planned.job.digest, {}),
        outline=outline(planned.job.puzzle),
        example=example_of(planned.job.puzzle, finished.example),
        size=size(planned.job.puzzle),
        begun=begun,
        load=meter.load(parallel),
    )
    made = run_record(planned.job, finished, **origin)
    try:
        json.dumps(made.json_fields(), allow_nan=False)
    except (TypeError, ValueError) as error:
        failed = Result(Status.FAILED, reason=f"its native figures are not valid JSON: {error}")
        return run_record(planned.job, failed, **origin)
    return made


def plan_results(plan: SuitePlan, records: Iterable[Record]) -> list[Record]:
    """The results of `plan`: one per job, in its order, those that are wrong marked.

    What `records` hold of other plans is left out, what has been asked for since (tags, the
    expected count, the best known score) is as the plan says. So is what is `published`, by the
    names of rows.
    """
    jobs, rows = plan.jobs, plan.rows
    place = {digest: number for number, digest in enumerate(jobs)}
    chosen = [
        replace(
            record,
            tags=jobs[record.job.digest].tags,
            expected=jobs[record.job.digest].expected,
            best_known=jobs[record.job.digest].best_known,
            published=rows.get(record.job.digest, {}),
        )
        for record in records
        if record.job.digest in jobs and record.repeat < plan.repeats
    ]
    chosen.sort(key=lambda record: place[record.job.digest])
    return judged(summaries(chosen))


def _finished(events: Iterator[Event], on_event: OnEvent | None) -> Result:
    """The end of one run; what the request cannot ask of the puzzle is like a refusal."""
    try:
        return finish(events, on_event)
    except DovetailError as error:
        return Result(Status.SKIPPED, reason=str(error))


def _until_all_are_done(
    ended_runs: queue.Queue[Record | BaseException | None], workers: int
) -> Iterator[Record]:
    while workers:
        try:
            item = ended_runs.get(timeout=WAKE_S)
        except queue.Empty:
            continue
        if isinstance(item, BaseException):
            raise item
        if item is None:
            workers -= 1
        else:
            yield item
