"""A search by frontiers: counting from two sides until they meet, forecasts, and solutions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Forecast
from dovetail.backends.frontier.automaton import Automaton, AutomatonBuilder
from dovetail.backends.frontier.kernels import solutions
from dovetail.backends.frontier.kernels.layers import Edges
from dovetail.backends.frontier.kernels.solutions import Crossings, SideWays, Wanted, Ways
from dovetail.backends.frontier.layers import BYTES_PER_STATE, LayeredDP, LayerStates, PieceSets
from dovetail.backends.frontier.problem import (
    SweepProblem,
    fixed_problem,
    packed_bits,
    packing_problem,
)
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.backends.shared.state_search import (
    MemoryBudget,
    RepresentationLimitError,
    StateSearch,
    total_of,
)
from dovetail.kernels.layout import BUFFERED, EXHAUSTED, MASK, STEP, WORD_BITS, WORK
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.packings.placements import NO_CELL
from dovetail.models.task import Task

PLACE_BYTES = 4
# Constants of forecasts: the number of samples of each side, and the seconds to look up a state
# along a link between sets, to write a state, and to process a set in all layers. The times were
# fitted to 5x18, 6x15 and the diamond on one core (docs/solvers/auto-measurements.md).
SAMPLES = 4
LOOKUP_S, WRITE_S, SET_S = 4e-9, 11e-9, 3e-7
# Factor of these times for an automaton that is larger than the cache of a processor, fitted to
# tetrasticks 6x6, O'Beirne's hexagon and one-sided 9x10.
CACHE_BYTES, BEYOND_CACHE = 2**25, 4.0
# Factor of the forecast memory of states. Forecasts were 0.5 to 1.4 times the actual numbers.
SAFETY = 2.0
LINK_BYTES, EDGE_BYTES, PRESENT_BYTES, SCRATCH_BYTES = 8, 6, 16, 9
FIRST_LINKS = 2**17
ALL_WORK = 2**62
BUFFERED_ROWS = 2**16  # many, since listing is fast
# All layers are kept, so that a sample can be drawn, if they take at most this many bytes.
MAX_KEPT_BYTES = 2**28

kernels: Any = solutions

_NO_NUMBERS: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
_NO_WAYS: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
_NOTHING_ENDED: NDArray[np.int64] = np.zeros((0, 3), dtype=np.int64)


class SweepCounting:
    """A count of the solutions of a problem: `expand`, then `meet`.

    Both methods yield when the budgeted work is done. Only layers that were kept have states.
    """

    def __init__(
        self, problem: SweepProblem, memory_budget: MemoryBudget, threads: int = 1
    ) -> None:
        self.problem, self._memory_budget, self._threads = problem, memory_budget, threads
        self.frontiers_found = 0
        self.automaton: Automaton | None = None
        # None until `expand` has built the automaton, and if the board cannot be filled.
        self.sets: PieceSets | None = None
        self.layered_dp: LayeredDP | None = None
        # Solutions through each set of the far side's last layer, or of the layer between the
        # sides.
        self.through = _NO_WAYS
        # Rows (layer, set, state) in which solutions end before the layer of `through`, and the
        # number of ways to each.
        self.ended = _NOTHING_ENDED
        self.ended_ways = _NO_WAYS
        # Number of solutions, with their weights.
        self.total = 0
        # True if the exact number of ways to each state is known, so that solutions have numbers.
        self.is_numbered = False

    def expand(self) -> Iterator[None]:
        """Build the automaton and, unless it is empty, make the sets of pieces."""
        builder = AutomatonBuilder(self.problem, self._memory_budget)
        for _ in builder.expand():
            self.frontiers_found = builder.nodes
            yield
        self.frontiers_found = builder.nodes
        self.automaton = yield from builder.finish()
        yield
        if self.automaton.node_count:
            entries = 2 ** packed_bits(self.problem.max_count)
            what = f"a table of {entries:,} sets of pieces"
            self._memory_budget.check(PLACE_BYTES * entries, what)
            self.sets = PieceSets(self.problem)
            yield from self.sets.make(self._memory_budget)

    def forecast(self, *, keep: bool) -> Generator[None, None, Forecast]:
        """Return a forecast of states, memory and time of `meet`; with `keep` all layers are kept.

        On the near side, the states of a set of pieces depend only on the states of its subsets,
        and on the far side on the states of its supersets. A sample has all subsets of a set of
        about half the pieces, or all supersets of such a set. If the sets of about half the pieces
        were random, the mean number of states would be unbiased. The sets are evenly spread
        instead, so that the same problem has the same forecast.
        """
        automaton, sets = self.automaton, self.sets
        assert automaton is not None
        last = 0 if sets is None else len(sets.layers) - 1
        if sets is None or last == 0:
            return Forecast(1, automaton.held_bytes, 0.0)
        near, far = np.zeros(last + 1), np.zeros(last + 1)
        low, high = max(0, (last + 1) // 2 - 1), min(last, last // 2 + 1)
        for number in range(SAMPLES):
            within = sets.below(_chosen(sets.layers[high], number))
            some = LayeredDP(automaton, within, self._memory_budget)
            near += yield from _states_of(sets, some, 0, forward=True)
            beyond = sets.above(_chosen(sets.layers[low], number))
            some = LayeredDP(automaton, beyond, self._memory_budget)
            far += yield from _states_of(sets, some, low, forward=False)
        states, held, looked_up = _met(near / SAMPLES, far / SAMPLES, keep=keep)
        # The sets and the links between two layers, edges by class, and scratch.
        largest = max(map(len, sets.layers))
        present = sets.class_count * automaton.node_count // WORD_BITS
        tables = (
            automaton.held_bytes
            + sets.held_bytes
            + largest * sets.class_count * LINK_BYTES
            + 2 * (automaton.edge_count * EDGE_BYTES + present * PRESENT_BYTES)
            + automaton.node_count * SCRATCH_BYTES
        )
        seconds = looked_up * LOOKUP_S + states * WRITE_S + sets.count * SET_S
        return Forecast(
            states=round(states),
            memory_bytes=round(held * BYTES_PER_STATE * SAFETY) + tables,
            solve_s=float(seconds * (BEYOND_CACHE if automaton.held_bytes > CACHE_BYTES else 1.0)),
        )

    def meet(
        self, room: int | None = None, *, join: bool = True, numbered: bool = False
    ) -> Iterator[None]:
        """Gather the next layer of the smaller side until the sides meet, and join the sides.

        With `room` for a number of states, all layers are kept. Otherwise the layer between the
        sides is joined without being built. With `join=False`, for a listing, the sides are not
        joined. If numbers of ways may be too large for a word, solutions are counted in several
        passes, or `RepresentationLimitError` is raised if the solutions are to be listed or
        `numbered`.
        """
        if self.sets is None:
            return
        yield from self._pass(0, room, join=join)
        assert self.layered_dp is not None
        total, max_total = self._sum(), self.layered_dp.max_total
        if not self.layered_dp.overflow:
            self.total, self.is_numbered = total, True
        elif numbered or not join:
            raise RepresentationLimitError(
                "there may be more than 2**63 ways to fill a part of the board"
            )
        else:
            self.total = yield from self._from_remainders(total, 2**WORD_BITS, max_total)

    def _from_remainders(self, value: int, modulus: int, most: int) -> Generator[None, None, int]:
        """Return the number of solutions, which is `value` modulo `modulus` and at most `most`.

        Further passes count modulo primes; only the layers of the last pass are kept. Source: the
        Chinese remainder theorem, as in D. E. Knuth, The Art of Computer Programming, volume 2,
        section 4.3.2, "Modular arithmetic".
        """
        assert self.automaton is not None
        weight = int(self.problem.weight.max(initial=1))
        # sums of products of remainders stay within a word
        limit = min(isqrt(2**63 // weight), 2**63 // (weight * (1 + self.automaton.max_edges)))
        primes = primes_below(limit)
        while modulus <= most:
            prime = next(primes, None)
            if prime is None:
                raise RepresentationLimitError(f"a placement has too many images ({weight:,})")
            yield from self._pass(prime)
            value += modulus * ((self._sum() - value) * pow(modulus, -1, prime) % prime)
            modulus *= prime
        return value

    def _pass(self, modulus: int, room: int | None = None, *, join: bool = True) -> Iterator[None]:
        """Gather layers until the sides meet, counting modulo `modulus`, or 2**64 if it is 0."""
        assert self.automaton is not None
        assert self.sets is not None
        self.layered_dp = layered_dp = LayeredDP(
            self.automaton, self.sets, self._memory_budget, room, self._threads, modulus
        )
        self.through, self.ended, self.ended_ways = _NO_WAYS, _NOTHING_ENDED, _NO_WAYS
        near, far = layered_dp.near, layered_dp.far
        self._note_ended(layered_dp)
        gap = 2 if join and room is None else 1
        while near.number + gap < far.number:
            forward = near.size <= far.size
            yield from layered_dp.advance(forward=forward)
            if forward:
                self._note_ended(layered_dp)
        if near.number + 2 == far.number:
            self.through = yield from layered_dp.joined_between()
        elif join and near.number < far.number:
            self.through = yield from layered_dp.joined()

    def _sum(self) -> int:
        return int(sum(self.through.tolist()) + sum(self.ended_ways.tolist()))

    def _note_ended(self, layered_dp: LayeredDP) -> None:
        """Record the solutions that end in the near side's last layer."""
        rows = layered_dp.ended()
        layer = np.full((len(rows), 1), layered_dp.near.number, dtype=np.int64)
        self.ended = np.concatenate([self.ended, np.hstack([layer, rows])])
        ways = layered_dp.near.states.ways[rows[:, 1]]
        self.ended_ways = np.concatenate([self.ended_ways, ways])


