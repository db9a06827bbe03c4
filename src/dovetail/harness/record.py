"""Run records: what was run, where, and what came of it, as plain JSON values.

A record is one run of one job. Repeats of a job are records of their own; what they come to
together is derived (`summary`), and so is whether a count is right (`crosscheck`).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dovetail.harness.environment import environment
from dovetail.harness.events import Finished
from dovetail.harness.job import Job
from dovetail.models.outcome import Counters

SCHEMA = 2
Record = dict[str, Any]


def result_fields(job: Job, finished: Finished) -> Record:
    """The fields that describe a job and its result, as `--json` prints them."""
    outcome, counters = finished.outcome, finished.outcome.counters
    return {
        "puzzle": job.puzzle.name,
        "digest": job.puzzle.digest,
        "backend": job.backend,
        "config": {**job.config, "labelled": job.request.labelled},
        "symmetry": str(job.request.symmetry),
        "status": str(outcome.status),
        "count": outcome.count,
        "nodes": counters.nodes,
        "attempts": counters.attempts,
        "by_remaining": _by_remaining(counters),
        "native": counters.native,
        "reason": outcome.reason,
        "reductions": [str(reduction) for reduction in job.request.reductions],
        "placements": dict(finished.placements),
        "completion": finished.completion,
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


def _by_remaining(counters: Counters) -> list[dict[str, int]] | None:
    attempts, fits = counters.attempts_by_remaining, counters.fits_by_remaining
    if attempts is None or fits is None:
        return None
    return [
        {"remaining": remaining, "attempts": attempts[remaining], "fits": fits[remaining]}
        for remaining in sorted(fits)
    ]
