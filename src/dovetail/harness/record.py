"""Run records: what was run, where, and what came of it, as plain JSON values.

A record is one run of one job. Repeats of a job are records of their own; what they come to
together is derived (`summary`), and so is whether a count is right (`crosscheck`).
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from dovetail.backends.registry import backends
from dovetail.errors import shorten
from dovetail.harness.environment import environment
from dovetail.harness.run.events import Finished
from dovetail.harness.run.job import Job
from dovetail.models.outcome import Counters, Status

SCHEMA = 2
LARGEST = 2**63  # beyond any figure that is measured
Record = dict[str, Any]


class RecordError(ValueError):
    """What keeps a line of a file from being a record."""


# What whoever reads records relies on, with the types it may have.
Absent = type(None)
FIELDS: dict[str, tuple[type, ...]] = {
    "job": (str,),
    "repeat": (int,),
    "puzzle": (str,),
    "digest": (str,),
    "backend": (str,),
    "config": (dict,),
    "symmetry": (str,),
    "reductions": (list,),
    "status": (str,),
    "count": (int, Absent),
    "nodes": (int, Absent),
    "attempts": (int, Absent),
    "reason": (str, Absent),
    "prepare_s": (float, int),
    "solve_s": (float, int),
    "total_s": (float, int),
    "peak_bytes": (int, Absent),
}


def job_fields(job: Job) -> Record:
    """The fields that say what was asked."""
    request = job.request
    return {
        "puzzle": job.puzzle.name,
        "digest": job.puzzle.digest,
        "backend": job.backend,
        "config": {**job.config, "labelled": request.labelled},
        "symmetry": str(request.symmetry),
        "reductions": [str(reduction) for reduction in request.reductions],
        "triggers": [str(trigger) for trigger in request.triggers],
        "random": None if job.random is None else asdict(job.random),
        "trials": None if job.trials is None else asdict(job.trials),
    }


def result_fields(job: Job, finished: Finished) -> Record:
    """The fields that describe a job and its result, as `--json` prints them."""
    outcome, counters = finished.outcome, finished.outcome.counters
    return {
        **job_fields(job),
        "status": str(outcome.status),
        "count": outcome.count,
        "nodes": counters.nodes,
        "node_meaning": _node_meaning(job, finished),
        "attempts": counters.attempts,
        "by_remaining": _by_remaining(counters),
        "fired": _fired(counters),
        "native": counters.native,
        "reason": outcome.reason,
        "searched": _searched(finished),
        "placements": dict(finished.placements),
        "completion": finished.completion,
        "probe": None if finished.probe is None else asdict(finished.probe),
        "chosen": None if finished.chosen is None else asdict(finished.chosen),
        "warm_up_s": finished.warm_up_s,
        "prepare_s": finished.prepare_s,
        "solve_s": finished.solve_s,
        "solve_cpu_s": finished.solve_cpu_s,
        "check_s": finished.check_s,
        "total_s": finished.total_s,
        "peak_bytes": finished.peak_bytes,
        "baseline_bytes": finished.baseline_bytes,
        "verified": finished.verified,
    }


def run_record(job: Job, finished: Finished, *, repeat: int, **about: object) -> Record:
    """The record of one run, the `repeat`-th of its job, with `about` it what the suite says."""
    return {
        "schema": SCHEMA,
        "job": job.digest,
        "repeat": repeat,
        **about,
        **result_fields(job, finished),
        "limits": asdict(job.limits),
        "seed": job.seed,
        **environment(),
    }


def parsed_record(line: bytes) -> Record:
    """The record in a line of a file; raises `RecordError` where it is none of this schema."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not JSON; expected a run record per line") from None
    if not isinstance(record, dict) or not {"schema", "job", "repeat"} <= record.keys():
        raise RecordError("not a run record as dovetail bench writes them")
    if record["schema"] != SCHEMA:
        raise RecordError(f"a record of schema {shorten(str(record['schema']))}; expected {SCHEMA}")
    problem = record_problem(record)
    if problem is not None:
        raise RecordError(f"a record whose {problem}")
    # Older files counted the verification in.
    return {**record, "total_s": record["prepare_s"] + record["solve_s"]}


def record_problem(record: Record) -> str | None:
    """What keeps a value read from a file from being a record, None if nothing does."""
    for key, kinds in FIELDS.items():
        if key not in record:
            return f"{key} is missing"
        value = record[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            return f"{key} is {shorten(repr(value))}; expected {_named(kinds)}"
        most = math.inf if key == "count" else LARGEST  # labelled counts know no bound
        if isinstance(value, int | float) and not 0 <= value < most:
            return f"{key} is {shorten(repr(value))}; expected a number from 0 on"
    if record["status"] not in list(Status):
        return f"status is {shorten(record['status'])}; valid: {', '.join(Status)}"
    if not isinstance(record["config"].get("labelled"), bool):
        return "config does not say whether labelled"
    return None


def _named(kinds: tuple[type, ...]) -> str:
    names = {str: "text", int: "a whole number", float: "a number", dict: "an object"}
    return " or ".join(
        names.get(kind, "null" if kind is type(None) else kind.__name__) for kind in kinds
    )


def _node_meaning(job: Job, finished: Finished) -> str | None:
    """What a node is to the backend that searched.

    None where `auto` has chosen none, and for a backend that only the child process knew.
    """
    name = job.backend if finished.chosen is None else finished.chosen.backend
    backend = backends().get(name)
    return None if backend is None else backend.node_meaning


def _by_remaining(counters: Counters) -> list[dict[str, int | None]] | None:
    attempts, fits = counters.attempts_by_remaining, counters.fits_by_remaining
    if fits is None:
        return None
    return [
        {
            "remaining": remaining,
            "attempts": None if attempts is None else attempts[remaining],
            "fits": fits[remaining],
        }
        for remaining in sorted(fits)
    ]


def _fired(counters: Counters) -> dict[str, list[dict[str, int]]] | None:
    """How often each trigger fired, by pieces remaining after what it had taken back."""
    if counters.fired is None:
        return None
    return {
        trigger: [{"remaining": r, "count": counts[r]} for r in sorted(counts)]
        for trigger, counts in counters.fired.items()
    }


def _searched(finished: Finished) -> Record | None:
    """What became of several searches, with the solutions that they found per second."""
    if finished.searched is None:
        return None
    return {
        **asdict(finished.searched),
        "per_solve_s": per_second(finished.searched.found, finished.solve_s),
        "per_prepare_and_solve_s": per_second(
            finished.searched.found, finished.prepare_s + finished.solve_s
        ),
    }


def per_second(number: int, seconds: float) -> float | None:
    """A rate, None where no time was taken."""
    return number / seconds if seconds > 0 else None
