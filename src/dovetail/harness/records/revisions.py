"""On which computers and at which revisions of dovetail records were made.

A revision is a version with the commit of a source checkout. A computer is a processor with its
number of cores: systems are renewed without the machine being another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dovetail.errors import how_many
from dovetail.harness.records.record import Machine, Record

RecordT = TypeVar("RecordT", bound=Record)

COMMIT_SHOWN = 9
CHANGED = "+"  # behind a commit with changed files


@dataclass(frozen=True)
class Computer:
    """What times are compared on; None where a record does not have it."""

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
    """A version of dovetail and the commit of its source; None where a record does not have it."""

    version: str | None
    commit: str | None

    @property
    def title(self) -> str:
        """The version, and the beginning of the commit."""
        version = self.version or "version not recorded"
        if self.commit is None:
            return version
        changed = CHANGED if self.commit.endswith(CHANGED) else ""
        return f"{version} ({self.commit.removesuffix(CHANGED)[:COMMIT_SHOWN]}{changed})"


def computer_of(record: Record) -> Computer:
    """The computer that a record was made on."""
    machine = record.environment.machine or Machine()
    return Computer(machine.processor, machine.cores)


def revision_of(record: Record) -> Revision:
    """The revision that a record was made at."""
    return Revision(record.environment.versions.get("dovetail"), record.environment.commit)


def by_computer(records: Iterable[RecordT]) -> dict[Computer, list[RecordT]]:
    """The records of each computer; computers, and records of one, in the order they come in."""
    found: dict[Computer, list[RecordT]] = {}
    for record in records:
        found.setdefault(computer_of(record), []).append(record)
    return found


def by_revision(records: Iterable[Record]) -> dict[Revision, list[Record]]:
    """The records of each revision, the revision that was first used first.

    Revisions whose records have no times come before all others, in the order they come in.
    """
    found: dict[Revision, list[Record]] = {}
    for record in records:
        found.setdefault(revision_of(record), []).append(record)
    first = {revision: min(one.begun or "" for one in own) for revision, own in found.items()}
    return {revision: found[revision] for revision in sorted(found, key=first.__getitem__)}


def newest(records: Sequence[Record]) -> list[Record]:
    """Of each job the records of the revision that ran it last, in their order.

    Of records without times the last counts. `records` are those of one computer.
    """
    last: dict[str, Record] = {}
    for record in records:
        before = last.get(record.job.digest)
        if before is None or (record.begun or "") >= (before.begun or ""):
            last[record.job.digest] = record
    current = {job: revision_of(record) for job, record in last.items()}
    return [record for record in records if revision_of(record) == current[record.job.digest]]
