"""Rankings, verdicts and reasons against hand-worked examples, and the intervals of means."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.harness.evaluation.ranking import (
    Known,
    Standing,
    WinReason,
    geometric_mean,
    lead,
    ranking,
    verdict,
    win_reasons,
)
from dovetail.harness.records.record import Record
from harness.evaluation.contested import REFUSED, STOPPED, answers, contests_of, worked_example
from harness.known import known
from reports.results.synthetic import result

# By hand: a stopped run counts as 100 s; the fastest take 1, 1, 1, 2, 8 and 25 s.
RATIOS = {
    "A": (1, 2, 4, 4, 2, 4),
    "B": (2, 2, 2, 50, 1, 2),
    "C": (4, 1, 8, 4, 12.5, 1),
    "D": (8, 16, 1, 1, 4, 4),
    "E": (100, 100, 100, 50, 12.5, 4),
}
PAR2_S = {"A": 231, "B": 264, "C": 246, "D": 259, "E": 1100}  # sums
WINS = {"A": 1, "B": 1, "C": 2, "D": 2, "E": 0}
ANSWERED = {"A": 5, "B": 5, "C": 5, "D": 5, "E": 1}
RANKS = {"A": 15.5, "B": 14, "C": 16, "D": 17.5, "E": 27}  # sums
MARGINAL_S = {"A": 1, "B": 8, "C": 1 + 25, "D": 1 + 6, "E": 0}  # sums
ORDER = ["A", "B", "C", "D", "E"]  # 256, 800, 1,600, 2,048 and 2.5e9 to the power of 1/6


@pytest.fixture
def standings() -> dict[str, Standing]:
    """The ranking of the worked example by solver."""
    return {standing.solver: standing for standing in ranking(worked_example())}


def test_the_order_is_that_of_geometric_means(standings: dict[str, Standing]) -> None:
    assert list(standings) == ORDER
    for solver, ratios in RATIOS.items():
        expected = math.prod(ratios) ** (1 / 6)
        assert standings[solver].ratio.mean == pytest.approx(expected, rel=1e-12)
    assert standings["A"].ratio.mean == pytest.approx(256 ** (1 / 6))
    assert all(one.is_bound for one in standings.values())


def test_figures_of_each_solver(standings: dict[str, Standing]) -> None:
    for solver, one in standings.items():
        assert one.par2_s == pytest.approx(PAR2_S[solver] / 6)
        assert (one.accepted, one.refused) == (6, 0)
        assert (one.wins, one.answered) == (WINS[solver], ANSWERED[solver])
        assert one.average_rank == pytest.approx(RANKS[solver] / 6)
        assert one.marginal_s == pytest.approx(MARGINAL_S[solver] / 6)
        assert one.sole == 0


def test_a_lead_that_is_not_known() -> None:
    """Each left one that the other answered. B over A: 2, 1, 1/2, 100/8, 1/2 and 50/100."""
    found = lead(worked_example(), "A", "B")
    product = Fraction(2) * Fraction(1, 2) * Fraction(100, 8) * Fraction(1, 2) * Fraction(1, 2)
    assert found.ratio.mean == pytest.approx(float(product) ** (1 / 6))
    assert found.ratio.low < 1 < found.ratio.high
    assert (found.known, found.questions, found.missing) == (Known.NO, 6, (1, 1))
    assert known(found.answered_ratio).mean == pytest.approx(0.5 ** (1 / 4))


def test_a_lead_over_one_that_a_limit_stopped() -> None:
    """The limit by the winner's time is a lower bound, and no penalty is added."""
    (contest,) = contests_of(answers({"A": (62.5,), "B": (STOPPED,)}))
    found = lead(contest, "A", "B")
    assert (found.known, found.missing) == (Known.AT_LEAST, (0, 1))
    assert found.ratio.mean == pytest.approx(1.6)
    assert found.answered_ratio is None


def test_a_lead_over_one_that_answered_in_no_time() -> None:
    """An answer after 0 s is known, as one after a nanosecond is."""
    (contest,) = contests_of(answers({"A": (1, 1e-6), "B": (0.0, STOPPED)}))
    assert lead(contest, "A", "B").known is Known.AT_LEAST


@pytest.mark.parametrize("status", ["memory-limit"])
def test_a_lead_over_one_that_ended_early(status: str) -> None:
    """After a second, without an answer: how long it would take is not known."""
    early = result("puzzle 1", "B", 1.0, status=status, count=None)
    (contest,) = contests_of([*answers({"A": (62.5,)}), early])
    assert [one.solver for one in ranking(contest)] == ["A", "B"]
    assert lead(contest, "A", "B").known is Known.NO


def test_a_refusal_costs_nothing() -> None:
    """The fastest solver is ahead although it refuses two of five."""
    times = {"fast": (1, 1, 1, REFUSED, REFUSED), "slow": (2,) * 5, "slower": (3,) * 5}
    (contest,) = contests_of(answers(times))
    fast, *others = ranking(contest)
    assert [fast.solver, *(one.solver for one in others)] == list(times)
    assert (fast.accepted, fast.answered, fast.refused) == (3, 3, 2)
    assert (fast.par2_s, fast.average_rank) == (1, 1)
    assert fast.ratio.mean == pytest.approx(1)
    found = lead(contest, "fast", "slow")
    assert (found.known, found.accepted) == (Known.EXACT, 3)
    assert found.ratio.mean == pytest.approx(2)


def test_refusing_what_is_hard_wins_nothing() -> None:
    """S is slower than A on all that both accept; a specialist makes A slow on the rest."""
    times = {"A": (1, 1, 1, 100, 100), "S": (1.2, 1.2, 1.2, REFUSED, REFUSED), "P": (9,) * 5}
    (contest,) = contests_of(answers(times))
    order = [one.solver for one in ranking(contest)]
    assert order.index("A") < order.index("S")


