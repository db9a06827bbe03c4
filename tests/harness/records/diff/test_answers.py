"""Counts and ends that have changed."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.changes.answers import changed_answers
from harness.changes.records import record

EXACT: dict[str, Any] = {"status": "exhausted"}
CUT: dict[str, Any] = {"status": "time-limit"}


def found(
    old: dict[str, Any], new: dict[str, Any], wrong: str | None = None
) -> list[tuple[str, str, str, Any, Any]]:
    """The findings as plain texts."""
    findings = changed_answers(record(**old), record(**new), wrong)
    return [(str(f.severity), str(f.kind), f.what, f.old, f.new) for f in findings]


def test_the_same_answer_is_no_finding() -> None:
    """Exact, cut with any lower bound that is possible, refused, or failed before as well."""
    assert found(EXACT, EXACT) == []
    assert found({**CUT, "count": 3}, {**CUT, "count": 2}) == []
    refused = {"status": "skipped", "count": None, "reason": "no"}
    assert found(refused, refused) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
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
    old: dict[str, Any], new: dict[str, Any], said: tuple[str, str]
) -> None:
    """Are an error."""
    assert found(old, new) == [("error", "count", "the count", *said)]


@pytest.mark.parametrize(("old", "new", "side"), [(4, 0, "new"), (0, 4, "old")])
def test_verified_solutions_name_the_wrong_count(old: int, new: int, side: str) -> None:
    """Whichever file has the smaller one."""
    answers: list[dict[str, Any]] = [
        {"count": count, "verified": count, "completion": "as found"} for count in (old, new)
    ]
    ((*_, what, _, _),) = found(answers[0], answers[1])
    reason = "it counted 0; verified solutions prove at least 4"
    assert what == f"the count; the {side} one is wrong: {reason}"


def test_a_wrong_answer_is_an_error_however_old() -> None:
    """The reason is told; a count that has changed besides is told first."""
    wrong = {"status": "wrong", "reason": "a cell is empty"}
    told = [("error", "count", "a cell is empty", "wrong 4", "wrong 4")]
    assert found(wrong, wrong, "a cell is empty") == told
    assert found(EXACT, EXACT, "backends disagree")[0][2] == "backends disagree"
    assert found({"count": 4}, {"count": 5}, "backends disagree")[0][2] == "the count"


def test_a_failure_is_an_error_when_it_is_new() -> None:
    """Else a warning."""
    failed = {"status": "failed", "count": None, "reason": "it was killed"}
    assert found(EXACT, failed) == [("error", "count", "it was killed", "4", "failed")]
    told = [("warning", "status", "it fails as before", "failed", "failed")]
    assert found(failed, failed) == told


@pytest.mark.parametrize("status", ["time-limit", "memory-limit", "node-limit", "skipped"])
def test_runs_that_no_longer_finish(status: str) -> None:
    """Are a warning; the other way round it is a note."""
    cut = {"status": status, "count": None}
    assert found(EXACT, cut) == [("warning", "unfinished", "it no longer finishes", "4", status)]
    assert found(cut, EXACT) == [("note", "status", "how it ended", status, "4")]


def test_another_limit_is_a_note() -> None:
    """Neither run had finished."""
    memory = {"status": "memory-limit", "count": 1}
    told = [("note", "status", "how it ended", "time-limit ≥ 3", "memory-limit ≥ 1")]
    assert found({**CUT, "count": 3}, memory) == told
