"""Random orders and trials: the same everywhere, what they come to, and never another answer."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.dlx.twin import Twin
from dovetail import api
from dovetail.api import bench
from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.cli.main import run
from dovetail.errors import ConfigError
from dovetail.harness.records.published import published_rows
from dovetail.harness.run import searches as sequence
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Job, Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import (
    random_order,
    shuffled,
    shuffled_within_items,
    surfaces,
)
from dovetail.harness.run.session import Session
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream
from harness.known import known
from harness.workers.results import collected
from oracle.answers import counted
from oracle.strategies import packing_puzzles

SIX = "pentominoes-5x6-FLNPUY"


def listed(job: Job) -> tuple[Result, list[tuple[int, ...]]]:
    """The result of a job that lists solutions, and these as sorted options."""
    found = collected(execute(job))
    return found.finished, found.solutions


def test_an_order_that_never_changes() -> None:
    """Written down: whoever changes it changes what a seed finds."""
    assert random_order(5, 0, 8).tolist() == [3, 4, 2, 5, 0, 7, 1, 6]
    orders = {tuple(random_order(5, number, 8).tolist()) for number in range(20)}
    assert len(orders) == 20
    assert all(sorted(order) == list(range(8)) for order in orders)


@pytest.mark.parametrize("config", [("dlx", {}), ("fila", {"stages": "e"}), ("dlx within", {})])
def test_shuffling_keeps_the_tree(config: tuple[str, dict[str, object]]) -> None:
    """An order of branches of its own, and the same nodes and solutions."""
    name, values = config[0].split()[0], config[1]
    backend = backend_named(name)
    chosen = build_config(backend.config_type, values, name)
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy=L"),))
    task = build_task(load(SIX), request)
    ordered = shuffled_within_items(task, 1) if "within" in config[0] else shuffled(task, 1)
    results = []
    for one in (task, ordered):
        search = backend.prepare(one, chosen)
        rows = []
        while search.advance(Budget(10**6)) is None:
            rows += np.sort(one.to_original_ids(search.take())).tolist()
        rows += np.sort(one.to_original_ids(search.take())).tolist()
        results.append((search.counters.nodes, sorted(rows), rows))
    assert results[0][:2] == results[1][:2]
    assert results[0][2] != results[1][2]


def item_orders(task: Task) -> list[list[int]]:
    """For each item its options, by their numbers before reductions, in the order of a search."""
    cover, orders = task.cover, list[list[int]]()
    numbers = known(task.reduced).kept if task.reduced is not None else np.arange(10**4)
    for item in range(cover.item_count):
        members = [m for m in known(task.member_order).tolist() if cover.item[m] == item]
        orders.append(numbers[cover.option_of_member[members]].tolist())
    return orders


@given(packing_puzzles(), st.integers(0, 2**40), st.integers(0, 3))
@settings(max_examples=8)
def test_orders_within_items_equal_the_twin(puzzle: PackingPuzzle, seed: int, number: int) -> None:
    """Sorted by words of the stream, drawn one after another; filters keep relative orders."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    stream, size = RandomStream(seed), known(task.placements).cells.shape[1] + 1
    words = [stream.word() for _ in range((number + 1) * task.options.option_count * size)]
    words = words[number * task.options.option_count * size :]
    cover, keys = task.cover, dict[tuple[int, int], int]()
    for option in range(cover.option_count):
        for place, member in enumerate(range(cover.start[option], cover.start[option + 1])):
            keys[int(cover.item[member]), option] = words[option * size + place]
    found = item_orders(shuffled_within_items(task, seed, number))
    for item, options in enumerate(found):
        assert sorted(options) == cover.option_of_member[cover.item == item].tolist()
        assert options == sorted(options, key=lambda option: keys[item, option])
    reductions = tuple(map(Reduction.parse, ("redundancy", "volume")))
    reduced = build_task(puzzle, Request(Symmetry.ALL, reductions=reductions))
    kept = set(known(reduced.reduced).kept.tolist())
    for whole, part in zip(
        found, item_orders(shuffled_within_items(reduced, seed, number)), strict=True
    ):
        assert part == [option for option in whole if option in kept]


@given(packing_puzzles())
@settings(max_examples=8)
def test_surfaces_equal_the_twin(puzzle: PackingPuzzle) -> None:
    """Counted on the piece itself, not on a placement."""
    placements = bounded_placements(puzzle)
    pieces = {piece.name: set(piece.cells) for piece in puzzle.pieces}
    for number, shape in enumerate(placements.shapes):
        cells = pieces[shape.name]
        sides = [near not in cells for cell in cells for near in puzzle.lattice.neighbours(cell)]
        assert surfaces(placements)[number] == sum(sides)


