"""States by the pieces used, from both sides of the board, beside their twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.frontier.problems import EVERYTHING, FIXED, built, problem_of, problems, sets_of
from backends.frontier.test_automaton import boards_of
from backends.frontier.test_piece_sets import uses_of
from backends.frontier.twin import SweepBoard, Twin, Ways
from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.kernels.layers import EdgesByClass
from dovetail.backends.frontier.layers import LayeredDP, Side
from dovetail.backends.frontier.problem import SweepProblem, packing_problem
from dovetail.backends.frontier.search import SweepCounting, primes_below
from dovetail.backends.shared.state_search import MemoryBudget, MemoryBudgetExceededError
from dovetail.harness.run.session import returned
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle


class Gathered:
    """A problem's layered DP and its twin, gathered from both sides as far as they go."""

    def __init__(self, problem: SweepProblem, work: int = EVERYTHING, threads: int = 1) -> None:
        self.twin, self.sets = Twin(problem), sets_of(problem)
        self.automaton = built(problem)
        self.boards = boards_of(self.automaton, self.twin)
        self.last = len(self.sets.layers) - 1
        self.layered_dp = LayeredDP(self.automaton, self.sets, MemoryBudget(work), 0, threads)
        for _ in range(self.last):
            self.advance(forward=True)
            self.advance(forward=False)

    def advance(self, *, forward: bool) -> None:
        """The next layer of one side."""
        for _ in self.layered_dp.advance(forward=forward):
            pass

    def states(self, side: Side, number: int) -> Ways:
        """The states of one layer."""
        run, found = side.runs[number], list[tuple[tuple[SweepBoard, tuple[int, ...]], int]]()
        for place, uses in enumerate(uses_of(self.sets.layers[number], self.twin)):
            own = slice(int(run[place]), int(run[place + 1]))
            nodes = side.states.node[own].tolist()
            assert nodes == sorted(nodes)
            for node, ways in zip(nodes, side.states.ways[own].tolist(), strict=True):
                found.append(((self.boards[node], uses), ways))
        assert side.sizes[number] == len(found) == len(dict(found))
        return dict(found)


def compare(problem: SweepProblem, work: int = EVERYTHING, threads: int = 1) -> None:
    """The states of all layers but the far side's first one, where no set is looked at."""
    gathered = Gathered(problem, work, threads)
    twin = gathered.twin
    if not twin.edges:
        return
    from_start = twin.from_start()
    for number in range(len(twin.sets)):
        near = gathered.states(gathered.layered_dp.near, number)
        assert near == (from_start[number] if number < len(from_start) else {})
        far = gathered.states(gathered.layered_dp.far, number)
        if number == gathered.last:  # no set has been looked at here
            far = {s: w for s, w in far.items() if twin.shapes(s[1]) <= twin.before[s[0]]}
        assert far == twin.from_end(number)


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_the_twin_agrees(problem: SweepProblem) -> None:
    """States and ways, from the start and from the end."""
    compare(problem)


@given(problems(), st.sampled_from([1, 100, EVERYTHING]), st.sampled_from([1, 2, 3]))
@settings(max_examples=15)
def test_the_twin_agrees_at_random(problem: SweepProblem, work: int, threads: int) -> None:
    """In slices of any work, and with sets shared out among threads."""
    compare(problem, work, threads)


def joined(
    problem: SweepProblem, middle: int, work: int, *, between: bool = False
) -> tuple[int, int]:
    """What the sides come to that meet before a layer: solutions through it, and ended before.

    Or, `between`, what they come to on either side of it.
    """
    automaton, sets = built(problem), sets_of(problem)
    layered_dp = LayeredDP(automaton, sets, MemoryBudget(work))
    ended = ended_ways(layered_dp)
    for _ in range(middle - 1):
        for _ in layered_dp.advance(forward=True):
            pass
        ended += ended_ways(layered_dp)
    while layered_dp.far.number > middle + between:
        for _ in layered_dp.advance(forward=False):
            pass
    steps = layered_dp.joined_between() if between else layered_dp.joined()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            assert not layered_dp.overflow
            return sum(done.value.tolist()), ended


def ended_ways(layered_dp: LayeredDP) -> int:
    """The solutions that end in the near side's last layer."""
    return sum(layered_dp.near.states.ways[layered_dp.ended()[:, 1]].tolist())


def compare_totals(problem: SweepProblem, work: int = EVERYTHING) -> None:
    """Wherever the two sides meet, and for the whole count."""
    twin = Twin(problem)
    by_length: Counter[int] = Counter()
    for moves in twin.solutions():
        by_length[len(moves)] += twin.times(moves)
    total = sum(by_length.values())
    for middle in range(1, len(twin.sets) if twin.edges else 0):
        through, ended = joined(problem, middle, work)
        assert ended == sum(by_length[length] for length in range(middle))
        assert through + ended == total
        if middle + 1 < len(twin.sets):
            assert joined(problem, middle, work, between=True) == (through, ended)
    counting = counted(problem, MemoryBudget(work))
    assert counting.total == total
    assert sum(counting.through.tolist()) + sum(counting.ended_ways.tolist()) == total


def counted(problem: SweepProblem, memory_budget: MemoryBudget, threads: int = 1) -> SweepCounting:
    """The counting of a problem, done."""
    counting = SweepCounting(problem, memory_budget, threads)
    for _ in counting.expand():
        pass
    for _ in counting.meet():
        pass
    return counting


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_totals(problem: SweepProblem) -> None:
    """The sides may meet before any layer: the total is that of the solutions gone through."""
    compare_totals(problem)


