"""The environment of runs: the machine, its load, versions of packages, and the commit."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path

from dovetail.extras import package_version
from dovetail.harness.records.record import CHANGED, Environment, Load, Machine
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
    """Return the commit, with a final `+` if files are changed.

    Returns None without a checkout or if git fails.
    """
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
