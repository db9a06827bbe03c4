"""Where a run took place: the machine and its load, the versions, the commit."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

# Distributions whose versions bear on a result: dovetail, and what its backends run on.
PACKAGES = ("dovetail", "numpy", "numba", "ortools", "python-constraint2", "xcover")


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
        "versions": versions(),
        "commit": _commit(),
    }


def versions() -> dict[str, str | None]:
    """The versions of Python and of each of `PACKAGES`, None for what is not installed."""
    return {
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
    }


def load_average() -> float:
    """How many processes ran or wanted to, averaged over the last minute."""
    return round(os.getloadavg()[0], 2)


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
