"""Which events a run reports, in which order, and what its result says.

No time passes, so that slices grow from one to the next and compiling takes none.
"""

from __future__ import annotations

from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Missing, offer
from characterisation.surface import (
    BY_SAMPLING,
    HERE,
    WHERE_IT_BELONGS,
    Runner,
    asked,
    recorded,
)
from dovetail.errors import ConfigError
from dovetail.harness.run.job import RandomOrder, Trials

SIX = "pentominoes-5x6-FLNPUY"
READY = ["started", "compiling", "compiled"]

pytestmark = pytest.mark.usefixtures("clock")


def searches(begun: int, with_solutions: int, found: int) -> dict[str, Any]:
    """The totals of several searches in no time, so that they have no rate."""
    counts = {"begun": begun, "with_solutions": with_solutions, "found": found}
    rates = dict.fromkeys(("rate_interval", "per_solve_s", "per_prepare_and_solve_s", "per_cpu_s"))
    return {**counts, "with_trigger": {}, "cpu_s": 0.0, **rates}


def counted(
    events: list[str], *figures: Any, before: int = 546, by: str = "canonical forms", **more: Any
) -> tuple[list[str], dict[str, Any]]:
    """Events, and a result with count, nodes, verified solutions and placements."""
    count, nodes, verified, *reduced = figures
    placements = {"before": before, **dict(reduced)}
    result = {"status": events[-1], "count": count, "nodes": nodes, "verified": verified}
    result |= {"placements": placements, "symmetry_expansion": by, **more}
    return [*READY, *events], {name: value for name, value in result.items() if value is not None}


def unsearched(events: list[str], **result: Any) -> tuple[list[str], dict[str, Any]]:
    """Events, and a result without a search."""
    return events, {"verified": 0, "status": events[-1], **result}


LISTED = {"puzzle": SIX, "listing": True}
RESTARTS = {"puzzle": SIX, "order": RandomOrder(3, restarts=True)}
BROKEN = ("redundancy", 480)
IMPOSSIBLE = {
    "count": 0,
    "reason": "parity: 11 pieces show ±2 and 24 show 0, which cannot add up to 0",
}
PIECES: dict[str, Any] = {"sampled": ["F", "L", "N", "P", "Y"], "piece": "L"}

RUNS: dict[str, tuple[dict[str, Any], tuple[list[str], dict[str, Any]]]] = {
    "count": (
        {"puzzle": "queens-6", "symmetry": "all"},
        counted(["exhausted"], 4, 110, 4, before=36, by="as found"),
    ),
    "count unique reduced": (
        {"puzzle": SIX, "reduce": ["redundancy", "volume"]},
        counted(["searching", "exhausted"], 10, 472, 10, BROKEN, ("volume", 400), by="as found"),
    ),
    "count labelled": (
        {"puzzle": "edges-4-b3i3-1", "backend": "rows", "symmetry": "all", "labelled": True},
        counted(["exhausted"], 8, 732, 4, before=140, by="as found, labelled"),
    ),
    "list unique": (
        LISTED,
        counted(["found 6", "searching", "found 4", "searching", "exhausted"], 10, 1731, 40),
    ),
    "list all from a broken symmetry": (
        {**LISTED, "symmetry": "all", "reduce": ["redundancy"]},
        counted(
            ["found 20", "searching", "found 20", "exhausted"], 40, 634, 40, BROKEN, by="images"
        ),
    ),
    "list some classes": (
        {**LISTED, "solutions": 3},
        counted(["found 3", "solution-limit"], 3, 345, 6),
    ),
    "trials": (
        {"puzzle": SIX, "symmetry": "all", "trials": Trials(30, 5, 1)},
        counted(
            ["searching", "remaining-limit"], 6, 419, 6, by="as found", searched=searches(30, 5, 8)
        ),
    ),
    "restarts with a limit on nodes": (
        {**RESTARTS, "nodes": 2000},
        counted(["searching", "node-limit"], 10, 2000, 40, searched=searches(2, 2, 44)),
    ),
    "a piece chosen by short searches": (
        {"puzzle": SIX, "reduce": [BY_SAMPLING]},
        counted(
            [*READY[1:], "searching", "exhausted"], 10, 634, 10, BROKEN, by="as found", **PIECES
        ),
    ),
    "a solver in a thread that lists": (
        {**LISTED, "backend": "cpsat"},
        counted(["searching", "found 10", "exhausted"], 10, None, 40),
    ),
    "prepared in slices": (
        {"puzzle": SIX, "backend": "frontier"},
        counted(["preparing", "searching", "exhausted"], 10, None, 10, BROKEN, by="counted"),
    ),
    "impossible": (
        {"puzzle": "hexominoes-14x15", "nodes": 1000},
        unsearched(["started", "exhausted"], **IMPOSSIBLE, nodes=0, placements={"before": 31934}),
    ),
}


@pytest.mark.parametrize(("question", "expected"), RUNS.values(), ids=RUNS)
def test_runs(question: dict[str, Any], expected: tuple[list[str], dict[str, Any]]) -> None:
    """Each event once, save those of progress, and the whole result."""
    run = recorded(asked(**question))
    result = {name: value for name, value in run.result.items() if value not in (None, {})}
    assert (run.events, result) == expected
    listed = run.result["count"] if question.get("listing") else 0
    assert len(run.rows) == len(set(run.rows)) == listed


def test_a_backend_that_is_not_there(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is begun."""
    offer(monkeypatch, Missing(clock))
    run = recorded(asked(SIX, "clocked"))
    assert run.events == ["skipped"]
    reason = "backend clocked needs package-x: pip install 'pychoco>=0.4.0'"
    assert run.fields("status", "reason", "count") == ("skipped", reason, None)
    assert not clock.taken


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"backend": "none"}, r"unknown backend 'none'; valid: .*dlx"),
        ({"trials": Trials(1, 7)}, "cannot end with 7 pieces remaining; expected 1 to 6"),
    ],
)
@pytest.mark.parametrize("by", [HERE, WHERE_IT_BELONGS])
def test_mistakes(by: Runner, question: dict[str, Any], message: str) -> None:
    """Are raised when the first event is asked for, or before; never reported."""
    with pytest.raises(ConfigError, match=message):
        recorded(asked(**{"puzzle": SIX, **question}), by=by)
