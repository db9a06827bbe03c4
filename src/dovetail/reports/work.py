"""The work of a search as tables show it: placements in one column, all other units named.

Figures with different meanings are never numbers of one column: nodes are `placements_made`, and
what other solvers count is a text with its unit (`other_work`).
"""

from __future__ import annotations

import re

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.errors import how_many, shorten
from dovetail.harness.records.record import Record
from dovetail.reports.numbers import ABSENT

LONGEST_UNIT = 60
PREPOSITION = r" (?:of|to)\b"  # before it, a unit is clear enough
# Keys of `native` in records, and the unit that each has: singular and plural.
OWN_UNITS = {
    "branches": ("branch", "branches"),
    "choices": ("choice", "choices"),
    "decisions": ("decision", "decisions"),
    "conflicts": ("conflict", "conflicts"),
    "nodes": ("node of its own", "nodes of its own"),
    "decision_nodes": ("decision node", "decision nodes"),
    "choco_nodes": ("Choco node", "Choco nodes"),
}
LEGEND = (
    "nodes: placements made; other work: what a solver counts instead of placements made, with its "
    "unit."
)


def placements_made(record: Record) -> int | None:
    """Return the nodes of a solver whose nodes are placements made; None for another."""
    return record.result.nodes if record.job.node_meaning == PLACEMENT_MADE else None


def other_work(record: Record) -> str:
    """Return what else a solver counted, each number with its unit."""
    own = [
        how_many(number, *units)
        for key, units in OWN_UNITS.items()
        if isinstance(number := record.result.counters.native.get(key), int)
    ]
    if own:
        return ", ".join(own)
    if record.result.nodes is None or placements_made(record) is not None:
        return ABSENT
    return f"{record.result.nodes:,} {_unit(record.job.node_meaning)}"


def _unit(meaning: str | None) -> str:
    """Return the plural of what a node is in a few words: "placements tried"."""
    if meaning is None:
        return "nodes of unknown meaning"
    shown = shorten(" ".join(meaning.split()), LONGEST_UNIT)
    noun = re.match(r"an? (\w+)", shown)
    if noun is None:
        return f"nodes ({shown})"
    more, *_ = re.split(PREPOSITION, shown[noun.end() :], maxsplit=1)
    return f"{_plural(noun[1])}{more}"


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if re.search("[^aeiou]y$", noun) else f"{noun}s"
