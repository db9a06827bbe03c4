"""Summaries of records by job and question, groups of records, and backends that disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dovetail.harness.evaluation.contests import solver_runs
from dovetail.harness.records.record import Record, by_revision, newest
from dovetail.harness.records.summary import (
    by_question,
    expectation_error,
    judged,
    solver_name,
    summaries,
    verified_count,
    with_shared_reductions,
)
from dovetail.models.outcome import Status
from harness.records.made import changed, made, results


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


def test_searches_in_other_orders_are_other_solvers() -> None:
    """Seeds are left out; the flags of an order are not."""
    random = {"seed": 7, "restarts": False, "hardest_first": False, "within_items": False}
    assert solver_name(made()) == "dlx"
    assert solver_name(made(random=random)) == "dlx random order"
    every = {flag: True for flag in random if flag != "seed"}
    expected = "dlx random order restarts hardest first within items"
    assert solver_name(made(random=random | every)) == expected
    trials = {"count": 3, "remaining": 16, "seed": 5, "within_items": False}
    assert solver_name(made(trials=trials)) == "dlx 3 trials to 16 remaining"


def test_repeats_that_differ_are_wrong() -> None:
    """In count or in nodes: a search that is deterministic repeats itself."""
    for changes in ({"count": 9}, {"nodes": 6}):
        (summary,) = summaries([record("a", 0, 1.0), record("a", 1, 1.0, **changes)])
        assert summary.result.status == "wrong"
        assert "repeats differ in (count, nodes): [(8, 5), " in str(summary.result.reason)


def test_a_limit_on_solutions_is_not_met_at_the_same_node() -> None:
    """Where solutions are sorted into classes, only the count is repeated."""
    runs = [record("a", n, 1.0, status="solution-limit", nodes=n) for n in range(2)]
    (summary,) = summaries(runs)
    assert summary.result.status == "solution-limit"
    (summary,) = summaries([*runs, record("a", 2, 1.0, status="solution-limit", count=9)])
    assert summary.result.status == "wrong"


def test_a_node_limit_of_several_workers_is_not_met_at_the_same_node() -> None:
    """The workers exceed it by a number of nodes that depends on the clock."""
    parallel = {"workers": 2, "division": "cut", "same_nodes": False}
    runs = [record("a", n, 1.0, status="node-limit", count=n, nodes=n) for n in range(2)]
    assert summaries(runs)[0].result.status == "wrong"
    workers = [changed(run, parallel=parallel) for run in runs]
    assert summaries(workers)[0].result.status == "node-limit"


def test_auto_may_choose_another_search_for_a_repeat() -> None:
    """A loaded machine leaves less time for choosing; other searches have other nodes."""
    choices: list[dict[str, Any]] = [
        {"backend": b, "config": {}, "reductions": [], "why": ""} for b in ("dlx", "bitset")
    ]
    for status in ("exhausted", "node-limit"):
        runs = [
            record("a", n, 1.0, status=status, nodes=n, chosen=choice)
            for n, choice in enumerate(choices)
        ]
        assert summaries(runs)[0].result.status == status
        (summary,) = summaries(changed(run, chosen=runs[0].result.chosen) for run in runs)
        assert summary.result.status == "wrong"
    (summary,) = summaries([runs[0], changed(runs[1], status=Status.EXHAUSTED, count=7)])
    assert summary.result.reason == "a run found 8 solutions; another counted 7 in all"


def test_a_cut_run_hides_no_contradiction() -> None:
    """Exact counts are compared though a cut run stands for the job, and bounds with them."""
    cut = record("a", 2, 9.0, status="time-limit", count=3)
    (summary,) = summaries([record("a", 0, 1.0), record("a", 1, 1.0, count=7), cut])
    assert summary.result.status == "wrong"
    assert summary.result.reason == "repeats differ in (count, nodes): [(7, 5), (8, 5)]"
    (summary,) = summaries([record("a", 0, 1.0), changed(cut, count=9)])
    assert summary.result.reason == "a run found 9 solutions; another counted 8 in all"
    (summary,) = summaries([record("a", 0, 1.0), changed(cut, count=9, status=Status.FAILED)])
    assert (summary.result.status, summary.exact_count) == ("failed", 8)


def test_records_of_one_run_that_contradict_one_another() -> None:
    """As when two files are read together; nodes may be those of another version."""
    (summary,) = summaries([record("a", 0, 1.0, count=7), record("a", 0, 1.0)])
    assert summary.result.status == "wrong"
    assert summary.result.reason == "records of the same run differ in count: [7, 8]"
    (summary,) = summaries([record("a", 0, 1.0, nodes=7), record("a", 0, 1.0)])
    assert (summary.result.status, summary.result.nodes) == ("exhausted", 5)


def result(puzzle: str, **changes: Any) -> Record:
    """An answer to a question."""
    record = made(puzzle, **{"digest": "d", **changes})
    return results(record)[0]


def test_results_by_question() -> None:
    """Questions in the order they come in; other figures make no difference."""
    answers = [
        result("a"),
        result("b"),
        result("a", count=7),
        result("a", symmetry="unique"),
        result("a", symmetry="unique", labelled=True),
        result("a", digest="e"),
    ]
    grouped = by_question(answers)
    first, *others = grouped.values()
    assert first == [answers[0], answers[2]]
    assert others == [[answers[number]] for number in (1, 3, 4, 5)]
    titles = [question.title for question in grouped]
    assert titles == ["a", "b", "a (unique)", "a (unique) labelled", "a"]


def test_what_all_were_asked_alike() -> None:
    """Their reductions are the question's; those of one alone, or of some, stay their own."""
    alike = [result("a", backend=name, reductions=["redundancy"]) for name in ("dlx", "fila")]
    alone = result("b", backend="dlx", reductions=["volume"])
    unlike = [
        result("c", backend="dlx", reductions=[]),
        result("c", backend="fila", reductions=["fit"]),
    ]
    results = with_shared_reductions([*alike, alone, *unlike])
    assert [one.job.reductions for one in results] == [(), (), ("volume",), (), ("fit",)]
    shared = [one.shared_reductions for one in results]
    assert shared == [("redundancy",), ("redundancy",), (), (), ()]


