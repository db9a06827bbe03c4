"""What counts against a limit on time, and what a slice may spend."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Event
from typing import Any

import pytest

from characterisation.clock import STEPS, Clock
from characterisation.clocked import Clocked, SymmetryBreaking, Threaded, offer, offer_only
from characterisation.surface import (
    BY_SAMPLING,
    asked,
    build_tables_for_any_tree,
    recorded,
    sample_little,
)
from dovetail.harness.run.job import RandomOrder, Trials
from dovetail.models.outcome import Status

SIX = "pentominoes-5x6-FLNPUY"
COMPILING = ("warm up", "warm up for task")
# Of a run without automatic symmetry breaking: what a limit charges, and what it does not.
CHARGED = ("refuse", "lower", "reduce", "impossible", "prepare", "build", "search", "classify")
FREE = (*COMPILING, "take", "progress", "verify")


def ended(words: dict[str, Any], seconds: float) -> str:
    """How a run ends that has so much time."""
    status: str = recorded(asked(SIX, "clocked", time_s=seconds, **words)).result["status"]
    return status


@pytest.mark.parametrize("step", [*FREE, *CHARGED])
def test_what_counts(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Preparing and solving: such a step that is longer than the limit ends the run behind it."""
    offer(monkeypatch, Clocked(clock, slices=3, builds=2))
    with clock.lasting(step, seconds=2):
        status = ended({"reduce": ["volume"]}, 1)
    assert clock.taken[step] > 0
    assert status == ("exhausted" if step in FREE else "time-limit")


@pytest.mark.parametrize("step", ["refuse", "reduce", "prepare", "build", "search"])
@pytest.mark.parametrize(
    "words", [{"trials": Trials(3, 4, 1)}, {"order": RandomOrder(3, restarts=True)}]
)
def test_what_counts_in_many_searches(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str, words: dict[str, Any]
) -> None:
    """The same, over all of them together."""
    question = {"reduce": ["volume"], **words}
    offer(monkeypatch, Clocked(clock, slices=3, builds=2))
    with clock.lasting(step, seconds=1):
        in_all = recorded(asked(SIX, "clocked", **question)).charged_s
        assert ended(question, in_all + 0.5) != "time-limit"
        assert ended(question, in_all / 2) == "time-limit"


@pytest.mark.parametrize("step", ["lower", "progress"])
def test_sampling_counts(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """It ends at the limit, with what is known of pieces by then or the filter's own choice."""
    sample_little(monkeypatch)
    offer(monkeypatch, Clocked(clock))
    with clock.lasting(step, seconds=2):
        run = recorded(asked(SIX, "clocked", reduce=[BY_SAMPLING], time_s=1))
    assert run.fields("status", "sampled", "piece") == ("time-limit", [], "L")


@pytest.mark.parametrize(
    "step",
    [step for step in STEPS if step not in ("reduce", "classify", "verify", "draw", "descend")],
)
def test_choosing_counts(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """A run that `auto` plans has nothing to report when time is up before it has chosen."""
    build_tables_for_any_tree(monkeypatch)
    frontier = SymmetryBreaking(clock, "frontier", slices=2, builds=2)
    offer_only(monkeypatch, Clocked(clock, "bitset", slices=2), frontier)
    with clock.lasting(step, seconds=2):
        run = recorded(asked(SIX, "auto", time_s=1))
    if step in COMPILING:
        assert run.fields("status", "count") == ("exhausted", 10)
        return
    assert run.fields("status", "count", "reason", "chosen") == (
        "time-limit",
        None,
        "stopped while choosing a backend",
        None,
    )


def test_what_is_left_when_one_gives_up(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next has the limit less all that was taken so far, choosing included."""
    build_tables_for_any_tree(monkeypatch)
    given_up = (Status.SKIPPED, "too many ways")
    frontier = Clocked(clock, "frontier", slices=3, builds=2, gives_up=given_up)
    offer_only(monkeypatch, Clocked(clock, "bitset", slices=2), frontier)
    ends = []
    for limit_s in range(1, 10):
        with clock.lasting("search", seconds=1):
            run = recorded(asked(SIX, "auto", time_s=limit_s - 0.5))
        chosen = [event.split()[1] for event in run.events if event.startswith("chose")]
        ends.append((run.result["status"], chosen))
        assert run.charged_s == limit_s
    # It takes two to choose, three to give up, two to choose again, and two for the whole search.
    assert ends == [
        *2 * [("time-limit", [])],
        *2 * [("time-limit", ["frontier"])],
        *2 * [("time-limit", ["frontier"])],
        *2 * [("time-limit", ["frontier", "bitset"])],
        ("exhausted", ["frontier", "bitset"]),
    ]


def test_a_thread_is_cut(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given what is left; a search that goes on all the same is left behind."""
    backend, released = Threaded(clock), Event()
    offer(monkeypatch, backend)
    clock.at("search", released.wait)
    with clock.lasting("prepare", "search", seconds=2):
        run = recorded(asked(SIX, "clocked", time_s=3))
    released.set()
    backend.search.let_end()
    assert run.fields("status", "count") == ("time-limit", 0)
    assert [budget.seconds for budget in backend.budgets] == [1]
    assert (run.seconds["prepare_s"], run.seconds["solve_s"]) == (2, 2)


@pytest.mark.parametrize(
    ("seconds", "work"),
    [
        (0.015, [20_000 * 2**n for n in range(8)] + [5_000_000]),
        (100, [20_000, 5_000, 1_250, *6 * [1_000]]),
    ],
)
def test_the_work_of_a_slice(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: float, work: list[int]
) -> None:
    """Is such that it takes 0.03 s: at most doubled or quartered at a time, within bounds."""
    backend = Clocked(clock, slices=9)
    offer(monkeypatch, backend)
    with clock.lasting("search", seconds=seconds or None) if seconds else nullcontext():
        recorded(asked("pentominoes-6x10", "clocked", nodes=4000))
    assert [budget.work for budget in backend.budgets] == work


def test_the_nodes_of_a_slice(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are those that are left, of the limit and of a restart."""
    backend = Clocked(clock, slices=3)
    offer(monkeypatch, backend)
    recorded(asked(SIX, "clocked", nodes=1000))
    assert [budget.nodes for budget in backend.budgets] == [1000, 700, 400]
    backend.budgets.clear()
    recorded(asked(SIX, "clocked", nodes=1700, order=RandomOrder(3, restarts=True)))
    assert [budget.nodes for budget in backend.budgets] == [1638, 1338, 1038, 62]


@pytest.mark.parametrize(
    ("words", "solutions"),
    [
        ({"symmetry": "all"}, [12, 8]),
        ({"symmetry": "unique"}, [None, None, None]),
        ({"symmetry": "all", "order": RandomOrder(3, restarts=True)}, [None, None]),
    ],
)
def test_the_solutions_of_a_slice(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, words: dict[str, Any], solutions: list[int]
) -> None:
    """Are those that are left where each one found is one that was asked for."""
    backend = Clocked(clock, slices=3)
    offer(monkeypatch, backend)
    run = recorded(asked(SIX, "clocked", solutions=12, listing=True, **words))
    assert [budget.solutions for budget in backend.budgets] == solutions
    assert len(run.rows) == run.result["count"]
