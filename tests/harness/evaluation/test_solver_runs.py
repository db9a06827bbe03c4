"""Which run stands for a solver on a question, and what solvers and questions are called."""

from __future__ import annotations

import pytest

from dovetail.errors import shorten
from dovetail.harness.evaluation.contests import LONGEST_NAME, solver_runs, solver_styles
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from reports.results.synthetic import cut, result


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
        ([DONE, CUT], Status.EXHAUSTED, 1.0),
        ([DONE, result("a", "dlx", 2.0)], Status.EXHAUSTED, 1.0),
        ([DONE, CUT, result("a", "dlx", 2.0), result("a", "dlx", 3.0)], Status.EXHAUSTED, 2.0),
        ([WRONG, DONE], Status.WRONG, 3.0),
        ([CUT, result("a", "dlx", status="failed")], Status.TIME_LIMIT, 20.0),
    ],
)
def test_several_runs_of_a_solver_on_a_question(
    results: list[Record], status: Status, seconds: float
) -> None:
    """Wrong if one is, else the median of those that answered, if any did."""
    run = solver_runs(results).runs["dlx", "a"]
    assert (run.result.status, run.result.total_s) == (status, seconds)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [((1.0, 100.0), 100.0), ((3.0, 1.0, 2.0), 2.0), ((1.0, None), 20.0), ((1.0, 2.0, None), 2.0)],
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


def test_cold_starts_are_another_solver() -> None:
    runs = solver_runs([DONE, result("a", "dlx", 5.0, cold_start=True)])
    assert runs.solvers == ("dlx", "dlx (cold start)")


def test_long_names_are_cut_and_stay_apart() -> None:
    """In one line each; their looks go by their names in full."""
    long = ["x" * 200 + end for end in ("one", "two\n")]
    results = [result(name, name) for name in (*long, "short")]
    runs = solver_runs(results)
    expected = (shorten("x" * 200, LONGEST_NAME), f"{'x' * (LONGEST_NAME - 1)}… (2)", "short")
    assert runs.solvers == runs.questions == expected
    assert len(runs.runs) == 3
    assert solver_styles(results) == {long[0]: 0, long[1]: 1, "short": 2}
