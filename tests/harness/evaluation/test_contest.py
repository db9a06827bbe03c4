"""Which runs stand for a solver, who is ranked against whom, on which questions, by which times."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.errors import shorten
from dovetail.harness.evaluation.contests import (
    ALL_FAMILIES,
    LONGEST_NAME,
    Asked,
    Clock,
    max_common,
    solver_runs,
    solver_styles,
)
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from harness.evaluation.contested import REFUSED, answers, contests_of
from reports.results.synthetic import cut, result

PACKING, BOARD = {"pieces": 6, "cells": 30}, {"tiles": 16, "colours": 4}


def test_a_wrong_count_disqualifies() -> None:
    """From all contests: the times of a wrong solver mean nothing."""
    wrong = result("puzzle 1", "D", 0.001, status="wrong", reason="another count")
    results = [one for one in answers() if (one.job.puzzle, one.job.backend) != ("puzzle 1", "D")]
    (contest,) = contests_of([*results, wrong])
    assert contest.solvers == ("A", "B", "C", "E")
    assert contest.disqualified == ("D",)


@pytest.mark.parametrize(
    ("asked", "solvers", "questions"),
    [
        ({"A": "abc", "B": "abc", "C": "abc"}, "ABC", "abc"),
        ({"A": "abcdef", "B": "abcdef", "C": "ab"}, "AB", "abcdef"),
        ({"A": "abc", "B": "bcd"}, "AB", "bc"),
        ({"A": "a", "B": "b"}, "", ""),
    ],
)
def test_what_solvers_ran_in_common(asked: dict[str, str], solvers: str, questions: str) -> None:
    """The solvers and questions with most runs."""
    runs = {solver: Asked(*[frozenset(own)] * 3) for solver, own in asked.items()}
    assert max_common(runs) == (list(solvers), frozenset(questions))


@pytest.mark.parametrize(
    ("accepted", "solvers", "questions"),
    [
        ({"A": "abcde", "B": "abcde", "C": "abc"}, "ABC", "abcde"),
        ({"A": "abcde", "B": "abcde", "C": "ab"}, "AB", "abcde"),
        ({"A": "abcde", "B": "abc"}, "AB", "abc"),
        ({"A": "abcde", "B": "ab"}, "AB", "ab"),
        ({"A": "abcde", "B": ""}, "", ""),
    ],
)
def test_which_refusals_are_ranked(accepted: dict[str, str], solvers: str, questions: str) -> None:
    """Those who accept more than half of what is compared; of that, two accept each question."""
    runs = {
        solver: Asked(frozenset("abcde"), *[frozenset(own)] * 2) for solver, own in accepted.items()
    }
    assert max_common(runs) == (list(solvers), frozenset(questions))


def test_refusals_are_neither_time_nor_answer() -> None:
    """They count as refusals, those outside the contest too; PAR-2 does not."""
    times = {"A": (1, 2, 3), "B": (2, 4, None), "C": (4, 8, REFUSED), "D": (1, REFUSED, REFUSED)}
    (contest,) = contests_of(answers(times))
    assert contest.solvers == ("A", "B", "C")
    assert contest.refusing == ("D",)
    assert contest.accepted.tolist() == [[True] * 3, [True] * 3, [True, True, False]]
    assert contest.par2_s.tolist()[1:] == [[2, 4, 200], [4, 8, np.inf]]
    assert contest.limited_s.tolist()[1:] == [[2, 4, 100], [4, 8, np.inf]]
    assert list(map(contest.refusals, "ABCD")) == [0, 0, 1, 2]


def test_what_is_known_of_times() -> None:
    """A limit on time is a lower bound, another limit the time until then, a failure nothing."""
    ends = {"B": ("time-limit", 100.0), "C": ("memory-limit", 3.0), "D": ("failed", 0.0)}
    limits = answers({"A": (1,)})[0].job.limits
    runs = [
        result("puzzle 1", solver, 3.0, status=status, count=None, limits=limits)
        for solver, (status, _) in ends.items()
    ]
    (contest,) = contests_of([*answers({"A": (1,)}), *runs])
    assert contest.known_s[:, 0].tolist() == [1.0, *(known for _, known in ends.values())]


def test_what_needs_no_search_is_no_contest() -> None:
    """Where parity shows that there is no solution, no solver is to thank for it."""
    known = [result("odd", solver, count=0, nodes=0, reason="parity") for solver in "AB"]
    (contest,) = contests_of([*answers({"A": (1,), "B": (2,)}), *known])
    assert (contest.questions, contest.unsearched) == (("puzzle 1",), ("odd",))
    assert contest.unanswered == ()
    assert contests_of(known) == []


def test_families_apart_and_together() -> None:
    """Over all puzzles only those rank that were asked all of them."""
    packing = answers({"A": (1,), "B": (2,), "fila": (0.5,)}, size=PACKING)
    boards = [
        result("board", "A", 4.0, size=BOARD),
        cut("board", "B", 9.0, size=BOARD),
        result("board", "rows", 1.0, size=BOARD),
    ]
    found = {contest.family: contest for contest in contests_of([*packing, *boards])}
    assert list(found) == [ALL_FAMILIES, "packing", "edge matching"]
    assert found[ALL_FAMILIES].solvers == ("A", "B")
    assert found[ALL_FAMILIES].left_out == ("fila", "rows")
    assert found["packing"].solvers == ("A", "B", "fila")
    assert found["edge matching"].solvers == ("A", "B", "rows")
    assert found["edge matching"].cutoffs.tolist() == [20.0]


def test_cold_starts_are_ranked_apart() -> None:
    """With the time of importing and compiling, and of cold runs only."""
    warm = answers({"A": (1,), "B": (2,)}, warm_up_s=0.5)
    assert contests_of(warm, Clock.COLD) == []
    cold = [
        result("puzzle 1", "A", 1.0, warm_up_s=30.0, cold_start=True),
        result("puzzle 1", "B", 2.0, warm_up_s=0.5, cold_start=True),
    ]
    (contest,) = contests_of([*warm, *cold], Clock.COLD)
    assert contest.seconds.tolist() == [[31.0], [2.5]]
    (contest,) = contests_of([*warm, *cold], Clock.WARM)
    assert contest.seconds.tolist() == [[1.0], [2.0]]


def total(run: Record) -> float:
    return run.result.total_s


def nodes(run: Record) -> int | None:
    return run.result.nodes


def test_runs_by_solver_and_question() -> None:
    """In the order in which they first appear; refused runs have finished nothing."""
    runs = solver_runs(
        [
            result("a", "dlx", 2.0),
            result("a", "cpsat", nodes=None),
            result("b", "dlx", 4.0, status="skipped"),
            cut("b", "fila", config={"nof": True}),
        ]
    )
    assert runs.solvers == ("dlx", "cpsat", "fila nof=True")
    assert runs.questions == ("a", "b")
    assert list(runs.of("dlx")) == ["a", "b"]
    assert runs.of("dlx")["b"].result.status == Status.SKIPPED
    assert list(runs.of("fila nof=True")) == ["b"]
    assert [list(runs.finished(solver)) for solver in runs.solvers] == [["a"], ["a"], []]
    assert runs.finished_by_some() == ["a"]
    assert (runs.values("dlx", total), runs.values("dlx", nodes)) == ({"a": 2.0}, {"a": 100})
    assert runs.values("cpsat", nodes) == {}


DONE, CUT = result("a", "dlx", 1.0), cut("a", "dlx", 20.0)
WRONG = result("a", "dlx", 3.0, status="wrong")


@pytest.mark.parametrize(
    ("results", "status", "seconds"),
    [
        ([CUT, DONE], Status.EXHAUSTED, 1.0),
        ([DONE, result("a", "dlx", 2.0)], Status.EXHAUSTED, 1.0),
        (
            [DONE, CUT, result("a", "dlx", 2.0), result("a", "dlx", 3.0)],
            Status.EXHAUSTED,
            2.0,
        ),
        ([WRONG, DONE], Status.WRONG, 3.0),
    ],
)
def test_several_runs_of_a_solver_on_a_question(
    results: list[Record], status: Status, seconds: float
) -> None:
    """Wrong if one is, else the median of those that answered, if any did."""
    run = solver_runs(results).runs["dlx", "a"]
    assert (run.result.status, run.result.total_s) == (status, seconds)


@pytest.mark.parametrize(
    ("seconds", "expected"), [((1.0, 100.0), 100.0), ((3.0, 1.0, 2.0), 2.0), ((1.0, None), 20.0)]
)
def test_several_seeds_count_by_their_median(
    seconds: tuple[float | None, ...], expected: float
) -> None:
    """Of two, the slower one; a seed that ended in vain is the slowest."""
    runs = []
    for seed, taken in enumerate(seconds):
        config = {"seed": seed}
        runs.append(
            cut("a", "dlx", config=config)
            if taken is None
            else result("a", "dlx", taken, config=config)
        )
    assert solver_runs(runs).solvers == ("dlx",)
    assert solver_runs(runs).runs["dlx", "a"].result.total_s == expected


def test_long_names_are_cut_and_stay_apart() -> None:
    """In one line each; their looks go by their names in full."""
    long = ["x" * 200 + end for end in ("one", "two\n")]
    results = [result(name, name) for name in (*long, "short")]
    runs = solver_runs(results)
    expected = (shorten("x" * 200, LONGEST_NAME), f"{'x' * (LONGEST_NAME - 1)}… (2)", "short")
    assert runs.solvers == runs.questions == expected
    assert len(runs.runs) == 3
    assert solver_styles(results) == {long[0]: 0, long[1]: 1, "short": 2}
