"""A job that improves a board, as one run among others: its events, and how it finishes."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.errors import BackendError
from dovetail.harness.improving.improvement import (
    ImprovementJob,
    ImprovementResult,
    edge_puzzle,
)
from dovetail.harness.improving.run import improve
from dovetail.harness.run.best_board import BestBoard
from dovetail.harness.run.events import Event, Progress, Started
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.improvers import DEFAULT_TIME_S
from dovetail.models.outcome import Counters, Status
from dovetail.platform.memory import peak_bytes


def run_improvement(job: Job, interruption: Interruption) -> Iterator[Event]:
    """Improve the board of `job` and yield what happens; the last event is `Result`.

    Without a limit on time it has `DEFAULT_TIME_S`. Raises as `improve` does, but a wrong board
    finishes the run, which is wrong.
    """
    asked = ImprovementJob(
        edge_puzzle(job.puzzle),
        job.backend,
        job.config,
        job.seed,
        DEFAULT_TIME_S if job.limits.time_s is None else job.limits.time_s,
        job.limits.nodes,
    )
    events = improve(asked, interruption)
    started = next(events)  # before it, errors are refusals
    assert isinstance(started, Started)
    yield started
    yield Progress(None, 0, None)
    try:
        for event in events:
            match event:
                case BestBoard():
                    yield event
                    last = event.trace[-1]
                    yield Progress(None, last.nodes, None, solve_s=last.seconds)
                case ImprovementResult():
                    yield _finished(event, started.baseline_bytes)
    except BackendError as error:
        yield Result(Status.WRONG, reason=str(error))


def _finished(result: ImprovementResult, baseline_bytes: int | None) -> Result:
    """The end of an improvement in the terms of any run.

    A solved board is one solution. Where all boards were tried and none was, there is none.
    """
    count = {Status.SOLVED: 1, Status.EXHAUSTED: 0}.get(result.status)
    counters = Counters(nodes=result.nodes, native=result.counters)
    return Result(
        result.status,
        count,
        counters,
        verified=int(result.is_solution),
        warm_up_s=result.warm_up_s,
        solve_s=result.solve_s,
        solve_cpu_s=result.cpu_s,
        peak_bytes=peak_bytes(),
        baseline_bytes=baseline_bytes,
        example=result.board.solution,
        best=result.best,
    )
