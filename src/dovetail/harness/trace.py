"""A search recorded: what it places and takes back, step by step, for drawing and debugging."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.backends.config import build_config
from dovetail.backends.hooks import renumbered
from dovetail.backends.registry import backend_named
from dovetail.errors import BackendError, ConfigError
from dovetail.harness.drive import Stopwatch, drive_slices
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.readiness import ready_task
from dovetail.harness.records.recording import job_fields
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status

PLACED, TAKEN_BACK = "placed", "taken back"
RECORDED = "recorded"


@runtime_checkable
class TracedSearch(Search, Protocol):
    """A search of a task whose request wants a trace."""

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call: rows of a placement, or ~ of one taken back.

        And how many pieces remain then, shape (n, 2).
        """
        ...


def recorded_steps(job: Job, interruption: Interruption | None = None) -> Iterator[dict[str, Any]]:
    """The trace that the job's request wants, as JSON objects: what was asked, steps, the status.

    The search ends when as much has been recorded as the request wants (status `recorded`), at
    the job's limits or when interrupted. Raises `DovetailError` for what cannot be recorded.
    """
    wanted = job.request.trace
    if wanted is None:
        raise ConfigError("the request wants no trace; expected one with a Trace")
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    task = ready_task(job, backend, config)
    search = backend.prepare(task, config)
    if not isinstance(search, TracedSearch):
        raise BackendError(f"{backend.name} does not record what it places")
    yield {**job_fields(job).json_fields(), "trace": asdict(wanted)}
    assert isinstance(task.all_options, PackingOptions)
    told, interruption = 0, interruption or Interruption()
    kept = None if task.reduced is None else task.reduced.kept.astype(np.int32)
    with interruption.defer():
        for ended, recorded in _slices(search, job, interruption):
            status = ended
            rows = recorded if kept is None else renumbered(recorded, kept)
            for number, remaining in rows[: wanted.most - told].tolist():
                yield _step(task.all_options, number, remaining)
            told += len(rows)
            if told >= wanted.most:
                yield {"status": RECORDED}
                return
    yield {"status": str(status)}


def _slices(
    search: TracedSearch, job: Job, interruption: Interruption
) -> Iterator[tuple[Status | None, NDArray[np.int32]]]:
    """What ended a slice, if it was the last, and what it recorded."""
    deadline = None if job.limits.time_s is None else time.monotonic() + job.limits.time_s
    for status in drive_slices(search, job.limits, deadline, interruption, Stopwatch()):
        search.take()
        yield status, search.take_trace()


def _step(options: PackingOptions, number: int, remaining: int) -> dict[str, Any]:
    piece, cells = options.placed(number if number >= 0 else ~number)
    step = PLACED if number >= 0 else TAKEN_BACK
    return {"step": step, "remaining": remaining, "piece": piece, "cells": cells}
