"""The trace of a search: each placement made or undone, for drawing and debugging."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dovetail.backends.registry import backend_named
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.planning.planner import check_one_search, session_of
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.run_record import job_fields
from dovetail.harness.run.clock import Interruption, RunClock
from dovetail.harness.run.job import Job
from dovetail.harness.run.session import Session
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Trace

PLACED, TAKEN_BACK = "placed", "taken back"
RECORDED = "recorded"


def recorded_steps(job: Job, interruption: Interruption | None = None) -> Iterator[dict[str, Any]]:
    """Yield the trace of a job as JSON objects: the job, the steps and finally the status.

    The search ends when it is complete, when the requested number of steps is recorded (status
    `recorded`), when a limit of the job is reached, or when the user interrupts the run. Raises
    `DovetailError` for a job without a trace and for a search that cannot be recorded.
    """
    wanted = job.request.trace
    if wanted is None:
        raise ConfigError("the request has no trace; expected a request with a Trace")
    check_one_search(job, "traces")
    backend_named(job.backend)  # refuses `auto`, which may choose a backend without traces
    clock = RunClock(job.limits.time_s, interruption)
    with session_of(job, clock).begun() as session:
        yield {**json_fields(job_fields(job)), "trace": asdict(wanted)}
        yield from _steps(session, wanted)


def _steps(session: Session, wanted: Trace) -> Iterator[dict[str, Any]]:
    """Yield the steps of the search or of the searches of its parts, and finally the status."""
    options, limits = session.task.all_options, session.limits
    assert isinstance(options, PackingOptions)
    recorded, status = 0, None
    with session.clock.interruption.defer():
        for prepared in session.searches()[0]:
            search = prepared.search
            for ended in session.advance(search, limits):
                status = ended
                search.take()
                rows = search.take_trace()
                if rows is None:
                    raise BackendError(f"{session.plan.backend} cannot record a trace")
                number, remaining = rows[: wanted.max_count - recorded].T
                option = prepared.to_original_ids(np.where(number < 0, ~number, number)[:, None])
                for step in np.column_stack([option, number < 0, remaining]).tolist():
                    yield _step(options, *step)
                recorded += len(rows)
                if recorded >= wanted.max_count:
                    yield {"status": RECORDED}
                    return
            if status != Status.EXHAUSTED:
                break
            if limits.nodes is not None:
                limits = replace(limits, nodes=limits.nodes - (search.counters.nodes or 0))
            if limits.solutions is not None:
                limits = replace(limits, solutions=limits.solutions - (search.count or 0))
    yield {"status": str(status)}


def _step(options: PackingOptions, number: int, undone: bool, remaining: int) -> dict[str, Any]:
    piece, cells = options.placed(number)
    step = TAKEN_BACK if undone else PLACED
    return {"step": step, "remaining": remaining, "piece": piece, "cells": cells}
