"""Edges of an automaton by class of move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.kernels.layout import EdgesByClass, NodeRange
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.shared.bit_sets import words_for
from dovetail.backends.shared.memory_budget import RepresentationLimitError
from dovetail.kernels.word_size import WORD_BITS

MAX_INDEXED = 2**22  # nodes times kinds: the edges of all nodes are then indexed together
MAX_ENTRIES = 2**31 - 1


class EdgeIndex:
    """Finds the edges of some nodes, and keeps those of all where they are few."""

    def __init__(self, problem: SweepProblem, automaton: Automaton) -> None:
        from dovetail.backends.frontier.kernels import class_edges

        self._kernels: Any = class_edges
        self._problem, self._automaton = problem, automaton
        self._whole: dict[bool, EdgesByClass] = {}

    def edges(self, nodes: NDArray[np.int32], *, forward: bool) -> EdgesByClass:
        """The edges that leave some nodes, or that reach them, and perhaps those of others."""
        count, classes = self._automaton.node_count, len(self._problem.move_classes.weight)
        low = int(nodes.min(initial=count))
        high = max(low, int(nodes.max(initial=-1)) + 1)
        if count * classes > MAX_INDEXED:
            found = self._between(low, high, forward=forward)
        else:
            if forward not in self._whole:
                self._whole[forward] = self._between(0, count, forward=forward)
            found = self._whole[forward]
        lowest, highest = self._kernels.range_of_ends(
            found, classes, low - found.low, high - found.low
        )
        return found._replace(min_end=lowest, max_end=highest)

    def _between(self, low: int, high: int, *, forward: bool) -> EdgesByClass:
        """Those of the nodes from `low` to `high` − 1."""
        kernels, automaton, class_of_move = self._kernels, self._automaton, self._problem.move_class
        low -= low % WORD_BITS
        nodes = NodeRange(low, high, not forward, max(0, low - automaton.farthest))
        words, classes = words_for(high - low), len(self._problem.move_classes.weight)
        present = np.zeros(classes * words, dtype=np.uint64)
        before = np.zeros(classes * words, dtype=np.int64)
        kernels.mark_pairs(automaton.edges, class_of_move, nodes, words, present)
        only = np.zeros(kernels.count_pairs(present, before), dtype=np.int32)
        found = EdgesByClass(low, words, present, before, only, np.zeros(0, dtype=np.int32))
        kernels.count_edges(automaton.edges, class_of_move, nodes, found)
        entries = kernels.lay_out(only)
        if entries > MAX_ENTRIES:
            raise RepresentationLimitError(f"more than {MAX_ENTRIES:,} edges between shapes")
        found = found._replace(several=np.zeros(entries, dtype=np.int32))
        kernels.place_edges(automaton.edges, class_of_move, nodes, found)
        return found
