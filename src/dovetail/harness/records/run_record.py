"""Records of runs on this machine: the fields of a job and of its result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from dovetail.backends.backend_file import BackendFile
from dovetail.backends.config import build_config
from dovetail.backends.registry import counts_probably, find_backend, solver_label
from dovetail.harness.records.environment import environment
from dovetail.harness.records.fields import json_fields, recorded
from dovetail.harness.records.record import SCHEMA, JobFields, Record
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.plain_data import Settings


def job_fields(job: Job, result: Result | None = None) -> JobFields:
    """Return the fields of a job; `result` names the backend that `auto` chose, if any."""
    request = job.request
    return JobFields(
        digest=job.digest,
        puzzle=job.puzzle.name,
        puzzle_digest=job.puzzle.digest,
        backend=job.backend if job.improves else solver_label(job.backend, job.config),
        config=cast("Settings", job.config),
        symmetry=str(request.symmetry),
        labelled=request.labelled,
        reductions=tuple(map(str, request.reductions)),
        triggers=tuple(map(str, request.triggers)),
        random=job.random,
        trials=job.trials,
        limits=job.limits,
        seed=job.seed,
        cold_start=job.cold_start,
        improves=job.improves,
        objective=job.objective,
        start=None if job.start is None else job.start.cells,
        disassembles=job.disassembles,
        node_meaning=_node_meaning(job, result),
        probable=not job.improves and counts_probably(job.backend, job.config),
    )


def result_fields(job: Job, result: Result) -> dict[str, Any]:
    """Return the fields of a job and its result, as `--json` prints them.

    The result of an improvement also has `cells`: the rows of the board from the bottom, each cell
    with tile number and rotation, or null for an empty cell. Without a board, `cells` is null.
    """
    fields = {**json_fields(job_fields(job, result)), **json_fields(_identified(job, result))}
    if job.improves:
        fields["cells"] = None if result.board is None else result.board.cells
    return fields


def run_record(job: Job, result: Result, **origin: Any) -> Record:
    """Return the record of a run on this machine; `origin` has the other fields of the record."""
    return Record(
        schema=SCHEMA,
        job=job_fields(job, result),
        result=recorded(_identified(job, result)),
        environment=environment(),
        **origin,
    )


def _node_meaning(job: Job, result: Result | None) -> str | None:
    """Return the definition of a node of the backend that searched.

    Returns None if the backend defines no nodes, if `auto` has not chosen a backend, or if only the
    child process has the backend.
    """
    chosen = None if result is None else result.chosen
    backend = find_backend(job.backend if chosen is None else chosen.backend)
    if backend is None or chosen is not None:
        return None if backend is None else backend.node_meaning
    return backend.counted_nodes(build_config(backend.config_type, job.config, backend.name))


def _identified(job: Job, result: Result) -> Result:
    """Return the result; for a backend in a file, `program` also identifies the file."""
    if not isinstance(job.backend, BackendFile):
        return result
    return replace(result, program={**job.backend.identity, **result.program})
