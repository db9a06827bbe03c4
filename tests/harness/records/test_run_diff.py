"""Two files of records: job by job, question by question, and their conditions."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.records.findings import FindingType, Severity
from dovetail.harness.records.record import Record
from dovetail.harness.records.run_diff import (
    Difference,
    Disagreement,
    Mean,
    common_questions,
    diff_runs,
    differences,
    disagreements,
)
from dovetail.harness.records.summary import summaries
from harness.records.made import MACHINE, changed, repeats
from harness.records.made import compared as record


def test_a_file_beside_itself() -> None:
    """Has no change."""
    records = [*repeats("solve_s", [1.0, 2.0, 3.0]), record("b", count=9)]
    diff = diff_runs(records, records)
    assert (diff.differences, diff.removed, diff.added) == ((), (), ())
    assert [job.findings for job in diff.jobs] == [(), ()]
    assert (diff.is_wrong, diff.kinds) == (False, set())
    (ratio,) = diff.ratios
    assert (ratio.backend, ratio.jobs) == (None, 2)
    assert (ratio.prepare, ratio.solve, ratio.memory) == (Mean(1.0, 2), Mean(1.0, 2), Mean(1.0, 2))
    assert ratio.cpu == Mean(1.0, 1)  # not recorded by the other one
    assert (ratio.unjudged, ratio.old_runs, ratio.new_runs) == (1, 4, 4)
    assert len(diff.judged_costs) == 3


def test_jobs_are_matched_by_their_digest() -> None:
    """Those that only one file has are reported, and are no error."""
    diff = diff_runs([record("a"), record("b")], [record("c"), record("b")])
    assert [job.new.job.digest for job in diff.jobs] == ["b"]
    assert [r.job.digest for r in diff.removed] == ["a"]
    assert [r.job.digest for r in diff.added] == ["c"]
    assert not diff.is_wrong


def test_scores() -> None:
    """By the median over the seeds of an improver on a board, once for all of them."""

    def improved(*scores: int) -> list[Record]:
        own: dict[str, Any] = {"improves": True, "count": None, "bound": 480, "trace": ()}
        own |= {"status": "time-limit", "digest": "board"}
        return [
            record(f"seed {seed}", seed=seed, score=score, **own)
            for seed, score in enumerate(scores)
        ]

    diff = diff_runs(improved(450, 459, 460), improved(455, 457, 461))
    (finding,) = (finding for job in diff.jobs for finding in job.findings)
    assert (finding.kind, finding.severity) == (FindingType.LOWER_SCORE, Severity.WARNING)
    assert (finding.old, finding.new) == ("459 (450–460)", "457 (455–461)")
    assert not diff.is_wrong
    (finding,) = diff_runs(improved(7), improved(8)).jobs[0].findings
    assert (finding.kind, finding.severity) == (FindingType.HIGHER_SCORE, Severity.NOTE)
    assert diff_runs(improved(7, 9), improved(6, 10)).kinds == set()


def test_findings_of_a_job() -> None:
    """Of its answer, its work and its costs; the worst is what it is."""
    old = [record(repeat=number) for number in range(3)]
    costs: dict[str, Any] = {"nodes": 151, "solve_s": 4.0, "solve_cpu_s": 4.0, "peak_bytes": 2**26}
    new = [record(repeat=number, **costs) for number in range(3)]
    (job,) = diff_runs(old, new).jobs
    nodes, slower, memory = FindingType.NODES, FindingType.SLOWER, FindingType.MEMORY
    assert [finding.kind for finding in job.findings] == [nodes, slower, slower, memory]
    assert job.severity == Severity.WARNING
    (job,) = diff_runs(new, old).jobs
    assert [str(finding.severity) for finding in job.findings] == [
        *("warning", "note", "note", "warning")
    ]


def test_a_count_that_makes_backends_disagree() -> None:
    """The changed one is reported as changed, the rest by question; neither is in the ratios."""
    old = [record("a", digest="q"), record("b", digest="q", backend="bitset"), record("c")]
    diff = diff_runs(old, [record("a", digest="q", count=5), *old[1:]])
    assert diff.is_wrong
    findings = [[finding.what for finding in job.findings] for job in diff.jobs]
    assert findings == [["the count"], [], []]
    (one,) = diff.disagreements
    assert counts_by_job(one) == ([("a", 4), ("b", 4)], [("a", 5), ("b", 4)])
    assert [ratio.jobs for ratio in diff.ratios] == [1]
    alone = diff_runs([record(count=92)], [record(count=91)])
    assert [[finding.what for finding in job.findings] for job in alone.jobs] == [["the count"]]
    assert (alone.disagreements, alone.is_wrong) == ((), True)  # it is reported once


def test_geometric_means() -> None:
    """Of all jobs finished in both, and of each backend's."""
    old = [record("a"), record("b"), record("c", backend="fila"), record("d")]
    new = [
        record("a", solve_s=4.0, prepare_s=0.5),
        record("b", solve_s=16.0, prepare_s=0.0),
        record("c", backend="fila", solve_s=0.5),
        record("d", status="time-limit", solve_s=90.0),
    ]
    by_backend = {ratio.backend: ratio for ratio in diff_runs(old, new).ratios}
    jobs = {backend: ratio.jobs for backend, ratio in by_backend.items()}
    assert jobs == {None: 3, "dlx": 2, "fila": 1}
    assert by_backend["dlx"].solve.ratio == pytest.approx(4.0)
    assert by_backend["fila"].solve.ratio == pytest.approx(0.25)
    assert by_backend[None].solve.ratio == pytest.approx((2 * 8 / 4) ** (1 / 3))
    assert by_backend["dlx"].prepare == Mean(1.0, 1)  # a job that took no time has no ratio


