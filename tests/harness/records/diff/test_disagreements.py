"""Counts of one question in two files."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.records.record import Record
from dovetail.harness.records.run_diff import Disagreement, common_questions, disagreements
from dovetail.harness.records.summary import summaries
from harness.records.diff.made import record
from harness.records.made import changed


def found(
    old: list[Record], new: list[Record], reported: frozenset[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """What is found of records that all answer questions of digest q."""
    before, after = (summaries(changed(one, digest="q") for one in side) for side in (old, new))
    return disagreements(before, after, reported)


def counts_by_job(
    one: Disagreement,
) -> tuple[list[tuple[str, int | None]], list[tuple[str, int | None]]]:
    """Which jobs have given which counts, old and new."""
    old, new = ([(by.job.digest, by.result.count) for by in side] for side in (one.old, one.new))
    return old, new


def test_counts_that_differ() -> None:
    """Whatever the backend and the job; all exhausted ones are named."""
    old = [record("a", count=92), record("b", count=92, backend="fila")]
    (one,) = found(old, [record("c", count=91, backend="bitset")])
    assert counts_by_job(one) == ([("a", 92), ("b", 92)], [("c", 91)])
    assert one.question.title == "queens-6"


@pytest.mark.parametrize("status", ["time-limit", "solution-limit", "node-limit"])
def test_lower_bounds(status: str) -> None:
    """May not exceed an exhausted count, in either file; those that do not are not named."""
    exact, above = record("a", count=4), record("b", status=status, count=5)
    below = record("c", status=status, count=4)
    assert found([exact], [below]) == found([below], [exact]) == found([above], [above]) == ()
    (one,) = found([exact, below], [above])
    assert counts_by_job(one) == ([("a", 4)], [("b", 5)])
    (one,) = found([above], [exact, below])
    assert counts_by_job(one) == ([("b", 5)], [("a", 4)])


def test_verified_solutions_refute_smaller_counts() -> None:
    """Those of any run of either file; a larger count than was verified refutes nothing."""
    checked: dict[str, Any] = {"symmetry_expansion": "as found", "verified": 4}
    (one,) = found([record("a", count=4, **checked)], [record("b", count=0, verified=0)])
    assert one.refuted_below == 4
    (one,) = found([record("a", count=4, **checked)], [record("b", count=5, verified=0)])
    assert one.refuted_below is None
    runs = [record("a", 0, count=4, **checked), record("a", 1, count=5, verified=0)]
    (one,) = found(runs, [])
    assert one.refuted_below is None


def test_a_file_may_disagree_with_itself() -> None:
    """Then the other one has nothing to say."""
    new = [record("a", count=4), record("b", count=5)]
    (one,) = found([], new)
    assert counts_by_job(one) == ([], [("a", 4), ("b", 5)])


@pytest.mark.parametrize("status", ["wrong", "failed", "skipped"])
def test_what_is_no_answer(status: str) -> None:
    """Disagrees with nothing."""
    assert found([record("a")], [record("b", status=status, count=7)]) == ()
    assert found([record("a")], [record("b", status="time-limit", count=None)]) == ()


def test_every_run_of_a_job_answers() -> None:
    """Also where its summary is one that was cut."""
    runs = [record("a", count=92), record("a", 1, status="time-limit", count=3)]
    (one,) = found(runs, [record("b", count=91)])
    assert counts_by_job(one) == ([("a", 92)], [("b", 91)])


def test_a_question_is_its_content() -> None:
    """A puzzle of another name is the same; another symmetry or labelling is another question."""
    old = [record(count=92)]
    assert len(found(old, [record(count=91, puzzle="renamed")])) == 1
    others = [record(count=91, symmetry="unique"), record(count=91, labelled=True)]
    for other in others:
        assert found(old, [other]) == ()
        assert common_questions(old, [other]) == 0
    assert common_questions(old, [record(puzzle="renamed"), *others]) == 1


def test_what_has_been_reported() -> None:
    """Is not reported again, unless another job has answered too."""
    old, new = [record("a", count=92)], [record("a", count=91)]
    assert found(old, new, frozenset("a")) == ()
    assert len(found(old, [*new, record("b", count=92)], frozenset("a"))) == 1
