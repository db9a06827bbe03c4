"""The memoised search against its twin, brute force and dancing links: counts, lists, numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.searches import run_out
from dovetail.api import count
from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.state_search import MemoryBudget
from dovetail.backends.zdd.kernels.search import FEWEST, FIXED, FORCED, FORGOTTEN, HITS, STATES
from dovetail.backends.zdd.search import (
    CHOICES,
    ORDERS,
    Counting,
    TableMemory,
    ZddSearch,
    item_orders,
)
from dovetail.backends.zdd.tables import CoverStates, item_roles, refusal
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.kernels.layout import NODES
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem, Member, cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.loading import load
from oracle.brute_force import covers
from oracle.strategies import cover_problems, hinted_boards, packing_puzzles

ALL = Request(Symmetry.ALL)
SMALL = 1_000  # bytes: not even the first table may become larger

each_choice = pytest.mark.parametrize("choice", CHOICES)
each_order = pytest.mark.parametrize("order", ORDERS)


def states_of(problem: CoverProblem, order: str) -> CoverStates:
    """The states of a problem whose options stand for 1, 2 or 3 solutions each."""
    roles = item_roles(problem)
    items = item_orders(problem, roles.branching, order)[0]
    weights = np.arange(problem.option_count, dtype=np.uint64) % np.uint64(3) + np.uint64(1)
    return CoverStates(problem, roles, items, weights)


def counted(counting: Counting, work: int = 10**6) -> Counting:
    """A search run to its end."""
    while not counting.is_over:
        counting.advance(work)
    return counting


def searched(search: ZddSearch, work: int = 10**6) -> list[tuple[int, ...]]:
    """The solutions of a search run to its end, sorted."""
    found, status = list[tuple[int, ...]](), None
    while status is None:
        status = search.advance(Budget(work))
        found += [tuple(sorted(o for o in row if o >= 0)) for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    return sorted(found)


def by_dancing_links(problem: CoverProblem) -> set[tuple[int, ...]]:
    """All solutions, by another search: brute force takes too long for puzzles."""
    solutions = run_out(DlxSearch(problem, None))
    return {tuple(sorted(solution)) for solution in solutions}


def weight(solution: tuple[int, ...]) -> int:
    """How many times `states_of` counts a solution."""
    return int(np.prod([option % 3 + 1 for option in solution], dtype=np.int64))


@given(cover_problems(), st.sampled_from(sorted(CHOICES)), st.sampled_from(sorted(ORDERS)))
@settings(max_examples=70)
def test_kernel_equals_its_twin(problem: CoverProblem, choice: str, order: str) -> None:
    """The same count, nodes, states and hits; and the count is that of brute force."""
    if refusal(problem) is not None:
        return
    states = states_of(problem, order)
    counting = counted(Counting(states, CHOICES[choice], TableMemory(MemoryBudget())))
    twin = Twin(states, CHOICES[choice])
    assert counting.total == twin.total == sum(map(weight, covers(problem)))
    found = [counting[entry] for entry in (NODES, STATES, HITS)]
    assert found == [twin.nodes, twin.states, twin.hits]


@given(st.one_of(packing_puzzles(), hinted_boards()))
@settings(max_examples=35)
def test_counts_up_to_symmetry_as_listing_does(puzzle: PackingPuzzle | EdgePuzzle) -> None:
    """The lemma of Burnside over solutions that a symmetry leaves as they are."""
    task = build_task(puzzle, Request(Symmetry.UNIQUE))
    search = ZddSearch(task, "auto", "auto")
    if refusal(task.cover) is not None or not search.counts_only:
        return
    searched(search)
    classes = set()
    for solution in by_dancing_links(task.cover):
        row = np.array(solution, dtype=np.int64)
        classes.add(min(tuple(sorted(image[row].tolist())) for image in task.group))
    assert search.total == len(classes)


@each_choice
@each_order
def test_slices_change_nothing(choice: str, order: str) -> None:
    """A search cut into small slices makes the same states, hits and count."""
    states = states_of(langford(7), order)
    whole, sliced = (
        counted(Counting(states, CHOICES[choice], TableMemory(MemoryBudget())), work)
        for work in (10**6, 9)
    )
    assert sliced.total == whole.total
    for entry in (NODES, STATES, HITS):
        assert sliced[entry] == whole[entry]


@each_choice
def test_states_are_forgotten_rather_than_memory_exceeded(choice: str) -> None:
    """A full table takes others' places: more nodes, the same count."""
    states = states_of(langford(8), "given")
    free = counted(Counting(states, CHOICES[choice], TableMemory(MemoryBudget())))
    bound = counted(
        Counting(states, CHOICES[choice], TableMemory(MemoryBudget(memory_bytes=SMALL)))
    )
    assert bound.total == free.total
    assert bound.table.held_bytes < free.table.held_bytes
    assert bound[FORGOTTEN] > 0 == free[FORGOTTEN]
    assert bound[NODES] > free[NODES]


