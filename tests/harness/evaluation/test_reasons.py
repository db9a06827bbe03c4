"""Why a solver wins, against figures by hand."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.evaluation.ranking import WinReason, win_reasons
from dovetail.harness.records.record import Record
from harness.evaluation.contested import contests_of
from reports.results.synthetic import cut, result

PLACED, ASSIGNED = "a placement made", "an assignment made"


def timed(puzzle: str, backend: str, prepare_s: float, solve_s: float, nodes: int) -> Record:
    meaning = ASSIGNED if backend == "constraint" else PLACED
    own: dict[str, Any] = {
        "prepare_s": prepare_s,
        "solve_s": solve_s,
        "nodes": nodes,
        "node_meaning": meaning,
    }
    return result(puzzle, backend, **own)


def reasons(*results: Record) -> list[WinReason]:
    return win_reasons(contests_of(results)[0])


def test_fewer_nodes_and_less_time_for_each() -> None:
    """On two puzzles: a quarter and a sixteenth of the nodes, each in twice and half the time."""
    (found,) = reasons(
        timed("a", "fila", 1.0, 1.0, 100),
        timed("a", "dlx", 2.0, 2.0, 400),
        timed("b", "fila", 1.0, 3.0, 100),
        timed("b", "dlx", 4.0, 96.0, 1600),
    )
    assert (found.solver, found.wins, found.compared) == ("fila", 2, 2)
    assert found.lead == pytest.approx((2 * 25) ** 0.5)
    assert found.nodes == pytest.approx((1 / 4 * 1 / 16) ** 0.5)
    assert found.node_time == pytest.approx((2 * 0.5) ** 0.5)
    assert (found.beaten, found.preparing) == (2, 0)
    assert found.prepare_share == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_nodes_that_mean_another_thing_are_not_compared() -> None:
    (found,) = reasons(timed("a", "fila", 1, 1, 100), timed("a", "constraint", 1, 3, 10))
    assert (found.compared, found.nodes, found.node_time) == (0, None, None)
    assert found.lead == pytest.approx(2)


def test_nobody_else_answered() -> None:
    (found,) = reasons(timed("a", "fila", 1, 3, 100), cut("a", "dlx"))
    assert (found.wins, found.lead, found.beaten) == (1, None, 0)
    assert found.prepare_share == pytest.approx(1 / 4)


def test_time_saved_in_preparing() -> None:
    """On one puzzle 3 s of 4 in preparing, on the other all in the search; the median share."""
    (found,) = reasons(
        timed("a", "fila", 1, 1, 1),
        timed("a", "dlx", 4, 2, 1),
        timed("b", "fila", 1, 3, 1),
        timed("b", "dlx", 1, 9, 1),
        timed("c", "fila", 1, 9, 1),
        timed("c", "dlx", 1, 10, 1),
    )
    assert (found.beaten, found.preparing) == (3, 1)
    assert found.prepare_share == 1 / 4
