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
SAMPLED = [*READY, *READY[1:]]
NOT_SEARCHED = {"verified": 0}
IMPOSSIBLE = {
    **NOT_SEARCHED,
    "status": "exhausted",
    "count": 0,
    "reason": "parity: 11 pieces show ±2 and 24 show 0, which cannot add up to 0",
}

pytestmark = pytest.mark.usefixtures("clock")


def searches(begun: int, with_solutions: int, found: int) -> dict[str, Any]:
    """The totals of several searches in no time, so that they have no rate."""
    counts = {"begun": begun, "with_solutions": with_solutions, "found": found}
    rates = dict.fromkeys(("rate_interval", "per_solve_s", "per_prepare_and_solve_s", "per_cpu_s"))
    return {**counts, "with_trigger": {}, "cpu_s": 0.0, **rates}


def stated(result: dict[str, Any]) -> dict[str, Any]:
    """A result without the fields that are empty."""
    return {name: value for name, value in result.items() if value is not None and value != {}}


@pytest.mark.parametrize(
    ("question", "events", "result"),
    [
        pytest.param(
            {"puzzle": "queens-6", "symmetry": "all"},
            [*READY, "exhausted"],
            {
                "status": "exhausted",
                "count": 4,
                "nodes": 110,
                "verified": 4,
                "placements": {"before": 36},
                "symmetry_expansion": "as found",
            },
            id="count",
        ),
        pytest.param(
            {"puzzle": SIX},
            [*READY, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 1731,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="count unique",
        ),
        pytest.param(
            {"puzzle": SIX, "reduce": ["redundancy", "volume"]},
            [*READY, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 472,
                "verified": 10,
                "placements": {"before": 546, "redundancy": 480, "volume": 400},
                "symmetry_expansion": "as found",
            },
            id="count unique reduced",
        ),
        pytest.param(
            {"puzzle": "edges-4-b3i3-1", "backend": "rows", "symmetry": "all", "labelled": True},
            [*READY, "exhausted"],
            {
                "status": "exhausted",
                "count": 8,
                "nodes": 732,
                "verified": 4,
                "placements": {"before": 140},
                "symmetry_expansion": "as found, labelled",
            },
            id="count labelled",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True},
            [*READY, "found 6", "searching", "found 4", "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 1731,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="list unique",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True, "symmetry": "all", "reduce": ["redundancy"]},
            [*READY, "found 20", "searching", "found 20", "exhausted"],
            {
                "status": "exhausted",
                "count": 40,
                "nodes": 634,
                "verified": 40,
                "placements": {"before": 546, "redundancy": 480},
                "symmetry_expansion": "images",
            },
            id="list all from a broken symmetry",
        ),
        pytest.param(
            {"puzzle": "soma-cube", "backend": "bitset", "symmetry": "mirror", "listing": True},
            [*SAMPLED, "found 67", "searching", "found 140", "searching", "found 33", "exhausted"],
            {
                "status": "exhausted",
                "count": 240,
                "nodes": 4862,
                "verified": 273,
                "placements": {"before": 688, "redundancy": 618},
                "symmetry_expansion": "least forms",
                "sampled": ["V", "L", "T", "Z", "P", "A", "B"],
                "piece": "Z",
            },
            id="list mirror",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True, "solutions": 3},
            [*READY, "found 3", "solution-limit"],
            {
                "status": "solution-limit",
                "count": 3,
                "nodes": 345,
                "verified": 6,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="list some classes",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True, "symmetry": "all", "solutions": 3},
            [*READY, "found 3", "solution-limit"],
            {
                "status": "solution-limit",
                "count": 3,
                "nodes": 126,
                "verified": 3,
                "placements": {"before": 546},
                "symmetry_expansion": "as found",
            },
            id="list some",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True, "symmetry": "all", "solutions": 0},
            [*READY, "solution-limit"],
            {
                "status": "solution-limit",
                "count": 0,
                "nodes": 0,
                "verified": 0,
                "placements": {"before": 546},
                "symmetry_expansion": "as found",
            },
            id="list none",
        ),
        pytest.param(
            {"puzzle": SIX, "listing": True, "solutions": 0},
            [*READY, "solution-limit"],
            {
                "status": "solution-limit",
                "count": 0,
                "nodes": 345,
                "verified": 6,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="list no classes",
        ),
        pytest.param(
            {"puzzle": SIX, "nodes": 100},
            [*READY, "node-limit"],
            {
                "status": "node-limit",
                "count": 1,
                "nodes": 100,
                "verified": 1,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="nodes",
        ),
        pytest.param(
            {"puzzle": SIX, "nodes": 0},
            [*READY, "node-limit"],
            {
                "status": "node-limit",
                "count": 0,
                "nodes": 0,
                "verified": 0,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="no nodes",
        ),
        pytest.param(
            {"puzzle": SIX, "time_s": 0},
            [*READY, "time-limit"],
            {
                "status": "time-limit",
                "count": 0,
                "nodes": 0,
                "verified": 0,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="no time",
        ),
        pytest.param(
            {"puzzle": SIX, "time_s": 1e-9},
            [*READY, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 1731,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="little time, none of which passes",
        ),
        pytest.param(
            {"puzzle": SIX, "symmetry": "all", "trials": Trials(30, 5, 1)},
            [*READY, "searching", "remaining-limit"],
            {
                "status": "remaining-limit",
                "count": 6,
                "nodes": 419,
                "verified": 6,
                "placements": {"before": 546},
                "symmetry_expansion": "as found",
                "searched": searches(30, 5, 8),
            },
            id="trials",
        ),
        pytest.param(
            {"puzzle": SIX, "order": RandomOrder(3), "listing": True, "solutions": 1},
            [*READY, "found 1", "solution-limit"],
            {
                "status": "solution-limit",
                "count": 1,
                "nodes": 385,
                "verified": 5,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="a random order",
        ),
        pytest.param(
            {"puzzle": SIX, "order": RandomOrder(3, restarts=True)},
            [*READY, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 5007,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
                "searched": searches(3, 3, 116),
            },
            id="restarts",
        ),
        pytest.param(
            {"puzzle": SIX, "order": RandomOrder(3, restarts=True), "nodes": 2000},
            [*READY, "searching", "node-limit"],
            {
                "status": "node-limit",
                "count": 10,
                "nodes": 2000,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
                "searched": searches(2, 2, 44),
            },
            id="restarts with a limit on nodes",
        ),
        pytest.param(
            {"puzzle": SIX, "order": RandomOrder(3, restarts=True), "listing": True},
            [*READY, "found 4", "searching", "found 6", "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 5007,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
                "searched": searches(3, 3, 116),
            },
            id="restarts that list",
        ),
        pytest.param(
            {"puzzle": SIX, "reduce": [BY_SAMPLING]},
            [*SAMPLED, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 634,
                "verified": 10,
                "placements": {"before": 546, "redundancy": 480},
                "symmetry_expansion": "as found",
                "sampled": ["F", "L", "N", "P", "Y"],
                "piece": "L",
            },
            id="a piece chosen by short searches",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "bitset", "reduce": [BY_SAMPLING]},
            [*SAMPLED, "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "nodes": 634,
                "verified": 10,
                "placements": {"before": 546, "redundancy": 480},
                "symmetry_expansion": "as found",
                "sampled": ["F", "L", "N", "P", "Y"],
                "piece": "L",
            },
            id="a piece chosen by samples of levels",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "cpsat"},
            [*READY, "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="a solver in a thread",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "cpsat", "listing": True},
            [*READY, "searching", "found 10", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "verified": 40,
                "placements": {"before": 546},
                "symmetry_expansion": "canonical forms",
            },
            id="a solver in a thread that lists",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "cpsat", "nodes": 5},
            [*READY, "skipped"],
            {
                **NOT_SEARCHED,
                "status": "skipped",
                "reason": "cpsat does not count nodes, so it does not support a node limit",
            },
            id="a limit that a solver does not know",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "frontier"},
            [*READY, "preparing", "searching", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "verified": 10,
                "placements": {"before": 546, "redundancy": 480},
                "symmetry_expansion": "counted",
            },
            id="prepared in slices",
        ),
        pytest.param(
            {"puzzle": SIX, "backend": "frontier", "listing": True},
            [*READY, "preparing", "searching", "found 10", "exhausted"],
            {
                "status": "exhausted",
                "count": 10,
                "verified": 10,
                "placements": {"before": 546, "redundancy": 480},
                "symmetry_expansion": "as found",
            },
            id="prepared in slices and listed",
        ),
        pytest.param(
            {"puzzle": "hexominoes-14x15", "nodes": 1000},
            ["started", "exhausted"],
            {**IMPOSSIBLE, "nodes": 0, "placements": {"before": 31934}},
            id="impossible",
        ),
        pytest.param(
            {"puzzle": "hexominoes-14x15", "backend": "frontier", "nodes": 1000},
            ["started", "exhausted"],
            {**IMPOSSIBLE, "placements": {"before": 31934, "redundancy": 31734}},
            id="impossible, to one that counts no nodes",
        ),
        pytest.param(
            {"puzzle": "queens-6", "backend": "fila"},
            ["started", "skipped"],
            {**NOT_SEARCHED, "status": "skipped", "reason": "it supports packing puzzles only"},
            id="refused",
        ),
        pytest.param(
            {"puzzle": "queens-6", "order": RandomOrder(1)},
            ["started", "skipped"],
            {
                **NOT_SEARCHED,
                "status": "skipped",
                "reason": "random orders are for packing puzzles; queens-6 has no placements",
            },
            id="refused for its order",
        ),
    ],
)
def test_runs(question: dict[str, Any], events: list[str], result: dict[str, Any]) -> None:
    """Each event once, save those of progress, and the whole result."""
    run = recorded(asked(**question))
    assert (run.events, stated(run.result)) == (events, result)
    assert (
        len(run.rows)
        == len(set(run.rows))
        == (run.result["count"] if question.get("listing") else 0)
    )


def test_a_backend_that_is_not_there(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is begun."""
    offer(monkeypatch, Missing(clock))
    run = recorded(asked(SIX, "clocked"))
    assert run.events == ["skipped"]
    reason = "backend clocked needs package-x: pip install 'pychoco>=0.4.0'"
    assert stated(run.result) == {**NOT_SEARCHED, "status": "skipped", "reason": reason}
    assert not clock.taken


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"backend": "none"}, r"unknown backend 'none'; valid: .*dlx"),
        ({"config": {"speed": "9"}}, r"backend dlx has no config key 'speed'"),
        ({"puzzle": "queens-6", "reduce": ["redundancy"]}, "reductions are for packing"),
        ({"puzzle": "edges-4-b3i3-1", "reduce": [BY_SAMPLING]}, "expected redundancy"),
        (
            {"trials": Trials(1, 7)},
            "a trial of pentominoes-5x6-FLNPUY cannot end with 7 pieces remaining; expected 1 to 6",
        ),
    ],
)
@pytest.mark.parametrize("by", [HERE, WHERE_IT_BELONGS])
def test_mistakes(by: Runner, question: dict[str, Any], message: str) -> None:
    """Are raised when the first event is asked for, or before; never reported."""
    with pytest.raises(ConfigError, match=message):
        recorded(asked(**{"puzzle": SIX, **question}), by=by)