def primes_below(limit: int) -> Iterator[int]:
    """Yield the odd primes below `limit`, which is at most 2**32, in descending order."""
    for number in range(limit - 1 - limit % 2, 2, -2):
        if all(number % divisor for divisor in range(3, isqrt(number) + 1, 2)):
            yield number


def _chosen(sets: NDArray[np.uint64], number: int) -> np.uint64:
    """Return the set for sample `number`; multiples of the golden ratio spread the sets evenly."""
    return np.uint64(sets[((number + 1) * STEP & MASK) * len(sets) >> WORD_BITS])


def _states_of(
    sets: PieceSets, some: LayeredDP, first: int, *, forward: bool
) -> Generator[None, None, NDArray[np.float64]]:
    """Return estimates of the states in each layer of `sets`, from the sets of `some`.

    Layer k of `some` is a sample of layer `first` + k of `sets`.
    """
    for _ in range(len(some.sets.layers) - 1):
        yield from some.advance(forward=forward)
    states = np.zeros(len(sets.layers))
    for number, size in (some.near if forward else some.far).sizes.items():
        if number + first < len(states):
            scale = len(sets.layers[number + first]) / len(some.sets.layers[number])
            states[number + first] = size * scale
    return states


def _met(
    near: NDArray[np.float64], far: NDArray[np.float64], *, keep: bool
) -> tuple[float, float, float]:
    """Return the numbers of states of a count, of states held, and of states looked up by links.

    `near` and `far` are the numbers of states of each layer. The count goes on with the smaller
    side until the sides meet. Unless all layers are kept, a layer remains between the sides.
    """
    first, last = 0, len(near) - 1
    states, held, looked_up = near[first] + far[last], 0.0, 0.0
    gap = 1 if keep else 2
    while first + gap < last:
        forward = near[first] <= far[last] and near[first + 1] > 0
        first, last = (first + 1, last) if forward else (first, last - 1)
        more = near[first] if forward else far[last]
        before = near[first - 1] if forward else far[last + 1]
        looked_up += before * (len(near) - first if forward else last)
        states += more
        held = states if keep else max(held, more + before, near[first] + far[last])
    looked_up += near[first] * (len(near) - last)
    if last - first == 2:
        states += near[first + 1]
        looked_up += far[last] * last
    return states, held, looked_up