def test_counts_beyond_a_word_in_a_full_table() -> None:
    """Where longer counts do not fit, there are fewer states, and no other count."""
    problem = build_task(load("dominoes-10x10"), ALL).cover
    roles = item_roles(problem)
    weights = np.full(problem.option_count, 3, dtype=np.uint64)
    states = CoverStates(problem, roles, roles.branching, weights)
    budget = MemoryBudget(memory_bytes=250_000)
    counting = counted(Counting(states, CHOICES["fixed"], TableMemory(budget)))
    assert counting.total == 258_584_046_368 * 3**50
    assert counting.table.held_bytes <= 250_000


def test_tables_share_a_budget() -> None:
    """All searches of a race together take no more than the limit."""
    search = ZddSearch(build_task(load("dominoes-10x10"), ALL), "auto", "auto")
    largest, status = 0, None
    while status is None:
        status = search.advance(Budget(10_000, memory_bytes=600_000))
        largest = max(largest, sum(table.held_bytes for table in search._memory.tables))
    assert (status, search.total) == (Status.EXHAUSTED, 258_584_046_368)
    assert largest <= 600_000


def test_nothing_is_drawn_from_a_table_that_does_not_fit() -> None:
    """Numbers need every state; the reason says how many there would be."""
    search = ZddSearch(build_task(langford(8), ALL), "auto", "auto", sampling=True)
    status = None
    while status is None:
        status = search.advance(Budget(10**6, memory_bytes=SMALL))
    assert status == Status.MEMORY_LIMIT
    assert "states" in (search.reason or "")


def union(problems: list[CoverProblem], order: list[int]) -> CoverProblem:
    """Problems side by side, their items kept apart; options in an `order`."""
    primary, secondary = list[tuple[str, int, int]](), list[str]()
    options = list[list[Member]]()
    for number, one in enumerate(problems):
        names = [f"{number} {name}" for name in one.item_names]
        bounds = zip(one.lower.tolist(), one.upper.tolist(), strict=True)
        primary += [(name, *bound) for name, bound in zip(names, bounds, strict=False)]
        secondary += names[one.primary_count :]
        for option in range(one.option_count):
            span = slice(one.start[option], one.start[option + 1])
            pairs = zip(one.item[span].tolist(), one.colour[span].tolist(), strict=True)
            options.append([(names[i], c) if c else names[i] for i, c in pairs])
    mixed = [options[o] for o in sorted(range(len(options)), key=lambda o: order[o % len(order)])]
    return cover(primary, mixed, secondary=secondary, name="union")


def assert_complete(puzzle: Puzzle) -> int:
    """Solutions are counted, listed once, and numbered once each; return how many there are."""
    task = build_task(puzzle, ALL)
    assume(refusal(task.cover) is None)
    expected = by_dancing_links(task.cover)
    search = ZddSearch(task, "auto", "auto")
    searched(search)
    assert search.total == len(expected)
    listing = build_task(puzzle, Request(Symmetry.ALL, listing=True))
    assert searched(ZddSearch(listing, "auto", "auto")) == sorted(expected)
    sampling = ZddSearch(task, "auto", "auto", sampling=True)
    searched(sampling)
    rows = [sampling.unrank(number)[0].tolist() for number in range(sampling.numbers)]
    found = {tuple(sorted(option for option in row if option >= 0)) for row in rows}
    assert len(found) == len(rows)
    assert found == expected
    return len(expected)


@given(st.one_of(cover_problems(), packing_puzzles(), hinted_boards()))
@settings(max_examples=30)
def test_every_solution_is_counted_listed_and_numbered_once(puzzle: Puzzle) -> None:
    """Where colours, bounds or nothing at all bar options."""
    assert_complete(puzzle)


@given(
    st.lists(cover_problems(), min_size=2, max_size=2),
    st.lists(st.integers(0, 9), min_size=1, max_size=9),
)
@settings(max_examples=15)
def test_counts_of_problems_side_by_side_multiply(
    problems: list[CoverProblem], order: list[int]
) -> None:
    """In whatever order their options come."""
    expected = len(covers(problems[0])) * len(covers(problems[1]))
    assert assert_complete(union(problems, order)) == expected


def test_blocks_are_counted_apart() -> None:
    """Sixteen blocks take the states of one, sixteen times."""
    one = ZddSearch(build_task(queens(6), ALL), "forced", "given")
    searched(one)
    problem = union([queens(6)] * 16, [*range(7, 0, -1)])
    blocks = ZddSearch(build_task(problem, ALL), "forced", "given")
    drawn = searched(blocks)
    assert blocks.total == 4**16
    assert len(set(drawn)) == 200
    assert blocks.counters.native["components"] == 16
    assert one.counters.nodes is not None
    assert blocks.counters.nodes is not None
    assert blocks.counters.nodes < 17 * one.counters.nodes


