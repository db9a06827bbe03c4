"""Two files of records: findings on a job, questions that disagree, and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from dovetail.harness.records.findings import (
    Cost,
    CostVerdict,
    FindingType,
    Severity,
    answer_findings,
    apart_by_chance,
    costs,
    work_findings,
)
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
from harness.records.made import MACHINE, changed, repeats, results
from harness.records.made import compared as record

EXACT: dict[str, Any] = {"status": "exhausted"}
CUT: dict[str, Any] = {"status": "time-limit"}


def changes(
    old: dict[str, Any], new: dict[str, Any], wrong: str | None = None
) -> list[tuple[str, str, str, Any, Any]]:
    """The findings as plain texts."""
    findings = answer_findings(record(**old), record(**new), wrong)
    return [(str(f.severity), str(f.kind), f.what, f.old, f.new) for f in findings]


def test_the_same_answer_is_no_finding() -> None:
    """Exact, cut with any lower bound that is possible, refused, or failed before as well."""
    assert changes(EXACT, EXACT) == []
    assert changes({**CUT, "count": 3}, {**CUT, "count": 2}) == []
    refused = {"status": "skipped", "count": None, "reason": "no"}
    assert changes(refused, refused) == []


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ({"count": 4}, {"count": 5}, ("4", "5")),
        ({"count": 4}, {**CUT, "count": 5}, ("4", "time-limit ≥ 5")),
    ],
)
def test_counts_that_contradict(
    old: dict[str, Any], new: dict[str, Any], counts: tuple[str, str]
) -> None:
    """Are an error."""
    assert changes(old, new) == [("error", "count", "the count", *counts)]


@pytest.mark.parametrize(("old", "new", "side"), [(4, 0, "new"), (0, 4, "old")])
def test_verified_solutions_name_the_wrong_count(old: int, new: int, side: str) -> None:
    """Whichever file has the smaller one."""
    before, after = (
        {"count": count, "verified": count, "symmetry_expansion": "as found"}
        for count in (old, new)
    )
    ((*_, what, _, _),) = changes(before, after)
    assert what.startswith(f"the count; the {side} count is wrong: ")


def test_a_wrong_answer_is_an_error_however_old() -> None:
    """The reason is reported; a count that has changed too comes first."""
    wrong = {"status": "wrong", "reason": "a cell is empty"}
    expected = [("error", "count", "a cell is empty", "wrong 4", "wrong 4")]
    assert changes(wrong, wrong, "a cell is empty") == expected
    assert changes(EXACT, EXACT, "backends disagree")[0][2] == "backends disagree"
    assert changes({"count": 4}, {"count": 5}, "backends disagree")[0][2] == "the count"


def test_a_failure_is_an_error_when_it_is_new() -> None:
    """Else a warning."""
    failed = {"status": "failed", "count": None, "reason": "it was killed"}
    assert changes(EXACT, failed) == [("error", "count", "it was killed", "4", "failed")]
    expected = [("warning", "status", "it fails as before", "failed", "failed")]
    assert changes(failed, failed) == expected


@pytest.mark.parametrize("status", ["time-limit", "node-limit"])
def test_runs_that_no_longer_finish(status: str) -> None:
    """Are a warning; the other way round it is a note."""
    cut = {"status": status, "count": None}
    assert changes(EXACT, cut) == [("warning", "unfinished", "it no longer finishes", "4", status)]
    assert changes(cut, EXACT) == [("note", "status", "the status", status, "4")]


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


def test_another_choice_of_auto_explains_other_nodes() -> None:
    """Of the backend, or of the piece that breaks symmetry."""

    def run(nodes: int, piece: str) -> Record:
        reductions = [f"redundancy={piece}"]
        chosen = {"backend": "bitset", "config": {}, "reductions": reductions, "why": ""}
        return record(nodes=nodes, chosen=chosen)

    (finding,) = work_findings(run(7, "A"), run(8, "B"))
    texts = "bitset −redundancy=A", "bitset −redundancy=B"
    assert (finding.what, finding.old, finding.new) == ("choice of auto", *texts)
    (finding,) = work_findings(run(7, "A"), run(8, "A"))
    assert finding.what == "nodes"


def test_what_is_not_compared() -> None:
    """Backends that count no nodes, runs cut by the clock or in different ways, divided runs."""
    assert found_work({"nodes": None}, {"nodes": 5}) == []
    for status in ("time-limit", "solution-limit", "skipped"):
        assert found_work({"status": status, "nodes": 4}, {"status": status, "nodes": 5}) == []
    assert found_work({"nodes": 4}, {"status": "node-limit", "nodes": 5}) == []
    parallel = {"workers": 2, "division": "task", "same_nodes": False}
    assert found_work({"nodes": 4}, {"nodes": 5, "parallel": parallel}) == []
    assert found_work({"nodes": 4}, {"nodes": 5, "parallel": parallel | {"same_nodes": True}})


TOLERANCE = 0.05


def cost(key: str, old: Sequence[float | None], new: Sequence[float | None]) -> Cost:
    """What a cost comes to with these figures of the repeats."""
    made = costs(results(*repeats(key, old))[0], results(*repeats(key, new))[0], TOLERANCE)
    return made[("prepare_s", "solve_s", "solve_cpu_s", "peak_bytes").index(key)]


@pytest.mark.parametrize("key", ["solve_s"])
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ([1.0, 1.1, 1.2], [1.3, 1.4, 1.5], CostVerdict.MORE),
        ([1.3, 1.4, 1.5], [1.0, 1.1, 1.2], CostVerdict.LESS),
        ([1.0, 1.1, 1.4], [1.3, 1.4, 1.5], CostVerdict.SAME),
        ([1.0, 1.0, 1.0], [1.04, 1.04, 1.04], CostVerdict.SAME),
        ([1e-4, 1e-4, 1e-4], [9e-4, 9e-4, 9e-4], CostVerdict.SAME),
        ([1.0, 1.0], [2.0, 2.0], CostVerdict.TOO_FEW_RUNS),
    ],
)
def test_verdicts(key: str, old: list[float], new: list[float], verdict: CostVerdict) -> None:
    """Which changes in seconds are reported, and which are not."""
    assert cost(key, old, new).verdict == verdict


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
        (6.0, 2.0, (CostVerdict.MORE, CostVerdict.SAME)),
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


@pytest.mark.parametrize("cpu", [None, 7.8])
def test_processor_time_that_is_not_the_whole(cpu: float | None) -> None:
    """Not recorded, or others worked for the search, in other processes or in threads."""
    found_cost = costs_of(
        {"solve_s": 2.0, "solve_cpu_s": 2.0}, {"solve_s": 4.0, "solve_cpu_s": cpu}
    )
    assert found_cost[1].verdict == CostVerdict.MORE
    assert found_cost[2] == Cost("solve, cpu", None, None, CostVerdict.UNKNOWN)


@pytest.mark.parametrize(("old", "new"), [(3, 3), (3, 4), (2, 3)])
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


def test_scores() -> None:
    """By the median over the seeds of an improver on a board, once for all of them."""

    def improved(*scores: int, objective: str = "edges") -> list[Record]:
        own: dict[str, Any] = {"improves": True, "count": None, "bound": 480, "trace": ()}
        own |= {"status": "time-limit", "digest": "board", "objective": objective}
        return [
            record(f"{objective}, seed {seed}", seed=seed, score=score, **own)
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
    assert diff_runs(improved(7, 9), improved(7)).kinds == set()  # seeds that both ran
    assert diff_runs(improved(7, 9)[1:], improved(7, 8)).kinds == {FindingType.LOWER_SCORE}
    both = [*improved(7), *improved(5, objective="tiles")]
    assert diff_runs(both, both).kinds == set()


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


@pytest.mark.parametrize("status", ["time-limit"])
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


def test_a_question_is_its_content() -> None:
    """A puzzle of another name is the same; another symmetry or labelling is another question."""
    old = [record(count=92)]
    assert len(found(old, [record(count=91, puzzle="renamed")])) == 1
    others = [record(count=91, symmetry="unique"), record(count=91, labelled=True)]
    for other in others:
        assert found(old, [other]) == ()
        assert common_questions(old, [other]) == 0
    assert common_questions(old, [record(puzzle="renamed"), *others]) == 1


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
