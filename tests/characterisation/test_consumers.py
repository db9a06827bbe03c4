"""Random solutions, estimates, traces and timed tests: what they report, and what time counts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from characterisation.clock import DLX_SLICE, FRONTIER_SLICE, Clock
from characterisation.clocked import Clocked, SymmetryBreaking, offer
from characterisation.surface import asked, drawn, estimated, timed_rounds, traced
from dovetail.errors import LimitError
from dovetail.harness.run.clock import Interruption

SIX = "pentominoes-5x6-FLNPUY"
FREE = ("warm up", "warm up for task", "refuse", "symmetry breaking", "lower", "impossible")


class Benchmark:
    """Stands for the fixture of pytest-benchmark: notes how long each round takes."""

    def __init__(self, clock: Clock) -> None:
        self.extra_info: dict[str, Any] = {}
        self.rounds: list[float] = []
        self._clock = clock

    def pedantic(self, target: Callable[..., None], setup: Callable[[], Any], rounds: int) -> None:
        for _ in range(rounds):
            arguments, words = setup()
            begun = self._clock.now
            target(*arguments, **words)
            self.rounds.append(self._clock.now - begun)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("search", "frontier, time-limit: nothing was sampled"),
        ("draw", "frontier, time-limit: sampled 1 of 3"),
    ],
)
def test_what_draws_take(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str, message: str
) -> None:
    """The search and each draw are charged to the limit; what was drawn has been given."""
    clock.time(monkeypatch, "search", FRONTIER_SLICE)
    solutions = drawn(asked(SIX, "frontier", time_s=1), 3)
    with clock.lasting(step, seconds=2):
        found = list(islice(solutions, 1)) if step == "draw" else []
        with pytest.raises(LimitError, match=message):
            next(solutions)
    assert len(found) == (step == "draw")


def test_what_estimates_take(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first estimate compiles and is not timed; the rate is that of half a second of search."""
    offer(monkeypatch, Clocked(clock, slices=3))
    with clock.lasting(*FREE, "prepare", "search", "take", seconds=2):
        found = estimated(asked(SIX, "clocked"), 10_000)
    assert found.sampling_s == 0
    assert (found.node_rate, clock.taken["search"]) == (150, 1)
    clock.taken.clear()
    with clock.lasting("descend", "search", seconds=2):
        found = estimated(asked(SIX, "clocked"), 10_000)
    assert found.sampling_s == 2 * (clock.taken["descend"] - 1)


@pytest.mark.parametrize("step", ["lower", "impossible", "descend"])
def test_the_time_of_estimates(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """What comes before the samples is charged to a limit too, and compiling is not."""
    offer(monkeypatch, Clocked(clock, slices=3))
    question = asked("soma-cube", "clocked", "all")
    with clock.lasting("warm up", "warm up for task", "search", seconds=2):
        assert estimated(question, 4_000, time_s=1).descents == 4_000
    with (
        clock.lasting(step, seconds=2),
        pytest.raises(LimitError, match="the time limit of 1 s was reached after 1 estimate, and"),
    ):
        estimated(question, 4_000, time_s=1)


@pytest.mark.parametrize(
    ("limits", "status"),
    [({}, "exhausted"), ({"nodes": 5}, "node-limit"), ({"solutions": 1}, "solution-limit")],
)
def test_how_traces_end(clock: Clock, limits: dict[str, Any], status: str) -> None:
    """As searches do."""
    assert traced(asked(SIX, symmetry="all", **limits), 10**6)[-1] == {"status": status}


def test_what_traces_take(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of the search count against the limit; a request to stop ends it behind one."""
    clock.time(monkeypatch, "search", DLX_SLICE)
    with clock.lasting("search", seconds=2):
        rows = traced(asked("pentominoes-6x10", time_s=1), 10**6)
    assert rows[-1] == {"status": "time-limit"}
    assert len(rows) > 2
    interruption = Interruption()
    clock.at("search", interruption.request)
    assert traced(asked("pentominoes-6x10"), 10**6, interruption)[-1] == {"status": "interrupted"}


PLANNING = {"lower", "impossible", "refuse"}


@pytest.mark.parametrize(
    ("kind", "planning"), [(SymmetryBreaking, {*PLANNING, "symmetry breaking"})]
)
def test_timed_rounds(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, kind: type[Clocked], planning: set[str]
) -> None:
    """Nothing but the search is in a round; each result has the planning, and its own preparing."""
    offer(monkeypatch, kind(clock, slices=2, builds=2))
    benchmark = Benchmark(clock)
    with clock.lasting():
        rounds = timed_rounds(asked(SIX, "clocked"), benchmark, 2)
        assert [clock.steps_in(seconds) for seconds in benchmark.rounds] == 2 * [{"search", "take"}]
        for result, seconds in rounds:
            assert clock.steps_in(seconds["warm_up_s"]) == set()
            assert clock.steps_in(seconds["prepare_s"]) == planning | {"prepare", "build"}
            assert clock.steps_in(seconds["solve_s"]) - {"classify"} == {"search"}
            assert clock.steps_in(seconds["check_s"]) == {"verify"}
            assert (result["status"], result["count"]) == ("exhausted", 10)
            assert result["placements"]["before"] == 546
    assert clock.taken["prepare"] == 2