class Solutions:
    """The solutions of a problem that was counted with all layers kept.

    Solutions are numbered from 0 to `counting.total` − 1. Each solution has as many numbers as its
    weight. The numbering depends only on the problem.
    """

    def __init__(self, counting: SweepCounting) -> None:
        layered_dp = counting.layered_dp
        assert layered_dp is not None
        self._layered_dp, self._ended_count = layered_dp, len(counting.ended)
        layers = layered_dp.sets.layers
        # Largest number of moves of a solution.
        self.moves = len(layers) - 1
        self._first_set = np.concatenate([[0], np.cumsum([len(layer) for layer in layers])])
        self._through_count = len(counting.through)
        self._up_to = [*accumulate([*counting.through.tolist(), *counting.ended_ways.tolist()])]
        self.state = np.zeros(kernels.STATE_SIZE, dtype=np.int64)
        self.state[kernels.LINKS] = 1
        self._ways = self._all_ways()
        near, far, ended = layered_dp.near, layered_dp.far, counting.ended
        run = far.run if near.number < far.number else far.run[:1]
        self._crossings = Crossings(
            ended=np.column_stack([self._first_set[ended[:, 0]] + ended[:, 1], ended[:, 2]]),
            transition=layered_dp.crossing(),
            behind=far.layer._replace(run=run),
            near_base=int(self._first_set[near.number]),
            far_base=int(self._first_set[far.number]),
            marked=np.zeros(layered_dp.automaton.node_count, dtype=np.int64),
        )

    def all_into(self, rows: NDArray[np.int32], work: int) -> bool:
        """Write more solutions into `rows`, from row `state[BUFFERED]` on, padded with −1.

        Returns whether all solutions are written. Each solution is written once, regardless of its
        weight.
        """
        return self._write(Wanted(_NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS), rows, work)

    def numbered(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the moves of the solutions with these numbers, padded with −1, and their images.

        The images have shape (n,). The image of a number is the index of the number among all
        numbers of the same solution.
        """
        groups = [bisect_right(self._up_to, number) for number in numbers]
        before = [self._up_to[group - 1] if group else 0 for group in groups]
        through, ended = self._through_count, self._ended_count
        wanted = Wanted(
            np.array([g + ended if g < through else g - through for g in groups], dtype=np.int64),
            np.array([n - b for n, b in zip(numbers, before, strict=True)], dtype=np.int64),
            np.zeros(len(numbers), dtype=np.int64),
        )
        rows = np.empty((len(numbers), self.moves), dtype=np.int32)
        self.state[BUFFERED] = 0
        if numbers:
            self._write(wanted, rows, ALL_WORK)
        return rows, wanted.image

    def _write(self, wanted: Wanted, rows: NDArray[np.int32], work: int) -> bool:
        """Run the kernel until the work is done, no row is left, or all solutions are written.

        Returns whether all solutions are written.
        """
        self.state[WORK] = work
        while True:
            reason = kernels.write(self._ways, self._crossings, wanted, rows, self.state)
            if reason != kernels.LINKS_FULL:
                return bool(reason == EXHAUSTED)
            links = self._ways.links
            more = np.concatenate([links, np.empty_like(links)])
            self._ways = self._ways._replace(links=more)

    def _all_ways(self) -> Ways:
        """Return the tables of the kernel."""
        problem, sets = self._layered_dp.automaton.problem, self._layered_dp.sets
        near, far = self._layered_dp.near, self._layered_dp.far
        automaton = self._layered_dp.automaton
        first_set, count = self._first_set, int(self._first_set[-1])
        step = np.full((count, sets.class_count), kernels.NOWHERE, dtype=np.int32)
        begin, end = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for side in (near, far):
            for number, run in side.runs.items():
                own = slice(first_set[number], first_set[number + 1])
                begin[own], end[own] = run[:-1], run[1:]
        for number in range(self.moves):
            backwards = number < near.number
            if backwards or number >= far.number:
                links = sets.links(number, by_end=backwards)
                own, other = first_set[[number + backwards, number + 1 - backwards]]
                rows = own + np.repeat(np.arange(len(links.first) - 1), np.diff(links.first))
                step[rows, links.move_class] = other + links.end
        return Ways(
            step=step,
            complete=np.concatenate([sets.about(k).complete for k in range(self.moves + 1)]),
            begin=begin,
            end=end,
            near=_side_ways(near.states, automaton.edges_back(), is_far=False),
            far=_side_ways(far.states, automaton.edges, is_far=True),
            move_class=problem.move_class,
            weight=problem.weight,
            accepting=automaton.nodes.accepting,
            max_edges=automaton.max_edges,
            links=np.empty((FIRST_LINKS, kernels.LINK_SIZE), dtype=np.int32),
        )


def _side_ways(states: LayerStates, edges: Edges, *, is_far: bool) -> SideWays:
    known = np.zeros(states.count, dtype=np.int32)
    return SideWays(states.node, states.ways, known, edges, is_far)


class FrontierSearch(StateSearch):
    """A search by frontiers that counts, lists or numbers the solutions of a task."""

    def __init__(self, task: Task, threads: int = 1, *, sampling: bool = False) -> None:
        super().__init__(task, listing=task.request.listing, sampling=sampling)
        self._counting = SweepCounting(packing_problem(task), self._memory_budget, threads)
        self._forecast: Forecast | None = None

    @property
    def prepared(self) -> bool:
        return self._forecast is not None

    @property
    def forecast(self) -> Forecast | None:
        return self._forecast

    @property
    def counters(self) -> Counters:
        """Counters of states; nodes are not counted, since a state is not a placement made."""
        native: dict[str, int] = {}
        automaton, layered_dp = self._counting.automaton, self._counting.layered_dp
        if automaton is not None:
            native |= {"frontiers": automaton.node_count, "edges": automaton.edge_count}
        if layered_dp is not None:
            sizes = {**layered_dp.near.sizes, **layered_dp.far.sizes}
            native |= {"piece_sets": layered_dp.sets.count, "states": sum(sizes.values())}
            native |= {f"states_{placed}_placed": sizes[placed] for placed in sorted(sizes)}
        return Counters(native=native)

    @property
    def numbers(self) -> int:
        return self._counting.total

    def _run(self) -> Iterator[Status | None]:
        counting = self._counting
        yield from counting.expand()
        needs_all = self._listing or self._sampling
        expected = yield from counting.forecast(keep=needs_all)
        self._memory_budget.check(expected.memory_bytes, f"about {expected.states:,} states")
        self._forecast = expected
        yield None
        keep = needs_all or self._has_plenty(expected)
        room = expected.states if keep else None
        yield from counting.meet(room, join=not self._listing, numbered=self._sampling)
        if self._listing and counting.layered_dp is not None:
            solutions = self._all_solutions
            buffer = SolutionBuffer(solutions.moves, np.int32, solutions.state, BUFFERED_ROWS)
            self._list(buffer, solutions.state)
            while not solutions.all_into(self._rows, self._budget.work):
                yield None
        elif not self._listing and not self._sampling:
            self._total = yield from total_of(self.task, counting.total, self._fixed_by)
            self._total_of_all = counting.total
            if keep and counting.is_numbered:
                self._sample = self._sample_of(counting.total)

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[None, None, int]:
        """Count the solutions that a permutation of all options maps to themselves."""
        options = self.task.all_options
        assert isinstance(options, PackingOptions)
        counting = SweepCounting(fixed_problem(options, symmetry), self._memory_budget)
        yield from counting.expand()
        yield from counting.meet()
        return counting.total

    @cached_property
    def _all_solutions(self) -> Solutions:
        return Solutions(self._counting)

    def _solutions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], Sequence[int]]:
        rows, images = self._all_solutions.numbered(numbers)
        return self._options(rows), images.tolist()

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.append(self._counting.problem.option, np.int32(NO_CELL))[rows]

    def _has_plenty(self, expected: Forecast) -> bool:
        """Return whether there is memory to keep all layers, from which a sample can be drawn."""
        held = expected.states * BYTES_PER_STATE
        return held <= MAX_KEPT_BYTES and self._memory_budget.allows(4 * held)

    def _memory_reason(self) -> str:
        if self._forecast is None:
            return (
                "the memory limit was reached before the memory of the count could be estimated; "
                f"frontier shapes found: {self._counting.frontiers_found:,}"
            )
        return (
            f"the memory limit was reached; the estimate was about {self._forecast.states:,} "
            f"states in {self._forecast.memory_bytes:,} bytes"
        )
