"""What repeats come to."""

from __future__ import annotations

from typing import Any

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import summaries
from dovetail.models.outcome import Status
from harness.records.made import changed, made


def record(job: str, repeat: int, solve_s: float, **changes: Any) -> Record:
    """A record with what a summary looks at."""
    base = {"job": job, "repeat": repeat, "nodes": 5, "solve_s": solve_s}
    return made(**{**base, **changes})


def test_the_median_run_stands_for_all() -> None:
    """With the raw figures of every run behind it."""
    (summary,) = summaries(record("a", n, s) for n, s in enumerate([3.0, 1.0, 2.0]))
    assert summary.result.solve_s == 2.0
    assert [repeat.result.solve_s for repeat in summary.repeats] == [3.0, 1.0, 2.0]
    assert [repeat.repeat for repeat in summary.repeats] == [0, 1, 2]


def test_jobs_keep_their_order() -> None:
    """Interleaved runs are sorted out."""
    records = [record(job, repeat, 1.0) for repeat in range(2) for job in "ba"]
    assert [summary.job.digest for summary in summaries(records)] == ["b", "a"]


def test_repeats_that_differ_are_wrong() -> None:
    """In count or in nodes: a search that is deterministic repeats itself."""
    for changes in ({"count": 9}, {"nodes": 6}):
        (summary,) = summaries([record("a", 0, 1.0), record("a", 1, 1.0, **changes)])
        assert summary.result.status == "wrong"
        assert (summary.result.reason or "").startswith(
            "repeats differ in (count, nodes): [(8, 5), "
        )


def test_a_limit_on_solutions_is_not_met_at_the_same_node() -> None:
    """Where solutions are sorted into classes, only the count is repeated."""
    runs = [record("a", n, 1.0, status="solution-limit", nodes=n) for n in range(2)]
    (summary,) = summaries(runs)
    assert summary.result.status == "solution-limit"
    (summary,) = summaries([*runs, record("a", 2, 1.0, status="solution-limit", count=9)])
    assert summary.result.status == "wrong"


def test_a_run_that_was_cut_stands_for_all() -> None:
    """Though others before it were not."""
    cut = record("a", 1, 9.0, status="time-limit", count=3)
    (summary,) = summaries([record("a", 0, 1.0), cut, record("a", 2, 1.0)])
    assert (summary.result.status, summary.result.count) == ("time-limit", 3)


def test_a_cut_run_hides_no_contradiction() -> None:
    """Exact counts are compared though a cut run stands for the job, and bounds with them."""
    cut = record("a", 2, 9.0, status="time-limit", count=3)
    (summary,) = summaries([record("a", 0, 1.0), record("a", 1, 1.0, count=7), cut])
    assert summary.result.status == "wrong"
    assert summary.result.reason == "repeats differ in (count, nodes): [(7, 5), (8, 5)]"
    (summary,) = summaries([record("a", 0, 1.0), changed(cut, count=9)])
    assert summary.result.reason == "a run found 9 solutions; another run counted 8 in all"
    (summary,) = summaries([record("a", 0, 1.0), changed(cut, count=9, status=Status.FAILED)])
    assert (summary.result.status, summary.exact_count) == ("failed", 8)


def test_records_of_one_run_that_contradict_one_another() -> None:
    """As when two files are read together; nodes may be those of another version."""
    (summary,) = summaries([record("a", 0, 1.0, count=7), record("a", 0, 1.0)])
    assert summary.result.status == "wrong"
    assert summary.result.reason == "records of the same run differ in count: [7, 8]"
    (summary,) = summaries([record("a", 0, 1.0, nodes=7), record("a", 0, 1.0)])
    assert (summary.result.status, summary.result.nodes) == ("exhausted", 5)


def test_the_last_record_of_a_repeat_counts() -> None:
    """A run that failed has been done again."""
    failed = record("a", 0, 0.0, status="failed", count=None)
    (summary,) = summaries([failed, record("a", 0, 1.0)])
    assert (summary.result.status, len(summary.repeats)) == ("exhausted", 1)
