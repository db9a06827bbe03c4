"""The events of runs whose backend is left to `auto`, and what they report of the choice."""

from __future__ import annotations

from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, SymmetryBreaking, offer_only
from characterisation.surface import (
    BY_SAMPLING,
    asked,
    build_tables_for_any_tree,
    recorded,
)
from dovetail.harness.run.job import Trials
from dovetail.models.outcome import Status

SIX = "pentominoes-5x6-FLNPUY"
TRIED = ["compiling", "compiled"]
# What was chosen is begun as any other run is, what it needs still being compiled.
RUN = ["compiling", "compiled"]

pytestmark = pytest.mark.usefixtures("clock")


CHOICES: dict[str, tuple[dict[str, Any], list[str], str, str]] = {
    "a small tree": (
        {"puzzle": SIX},
        [*TRIED, "chose bitset", *RUN, "exhausted"],
        "redundancy=L",
        "a tree search would need about 630 nodes",
    ),
    "a piece chosen by sampling": (
        {"puzzle": SIX, "reduce": [BY_SAMPLING]},
        ["chose bitset", *RUN, *RUN, "exhausted"],
        BY_SAMPLING,
        "it is suited to selecting a piece by sampling",
    ),
    "tables": (
        {"puzzle": "pentominoes-5x12"},
        [*TRIED, *TRIED, "chose frontier", *RUN, "searching", "exhausted"],
        "redundancy=V",
        "",
    ),
    "trials": (
        {"puzzle": SIX, "trials": Trials(3, 4, 1)},
        ["chose dlx", *RUN, "searching", "remaining-limit"],
        "",
        "the option order is random",
    ),
    "a board": (
        {"puzzle": "edges-4-b3i3-1"},
        [*TRIED, "chose rows", *RUN, "exhausted"],
        "redundancy=0",
        "the whole search has 249 nodes",
    ),
}


@pytest.mark.parametrize(("question", "events", "reduction", "why"), CHOICES.values(), ids=CHOICES)
def test_choices(question: dict[str, Any], events: list[str], reduction: str, why: str) -> None:
    """Every event, and the same choice in the result."""
    run = recorded(asked(backend="auto", **question))
    assert run.events == ["started", *events]
    chosen = run.result["chosen"]
    assert f"chose {chosen['backend']}" in events
    assert (chosen["config"], chosen["reductions"]) == ({}, (reduction,) if reduction else ())
    assert chosen["why"].startswith(why)


def test_a_run_goes_on_from_what_was_prepared(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that were built to be looked at are searched."""
    build_tables_for_any_tree(monkeypatch)
    frontier = SymmetryBreaking(clock, "frontier", slices=2, builds=2)
    offer_only(monkeypatch, Clocked(clock, "bitset"), frontier, Clocked(clock, "dlx"))
    run = recorded(asked(SIX, "auto"))
    tried = ["started", *TRIED, *TRIED]
    assert run.events == [*tried, "chose frontier", *RUN, "searching", "exhausted"]
    assert (clock.taken["prepare"], clock.taken["build"]) == (2, 2)
    assert run.fields("count", "nodes", "placements") == (
        10,
        634,
        {"before": 546, "redundancy": 480},
    )


@pytest.mark.parametrize(
    ("status", "events"),
    [
        (Status.SKIPPED, [*TRIED, "chose bitset", *RUN, "exhausted"]),
        (Status.MEMORY_LIMIT, ["memory-limit"]),
    ],
)
def test_giving_up(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, status: Status, events: list[str]
) -> None:
    """A search that cannot go on is followed by the next choice, one at a limit by nothing."""
    build_tables_for_any_tree(monkeypatch)
    frontier = Clocked(clock, "frontier", slices=2, builds=1, gives_up=(status, "too many ways"))
    offer_only(monkeypatch, Clocked(clock, "bitset"), frontier, Clocked(clock, "dlx"))
    run = recorded(asked(SIX, "auto"))
    begun = ["started", *TRIED, *TRIED, "chose frontier", *RUN, "searching"]
    assert run.events == [*begun, *events]
    if status == Status.SKIPPED:
        assert run.result["chosen"]["why"].endswith("; frontier: too many ways")
    else:
        assert run.fields("reason")[0].startswith("too many ways (the default limit is ")


def test_nobody_takes_it(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends where it began, with every reason."""
    backends = [
        Clocked(clock, name, refusal=f"no {name}") for name in ("bitset", "frontier", "dlx")
    ]
    offer_only(monkeypatch, *backends)
    run = recorded(asked(SIX, "auto"))
    assert run.events == ["started", "skipped"]
    assert run.fields("reason", "chosen") == (
        "bitset: no bitset; frontier: no frontier; dlx: no dlx",
        None,
    )
