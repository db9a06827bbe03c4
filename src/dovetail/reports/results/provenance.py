"""The conditions of the runs in a report: machine, versions, limits and load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dovetail.errors import how_many
from dovetail.harness.records.record import Machine, Record
from dovetail.harness.run.job import Limits
from dovetail.harness.sizes import show_size
from dovetail.harness.suite.plan import SuitePlan
from dovetail.reports.numbers import show_seconds
from dovetail.reports.page import Section
from dovetail.reports.table import facts_table

NOT_RECORDED = "not recorded"
TITLE = "Machine, versions and limits"
MAX_VALUES = 10


def provenance_section(records: Sequence[Record], plan: SuitePlan | None = None) -> Section:
    """Return a section with a row for each condition; a row has the values of all records.

    The suite and the limits are from the plan if there is a plan, otherwise from the records.
    """
    limits = [record.job.limits for record in records]
    planned = ""
    if plan is not None:
        limits = [run.job.limits for run in plan.runs]
        planned = f" of {how_many(len(plan.jobs), 'planned run')}"
    suites = [record.suite for record in records] if plan is None else [plan.name]
    times = sorted(str(record.begun) for record in records if record.begun)
    rows = (
        ("suite", _distinct(suites)),
        ("runs", f"{how_many(len(records), 'record')}{planned}"),
        ("limits of a run", _distinct(map(show_limits, limits))),
        ("machine", _distinct(map(_machine, records))),
        ("versions", _distinct(map(_versions, records))),
        ("commit", _distinct(record.environment.commit for record in records)),
        ("started", f"{times[0]} to {times[-1]}" if times else NOT_RECORDED),
        ("parallel runs", _distinct(record.load and record.load.parallel for record in records)),
        ("workers of a run", _distinct(record.result.workers for record in records)),
        ("busy cores", _busy(records)),
    )
    return Section("provenance", TITLE, [facts_table(rows)])


def other_environments(records: Sequence[Record]) -> int:
    """Return the number of records with another machine, version or commit than the last record."""
    return sum(record.environment != records[-1].environment for record in records)


def _distinct(values: Iterable[object]) -> str:
    """Return the distinct values in their order, and the number of values beyond `MAX_VALUES`."""
    distinct = list(dict.fromkeys(str(value or NOT_RECORDED) for value in values))
    more = f"; and {len(distinct) - MAX_VALUES} more" if len(distinct) > MAX_VALUES else ""
    return ("; ".join(distinct[:MAX_VALUES]) or NOT_RECORDED) + more


def show_limits(limits: Limits | None) -> str:
    """Format the limits of a run."""
    limits = limits or Limits()
    parts = []
    if limits.time_s is not None:
        parts.append(f"{show_seconds(limits.time_s)} (prepare + solve)")
    if limits.nodes is not None:
        parts.append(how_many(limits.nodes, "node"))
    if limits.solutions is not None:
        parts.append(how_many(limits.solutions, "solution"))
    if limits.memory_bytes is not None:
        parts.append(show_size(limits.memory_bytes))
    return ", ".join(parts) or "none"


def _machine(record: Record) -> str:
    machine = record.environment.machine or Machine()
    memory = machine.memory_bytes
    cores = "? cores" if machine.cores is None else how_many(machine.cores, "core")
    parts = [machine.processor or NOT_RECORDED, cores]
    parts += [show_size(memory)] if memory is not None else []
    return ", ".join([*parts, machine.system or NOT_RECORDED])


def _versions(record: Record) -> str:
    versions = record.environment.versions.items()
    return ", ".join(f"{name} {version}" for name, version in versions if version) or NOT_RECORDED


def _busy(records: Iterable[Record]) -> str:
    """Return the range of the busy cores during the runs."""
    loads = [record.load.busy_cores for record in records if record.load is not None]
    known = [load for load in loads if load is not None]
    return f"{min(known):g} to {max(known):g} during a run" if known else NOT_RECORDED
