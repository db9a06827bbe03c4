"""What two runs of one job have done for the same answer: nodes, attempts, a backend's figures."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.changes.findings import Finding, Kind, Severity
from dovetail.harness.record import Record
from dovetail.harness.summary import SAME_WORK
from dovetail.models.outcome import Status

MOST_NAMED = 3


def changed_work(old: Record, new: Record) -> Iterator[Finding]:
    """What is found of the work of a job, old and new, that both ended after the same of it.

    A search repeats itself, so that other figures are of another search. Where a backend counts
    no nodes, or what `auto` chose is another one, there is nothing to compare. Figures of a
    backend's own may also hang on a library, and are but a note.
    """
    chosen = [_chosen(record) for record in (old, new)]
    if chosen[0] != chosen[1]:
        what = "what auto chose"
        yield Finding(Kind.NODES, Severity.WARNING, what, *(str(one or "–") for one in chosen))
        return
    if old["status"] != new["status"] or new["status"] not in SAME_WORK:
        return
    cut = new["status"] != Status.EXHAUSTED  # a count that is exact is an answer, and judged as one
    for key in ("nodes", "attempts", *(["count"] if cut else [])):
        before, after = old[key], new[key]
        if None not in (before, after) and before != after:
            figures = f"{before:,}", f"{after:,}"
            yield Finding(Kind.NODES, Severity.WARNING, key, *figures)
    yield from _changed_native(old.get("native") or {}, new.get("native") or {})


def _chosen(record: Record) -> str | None:
    """The backend that `auto` chose, with its settings; None where nothing was to be chosen."""
    chosen = record.get("chosen")
    if not isinstance(chosen, dict):
        return None
    config = chosen.get("config")
    settings = sorted(config.items()) if isinstance(config, dict) else []
    return " ".join([str(chosen.get("backend")), *(f"{key}={value}" for key, value in settings)])


def _changed_native(old: Record, new: Record) -> Iterator[Finding]:
    """Figures that both tell and that differ, in one note."""
    names = [name for name in old if name in new and old[name] != new[name]]
    if names:
        more = f", {len(names)} of them" if len(names) > MOST_NAMED else ""
        figures = (_some(old, names), _some(new, names))
        yield Finding(Kind.NATIVE, Severity.NOTE, f"figures of its own{more}", *figures)


def _some(native: Record, names: list[str]) -> str:
    return ", ".join(f"{name} {native[name]}" for name in names[:MOST_NAMED])
