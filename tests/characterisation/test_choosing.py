"""The events of runs whose backend is left to `auto`, and what they report of the choice."""

from __future__ import annotations

from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, offer_only
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


@pytest.mark.parametrize(
    ("question", "events"),
    [
        ({"puzzle": SIX}, [*TRIED, "chose bitset", *RUN, "exhausted"]),
        (
            {"puzzle": "pentominoes-5x12"},
            [*TRIED, *TRIED, "chose frontier", *RUN, "searching", "exhausted"],
        ),
        (
            {"puzzle": SIX, "reduce": [BY_SAMPLING]},
            ["chose bitset", *RUN, *RUN, "exhausted"],
        ),
        (
            {"puzzle": SIX, "trials": Trials(3, 4, 1)},
            ["chose dlx", *RUN, "searching", "remaining-limit"],
        ),
    ],
    ids=["a small tree", "tables", "a piece chosen by sampling", "trials"],
)
def test_events_of_a_choice(question: dict[str, Any], events: list[str]) -> None:
    """Trials compile before the choice, and what was chosen is begun as any other run is."""
    run = recorded(asked(backend="auto", **question))
    assert run.events == ["started", *events]
    assert f"chose {run.result['chosen']['backend']}" in events


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
