"""A search recorded: what it places and takes back, step by step, for drawing and debugging."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.backends.config import build_config
from dovetail.backends.hooks import renumbered
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.harness.drive import Stopwatch, drive_slices
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.readiness import ready_task
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status

PLACED, TAKEN_BACK = "placed", "taken back"


class TracedSearch(Search, Protocol):
    """A search of a task whose request wants a trace."""

    def take_trace(self) -> NDArray[np.int32]:
        """What was recorded since the last call: rows of a placement, or ~ of one taken back.

        And how many pieces remain then, shape (n, 2).
        """
        ...


def trace_lines(job: Job, interruption: Interruption | None = None) -> Iterator[str]:
    """The trace that the job's request wants, as JSON lines: what was asked, then the steps.

    The search ends when as much has been recorded as the request wants, at the job's limits or
    when interrupted. Raises `DovetailError` for a search that cannot be recorded.
    """
    wanted = job.request.trace
    if wanted is None:
        raise ConfigError("the request wants no trace; expected one with a Trace")
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    task = ready_task(job, backend, config)
    search = cast(TracedSearch, backend.prepare(task, config))
    yield json.dumps(
        {"puzzle": job.puzzle.name, "backend": job.backend, "config": dict(job.config)}
    )
    assert isinstance(task.all_options, PackingOptions)
    told = 0
    kept = None if task.reduced is None else task.reduced.kept.astype(np.int32)
    for recorded in _slices(search, job, interruption or Interruption()):
        rows = recorded if kept is None else renumbered(recorded, kept)
        for number, remaining in rows[: wanted.most - told].tolist():
            yield _line(task.all_options, number, remaining)
        told += len(rows)
        if told >= wanted.most:
            return


def _slices(
    search: TracedSearch, job: Job, interruption: Interruption
) -> Iterator[NDArray[np.int32]]:
    """What is recorded, slice by slice."""
    deadline = None if job.limits.time_s is None else time.monotonic() + job.limits.time_s
    for status in drive_slices(search, job.limits, deadline, interruption, Stopwatch()):
        search.take()
        yield search.take_trace()
        if status == Status.REMOVAL_LIMIT:
            return


def _line(options: PackingOptions, number: int, remaining: int) -> str:
    piece, cells = options.placed(number if number >= 0 else ~number)
    step = PLACED if number >= 0 else TAKEN_BACK
    return json.dumps({"step": step, "remaining": remaining, "piece": piece, "cells": cells})
