"""Where a run took place: the machine and its load, the versions, the commit."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dovetail.harness.records.record import Environment, Load, Machine
from dovetail.platform.resources import physical_bytes, processor_name, processor_time, usable_cores

# Distributions whose versions bear on a result: dovetail, and what its backends run on.
PACKAGES = (
    "dovetail",
    "numpy",
    "numba",
    "ortools",
    "python-constraint2",
    "xcover",
    "pychoco",
    "clingo",
    "python-sat",
    "d4Solver",
    "pyganak",
    "miniexact",
)


@cache
def environment() -> Environment:
    """The machine, the versions of what runs on it, and the commit of a source checkout."""
    machine = Machine(
        processor=processor_name(),
        cores=usable_cores(),
        memory_bytes=physical_bytes(),
        system=platform.platform(),
    )
    return Environment(machine=machine, versions=versions(), commit=_commit())


def versions() -> dict[str, str | None]:
    """The versions of Python and of each of `PACKAGES`, None for what is not installed."""
    return {
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
    }


class LoadMeter:
    """How busy the machine was while it was entered, from the system's own accounts."""

    def __enter__(self) -> LoadMeter:
        self._begun = self._ended = processor_time()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = processor_time()

    def load(self, parallel: int = 1) -> Load:
        """How many cores were at work on average, and how many the machine's host kept from it.

        Both None where the system does not tell. `parallel` is how many runs were side by side.
        """
        wall_s = self._ended.wall_s - self._begun.wall_s
        if self._ended.busy_s is None or self._begun.busy_s is None or wall_s <= 0:
            return Load(parallel=parallel)
        busy_s = self._ended.busy_s - self._begun.busy_s
        stolen_s = self._ended.stolen_s - self._begun.stolen_s
        return Load(round(busy_s / wall_s, 2), round(stolen_s / wall_s, 2), parallel)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The commit, with `+` behind it if files have changed since; None outside a checkout."""
    root = Path(__file__).resolve().parents[4]
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
