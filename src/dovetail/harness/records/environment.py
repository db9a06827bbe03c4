"""The environment of a run (machine, load, versions, commit), and groups of records by it.

A computer is identified by its processor and its number of cores, not by its operating system. A
revision is a version of dovetail with the commit of a source checkout.
"""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dovetail.errors import how_many
from dovetail.extras import package_version
from dovetail.harness.records.record import Environment, Load, Machine, Record, grouped
from dovetail.platform.resources import physical_bytes, processor_name, processor_time, usable_cores

# Distributions whose versions affect results.
PACKAGES = (
    *("dovetail", "numpy", "numba", "ortools", "python-constraint2", "xcover", "pychoco"),
    *("clingo", "python-sat", "d4Solver", "pyganak", "miniexact"),
)
COMMIT_SHOWN = 9
# Suffix of a commit if the checkout has changed files.
CHANGED = "+"


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


class LoadMeter:
    """Measures the load of the machine while its context is entered."""

    def __enter__(self) -> LoadMeter:
        self._begun = self._ended = processor_time()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = processor_time()

    def load(self, parallel: int = 1) -> Load:
        """Return the average numbers of busy cores and of cores that the host withheld.

        Both numbers are None if the system does not report them. `parallel` is the number of
        parallel runs, which is stored in the result.
        """
        wall_s = self._ended.wall_s - self._begun.wall_s
        if self._ended.busy_s is None or self._begun.busy_s is None or wall_s <= 0:
            return Load(parallel=parallel)
        busy_s = self._ended.busy_s - self._begun.busy_s
        stolen_s = self._ended.stolen_s - self._begun.stolen_s
        return Load(round(busy_s / wall_s, 2), round(stolen_s / wall_s, 2), parallel)


def _commit() -> str | None:
    """Return the commit, with a final `+` if files are changed, or None outside a checkout."""
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


@dataclass(frozen=True)
class Computer:
    """The computer of a record; None for values that the record lacks."""

    processor: str | None
    cores: int | None

    @property
    def title(self) -> str:
        """The processor and its cores in words."""
        if self.processor is None and self.cores is None:
            return "machine not recorded"
        cores = "" if self.cores is None else f", {how_many(self.cores, 'core')}"
        return f"{self.processor or 'processor not recorded'}{cores}"


@dataclass(frozen=True)
class Revision:
    """A version of dovetail and the commit of its source; None for values that a record lacks."""

    version: str | None
    commit: str | None

    @property
    def title(self) -> str:
        """The version and the first digits of the commit."""
        version = self.version or "version not recorded"
        if self.commit is None:
            return version
        changed = CHANGED if self.commit.endswith(CHANGED) else ""
        return f"{version} ({self.commit.removesuffix(CHANGED)[:COMMIT_SHOWN]}{changed})"


def computer_of(record: Record) -> Computer:
    """Return the computer of a record."""
    machine = record.environment.machine or Machine()
    return Computer(machine.processor, machine.cores)


def revision_of(record: Record) -> Revision:
    """Return the revision of a record."""
    return Revision(record.environment.versions.get("dovetail"), record.environment.commit)


def by_computer(records: Iterable[Record]) -> dict[Computer, list[Record]]:
    """Return the records by computer; computers and records are in the order of appearance."""
    return grouped(records, computer_of)


def by_revision(records: Iterable[Record]) -> dict[Revision, list[Record]]:
    """Return the records by revision, in the order of the first run of each revision.

    Revisions whose records lack a time come first, in the order of appearance.
    """
    groups = grouped(records, revision_of)
    first = {revision: min(run.begun or "" for run in runs) for revision, runs in groups.items()}
    return {revision: groups[revision] for revision in sorted(groups, key=first.__getitem__)}


def newest(records: Sequence[Record]) -> list[Record]:
    """Return the records that have the revision of the last run of their job, in the same order.

    All `records` must be of the same computer. Among records without a time, the last record in
    the list is the last run.
    """
    in_time = sorted(records, key=lambda record: record.begun or "")
    current = {record.job.digest: revision_of(record) for record in in_time}
    return [record for record in records if revision_of(record) == current[record.job.digest]]