def test_classes_of_solutions_with_different_numbers_of_pieces() -> None:
    """Up to ten rods in 3x6; by Burnside (2197 + 125 + 169 + 65) / 4, in several batches."""
    region = tuple((x, y) for x in range(6) for y in range(3))
    rod = Piece("D", ((0, 0), (1, 0)), min_count=0, max_count=10, motions=Motions.FIXED)
    puzzle = PackingPuzzle("rods", SquareLattice(2), region, (rod,), optional=region)
    finished = finish(execute(Job(puzzle, Request(Symmetry.UNIQUE), "zdd")))
    assert finished.count == (2197 + 125 + 169 + 65) // 4


def test_counts_up_to_symmetry_are_not_divided() -> None:
    """Solutions that a symmetry leaves as they are are counted for the whole puzzle."""
    finished = count("dominoes-6x6", backend="zdd", symmetry="unique", jobs=2)
    assert finished.count == count("dominoes-6x6", backend="frontier", symmetry="unique").count
    assert finished.parallel is not None
    assert finished.parallel.why_whole == "zdd counts symmetric solutions of the whole puzzle only"


WORD_BITS = 64


class Twin:
    """Counts the solutions of states, and the states, hits and nodes that it takes."""

    def __init__(self, states: CoverStates, choice: np.uint64) -> None:
        self._states, self._problem, self._choice = states, states.problem, choice
        self._words, self._live = states.words, int(states.problem.live_words)
        self._known: dict[int, int] = {}
        self.nodes = self.hits = 0
        root = joined(states.root)
        every = set(range(states.option_count))
        self.total = self._root_total(root, every)

    @property
    def states(self) -> int:
        return len(self._known)

    def _root_total(self, root: int, live: set[int]) -> int:
        if not self._states.depth:
            return int(self._has_enough(root))
        item = self._item(root, live)
        return 0 if item is None else self._below(root, live, item)

    def _below(self, state: int, live: set[int], item: int) -> int:
        total = 0
        for option in sorted(live & self._options_of(item)):
            self.nodes += 1
            total += int(self._problem.weight[option]) * self._taken(state, live, option)
        return total

    def _taken(self, state: int, live: set[int], option: int) -> int:
        below = self._after(state, option)
        if not below & joined(self._problem.branching):
            return int(self._has_enough(below))
        if below in self._known:
            self.hits += 1
            return self._known[below]
        left = live & self._set(self._problem.compatible, option)
        for counted in self._counted(option):
            if self._times_taken(below, counted) == int(self._problem.max_count[counted]):
                left -= self._set(self._problem.counted_planes, counted)
        item = self._item(below, left)
        if item is None:
            return 0
        total = self._below(below, left, item)
        self._known[below] = total
        return total

    def _after(self, state: int, option: int) -> int:
        problem, words = self._problem, self._words
        own = slice(option * words, (option + 1) * words)
        below = (state & ~joined(problem.clear[own])) + joined(problem.put[own])
        first, last = problem.touched_start[option : option + 2].tolist()
        for field in problem.touched[first:last].tolist():
            if not below & joined(problem.guard[field * words : (field + 1) * words]):
                shift = int(problem.field_word[field]) * WORD_BITS
                below &= ~(int(problem.field_mask[field]) << shift)
        return below

    def _item(self, state: int, live: set[int]) -> int | None:
        """The item to branch on; None where one has no option, unless the choice is FIXED."""
        looked_at = state & joined(self._problem.branching)
        items = [k for k in range(self._states.depth) if looked_at >> k & 1]
        left = {item: len(live & self._options_of(item)) for item in items}
        if self._choice == FIXED:
            return items[0]
        if 0 in left.values():
            return None
        if self._choice == FEWEST:
            return min(items, key=lambda item: left[item])
        assert self._choice == FORCED
        return next((item for item in items if left[item] == 1), items[0])

    def _has_enough(self, state: int) -> bool:
        return all(
            self._times_taken(state, counted) >= int(min_count)
            for counted, min_count in enumerate(self._problem.min_count)
        )

    def _times_taken(self, state: int, counted: int) -> int:
        problem = self._problem
        shift = int(problem.count_word[counted]) * WORD_BITS + int(problem.count_shift[counted])
        return state >> shift & int(problem.count_mask[counted])

    def _counted(self, option: int) -> list[int]:
        first, last = self._problem.counted_start[option : option + 2].tolist()
        return list(map(int, self._problem.counted[first:last]))

    def _options_of(self, item: int) -> set[int]:
        return self._set(self._problem.planes, item)

    def _set(self, sets: object, number: int) -> set[int]:
        words = sets[number * self._live : (number + 1) * self._live]  # type: ignore[index]
        bits = joined(words)
        return {option for option in range(self._states.option_count) if bits >> option & 1}


def joined(words: object) -> int:
    """Words, lowest first, as one number."""
    return sum(int(word) << (WORD_BITS * k) for k, word in enumerate(words))  # type: ignore[arg-type, var-annotated, misc]