def test_revisions_stand_in_the_order_of_their_first_use() -> None:
    """Not of their names or of the file; without times they come first."""
    later = made(commit="a", begun="2026-02-01")
    first, again = (made(commit="b", begun=begun) for begun in ("2026-01-01", "2026-03-01"))
    undated = made(commit="c", begun=None)
    found = by_revision([later, first, again, undated])
    assert [revision.commit for revision in found] == ["c", "b", "a"]
    assert list(found.values())[1] == [first, again]


def test_the_newest_records_of_each_job() -> None:
    """All repeats of the revision that ran it last."""
    old = made(job="1", commit="a", begun="2026-01-01")
    new = [made(job="1", commit="b", begun="2026-01-02", repeat=repeat) for repeat in (0, 1)]
    alone = made(job="2", commit="a", begun="2026-01-01")
    assert newest([*new, old, alone]) == [*new, alone]
    undated = [made(job="1", commit=commit, begun=None) for commit in "ab"]
    assert newest(undated) == undated[1:]


def answer(backend: str, count: int | None, **changes: Any) -> Record:
    """What a single run of a job comes to, with what the cross-check looks at."""
    return results(made(backend=backend, **{"digest": "d", "count": count, **changes}))[0]


def test_agreement() -> None:
    """Equal counts, lower bounds below them, refusals, and other questions."""
    records = [
        answer("a", 8),
        answer("b", 8),
        answer("c", 3, status="time-limit"),
        answer("d", None, status="skipped"),
        answer("e", 2, symmetry="unique"),
        answer("f", 16, labelled=True),
        answer("g", 5, digest="other"),
    ]
    assert judged(records) == records


def wrong(records: list[Record]) -> dict[str, str | None]:
    """The backends whose records are judged wrong, and why."""
    return {
        r.job.backend: r.result.reason for r in judged(records) if r.result.status == Status.WRONG
    }


