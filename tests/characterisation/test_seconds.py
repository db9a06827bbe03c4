"""Where the time of each step of a run lands: in which figure, and whether it counts at all."""

from __future__ import annotations

from typing import Any

import pytest

from characterisation.clock import PROCESS_SHARE, THREAD_SHARE, Clock, seconds_of
from characterisation.clocked import (
    Clocked,
    SymmetryBreaking,
    Threaded,
    offer,
    offer_only,
)
from characterisation.surface import (
    BY_SAMPLING,
    Run,
    asked,
    build_tables_for_any_tree,
    recorded,
    sample_little,
)
from dovetail.harness.run.job import RandomOrder, Trials

SIX = "pentominoes-5x6-FLNPUY"
FIGURES = ("warm_up_s", "prepare_s", "solve_s", "check_s")
WARM_UP = {"warm up", "warm up for task"}
PREPARE = {"lower", "impossible", "refuse", "prepare"}
SOLVE = {"search", "classify"}


def landed(clock: Clock, run: Run) -> dict[str, set[str]]:
    """The steps in each figure of a run, and in what `counts` for whoever watches its events."""
    steps = {figure: clock.steps_in(run.seconds[figure]) for figure in FIGURES}
    return {**steps, "counts": clock.steps_in(run.charged_s)}


def counted(prepare: set[str], solve: set[str]) -> dict[str, set[str]]:
    """What `landed` gives: a limit charges preparing and solving."""
    return {
        "warm_up_s": WARM_UP,
        "prepare_s": prepare,
        "solve_s": solve,
        "check_s": {"verify"},
        "counts": prepare | solve,
    }


@pytest.mark.parametrize(
    ("question", "script", "steps"),
    [
        ({"symmetry": "all"}, {"slices": 2}, counted(PREPARE, {"search"})),
        (
            {"reduce": ["volume"]},
            {"slices": 2},
            counted(PREPARE | {"reduce"}, SOLVE) | {"warm_up_s": WARM_UP | {"reduce"}},
        ),
        (
            {"trials": Trials(3, 4, 1)},
            {},
            counted(PREPARE, SOLVE) | {"check_s": set()},
        ),
        (
            {"order": RandomOrder(3, restarts=True), "nodes": 3000},
            {},
            counted(PREPARE, SOLVE),
        ),
    ],
)
def test_a_run(
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    question: dict[str, Any],
    script: dict[str, Any],
    steps: dict[str, set[str]],
) -> None:
    """Compiling and verifying are apart; fetching and progress are in no figure."""
    offer(monkeypatch, Clocked(clock, **script))
    with clock.lasting():
        run = recorded(asked(SIX, "clocked", **question))
        assert landed(clock, run) == steps
    assert run.seconds["total_s"] == run.seconds["prepare_s"] + run.seconds["solve_s"]
    assert run.seconds["solve_cpu_s"] == PROCESS_SHARE * run.seconds["solve_s"]


@pytest.mark.parametrize("step", ["prepare", "search", "take", "progress"])
def test_choosing_a_piece_by_sampling(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """All of it is preparing, also what is no part of any figure in the search itself."""
    sample_little(monkeypatch)
    offer(monkeypatch, Clocked(clock))
    with clock.lasting(step, seconds=1):
        run = recorded(asked(SIX, "clocked", reduce=[BY_SAMPLING]))
    times = clock.taken[step]
    in_search = {"prepare": 0, "search": 1, "take": 1, "progress": 0}[step]
    assert times > 5
    assert run.seconds["prepare_s"] == times - in_search
    assert run.seconds["solve_s"] == (step == "search")
    assert run.charged_s == times - in_search + (step == "search")


def test_a_refusal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has what preparing took until then, and forgets what compiling took."""
    offer(monkeypatch, Clocked(clock, refusal="it is too large"))
    with clock.lasting():
        run = recorded(asked(SIX, "clocked"))
        assert run.fields("status", "reason") == ("skipped", "it is too large")
        prepare = PREPARE - {"prepare"}
        assert landed(clock, run) == {
            "warm_up_s": set(),
            "prepare_s": prepare,
            "solve_s": set(),
            "check_s": set(),
            "counts": prepare,
        }


def test_a_thread(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own processor time is that of solving; while it waits for us no time of it passes."""
    offer(monkeypatch, Threaded(clock))
    with clock.lasting("search"):
        run = recorded(asked(SIX, "clocked"))
    search_s = seconds_of("search")
    assert run.seconds["solve_s"] == search_s
    assert run.seconds["solve_cpu_s"] == THREAD_SHARE * search_s
    offer(monkeypatch, Threaded(clock))
    with clock.lasting("search", "take", "progress", "verify"):
        run = recorded(asked(SIX, "clocked"))
    assert len(run.progress) == 2, "it pauses once, half a second after it began"
    assert run.seconds["solve_s"] == search_s
    assert run.seconds["check_s"] == 2 * seconds_of("verify")


def test_what_auto_takes(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choosing is preparing, short searches among it; compiling for it is compiling."""
    build_tables_for_any_tree(monkeypatch)
    frontier = SymmetryBreaking(clock, "frontier", slices=2, builds=2)
    offer_only(monkeypatch, Clocked(clock, "bitset", slices=2), frontier)
    with clock.lasting():
        run = recorded(asked(SIX, "auto"))
        assert run.events[-3:] == ["started", "searching", "exhausted"]
        assert run.result["chosen"]["backend"] == "frontier"
        steps = landed(clock, run)
    assert steps["warm_up_s"] == WARM_UP
    choosing = {"symmetry breaking", "build", "search", "take", "progress"}
    assert steps["prepare_s"] == PREPARE | choosing
    assert (steps["solve_s"], steps["check_s"]) == ({"search"}, {"verify"})
    assert steps["counts"] == steps["prepare_s"]
