"""Where the records of a report come from: the machine, the versions, the limits, the load."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dovetail.harness.record import Record
from dovetail.harness.sizes import show_size
from dovetail.harness.suite import Plan
from dovetail.reports.numbers import show_seconds
from dovetail.reports.page import Part, Table

NOT_TOLD = "not told"
MOST_TOLD = 10


def provenance_part(records: Sequence[Record], plan: Plan | None = None) -> Part:
    """A row for each thing one should know; several values where the records differ.

    The suite and the limits are those of `plan` if there is one, else as the records tell.
    """
    if plan is None:
        suite = _distinct(str(record.get("suite") or NOT_TOLD) for record in records)
        limits = [record.get("limits") or {} for record in records]
    else:
        suite = plan.name
        limits = [asdict(run.job.limits) for run in plan.runs]
    planned = "" if plan is None else f" of {len(plan.jobs)} runs planned"
    rows = (
        ("suite", suite),
        ("runs", f"{len(records)} records{planned}"),
        ("limits of a run", _distinct(map(_limits, limits))),
        ("machine", _distinct(map(_machine, records))),
        ("versions", _distinct(map(_versions, records))),
        ("commit", _distinct(str(record.get("commit") or NOT_TOLD) for record in records)),
        ("begun", _span(str(record["begun"]) for record in records if record.get("begun"))),
        ("side by side", _distinct(_load(record, "parallel", str) for record in records)),
        ("busy cores", _busy(records)),
    )
    return Part("provenance", "Where and how", tables=(Table(("", ""), rows, left=2),))


def other_environments(records: Sequence[Record]) -> int:
    """How many of `records` are of another machine, version or commit than the last one."""
    return sum(
        any(record.get(key) != records[-1].get(key) for key in ("machine", "versions", "commit"))
        for record in records
    )


def _distinct(values: Iterable[str]) -> str:
    """All values once, in their order; the first of very many."""
    distinct = list(dict.fromkeys(values))
    more = f"; and {len(distinct) - MOST_TOLD} more" if len(distinct) > MOST_TOLD else ""
    return ("; ".join(distinct[:MOST_TOLD]) or NOT_TOLD) + more


def _limits(limits: Mapping[str, Any]) -> str:
    said = []
    if limits.get("time_s") is not None:
        said.append(f"{show_seconds(limits['time_s'])} of prepare and solve")
    if limits.get("nodes") is not None:
        said.append(f"{limits['nodes']:,} nodes")
    if limits.get("solutions") is not None:
        said.append(f"{limits['solutions']:,} solutions")
    if limits.get("memory_bytes") is not None:
        said.append(show_size(limits["memory_bytes"]))
    return ", ".join(said) or "none"


def _machine(record: Record) -> str:
    machine = record.get("machine") or {}
    memory = machine.get("memory_bytes")
    said = [str(machine.get("processor", NOT_TOLD)), f"{machine.get('cores', '?')} cores"]
    said += [show_size(memory)] if memory is not None else []
    return ", ".join([*said, str(machine.get("system", NOT_TOLD))])


def _versions(record: Record) -> str:
    versions = (record.get("versions") or {}).items()
    return ", ".join(f"{name} {version}" for name, version in versions if version) or NOT_TOLD


def _load(record: Record, key: str, show: Callable[[object], str]) -> str:
    value = (record.get("load") or {}).get(key)
    return NOT_TOLD if value is None else show(value)


def _busy(records: Iterable[Record]) -> str:
    """From the least to the most that a run saw."""
    loads = [(record.get("load") or {}).get("busy_cores") for record in records]
    told = [load for load in loads if load is not None]
    return f"{min(told):g} to {max(told):g} during a run" if told else NOT_TOLD


def _span(times: Iterable[str]) -> str:
    ordered = sorted(times)
    return f"{ordered[0]} to {ordered[-1]}" if ordered else NOT_TOLD
