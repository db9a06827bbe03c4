"""Findings on a job in two files of records: answers, work and costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from dovetail.harness.records.findings import (
    Cost,
    CostVerdict,
    answer_findings,
    apart_by_chance,
    costs,
    work_findings,
)
from harness.records.made import MACHINE, repeats, results
from harness.records.made import compared as record

EXACT: dict[str, Any] = {"status": "exhausted"}
CUT: dict[str, Any] = {"status": "time-limit"}
FEW: dict[str, Any] = {"status": "solution-limit"}


def found(
    old: dict[str, Any], new: dict[str, Any], wrong: str | None = None
) -> list[tuple[str, str, str, Any, Any]]:
    """The findings as plain texts."""
    findings = answer_findings(record(**old), record(**new), wrong)
    return [(str(f.severity), str(f.kind), f.what, f.old, f.new) for f in findings]


def test_the_same_answer_is_no_finding() -> None:
    """Exact, cut with any lower bound that is possible, refused, or failed before as well."""
    assert found(EXACT, EXACT) == []
    assert found({**CUT, "count": 3}, {**CUT, "count": 2}) == []
    refused = {"status": "skipped", "count": None, "reason": "no"}
    assert found(refused, refused) == []


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ({"count": 4}, {"count": 5}, ("4", "5")),
        ({"count": 4}, {**CUT, "count": 5}, ("4", "time-limit ≥ 5")),
        ({**CUT, "count": 5}, {"count": 4}, ("time-limit ≥ 5", "4")),
        ({**FEW, "count": 5}, {**FEW, "count": 4}, ("solution-limit ≥ 5", "solution-limit ≥ 4")),
    ],
)
def test_counts_that_contradict(
    old: dict[str, Any], new: dict[str, Any], counts: tuple[str, str]
) -> None:
    """Are an error."""
    assert found(old, new) == [("error", "count", "the count", *counts)]


@pytest.mark.parametrize(("old", "new", "side"), [(4, 0, "new"), (0, 4, "old")])
def test_verified_solutions_name_the_wrong_count(old: int, new: int, side: str) -> None:
    """Whichever file has the smaller one."""
    before, after = (
        {"count": count, "verified": count, "symmetry_expansion": "as found"}
        for count in (old, new)
    )
    ((*_, what, _, _),) = found(before, after)
    assert what.startswith(f"the count; the {side} count is wrong: ")


def test_a_wrong_answer_is_an_error_however_old() -> None:
    """The reason is reported; a count that has changed too comes first."""
    wrong = {"status": "wrong", "reason": "a cell is empty"}
    expected = [("error", "count", "a cell is empty", "wrong 4", "wrong 4")]
    assert found(wrong, wrong, "a cell is empty") == expected
    assert found(EXACT, EXACT, "backends disagree")[0][2] == "backends disagree"
    assert found({"count": 4}, {"count": 5}, "backends disagree")[0][2] == "the count"


def test_a_failure_is_an_error_when_it_is_new() -> None:
    """Else a warning."""
    failed = {"status": "failed", "count": None, "reason": "it was killed"}
    assert found(EXACT, failed) == [("error", "count", "it was killed", "4", "failed")]
    expected = [("warning", "status", "it fails as before", "failed", "failed")]
    assert found(failed, failed) == expected


@pytest.mark.parametrize("status", ["time-limit", "memory-limit", "node-limit", "skipped"])
def test_runs_that_no_longer_finish(status: str) -> None:
    """Are a warning; the other way round it is a note."""
    cut = {"status": status, "count": None}
    assert found(EXACT, cut) == [("warning", "unfinished", "it no longer finishes", "4", status)]
    assert found(cut, EXACT) == [("note", "status", "the status", status, "4")]


def found_work(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str, Any, Any]]:
    """The findings as plain texts."""
    findings = work_findings(record(**old), record(**new))
    return [(str(f.severity), str(f.kind), f.what, f.old, f.new) for f in findings]


@pytest.mark.parametrize("key", ["nodes", "attempts"])
def test_other_figures_are_a_warning(key: str) -> None:
    """Of searches that went to their end."""
    expected = [("warning", "nodes", key, "1,500", "1,501")]
    assert found_work({key: 1500}, {key: 1501}) == expected
    assert found_work({key: 1500}, {key: 1500}) == []


def test_what_is_not_compared() -> None:
    """Backends that count no nodes, and runs that were cut by the clock, or in different ways."""
    assert found_work({"nodes": None}, {"nodes": 5}) == []
    for status in ("time-limit", "solution-limit", "skipped"):
        assert found_work({"status": status, "nodes": 4}, {"status": status, "nodes": 5}) == []
    assert found_work({"nodes": 4}, {"status": "node-limit", "nodes": 5}) == []


def test_other_solutions_at_the_same_node_limit() -> None:
    """Tell of another order of the search; a count that is exact is judged elsewhere."""
    limit = {"status": "node-limit"}
    expected = [("warning", "nodes", "count", "4", "3")]
    assert found_work({**limit, "count": 4}, {**limit, "count": 3}) == expected
    assert found_work({"count": 4}, {"count": 3}) == []


def test_figures_of_a_backend_s_own_are_a_note() -> None:
    """Those that both tell, the first few named."""
    old = {"native": {"a": 1, "b": 2, "gone": 3}}
    expected = [("note", "native", "figures of the backend", "b 2", "b 9")]
    assert found_work(old, {"native": {"a": 1, "b": 9, "fresh": 3}}) == expected
    many = [{"native": dict.fromkeys("abcd", value)} for value in (1, 2)]
    what = "figures of the backend (4 in all)"
    assert found_work(*many) == [("note", "native", what, "a 1, b 1, c 1", "a 2, b 2, c 2")]
    assert found_work({"native": {}}, {"native": {"a": 1}}) == []


def test_another_choice_of_auto() -> None:
    """Is a warning in place of the nodes."""
    fila, dlx = (
        dict[str, Any](chosen={"backend": name, "config": {}, "reductions": [], "why": "small"})
        for name in ("fila", "dlx")
    )
    expected = [("warning", "nodes", "choice of auto", "fila", "dlx")]
    assert found_work({**fila, "nodes": 1}, {**dlx, "nodes": 2}) == expected
    assert found_work({**fila, "nodes": 1}, {**fila, "nodes": 2})[0][2] == "nodes"


TOLERANCE = 0.05


def cost(key: str, old: Sequence[float | None], new: Sequence[float | None]) -> Cost:
    """What a cost comes to with these figures of the repeats."""
    made = costs(results(*repeats(key, old))[0], results(*repeats(key, new))[0], TOLERANCE)
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
    solve = cost("solve_s", [1.0, 4.0, 2.0], [3.0, 6.0, 5.0])
    assert solve.ratio == 2.5
    assert solve.old is not None
    assert (solve.old.median, solve.old.minimum, solve.old.maximum) == (2.0, 1.0, 4.0)
    assert cost("solve_s", [0.0] * 3, [1.0] * 3).ratio is None
    assert cost("solve_s", [5e-324] * 3, [1e18] * 3).ratio is None  # it would be infinite


def costs_of(old: dict[str, Any], new: dict[str, Any]) -> tuple[Cost, ...]:
    """What three runs each have cost."""
    before, after = (results(*repeats("prepare_s", [0.1] * 3, **side))[0] for side in (old, new))
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
