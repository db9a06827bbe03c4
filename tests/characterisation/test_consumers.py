"""Random solutions, estimates, traces and timed tests: what they report, and what time counts."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from characterisation.clock import FRONTIER_SLICE, Clock
from characterisation.clocked import Clocked, offer
from characterisation.surface import asked, drawn, estimated, traced
from dovetail.errors import LimitError

SIX = "pentominoes-5x6-FLNPUY"
FREE = ("warm up", "warm up for task", "refuse", "symmetry breaking", "lower", "impossible")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("search", "frontier ended with status time-limit: nothing was sampled"),
        ("draw", "frontier ended with status time-limit: sampled 1 of 3"),
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
    ("limits", "status"), [({}, "exhausted"), ({"solutions": 1}, "solution-limit")]
)
def test_how_traces_end(clock: Clock, limits: dict[str, Any], status: str) -> None:
    """As searches do."""
    assert traced(asked(SIX, symmetry="all", **limits), 10**6)[-1] == {"status": status}
