"""What a search needs is compiled before its time begins to count."""

from __future__ import annotations

import gc
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from dovetail.harness import improving
from dovetail.harness.improving import improve, improving_job
from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.improvers import portfolio
from dovetail.improvers.registry import improvers
from dovetail.jit import bounds_check
from dovetail.jit.decorator import Kernel
from dovetail.puzzles.edge_boards import random_board

BOARD = random_board(10, 10, 7, 1)
REFILLS = ("greedy", "assignment", "exact")
NODES = 100_000
TURN_S = 1e-3


@pytest.mark.skipif(bounds_check(), reason="numba runs the kernels")
@pytest.mark.parametrize(
    ("name", "config"),
    [
        *((name, {}) for name in improvers()),
        *(("repair", {"refill": refill}) for refill in REFILLS),
        ("breaks", {"schedule": ("60", "80"), "restart_nodes": 20_000}),
    ],
)
def test_nothing_is_compiled_in_the_time_of_a_search(
    monkeypatch: pytest.MonkeyPatch, name: str, config: dict[str, Any]
) -> None:
    """No kernel is loaded or compiled once the search begins, whichever others have run before."""
    monkeypatch.setattr(improving, "WORK", (50_000,) * 3)
    clock = SimpleNamespace(perf_counter=count(step=TURN_S / 100).__next__)
    monkeypatch.setattr(portfolio, "time", clock)  # a turn is of so many slices
    monkeypatch.setattr(portfolio, "FIRST_TURN_S", TURN_S)
    gc.unfreeze()  # a command that ran in this process has frozen all objects
    for one in gc.get_objects():
        if type(one) is Kernel:
            monkeypatch.setattr(one, "_native", {})
    loaded: list[str] = []
    load = Kernel._load

    def recording(self: Any, *arguments: Any) -> Any:
        loaded.append(self.__name__)
        return load(self, *arguments)

    monkeypatch.setattr(Kernel, "_load", recording)
    events = improve(improving_job(BOARD, name, config, limits=Limits(time_s=60.0, nodes=NODES)))
    assert isinstance(next(events), Started)
    before = list(loaded)
    assert before
    *_, result = events
    assert loaded == before
    assert isinstance(result, Result)
    if name == "portfolio":
        assert result.counters.native["repairs"] > 0
