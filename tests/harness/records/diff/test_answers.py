"""Counts, ends and work that have changed."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.records.findings import answer_findings, work_findings
from harness.records.diff.made import record

EXACT: dict[str, Any] = {"status": "exhausted"}
CUT: dict[str, Any] = {"status": "time-limit"}


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
        (
            {"status": "solution-limit", "count": 5},
            {"status": "solution-limit", "count": 4},
            ("solution-limit ≥ 5", "solution-limit ≥ 4"),
        ),
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
    answers: list[dict[str, Any]] = [
        {"count": count, "verified": count, "symmetry_expansion": "as found"}
        for count in (old, new)
    ]
    ((*_, what, _, _),) = found(answers[0], answers[1])
    reason = "it counted 0; verified solutions prove at least 4"
    assert what == f"the count; the {side} count is wrong: {reason}"


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


def test_another_limit_is_a_note() -> None:
    """Neither run had finished."""
    memory = {"status": "memory-limit", "count": 1}
    expected = [("note", "status", "the status", "time-limit ≥ 3", "memory-limit ≥ 1")]
    assert found({**CUT, "count": 3}, memory) == expected


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
    why = {"reductions": [], "why": "fewest nodes"}
    chosen = [
        {"chosen": {"backend": "fila", "config": {"nof": True}, **why}, "nodes": 1},
        {"chosen": {"backend": "dlx", "config": {}, **why}, "nodes": 2},
    ]
    expected = [("warning", "nodes", "choice of auto", "fila nof=True", "dlx")]
    assert found_work(*chosen) == expected
    assert found_work(chosen[0], {**chosen[0], "nodes": 2})[0][2] == "nodes"
