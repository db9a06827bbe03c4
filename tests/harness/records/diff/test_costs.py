"""Costs beside the spread of their repeats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from dovetail.harness.records.findings import Cost, CostVerdict, apart_by_chance, costs
from harness.records.diff.made import MACHINE, repeats, summary

TOLERANCE = 0.05


def cost(key: str, old: Sequence[float | None], new: Sequence[float | None]) -> Cost:
    """What a cost comes to with these figures of the repeats."""
    made = costs(summary(repeats(key, old)), summary(repeats(key, new)), TOLERANCE)
    return made[("prepare_s", "solve_s", "solve_cpu_s", "peak_bytes").index(key)]


@pytest.mark.parametrize("key", ["prepare_s", "solve_s"])
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ([1.0, 1.1, 1.2], [1.3, 1.4, 1.5], CostVerdict.MORE),
        ([1.3, 1.4, 1.5], [1.0, 1.1, 1.2], CostVerdict.LESS),
        ([1.0, 1.1, 1.4], [1.3, 1.4, 1.5], CostVerdict.SAME),  # they overlap
        ([1.0, 1.0, 1.0], [1.04, 1.04, 1.04], CostVerdict.SAME),  # within the tolerance
        ([1.0, 1.0, 1.0], [1.06, 1.06, 1.06], CostVerdict.MORE),
        ([1e-4, 1e-4, 1e-4], [9e-4, 9e-4, 9e-4], CostVerdict.SAME),  # below the resolution
        ([1.0, 1.0], [2.0, 2.0], CostVerdict.TOO_FEW_RUNS),
        ([1.0, 1.0, 1.0], [2.0], CostVerdict.TOO_FEW_RUNS),
    ],
)
def test_verdicts(key: str, old: list[float], new: list[float], verdict: CostVerdict) -> None:
    """Which changes in seconds are reported, and which are not."""
    assert cost(key, old, new).verdict == verdict


def test_memory() -> None:
    """Is judged in the same way; less than a MiB is nothing, and a run may not tell it."""
    assert cost("peak_bytes", [2**27] * 3, [2**27, 2**27, None]).verdict == CostVerdict.UNKNOWN
    assert cost("peak_bytes", [2**27] * 3, [2**28] * 3).verdict == CostVerdict.MORE
    assert cost("peak_bytes", [2**20] * 3, [2**20 + 2**19] * 3).verdict == CostVerdict.SAME


def test_the_ratio_is_of_medians() -> None:
    """None where one is 0."""
    found_cost = cost("solve_s", [1.0, 4.0, 2.0], [3.0, 6.0, 5.0])
    assert found_cost.ratio == 2.5
    assert found_cost.old is not None
    assert (
        found_cost.old.median,
        found_cost.old.minimum,
        found_cost.old.maximum,
        found_cost.old.runs,
    ) == (2.0, 1.0, 4.0, 3)
    assert cost("solve_s", [0.0] * 3, [1.0] * 3).ratio is None
    assert cost("solve_s", [5e-324] * 3, [1e18] * 3).ratio is None  # it would be infinite


def costs_of(old: dict[str, Any], new: dict[str, Any]) -> tuple[Cost, ...]:
    """What three runs each have cost."""
    before, after = (summary(repeats("prepare_s", [0.1] * 3, **side)) for side in (old, new))
    return costs(before, after, TOLERANCE)


def solve_of(old: dict[str, Any], new: dict[str, Any]) -> Cost:
    """What waiting for the search has cost."""
    return costs_of(old, new)[1]


@pytest.mark.parametrize(
    ("wall", "cpu", "verdicts"),
    [
        (6.0, 2.0, (CostVerdict.MORE, CostVerdict.SAME)),  # it waits for something
        (4.0, 4.0, (CostVerdict.MORE, CostVerdict.MORE)),
        (2.0, 1.0, (CostVerdict.SAME, CostVerdict.LESS)),
    ],
)
def test_wall_clock_and_processor_time(
    wall: float, cpu: float, verdicts: tuple[CostVerdict, CostVerdict]
) -> None:
    """Are two costs, each with a verdict of its own."""
    found_cost = costs_of(
        {"solve_s": 2.0, "solve_cpu_s": 2.0}, {"solve_s": wall, "solve_cpu_s": cpu}
    )
    assert [cost.name for cost in found_cost] == ["prepare", "solve", "solve, cpu", "memory"]
    assert (found_cost[1].verdict, found_cost[2].verdict) == verdicts


@pytest.mark.parametrize("cpu", [None, 0.0, 0.4, 7.8])
def test_processor_time_that_is_not_the_whole(cpu: float | None) -> None:
    """Not recorded, or others worked for the search, in other processes or in threads."""
    found_cost = costs_of(
        {"solve_s": 2.0, "solve_cpu_s": 2.0}, {"solve_s": 4.0, "solve_cpu_s": cpu}
    )
    assert found_cost[1].verdict == CostVerdict.MORE
    assert found_cost[2] == Cost("solve, cpu", None, None, CostVerdict.UNKNOWN)


@pytest.mark.parametrize(("old", "new"), [(3, 3), (3, 4), (5, 5), (2, 3), (4, 3)])
def test_what_lies_apart_by_chance(old: int, new: int) -> None:
    """As many as there are orders of the runs in which one side comes before the other."""
    found_cost = cost("solve_s", [1.0] * old, [2.0] * new)
    orders = list(combinations(range(old + new), old))
    apart = sum(max(order) - min(order) == old - 1 and {0, old + new - 1} & {*order} != set()
                for order in orders)  # fmt: skip
    expected = apart / len(orders) if min(old, new) >= 3 else 0.0
    assert apart_by_chance([found_cost, found_cost]) == pytest.approx(2 * expected)


def test_what_is_not_judged() -> None:
    """Another machine, and runs that did not end after the same work."""
    slow = {"solve_s": 9.0, "solve_cpu_s": 9.0}
    elsewhere = {**slow, "machine": {**MACHINE, "cores": 8}}
    assert solve_of({}, elsewhere).verdict == CostVerdict.OTHER_MACHINE
    renewed = {**slow, "machine": {**MACHINE, "system": "Linux 7"}}
    assert solve_of({}, renewed).verdict == CostVerdict.MORE
    for status in ("time-limit", "skipped"):
        assert solve_of({}, {**slow, "status": status}).verdict == CostVerdict.OTHER_WORK
    cut = {"status": "time-limit"}
    assert solve_of(cut, {**cut, **slow}).verdict == CostVerdict.OTHER_WORK
    limit = {"status": "node-limit"}
    assert solve_of(limit, {**limit, **slow}).verdict == CostVerdict.MORE