def test_a_count_under_another_limit() -> None:
    """Is another job, and still an answer to the same question."""
    old = [record("a", digest="q", count=92), record("b")]
    diff = diff_runs(old, [record("c", digest="q", count=91), record("b")])
    assert ([job.findings for job in diff.jobs], diff.questions) == ([()], 2)
    (one,) = diff.disagreements
    assert one.jobs == {"a", "c"}
    assert diff.is_wrong


def test_an_added_job_that_is_wrong() -> None:
    """Is an error though there is no old one: by what is expected, or by itself."""
    invalid = record("c", status="wrong", reason="a cell is empty")
    new = [record("a"), record("b", count=5, expected=4), invalid, record("d", count=9)]
    diff = diff_runs([record("a")], new)
    assert [one.job.digest for one in diff.wrong] == ["b", "c"]
    assert diff.is_wrong
    assert [one.result.status for one in diff.added] == ["wrong", "wrong", "exhausted"]


def found(
    old: list[Record], new: list[Record], reported: frozenset[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """What is found of records that all answer questions of digest q."""
    before, after = (summaries(changed(one, digest="q") for one in side) for side in (old, new))
    return disagreements(before, after, reported)


Counts = list[tuple[str, int | None]]


def counts_by_job(one: Disagreement) -> tuple[Counts, Counts]:
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
    checked = record("a", count=4, symmetry_expansion="as found", verified=4)
    for other, refuted in ((0, 4), (5, None)):
        (one,) = found([checked], [record("b", count=other, verified=0)])
        assert one.refuted_below == refuted


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


def test_what_differs() -> None:
    """Each thing by its name, with all values of either file; also what is not recorded."""
    old = [record(commit="a"), record(commit="b")]
    new = [
        record(machine={**MACHINE, "cores": 4}, versions={"python": "3.13"}, commit=None),
        record(load={"parallel": 3, "busy_cores": 2.5}, versions={}, commit=None),
    ]
    assert differences(old, new) == (
        Difference("machine: cores", ("2",), ("4", "2")),
        Difference("versions: python", ("3.12",), ("3.13",)),
        Difference("commit", ("a", "b"), ("not recorded",)),
        Difference("side by side", ("1",), ("1", "3")),
        Difference("busy cores", ("1 to 1",), ("1 to 2.5",)),
    )
    for load in ({"parallel": 1, "busy_cores": 1.3}, {"parallel": 1}):  # about the same, not known
        assert differences([record()], [record(load=load)]) == ()
