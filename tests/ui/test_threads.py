"""Slow work: in its turn, for whoever waits for it, and kept solutions within one bound."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dovetail.harness.run.events import Found
from dovetail.models.task import lower
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.ui import requests as sizes
from dovetail.ui.race import KeptSolutions, Store
from dovetail.ui.requests import RequestError, check_size
from dovetail.ui.serving.threads import SlowWork
from ui.served import SIX


def test_who_leaves_gives_up_the_turn() -> None:
    """Work that waits is not begun, and work that goes on is asked to end."""
    begun, ended = list[str](), list[str]()
    free = threading.Event()

    def work(name: str) -> str:
        begun.append(name)
        free.wait(10)
        return name

    async def both() -> str:
        slow = SlowWork(lambda: False, 1)
        leaves = [asyncio.Event() for _ in range(3)]
        asked = [
            asyncio.ensure_future(
                slow.run_for(request(left), work, name, on_leave=partial(ended.append, name))
            )
            for name, left in zip("abc", leaves, strict=True)
        ]
        while not begun:
            await asyncio.sleep(0.01)
        leaves[1].set()
        with pytest.raises(RequestError):
            await asked[1]
        leaves[0].set()
        with pytest.raises(RequestError):
            await asked[0]
        free.set()
        return await asked[2]

    assert asyncio.run(both()) == "c"
    assert (begun, ended) == (["a", "c"], ["b", "a"])


def request(left: asyncio.Event) -> Any:
    """A request of one who is there until `left` is set."""

    async def receive() -> dict[str, str]:
        await left.wait()
        return {"type": "http.disconnect"}

    return SimpleNamespace(receive=receive)


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        (SIX, "MAX_CELLS", "it has 30 cells; expected at most 10"),
        ("langford-4", "MAX_ITEMS", "it has 54 items of its options; expected at most 10"),
    ],
)
def test_a_puzzle_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: str, message: str
) -> None:
    """Is refused with its size and the limit, before anything is placed."""
    puzzle = catalogue_puzzle(name)
    check_size(puzzle)
    monkeypatch.setattr(sizes, limit, 10)
    with pytest.raises(RequestError, match=message):
        check_size(puzzle)


def test_solutions_of_all_lanes_have_one_bound() -> None:
    """The second lane keeps what the first has left, and no more later: the first ones are kept."""
    lowered = lower(catalogue_puzzle(SIX))
    found = Found(np.zeros((4, 6), np.int32), lowered)
    store = Store(6 * found.options[0].nbytes)
    first, second, third = (KeptSolutions(store) for _ in range(3))
    first.add(found)
    second.add(found)
    assert (first.kept, second.kept, second.found) == (4, 2, 4)
    first.forget()
    second.add(found)
    third.add(found)
    assert (first.kept, second.kept, third.kept) == (0, 2, 4)