def test_hardest_pieces_first() -> None:
    """Those with most surface; in random order among equals."""
    task = build_task(load("pentominoes-6x10"), Request())
    orders = [shuffled(task, 1, number, hardest_first=True) for number in (0, 1)]
    placed = [ordered.placements for ordered in orders]
    for placements in placed:
        assert placements is not None
        surface = surfaces(placements)[placements.shape]
        assert surface.tolist() == sorted(surface.tolist(), reverse=True)
        names = [shape.name for shape in placements.shapes]
        assert names[placements.shape[-1]] == "P"  # the one that is compact
    numbers = [ordered.reduced.kept.tolist() for ordered in orders if ordered.reduced is not None]
    assert numbers[0] != numbers[1]
    assert sorted(numbers[0]) == sorted(numbers[1]) == list(range(task.options.option_count))


@given(
    packing_puzzles(), st.sampled_from(list(Symmetry)), st.integers(0, 2**40), *[st.booleans()] * 2
)
@settings(max_examples=8)
def test_the_answer_is_the_same(
    puzzle: PackingPuzzle, symmetry: Symmetry, seed: int, restarts: bool, within: bool
) -> None:
    """Whatever the seed and the kind of order; with restarts once a search comes to its end."""
    plain = counted(puzzle, symmetry=symmetry)
    request = Request(symmetry, listing=True, reductions=(Reduction.parse("redundancy"),))
    order = RandomOrder(seed, restarts, not restarts, within_items=within)
    finished, found = listed(Job(puzzle, request, random=order))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, plain.count)
    assert len(set(found)) == len(found) == plain.count


def test_a_seed_finds_the_same_again() -> None:
    """Another seed finds another solution first."""
    request, one = Request(listing=True), Limits(solutions=1)
    first = [
        tuple(listed(Job(load(SIX), request, limits=one, random=RandomOrder(seed)))[1])
        for seed in (1, 1, 2, 3)
    ]
    assert first[0] == first[1]
    assert len(set(first)) == 3


def test_luby() -> None:
    """The sequence as it is published."""
    known = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]
    assert [sequence.luby(number) for number in range(1, 17)] == known


