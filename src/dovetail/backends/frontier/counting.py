"""Counting the solutions of a problem: the automaton, the two sides, and where they meet."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton, AutomatonBuilder
from dovetail.backends.frontier.edge_index import EdgeIndex
from dovetail.backends.frontier.layered_dp import LayeredDP
from dovetail.backends.frontier.piece_sets import PLACE_BYTES, PieceSets, packed_bits
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.remainders import Remainders, primes_below
from dovetail.backends.shared.memory_budget import MemoryBudget, RepresentationLimitError

_NO_WAYS: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
_NOTHING_ENDED: NDArray[np.int64] = np.zeros((0, 3), dtype=np.int64)


class Counting:
    """The counting of one problem: `expand`, then `meet`, which yield when the work is done.

    Then `total` is the number of solutions, with their weights. `through` has how many of them go
    through each set of the far side's last layer, or of the layer between the sides where layers
    were not kept, and `ended` those that end before it: rows of (layer, set, state), with their
    `ended_ways`. Only layers that were kept have states. If it `is_numbered`, each state has its
    number of ways, and solutions can be unranked.
    """

    def __init__(
        self, problem: SweepProblem, memory_budget: MemoryBudget, threads: int = 1
    ) -> None:
        self.problem, self._memory_budget, self._threads = problem, memory_budget, threads
        self.automaton: Automaton | None = None
        self.sets: PieceSets | None = None
        self.layered_dp: LayeredDP | None = None
        self.index: EdgeIndex | None = None
        self.through, self.ended, self.ended_ways = _NO_WAYS, _NOTHING_ENDED, _NO_WAYS
        self.total = 0
        self.is_numbered = False
        self.frontiers_found = 0

    def expand(self) -> Iterator[None]:
        """Build the automaton, and number the sets of pieces unless it is empty."""
        builder = AutomatonBuilder(self.problem, self._memory_budget)
        for _ in builder.expand():
            self.frontiers_found = builder.nodes
            yield
        self.frontiers_found = builder.nodes
        self.automaton = yield from builder.finish()
        self.index = EdgeIndex(self.problem, self.automaton)
        yield
        if self.automaton.node_count:
            entries = 2 ** packed_bits(self.problem.max_count)
            self._memory_budget.check(
                PLACE_BYTES * entries, f"a table of {entries:,} sets of pieces"
            )
            self.sets = PieceSets(self.problem, made=False)
            yield from self.sets.make(self._memory_budget)

    def meet(
        self, *, keep: bool = False, join: bool = True, expected: int = 0, numbered: bool = False
    ) -> Iterator[None]:
        """Gather the smaller side's next layer until the two meet, and join them.

        Of what is only counted and not kept, the last layer is joined without being built. With
        all layers kept there is room for the number of states expected. Whoever lists what
        goes from one side to the other need not `join` them. Where numbers may have become too
        large for a word, counts come from several passes, and solutions cannot be `numbered`:
        raises `RepresentationLimitError`.
        """
        if self.sets is None:
            return
        yield from self._pass(0, keep=keep, join=join, expected=expected)
        assert self.layered_dp is not None
        total, max_total = self._sum(), self.layered_dp.max_total
        if not self.layered_dp.overflow:
            self.total, self.is_numbered = total, True
        elif numbered or not join:
            raise RepresentationLimitError(
                "there may be more ways to fill a part of the board than 2**63"
            )
        else:
            self.total = yield from self._large_total(total, max_total)

    def _large_total(self, by_word: int, max_total: int) -> Generator[None, None, int]:
        """The number of solutions, at most `max_total`, from that modulo 2**64 and passes more.

        Only the last pass is kept.
        """
        assert self.layered_dp is not None
        assert self.automaton is not None
        weight = self.layered_dp.max_weight
        # sums of products of remainders stay within a word
        limit = min(isqrt(2**63 // weight), 2**63 // (weight * (1 + self.automaton.max_edges)))
        remainders = Remainders(by_word)
        primes = primes_below(limit)
        while remainders.modulus <= max_total:
            prime = next(primes, None)
            if prime is None:
                raise RepresentationLimitError(f"moves count {weight:,} times, too often to count")
            yield from self._pass(prime)
            remainders.add(self._sum(), prime)
        return remainders.value

    def _pass(
        self, modulus: int, *, keep: bool = False, join: bool = True, expected: int = 0
    ) -> Iterator[None]:
        """Gather layers until the two sides meet, with ways by a modulus."""
        assert self.automaton is not None
        assert self.index is not None
        assert self.sets is not None
        self.layered_dp = layered_dp = LayeredDP(
            self.problem,
            self.automaton,
            self.index,
            self.sets,
            self._memory_budget,
            keep=keep,
            expected=expected,
            threads=self._threads,
            modulus=modulus,
        )
        self.through, self.ended, self.ended_ways = _NO_WAYS, _NOTHING_ENDED, _NO_WAYS
        near, far = layered_dp.near, layered_dp.far
        self._note_ended(layered_dp)
        gap = 2 if join and not keep else 1
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
        total: int = sum(self.through.tolist()) + sum(self.ended_ways.tolist())
        return total

    def _note_ended(self, layered_dp: LayeredDP) -> None:
        """Remember the solutions that end in the near side's last layer."""
        rows = layered_dp.ended()
        layer = np.full((len(rows), 1), layered_dp.near.number, dtype=np.int64)
        self.ended = np.concatenate([self.ended, np.hstack([layer, rows])])
        ways = layered_dp.near.states.ways[rows[:, 1]]
        self.ended_ways = np.concatenate([self.ended_ways, ways])
