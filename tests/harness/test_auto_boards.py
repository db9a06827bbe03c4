"""`auto` on boards: `rows` and `domains`, what is expected of them, and what if it was wrong."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

from dovetail.harness.planning import boards
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Chosen, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from golden.edge_boards import COMMUNITY, edge_puzzle, needs_community
from harness.auto_jobs import chosen, left_to_auto
from harness.known import known


def test_the_order_of_rows() -> None:
    """That in which fewest partial boards are expected."""
    spiral = chosen(left_to_auto("edges-6-b5i4-1"))
    assert (spiral.backend, spiral.config) == ("rows", {"order": ["spiral"]})
    assert chosen(left_to_auto("edges-9-b11i11-1")).config == {}


def test_a_model_where_samples_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random probes that are too few do not get to the levels with most nodes."""
    monkeypatch.setattr(boards, "SAMPLED_CELLS", 1)
    why = chosen(left_to_auto("edges-7-b6i6-7")).why
    assert why.startswith("rows would need about 44,000,000 nodes by Owen's model, ")


@pytest.mark.parametrize(
    ("name", "count", "wrong", "other"),
    [("edges-7-b7i6-1", 1, "rows", "domains"), ("edges-5-b3i3-1", 98, "domains", "rows")],
)
def test_a_search_that_shows_its_forecast_wrong(
    monkeypatch: pytest.MonkeyPatch, name: str, count: int, wrong: str, other: str
) -> None:
    """It is given up for the other, unless that is expected to need more time than there is."""

    def expect(solver: str, factor: float) -> None:
        estimate = getattr(boards, f"_expected_of_{solver}")

        def estimate_wrongly(*arguments: Any) -> Generator[Event, None, Any]:
            found = yield from estimate(*arguments)
            return replace(found, nodes=found.nodes * factor)

        monkeypatch.setattr(boards, f"_expected_of_{solver}", estimate_wrongly)

    monkeypatch.setattr(boards, "ROWS_NODES", 1000)
    monkeypatch.setattr(boards, "ENOUGH_S", 0.0)
    expect(wrong, 1e-3)
    job = left_to_auto(name)
    events = list(execute(job))
    finished = events[-1]
    assert isinstance(finished, Result)
    assert [event.backend for event in events if isinstance(event, Chosen)] == [wrong, other]
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert finished.chosen is not None
    assert re.search(rf"{wrong}: not finished after [0-9,]+ nodes, more than", finished.chosen.why)
    expect(other, 1e5)
    for limits in (Limits(time_s=60.0), Limits(solutions=10**9)):
        finished = finish(execute(replace(job, limits=limits)))
        assert (known(finished.chosen).backend, finished.count) == (wrong, count)


@needs_community
def test_a_board_of_the_community() -> None:
    """1.9 · 10^14 nodes were counted by others; the beginning of a search foresees 2 · 10^11."""
    board = edge_puzzle(COMMUNITY.with_name("set-1-09x09.txt"))
    events = execute(left_to_auto(board))
    why = next(event.why for event in events if isinstance(event, Chosen))
    figure = known(re.search(r"rows would need about ([0-9,]+) nodes, ", why))
    assert 1.4e14 < int(figure[1].replace(",", "")) < 2.6e14
