"""The events of runs whose backend is left to `auto`, and what they report of the choice."""

from __future__ import annotations

from typing import Any

import pytest

from characterisation.clock import PROCESS_SHARE, Clock
from characterisation.clocked import Clocked, offer_only
from characterisation.surface import (
    BY_SAMPLING,
    asked,
    build_tables_for_any_tree,
    recorded,
)
from dovetail.harness.planning import rules, trials
from dovetail.harness.planning.rules import WORK_S
from dovetail.harness.run.job import Chosen, Job, Trials
from dovetail.harness.workers.runs import execute
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


def test_giving_up_at_a_limit_is_the_end(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other backend follows."""
    build_tables_for_any_tree(monkeypatch)
    given_up = (Status.MEMORY_LIMIT, "too many ways")
    frontier = Clocked(clock, "frontier", slices=2, builds=1, gives_up=given_up)
    offer_only(monkeypatch, Clocked(clock, "bitset"), frontier, Clocked(clock, "dlx"))
    run = recorded(asked(SIX, "auto"))
    begun = ["started", *TRIED, *TRIED, "chose frontier", *RUN, "searching"]
    assert run.events == [*begun, "memory-limit"]
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


MANY = 1_000


@pytest.fixture
def slow_tree_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `auto` look at tables however small the tree is, as if a tree search took long."""
    monkeypatch.setattr(rules, "QUICK_S", 0)
    monkeypatch.setattr(rules, "MIN_STAGE_S", 600.0)


def choices(job: Job) -> list[Chosen]:
    """Return what was chosen, in turn."""
    return [event for event in execute(job) if isinstance(event, Chosen)]


@pytest.mark.usefixtures("slow_tree_search")
@pytest.mark.parametrize(
    ("limit_s", "builds", "words"),
    [
        (None, 2 / PROCESS_SHARE, "choosing may take 2.0 s"),
        (60.0, 6, "choosing may take 6.0 s, a tenth of the time limit"),
    ],
)
def test_tables_that_outlast_the_time_for_choosing(
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    limit_s: float | None,
    builds: int,
    words: str,
) -> None:
    """Building stops there; the best solver known so far searches, and the reason says so."""
    frontier = Clocked(clock, "frontier", builds=MANY)
    offer_only(monkeypatch, Clocked(clock, "bitset"), frontier, Clocked(clock, "dlx"))
    with clock.lasting("build", seconds=1):
        run = recorded(asked(SIX, "auto", time_s=limit_s))
    assert run.fields("status", "count") == ("exhausted", 10)
    assert clock.taken["build"] == builds
    assert run.result["chosen"]["backend"] == "bitset"
    assert "frontier: its tables were not built in the time" in run.result["chosen"]["why"]
    assert run.result["chosen"]["why"].endswith(f"some trials were skipped: {words}")


@pytest.mark.usefixtures("slow_tree_search")
def test_tables_are_built_on_where_a_tree_search_takes_longer(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are given up by the same rule as in the trial."""
    monkeypatch.setattr(rules, "LONGER", 0.0)
    work = 2 / PROCESS_SHARE * trials.SLICE_WORK + 30_000  # of the trial, and of some slices more
    monkeypatch.setattr(rules, "MIN_STAGE_S", work * WORK_S)
    for builds, backends in ((10, ["frontier"]), (MANY, ["frontier", "bitset"])):
        frontier = Clocked(clock, "frontier", builds=builds)
        offer_only(monkeypatch, Clocked(clock, "bitset"), frontier, Clocked(clock, "dlx"))
        with clock.lasting("build", seconds=1):
            chosen = choices(asked(SIX, "auto"))
        assert [choice.backend for choice in chosen] == backends
        assert chosen[0].why.startswith("its tables are still being built; a tree search would")
    assert "frontier: building its tables would take too long" in chosen[1].why


def test_steps_that_cannot_be_interrupted(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is known to take too long is left out."""

    class Large(Clocked):
        def preparation_s(self, *_: Any) -> float:
            return trials.DEFAULT_S

    offer_only(monkeypatch, Large(clock, "bitset"), Large(clock, "dlx"))
    (chosen,) = choices(asked(SIX, "auto"))
    assert chosen.backend == "bitset"
    assert chosen.why == "no trial was run; some trials were skipped: choosing may take 2.0 s"
    assert clock.taken["prepare"] == 1


@pytest.mark.parametrize("slice_s", [1.0])
def test_a_forecast_from_samples(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, slice_s: float
) -> None:
    """It is the estimated number of nodes by the speed of a short search, less its first third."""

    class Probed(Clocked):
        estimates_quickly = True

    monkeypatch.setattr(trials, "DEFAULT_S", 60.0)
    monkeypatch.setattr(trials, "RATE_NODES", 300)
    monkeypatch.setattr(trials, "RATE_SHARE", 1.0)
    monkeypatch.setattr(trials, "MIN_RATE_NODES", 0)
    offer_only(monkeypatch, Probed(clock, "bitset"), Clocked(clock, "dlx"))
    with clock.lasting("search", seconds=slice_s):
        (chosen,) = choices(asked(SIX, "auto"))
    nodes = 630  # of the estimate, about
    assert chosen.why == f"a tree search would need about {nodes} nodes"
    node_s = slice_s * PROCESS_SHARE / 200  # 200 nodes in one slice
    assert chosen.forecast_s == pytest.approx(nodes * node_s, rel=0.02)
