"""Automaton, states of layers, totals and listed solutions beside their twin in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backends.frontier.problems import EVERYTHING, FIXED, bits, built, problem_of, problems, sets_of
from backends.frontier.twin import SweepBoard, Twin, Uses, Ways
from dovetail.backends.base import Budget
from dovetail.backends.frontier.automaton import Automaton, AutomatonBuilder, shape_bits
from dovetail.backends.frontier.layers import LayeredDP, PieceSets, Side
from dovetail.backends.frontier.problem import SweepProblem, packing_problem
from dovetail.backends.frontier.search import Solutions, SweepCounting, primes_below
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.backends.shared.state_search import MemoryBudget, MemoryBudgetExceededError
from dovetail.harness.run.session import returned
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.set_puzzles import in_box

MAX_NUMBERED = 2_000
Rows = NDArray[np.int32]


def boards_of(automaton: Automaton, twin: Twin) -> list[SweepBoard]:
    """The board of each node, by the moves on the ways to it, which all have to give the same."""
    found: dict[int, SweepBoard] = {0: frozenset()} if automaton.node_count else {}
    for node in range(automaton.node_count):
        for edge in range(automaton.nodes.first_edge[node], automaton.nodes.first_edge[node + 1]):
            reached = twin.settled(found[node], int(automaton.nodes.move[edge]))
            assert found.setdefault(int(automaton.nodes.to[edge]), reached) == reached
    return [found[node] for node in range(automaton.node_count)]


def uses_of(packed: NDArray[np.uint64], twin: Twin) -> list[Uses]:
    """How often sets use each shape: for each shape as many bits as its most copies need."""
    found = []
    for word in map(int, packed):
        uses, left = list[int](), word
        for max_count in twin.max_count:
            uses.append(left & (1 << max_count.bit_length()) - 1)
            left >>= max_count.bit_length()
        assert left == 0
        found.append(tuple(uses))
    return found


def compare_automaton(automaton: Automaton, twin: Twin) -> None:
    """The nodes, their edges, and the shapes used before and behind them."""
    boards = boards_of(automaton, twin)
    assert len(set(boards)) == len(boards)
    assert set(boards) == set(twin.edges)
    assert [len(board) for board in boards] == sorted(map(len, boards))
    for node, board in enumerate(boards):
        leaving = range(automaton.nodes.first_edge[node], automaton.nodes.first_edge[node + 1])
        edges = [(int(automaton.nodes.move[e]), boards[automaton.nodes.to[e]]) for e in leaving]
        assert Counter(edges) == Counter(twin.edges[board])
        assert bool(automaton.nodes.accepting[node]) == (board in twin.accepting)
        assert bits(automaton.nodes.before[node]) == twin.before[board]
        assert bits(automaton.nodes.behind[node]) == twin.behind[board]


def states(side: Side, number: int, sets: PieceSets, boards: list[SweepBoard], twin: Twin) -> Ways:
    """The states of a layer."""
    run, found = side.runs[number], list[tuple[tuple[SweepBoard, Uses], int]]()
    for place, uses in enumerate(uses_of(sets.layers[number], twin)):
        own = slice(int(run[place]), int(run[place + 1]))
        nodes = side.states.node[own].tolist()
        assert nodes == sorted(nodes)
        for node, ways in zip(nodes, side.states.ways[own].tolist(), strict=True):
            found.append(((boards[node], uses), ways))
    assert side.sizes[number] == len(found) == len(dict(found))
    return dict(found)


def compare_layers(automaton: Automaton, twin: Twin, work: int, threads: int) -> None:
    """The states and ways of all layers, gathered from the start and from the end."""
    problem = automaton.problem
    sets, boards = sets_of(problem), boards_of(automaton, twin)
    assert [set(uses_of(layer, twin)) for layer in sets.layers] == twin.sets
    last = len(sets.layers) - 1
    layered_dp = LayeredDP(automaton, sets, MemoryBudget(work), 0, threads)
    for forward in [True, False] * last:
        for _ in layered_dp.advance(forward=forward):
            pass
    from_start = twin.from_start()
    for number in range(len(twin.sets) if twin.edges else 0):
        near = states(layered_dp.near, number, sets, boards, twin)
        assert near == (from_start[number] if number < len(from_start) else {})
        far = states(layered_dp.far, number, sets, boards, twin)
        if number == last:  # no set has been looked at here
            far = {s: w for s, w in far.items() if twin.shapes(s[1]) <= twin.before[s[0]]}
        assert far == twin.from_end(number)


def counted(
    problem: SweepProblem, work: int = EVERYTHING, threads: int = 1, room: int | None = None
) -> SweepCounting:
    """The counting of a problem, done; with `room`, all layers are kept."""
    counting = SweepCounting(problem, MemoryBudget(work), threads)
    for _ in counting.expand():
        pass
    for _ in counting.meet(room):
        pass
    return counting


def listed(counting: SweepCounting, work: int, max_rows: int, at_once: int | None = None) -> Rows:
    """All rows, taken from a buffer of at most `max_rows` whenever the listing pauses."""
    solutions = Solutions(counting)
    buffer = SolutionBuffer(solutions.moves, np.int32, solutions.state, max_rows)
    budget, taken, is_done = Budget(work, solutions=at_once), list[Rows](), False
    while not is_done:
        rows = buffer.open_for(budget)
        assert rows is not None
        is_done = solutions.all_into(rows, work)
        taken.append(buffer.take())
        assert at_once is None or len(taken[-1]) <= at_once
    return np.concatenate(taken)


def moves_of(row: NDArray[np.int32]) -> tuple[int, ...]:
    """The moves of a row, sorted; −1 lies behind the last of them."""
    moves = row.tolist()
    count = sum(move >= 0 for move in moves)
    assert all(move == -1 for move in moves[count:])
    assert count == len(set(moves[:count]))
    return tuple(sorted(moves[:count]))


def compare_solutions(problem: SweepProblem, twin: Twin, work: int, rows: int) -> None:
    """Each is listed once, and has as many numbers as its weights say, each its own."""
    times = {tuple(sorted(moves)): twin.times(moves) for moves in twin.solutions()}
    total = sum(times.values())
    counting = counted(problem, work, room=0)
    assert counting.total == counted(problem, work).total == total
    if counting.layered_dp is None:
        return
    found = Counter(map(moves_of, listed(counting, work, rows)))
    assert found == Counter(dict.fromkeys(times, 1))
    if total <= MAX_NUMBERED:
        unranked, images = Solutions(counting).numbered(range(total))
        numbered = Counter(zip(map(moves_of, unranked), images.tolist(), strict=True))
        every = ((moves, image) for moves, all_ in times.items() for image in range(all_))
        assert numbered == Counter(every)
    # The total comes out of its remainder by 2 and those of two passes by primes.
    assert returned(counting._from_remainders(total % 2, 2, 2**60)) == total


def compare(
    problem: SweepProblem, work: int = EVERYTHING, threads: int = 1, rows: int = 1_000
) -> None:
    """All that the twin knows."""
    twin, automaton = Twin(problem), built(problem)
    compare_automaton(automaton, twin)
    compare_layers(automaton, twin, work, threads)
    compare_solutions(problem, twin, work, rows)


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_the_twin_agrees(problem: SweepProblem) -> None:
    """Repeats, ranges of copies, weights, moves that use several pieces."""
    compare(problem)


@given(
    problems(),
    st.sampled_from([1, 100, EVERYTHING]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([1, 7, 1_000]),
)
@settings(max_examples=25)
def test_the_twin_agrees_at_random(
    problem: SweepProblem, work: int, threads: int, rows: int
) -> None:
    """In slices of any work, sets shared out among threads, into buffers of any size."""
    compare(problem, work, threads, rows)


@pytest.mark.parametrize(("work", "threads"), [(20_000, 3)])
def test_slices_and_threads_make_no_difference(work: int, threads: int) -> None:
    """On a board whose layers do not fit the first arrays, node by node."""
    problem = problem_of(in_box("pentominoes-5x12", "pentominoes", (12, 5)), "redundancy")
    plain, other = counted(problem), counted(problem, work, threads)
    assert plain.total == other.total == 4040
    assert plain.layered_dp is not None
    assert other.layered_dp is not None
    for side, same in (
        (plain.layered_dp.near, other.layered_dp.near),
        (plain.layered_dp.far, other.layered_dp.far),
    ):
        assert side.sizes == same.sizes
        assert max(side.sizes.values()) > 2_000
        for one, two in ((side.run, same.run), (side.node, same.node), (side.ways, same.ways)):
            assert np.array_equal(one, two)


def test_slices_of_the_automaton_make_no_difference() -> None:
    """Nor does it matter that the arrays are full several times on the way."""
    problem = problem_of(in_box("twelve", "pentominoes", (10, 6)))
    whole, sliced = built(problem), built(problem, 10_000)
    assert whole.node_count > 6_000  # nodes and edges did not fit at first
    for name, array in whole.nodes._asdict().items():
        assert np.array_equal(array, getattr(sliced.nodes, name)), name


@pytest.mark.parametrize(
    ("work", "rows", "at_once"), [(3, 1_000, None), (EVERYTHING, 5, None), (500, 100, 3)]
)
def test_slices_of_a_listing_make_no_difference(work: int, rows: int, at_once: int | None) -> None:
    """The same rows in the same order, whatever is done and taken at once."""
    problem = problem_of(in_box("six", "pentominoes", (6, 5), letters="FLNPUY"), "redundancy")
    whole = listed(counted(problem, room=0), EVERYTHING, 1_000)
    assert len(whole) == 10
    assert np.array_equal(listed(counted(problem, work, room=0), work, rows, at_once), whole)


def test_bounds_of_totals() -> None:
    """No count exceeds its bound, and one that may be too large for a word is found out."""
    for side, large in ((4, False), (8, False), (16, True)):
        puzzle = load(f"dominoes-{side}x{side}")
        counting = counted(packing_problem(build_task(puzzle, Request(Symmetry.ALL))))
        assert counting.is_numbered == (not large)
        if not large:
            assert counting.layered_dp is not None
            assert counting.total <= counting.layered_dp.max_total < 2**63


@given(st.integers(1, 2**20))
@settings(max_examples=15)
def test_primes(largest: int) -> None:
    """Primes below a limit are prime, and each is smaller than the prime before."""
    primes = [prime for prime, _ in zip(primes_below(2**32 - largest), range(5), strict=False)]
    assert primes == sorted({*primes}, reverse=True)
    assert all(pow(2, prime - 1, prime) == pow(3, prime - 1, prime) == 1 for prime in primes)
    assert list(primes_below(20)) == [19, 17, 13, 11, 7, 5, 3]


def test_shapes_beyond_the_word() -> None:
    """Shapes as bits: the first 64 of them."""
    uses = np.eye(66, dtype=np.int64)[[0, 63, 64, 65]]
    uses[3, 1] = 2
    assert [bits(word) for word in shape_bits(uses)] == [{0}, {63}, set(), {1}]


def test_too_little_memory() -> None:
    """Ends the building before more is taken, with how far it has come."""
    memory_budget = MemoryBudget(EVERYTHING, 2**20)
    builder = AutomatonBuilder(problem_of(in_box("twelve", "pentominoes", (10, 6))), memory_budget)
    message = r"^more than [\d,]+ frontier shapes, for \d+% of the board, would take [\d,]+ bytes; "
    with pytest.raises(MemoryBudgetExceededError, match=message + "1,048,576 are left"):
        list(builder.expand())
    assert builder.held_bytes <= 2**20