TIME = st.one_of(st.just(STOPPED), st.just(REFUSED), st.floats(0.01, 99))


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[float | None]]:
    """Times of two to five solvers on one to seven puzzles."""
    questions = draw(st.integers(1, 7))
    rows = st.lists(TIME, min_size=questions, max_size=questions)
    return {solver: draw(rows) for solver in "ABCDE"[: draw(st.integers(2, 5))]}


@given(tables())
def test_each_solver_is_ahead_of_the_next(times: dict[str, list[float | None]]) -> None:
    """And whoever is ahead of all others is first, with more than half accepted."""
    for contest in contests_of(answers(times)):
        order = [one.solver for one in ranking(contest)]
        for first, second in pairwise(order):
            assert lead(contest, first, second).ratio.mean >= 1 - 1e-6
        for one in ranking(contest):
            assert 2 * one.accepted > len(contest.questions)
            ahead = [lead(contest, one.solver, s).ratio.mean > 1 for s in order if s != one.solver]
            assert one.solver == order[0] or not all(ahead)


@given(tables(), st.lists(st.floats(0.01, 99), min_size=7, max_size=7))
def test_a_puzzle_that_all_but_one_refuse_changes_no_ranking(
    times: dict[str, list[float | None]], further: list[float]
) -> None:
    known = [one.solver for contest in contests_of(answers(times)) for one in ranking(contest)]
    for solver in times:
        with_refused = {
            other: [*row, further[0] if other == solver else REFUSED]
            for other, row in times.items()
        }
        found = contests_of(answers(with_refused))
        assert [one.solver for contest in found for one in ranking(contest)] == known


TIED = st.sampled_from([STOPPED, 1, 2, 3, 4, 6, 8.5])


@given(st.lists(st.lists(TIED, min_size=4, max_size=4), min_size=2, max_size=6))
def test_geometric_means_and_ranked_pairs_agree(rows: list[list[float | None]]) -> None:
    """Also for ties. Ranked pairs rank as soon as a solver, here the slowest, refuses a puzzle."""
    times = {s: [*row, 1, 1, 1] for s, row in zip("FEDCBA", rows, strict=False)}
    orders = []
    for last in (STOPPED, REFUSED):
        contests = contests_of(answers({**times, "Z": [STOPPED] * 4 + [50, 50, last]}))
        assert [contest.accepted.all() for contest in contests] == [last == STOPPED] * len(contests)
        ranked = [[standing.solver for standing in ranking(contest)] for contest in contests]
        orders.append([solver for order in ranked for solver in order if solver != "Z"])
    assert orders[0] == orders[1]


@pytest.mark.parametrize("order", ["ABC", "CBA", "BCA"])
def test_equal_pairs_that_contradict_each_other(order: str) -> None:
    """Each solver is twice as fast as the next one; names decide, and not the order of records."""
    times = {"A": [1, REFUSED, 2], "B": [2, 1, REFUSED], "C": [REFUSED, 2, 1]}
    (contest,) = contests_of(answers({solver: times[solver] for solver in order}))
    assert [standing.solver for standing in ranking(contest)] == ["A", "B", "C"]


def test_the_pair_with_the_largest_product_of_ratios_is_put_in_order_first() -> None:
    """The leads are 2, 2.5 and 2.2; the products of their ratios are 8, 6.25 and 4.84."""
    no = REFUSED
    times = {
        "A": [1, 1, 1, no, no, 2.2, 2.2],
        "B": [2, 2, 2, 1, 1, no, no],
        "C": [no, no, no, 2.5, 2.5, 1, 1],
    }
    (contest,) = contests_of(answers(times))
    assert [standing.solver for standing in ranking(contest)] == ["A", "B", "C"]


def test_a_clear_lead() -> None:
    found = verdict(contests_of(answers({"A": (1,) * 8, "B": (2, 3, 4, 5, 2, 3, 4, 5)}))[0])
    assert found.is_clear
    assert found.frequent_winners == (found.first,)


MEANINGS = {"constraint": "an assignment made"}


def timed(puzzle: str, backend: str, prepare_s: float, solve_s: float, nodes: int) -> Record:
    own: dict[str, Any] = {"prepare_s": prepare_s, "solve_s": solve_s, "nodes": nodes}
    return result(puzzle, backend, node_meaning=MEANINGS.get(backend, "a placement made"), **own)


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


TRIALS = 600
SEED = 7
# Per cent of the trials in which the interval covers the mean of equal solvers, by the number of
# puzzles; docs/solvers/methods/evaluation.md has these figures.
COVERED = {
    "normal": {6: 95, 10: 96, 20: 96, 40: 94},
    "exponential": {6: 88, 10: 90, 20: 90, 40: 96},
}


def covered(kind: str, puzzles: int, random: np.random.Generator) -> float:
    """The share of trials whose interval has 1 in it, by logarithms with a mean of 0."""
    covers = 0
    for _ in range(TRIALS):
        drawn = random.normal if kind == "normal" else random.exponential
        logarithms = drawn(size=puzzles) - (kind == "exponential")
        covers += geometric_mean(np.exp(logarithms)).covers(1.0)
    return covers / TRIALS


@pytest.mark.slow
def test_coverage() -> None:
    random = np.random.default_rng(SEED)
    found = {
        kind: {puzzles: round(100 * covered(kind, puzzles, random)) for puzzles in figures}
        for kind, figures in COVERED.items()
    }
    assert found == COVERED