def test_different_counts_name_both() -> None:
    """Nobody can tell which one is right."""
    found = wrong([answer("a", 8), answer("b", 7), answer("c", 1, digest="other")])
    assert found == dict.fromkeys("ab", "backends disagree: a 8, b 7")


def test_a_probable_count_contradicts_no_exact_one() -> None:
    """It is the wrong one of two; among probable ones nobody can tell."""
    guess = changed(answer("guess", 53), probable=True)
    found = wrong([answer("a", 52), answer("b", 52), guess])
    assert found == {"guess": "backends disagree: a 52, b 52, guess 53"}
    found = wrong([guess, changed(answer("other", 54), probable=True)])
    assert found == dict.fromkeys(["guess", "other"], "backends disagree: guess 53, other 54")
    counts = "a 52, b 51, guess 52"
    found = wrong([answer("a", 52), answer("b", 51), changed(guess, count=52)])
    assert found == dict.fromkeys(["a", "b", "guess"], f"backends disagree: {counts}")


def test_a_lower_bound_above_a_count() -> None:
    """It contradicts it."""
    found = wrong([answer("a", 8), answer("b", 9, status="time-limit")])
    assert found == dict.fromkeys("ab", "backends disagree: a 8, b ≥ 9")
    found = wrong([answer("a", 8, expected=8), answer("b", 9, status="time-limit")])
    assert list(found) == ["b"]


def checked(backend: str, count: int, verified: int, **changes: Any) -> Record:
    """A result with what its verified solutions are worth."""
    return answer(
        backend, count, **{"symmetry_expansion": "as found", "verified": verified, **changes}
    )


@pytest.mark.parametrize(("ending", "shown"), [("exhausted", "a 4"), ("time-limit", "a ≥ 4")])
def test_verified_solutions_refute_a_smaller_count(ending: str, shown: str) -> None:
    """Four verified solutions exist, whatever another run says of them."""
    found = wrong([checked("a", 4, 4, status=ending), checked("b", 0, 0)])
    assert found == {"b": f"it counted 0; verified solutions prove at least 4 ({shown}, b 0)"}


@pytest.mark.parametrize(
    ("symmetry_expansion", "symmetry", "verified", "proved"),
    [
        ("as found", "all", 4, 4),
        ("as found", "all", 30_000, 1_000),
        ("as found", "unique", 4, 1),
        ("canonical forms", "unique", 2_000, 1),
    ],
)
def test_what_verified_solutions_prove(
    symmetry_expansion: str, symmetry: str, verified: int, proved: int
) -> None:
    """What was verified itself, and nothing that was concluded from it."""
    one = checked("a", 40_000, verified, symmetry_expansion=symmetry_expansion, symmetry=symmetry)
    assert verified_count(one) == proved


@pytest.mark.parametrize(
    ("count", "status", "wrong"),
    [(7, Status.EXHAUSTED, True), (7, Status.TIME_LIMIT, False), (9, Status.TIME_LIMIT, True)],
)
def test_expectations(count: int | None, status: Status, wrong: bool) -> None:
    """A lower bound need only not exceed what is expected."""
    assert (expectation_error(count, status, 8) is not None) == wrong
    assert expectation_error(count, status, None) is None


def test_a_count_behind_a_cut_run() -> None:
    """What an earlier repeat has proved is compared, with what is expected and with others."""
    exact = made(backend="a", digest="d", count=7)
    (cut,) = results(exact, changed(exact, repeat=1, count=3, status=Status.TIME_LIMIT))
    assert wrong([replace(cut, expected=8)]) == {"a": "it counted 7; expected 8"}
    assert wrong([cut, answer("b", 8)]) == dict.fromkeys("ab", "backends disagree: a 7, b 8")


def test_a_seed_may_be_a_list() -> None:
    run = made(config={"seed": [1, 2]})
    assert list(solver_runs([run, run]).runs.values()) == [run]