def test_restarts_go_by_luby(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search makes its nodes, and another order is begun; no solution is listed twice."""
    monkeypatch.setattr(sequence, "restart_nodes", lambda _: 40)
    request = Request(listing=True)
    job = Job(load(SIX), request, random=RandomOrder(1, restarts=True))
    whole = counted(load(SIX), symmetry="unique")
    finished, found = listed(job)
    searched = known(finished.searched)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, whole.count)
    assert searched.begun > 3
    assert searched.found > len(found) == len(set(found)) == finished.count
    cut = [40 * sequence.luby(number) for number in range(1, searched.begun)]
    assert finished.nodes == sum(cut) + known(whole.nodes)
    by_remaining = known(finished.counters.fits_by_remaining)
    assert sum(by_remaining.values()) == finished.nodes


@pytest.mark.parametrize("nodes", [100, 101])
def test_nodes_are_limited_over_all_searches(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    """Exactly, wherever a restart falls."""
    monkeypatch.setattr(sequence, "restart_nodes", lambda _: 50)
    job = Job(load(SIX), limits=Limits(nodes=nodes), random=RandomOrder(1, restarts=True))
    finished = finish(execute(job))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, nodes)


@pytest.mark.parametrize(
    ("puzzle", "backend", "reason"),
    [
        (SIX, "cpsat", "it does not support a random option order; valid: dlx, fila, bitset"),
        ("queens-6", "dlx", "random orders are for packing puzzles"),
    ],
)
def test_refusals(puzzle: str, backend: str, reason: str) -> None:
    """By what has no order to change."""
    order = RandomOrder(1, within_items=backend in ("fila", "bitset"))
    finished = finish(execute(Job(load(puzzle), backend=backend, random=order)))
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """One solution from a seed; restarts without one are refused."""
    words = f"solve {SIX} --option-order random --seed 3 --restarts --limit 1 --json".split()
    assert run(words) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"]) == ("solution-limit", 1)
    order = {"seed": 3, "restarts": True, "hardest_first": False, "within_items": False}
    assert result["random"] == order
    assert result["searched"]["begun"] == len(result["solutions"]) == 1
    for word in ("--restarts", "--hardest-first"):
        assert run(["solve", SIX, word]) == 2
        assert (
            f'{word[2:].replace("-", "_")} needs option_order="random" (--option-order random)'
            in capsys.readouterr().err
        )


ALL = Request(Symmetry.ALL)


def tried(trials: Trials, request: Request = ALL, name: str = SIX, **changes: object) -> Result:
    """The result of trials."""
    return finish(execute(Job(load(name), request, trials=trials, **changes)))  # type: ignore[arg-type]


@given(
    packing_puzzles(), st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**40), st.booleans()
)
@settings(max_examples=12)
def test_they_end_where_the_twin_does(
    puzzle: PackingPuzzle, count: int, remaining: int, seed: int, within: bool
) -> None:
    """Trial for trial the same nodes and solutions; one that finds all ends all."""
    task = build_task(puzzle, ALL)
    pieces = task.options.placements_per_solution
    if pieces is None or remaining > pieces:
        return
    finished = finish(execute(Job(puzzle, ALL, trials=Trials(count, remaining, seed, within))))
    nodes, found, distinct, ended = 0, 0, set[tuple[int, ...]](), False
    for begun in range(1, count + 1):
        ordered = (shuffled_within_items if within else shuffled)(task, seed, begun - 1)
        order = None if ordered.member_order is None else ordered.member_order.tolist()
        twin = Twin(ordered.cover, until=pieces - remaining, member_order=order)
        nodes, found = nodes + sum(twin.nodes.values()), found + len(twin.solutions)
        rows = np.array(twin.solutions, dtype=np.int32).reshape(-1, pieces)
        distinct |= set(map(tuple, np.sort(ordered.to_original_ids(rows)).tolist()))
        ended = not twin.ended
        if ended:
            break
    assert finished.status == (Status.EXHAUSTED if ended else Status.REMAINING_LIMIT)
    assert (finished.nodes, finished.count) == (nodes, len(distinct))
    assert (known(finished.searched).begun, known(finished.searched).found) == (begun, found)


@pytest.mark.parametrize("symmetry", Symmetry)
@pytest.mark.parametrize("reduce", [(), ("redundancy", "volume")])
def test_never_more_than_there_are(symmetry: Symmetry, reduce: tuple[str, ...]) -> None:
    """A solution that several trials find counts once, and is found for each of them."""
    whole = counted(load(SIX), symmetry=symmetry, reduce=reduce)
    request = Request(symmetry, reductions=tuple(map(Reduction.parse, reduce)))
    finished = tried(Trials(100, 6), request)
    assert finished.status == Status.REMAINING_LIMIT
    assert finished.count == whole.count  # all of them, by so many trials
    assert finished.searched is not None
    assert finished.searched.begun == 100
    assert finished.searched.found > 10
    assert 0 < finished.searched.with_solutions < 100


def test_limits_hold_over_all_trials() -> None:
    """Nodes exactly; solutions as many as were asked for."""
    cut = tried(Trials(1000, 4), limits=Limits(nodes=777))
    assert (cut.status, cut.nodes) == (Status.NODE_LIMIT, 777)
    whole = tried(Trials(7, 4))
    exact = tried(Trials(8, 4), limits=Limits(nodes=whole.nodes))
    assert (exact.status, known(exact.searched).begun) == (Status.NODE_LIMIT, 7)
    assert tried(Trials(7, 4), limits=Limits(nodes=whole.nodes)).status == whole.status
    few = tried(Trials(1000, 5), limits=Limits(solutions=3))
    assert (few.status, few.count) == (Status.SOLUTION_LIMIT, 3)
    assert known(few.searched).begun < 1000


def test_trials_in_which_a_trigger_removed_a_placement() -> None:
    """As many as of the same trials run one by one; what was removed adds up."""
    request = Request(Symmetry.ALL, triggers=(Trigger.parse("parity"),))
    runs = [tried(Trials(count, 9, seed=1), request, "pentominoes-6x10") for count in range(1, 9)]
    removed = [sum((run.counters.backtracks_by_trigger or {})["parity"].values()) for run in runs]
    singly = [after > before for before, after in pairwise([0, *removed])]
    assert known(runs[-1].searched).with_trigger == {"parity": sum(singly)}
    assert 0 < sum(singly) < 8


@pytest.mark.parametrize("limits", [Limits(), Limits(time_s=60)], ids=["here", "in a child"])
def test_the_interval_of_the_rate(limits: Limits) -> None:
    """Holds the rate; there is none where few trials find anything."""
    searched = known(tried(Trials(300, 6), limits=limits).searched)
    low, high = known(searched.rate_interval).low, known(searched.rate_interval).high
    assert low < searched.found / known(searched.cpu_s) < high
    few = known(tried(Trials(3, 6)).searched)
    assert few.rate_interval is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0, 4), "trials: count is 0; expected 1 to 2,147,483,647"),
        ((1.5, 4), "trials: count is 1.5; expected a whole number of 1 or more"),
        ((4, 4, -1), "seed is -1; expected 0 to"),
    ],
)
def test_what_are_no_trials(values: tuple[float, ...], message: str) -> None:
    """The message says what is expected."""
    with pytest.raises(ConfigError, match=message):
        Trials(*values)  # type: ignore[arg-type]


def test_trials_that_a_puzzle_does_not_have() -> None:
    """More pieces than there are, another kind of puzzle, an order besides."""
    with pytest.raises(ConfigError, match="cannot end with 7 pieces remaining; expected 1 to 6"):
        tried(Trials(1, 7))
    with pytest.raises(ConfigError, match="trials are for packing puzzles"):
        tried(Trials(1, 1), name="queens-6")
    five = Session(Plan(load(SIX), ALL, "dlx", order=Trials(5, 4))).begun()
    with pytest.raises(ConfigError, match="there is no trial 5; expected 0 to 4"):
        five.within(SubProblem(trial=5), Limits(), RunClock(None)).prepare_search()
    with pytest.raises(ConfigError, match="trials use random orders"):
        Job(load(SIX), random=RandomOrder(1), trials=Trials(1, 1))


def test_the_command_of_trials(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Both rates, the count as a lower bound, exit status 0; the same on two workers."""
    words = ["trials", SIX, "--trials", "20", "--remaining", "4", "--seed", "1"]
    assert run(words) == 0
    assert "solutions up to rotation and reflection (remaining-limit)" in capsys.readouterr().out
    assert run([*words, "--trigger", "parity", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["trials"] == {"count": 20, "remaining": 4, "seed": 1, "within_items": False}
    assert (result["status"], result["triggers"]) == ("remaining-limit", ["parity"])
    searched = result["searched"]
    rate = searched["found"] / (result["prepare_s"] + result["solve_s"])
    assert searched["per_prepare_and_solve_s"] == pytest.approx(rate)
    assert searched["per_solve_s"] == pytest.approx(searched["found"] / result["solve_s"])
    checkpoint = tmp_path / "trials.checkpoint"
    divided = [*words, "--trigger", "parity", "--jobs", "2", "--checkpoint", str(checkpoint)]
    assert run([*divided, "--json"]) == 0
    same = json.loads(capsys.readouterr().out)
    assert (same["parallel"]["division"], same["parallel"]["done"]) == ("trials", 20)
    for name in ("status", "count", "nodes", "attempts_by_remaining", "backtracks_by_trigger"):
        assert same[name] == result[name]
    for name in ("begun", "with_solutions", "found", "with_trigger"):
        assert same["searched"][name] == searched[name]
    again = api.trials(SIX, 20, 4, seed=1, triggers=["parity"], checkpoint=checkpoint)
    assert (again.nodes, known(again.parallel).sittings) == (result["nodes"], 1)  # nothing is left
    assert run(["status", str(checkpoint)]) == 0
    assert "finished\n  sub-problems: 20 done" in capsys.readouterr().out
    assert run([*words, "--option-order", "random-within-items", "--json"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert other["trials"]["within_items"]
    assert other["nodes"] != result["nodes"]
    assert run([*words, "--option-order", "given"]) == 2
    assert "valid: random, random-within-items" in capsys.readouterr().err


SUITE = """\
name = "trials"
repeats = 2
[[run]]
name = "M1"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
trials = { count = 20, remaining = 4, seed = 5 }
published = { solutions = 8, seconds = 2.0 }
"""


def test_a_suite_of_trials(tmp_path: Path) -> None:
    """Repeated as often as asked; what is published is their rate, beside what was measured."""
    suite, runs = tmp_path / "suite.toml", tmp_path / "runs.jsonl"
    suite.write_text(SUITE)
    (planned,) = read_suite(suite).runs
    assert planned.job.trials == Trials(20, 4, 5)
    (record,) = bench(suite, output=runs)
    assert len(record.repeats) == 2
    assert bench(suite, output=runs) == [record]  # nothing is run again
    (row,) = published_rows([record])
    assert (row.status, row.rate.published) == (Status.REMAINING_LIMIT, 4.0)
    assert row.rate.measured == known(record.result.searched).per_prepare_and_solve_s


@pytest.mark.parametrize("backend", ["cpsat", "constraint"])
def test_solvers_that_have_no_trials(backend: str) -> None:
    """They do not tell when they take a placement back."""
    finished = tried(Trials(1, 4), backend=backend)
    assert finished.status == Status.SKIPPED
    assert "which trials need" in (finished.reason or "")


def test_orders_within_items_of_pieces_that_cross() -> None:
    """A placement may have crossing places besides its cells and its piece."""
    cross = ((0, 1, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1))
    pieces = (Piece("L", cross[1:3]), Piece("I", cross[:2]))
    puzzle = PackingPuzzle("cross", lattice_named("square-edges"), cross, pieces, optional=cross)
    every = api.count(puzzle, "dlx", symmetry="all").count
    mixed = api.count(puzzle, "dlx", symmetry="all", option_order="random-within-items")
    assert mixed.count == every