@given(problems(), st.sampled_from([1, 100, EVERYTHING]))
@settings(max_examples=15)
def test_totals_at_random(problem: SweepProblem, work: int) -> None:
    """Solutions of several lengths, weights, none at all."""
    compare_totals(problem, work)


@pytest.mark.parametrize(("work", "threads"), [(20_000, 1), (EVERYTHING, 2), (20_000, 5)])
def test_slices_and_threads_make_no_difference(work: int, threads: int) -> None:
    """On a board whose layers do not fit the first arrays, node by node."""
    problem = problem_of(pentominoes_in_rectangle(5, 12), "redundancy")
    plain, other = (
        counted(problem, MemoryBudget(EVERYTHING)),
        counted(problem, MemoryBudget(work), threads),
    )
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


@given(problems(), st.sampled_from([1, 5, EVERYTHING]))
@settings(max_examples=15)
def test_totals_from_remainders(problem: SweepProblem, work: int) -> None:
    """The total comes out of its remainder by 2 and those of two passes by primes."""
    counting = counted(problem, MemoryBudget(work))
    if counting.layered_dp is None:
        return
    total = counting.total
    assert returned(counting._from_remainders(total % 2, 2, 2**60)) == total


def test_bounds_of_totals() -> None:
    """No count exceeds its bound, and one that may be too large for a word is found out."""
    for side, large in ((4, False), (8, False), (12, False), (16, True)):
        counting = counted(
            packing_problem(build_task(load(f"dominoes-{side}x{side}"), Request(Symmetry.ALL))),
            MemoryBudget(EVERYTHING),
        )
        assert counting.is_numbered == (not large)
        if not large:
            assert counting.layered_dp is not None
            assert counting.total <= counting.layered_dp.max_total < 2**63


@pytest.mark.parametrize("threads", [1, 2])
def test_states_between_are_counted(threads: int) -> None:
    """The layer that is not kept has as many states as if it were."""
    problem = problem_of(pentominoes_in_rectangle(5, 12), "redundancy")
    sizes = []
    for room in (None, 0):
        counting = SweepCounting(problem, MemoryBudget(EVERYTHING), threads)
        for _ in (*counting.expand(), *counting.meet(room)):
            pass
        assert counting.total == 4040
        assert counting.layered_dp is not None
        near, far = counting.layered_dp.near, counting.layered_dp.far
        assert far.number - near.number == (2 if room is None else 1)
        sizes.append({**near.sizes, **far.sizes})
    assert sizes[0] == sizes[1]


@given(st.integers(1, 2**20))
def test_primes(largest: int) -> None:
    """Primes below a limit are prime, and each is smaller than the prime before."""
    primes = [prime for prime, _ in zip(primes_below(2**32 - largest), range(5), strict=False)]
    assert primes == sorted({*primes}, reverse=True)
    assert all(pow(2, prime - 1, prime) == pow(3, prime - 1, prime) == 1 for prime in primes)
    assert list(primes_below(20)) == [19, 17, 13, 11, 7, 5, 3]


def edges_of(automaton: Automaton, problem: SweepProblem) -> list[tuple[int, int, int]]:
    """All edges: the node they leave, the class of move, the node they reach."""
    source = np.repeat(np.arange(automaton.node_count), np.diff(automaton.nodes.first_edge))
    classes = problem.move_class[automaton.nodes.move]
    return list(zip(source.tolist(), classes.tolist(), automaton.nodes.to.tolist(), strict=True))


def ends_of(edges: EdgesByClass, node: int, move_class: int) -> list[int]:
    """The nodes at the other ends of the edges of a node and a class."""
    word, bit = divmod(node - edges.low, WORD_BITS)
    word += move_class * edges.words
    present = int(edges.present[word])
    if not present >> bit & 1:
        return []
    only = int(edges.only[int(edges.before[word]) + (present & (1 << bit) - 1).bit_count()])
    if only >= 0:
        return [only]
    count = int(edges.several[~only])
    assert count > 1
    several: list[int] = edges.several[~only + 1 : ~only + 1 + count].tolist()
    return several


@given(problems(), st.data())
@settings(max_examples=15)
def test_edges_by_class_and_node(problem: SweepProblem, data: st.DataObject) -> None:
    """Those that leave the nodes of a layer, and those that reach them, each once."""
    automaton, sets = built(problem), sets_of(problem)
    layered_dp = LayeredDP(automaton, sets, MemoryBudget(EVERYTHING))
    for forward in (True, False):
        for _ in range(data.draw(st.integers(0, len(sets.layers) - 1))):
            for _ in layered_dp.advance(forward=forward):
                pass
        side = layered_dp.near if forward else layered_dp.far
        edges = automaton.edges_by_class(side.node, forward=forward)
        found: Counter[tuple[int, int, int]] = Counter()
        near = set(range(edges.low, edges.low + WORD_BITS * edges.words))
        for move_class in range(len(problem.weight)):
            for node in near:
                for other in ends_of(edges, node, move_class):
                    found[(node, move_class, other) if forward else (other, move_class, node)] += 1
        lowest, highest = edges.min_end, edges.max_end
        assert all(
            lowest <= other <= highest
            for node in set(side.node.tolist())
            for move_class in range(len(problem.weight))
            for other in ends_of(edges, node, move_class)
        )
        assert near >= set(side.node.tolist())
        assert found == Counter(
            edge for edge in edges_of(automaton, problem) if edge[0 if forward else 2] in near
        )


def test_too_little_memory() -> None:
    """Ends the counting, with what it would take."""
    problem = problem_of(pentominoes_in_rectangle(5, 12))
    with pytest.raises(MemoryBudgetExceededError, match=r"would take [\d,]+ bytes; 1,000 are left"):
        counted(problem, MemoryBudget(1_000, 1_000))
