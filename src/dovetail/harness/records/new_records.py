"""New records of runs on this machine: the fields of a job and a result, and the environment."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from dovetail.backends.backend_file import BackendFile
from dovetail.backends.config import build_config
from dovetail.backends.registry import counts_probably, find_backend, solver_label
from dovetail.extras import package_version
from dovetail.harness.records.fields import json_fields, recorded
from dovetail.harness.records.record import (
    CHANGED,
    SCHEMA,
    Environment,
    JobFields,
    Load,
    Machine,
    Record,
)
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.plain_data import Settings
from dovetail.platform.resources import (
    ProcessorTime,
    physical_bytes,
    processor_name,
    processor_time,
    usable_cores,
)

# Distributions whose versions affect results.
PACKAGES = (
    *("dovetail", "numpy", "numba", "ortools", "python-constraint2", "xcover", "pychoco"),
    *("clingo", "python-sat", "d4Solver", "pyganak", "miniexact"),
)


@cache
def environment() -> Environment:
    """Return the machine, the versions of packages, and the commit of a source checkout."""
    machine = Machine(
        processor=processor_name(),
        cores=usable_cores(),
        memory_bytes=physical_bytes(),
        system=platform.platform(),
    )
    return Environment(machine=machine, versions=versions(), commit=_commit())


def versions() -> dict[str, str | None]:
    """Return the versions of Python and of `PACKAGES`; packages that are missing have None."""
    return {
        "python": platform.python_version(),
        **{package: package_version(package) for package in PACKAGES},
    }


def load_since(begun: ProcessorTime, parallel: int) -> Load:
    """Return the average numbers of busy cores and of cores that the host withheld since `begun`.

    Both numbers are None if the system does not report them or if no time has passed. `parallel` is
    the number of parallel runs; the result also has this number.
    """
    ended = processor_time()
    wall_s = ended.wall_s - begun.wall_s
    if ended.busy_s is None or begun.busy_s is None or wall_s <= 0:
        return Load(parallel=parallel)
    busy_s, stolen_s = ended.busy_s - begun.busy_s, ended.stolen_s - begun.stolen_s
    return Load(round(busy_s / wall_s, 2), round(stolen_s / wall_s, 2), parallel)


def _commit() -> str | None:
    """Return the commit, with a final `+` if files are changed; None without a checkout or git."""
    root = Path(__file__).resolve().parents[4]
    if not (root / ".git").exists():
        return None

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=10
        )
        return done.stdout.strip()

    try:
        return git("rev-parse", "HEAD") + (CHANGED if git("status", "--porcelain") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def job_fields(job: Job, result: Result | None = None) -> JobFields:
    """Return the fields of a job; `node_meaning` depends on the backend that `auto` chose."""
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
    with tile number and rotation, or null for an empty cell.
    """
    fields = {**json_fields(job_fields(job, result)), **json_fields(_identified(job, result))}
    if job.improves:
        fields["cells"] = None if result.board is None else result.board.cells
    return fields


def run_record(job: Job, result: Result, **origin: Any) -> Record:
    """Return the record of a run of `job` on this machine; `origin` has further fields."""
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
    """Return the result with the facts that identify the file of a solver."""
    if not isinstance(job.backend, BackendFile):
        return result
    return replace(result, program={**job.backend.identity, **result.program})
