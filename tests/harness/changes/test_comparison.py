"""Two files of records, job by job."""

from __future__ import annotations

import pytest

from dovetail.harness.changes.comparison import compared
from dovetail.harness.changes.findings import Kind, Severity
from harness.changes.records import record, repeats


def test_a_file_beside_itself() -> None:
    """Has no change."""
    records = [*repeats("solve_s", [1.0, 2.0, 3.0]), record("b", count=9)]
    told = compared(records, records)
    assert (told.differences, told.removed, told.added) == ((), (), ())
    assert [job.findings for job in told.jobs] == [(), ()]
    assert (told.is_wrong, told.kinds) == (False, set())
    (ratio,) = told.ratios
    assert (ratio.backend, ratio.jobs) == (None, 2)
    assert (ratio.prepare, ratio.solve, ratio.memory) == (1.0, 1.0, 1.0)


def test_jobs_are_matched_by_their_digest() -> None:
    """Those that only one file has are told, and are no error."""
    told = compared([record("a"), record("b")], [record("c"), record("b")])
    assert [job.new["job"] for job in told.jobs] == ["b"]
    assert [r["job"] for r in told.removed] == ["a"]
    assert [r["job"] for r in told.added] == ["c"]
    assert not told.is_wrong


def test_findings_of_a_job() -> None:
    """Of its answer, its work and its costs; the worst is what it is."""
    old = [record(repeat=number) for number in range(3)]
    new = [
        record(repeat=number, nodes=151, solve_s=4.0, solve_cpu_s=4.0, peak_bytes=2**26)
        for number in range(3)
    ]
    (job,) = compared(old, new).jobs
    assert [finding.kind for finding in job.findings] == [Kind.NODES, Kind.SLOWER, Kind.MEMORY]
    assert job.severity == Severity.WARNING
    (job,) = compared(new, old).jobs
    told = [(finding.kind, finding.severity) for finding in job.findings]
    assert told == [
        (Kind.NODES, Severity.WARNING),
        (Kind.FASTER, Severity.NOTE),
        (Kind.MEMORY, Severity.WARNING),
    ]


def test_a_count_that_makes_backends_disagree() -> None:
    """The changed one is told as changed, the other as disagreeing; neither is in the ratios."""
    old = [record("a", digest="q"), record("b", digest="q", backend="bitset"), record("c")]
    new = [record("a", digest="q", count=5), *old[1:]]
    told = compared(old, new)
    assert told.is_wrong
    said = [[finding.what for finding in job.findings] for job in told.jobs]
    assert said == [["the count"], ["backends disagree: dlx 5, bitset 4"], []]
    assert [ratio.jobs for ratio in told.ratios] == [1]


def test_geometric_means() -> None:
    """Of all jobs finished in both, and of each backend's."""
    old = [record("a"), record("b"), record("c", backend="fila"), record("d")]
    new = [
        record("a", solve_s=4.0, solve_cpu_s=4.0, prepare_s=0.5),
        record("b", solve_s=16.0, solve_cpu_s=16.0, prepare_s=0.0),
        record("c", backend="fila", solve_s=0.5, solve_cpu_s=0.5),
        record("d", status="time-limit", solve_s=90.0),
    ]
    told = {ratio.backend: ratio for ratio in compared(old, new).ratios}
    assert {backend: ratio.jobs for backend, ratio in told.items()} == {
        None: 3,
        "dlx": 2,
        "fila": 1,
    }
    assert told["dlx"].solve == pytest.approx(4.0)
    assert told["fila"].solve == pytest.approx(0.25)
    assert told[None].solve == pytest.approx((2 * 8 / 4) ** (1 / 3))
    assert told["dlx"].prepare == 1.0  # a job that took no time has no ratio


def test_the_last_record_of_a_repeat_counts() -> None:
    """A run that failed may have been done again."""
    failed = record(status="failed", count=None, reason="killed")
    assert [job.findings for job in compared([record()], [failed, record()]).jobs] == [()]
