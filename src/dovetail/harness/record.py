"""Run records: what was run, where, and what came of it, as plain JSON values."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dovetail.harness.events import Finished
from dovetail.harness.job import Job
from dovetail.models.outcome import Counters

SCHEMA = 1
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
        "placements": {"before": finished.option_count},
        "warm_up_s": finished.warm_up_s,
        **timings(finished),
        "peak_bytes": finished.peak_bytes,
        "verified": finished.verified,
    }


def timings(finished: Finished) -> dict[str, float]:
    """The seconds of one run; warm-up is not among them."""
    return {
        "prepare_s": finished.prepare_s,
        "solve_s": finished.solve_s,
        "solve_cpu_s": finished.solve_cpu_s,
        "check_s": finished.check_s,
        "total_s": finished.total_s,
    }


def repeat_fields(finished: Finished) -> Record:
    """One of several runs of a job, raw."""
    return {
        "status": str(finished.status),
        "count": finished.count,
        "nodes": finished.nodes,
        "warm_up_s": finished.warm_up_s,
        **timings(finished),
        "peak_bytes": finished.peak_bytes,
    }


@cache
def environment() -> Mapping[str, Any]:
    """The machine, the versions of what runs on it, and the commit of a source checkout."""
    return {
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "system": platform.platform(),
        },
        "versions": {
            "python": platform.python_version(),
            **{
                name: _version(name)
                for name in ("dovetail", "numpy", "numba", "ortools", "python-constraint2")
            },
        },
        "commit": _commit(),
    }


def _by_remaining(counters: Counters) -> list[dict[str, int]] | None:
    attempts, fits = counters.attempts_by_remaining, counters.fits_by_remaining
    if attempts is None or fits is None:
        return None
    return [
        {"remaining": remaining, "attempts": attempts[remaining], "fits": fits[remaining]}
        for remaining in sorted(fits)
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The commit, with `+` behind it if files have changed since; None outside a checkout."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return None

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=10
        )
        return done.stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.SubprocessError):
        return None
