"""Edges of an automaton by class of move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.kernels.layout import EdgesByClass, NodeRange
from dovetail.backends.frontier.problem import SweepProblem

MAX_INDEXED = 2**22  # nodes times kinds: the edges of all nodes are then indexed together


class EdgeIndex:
    """Finds the edges of some nodes, and keeps those of all where they are few."""

    def __init__(self, problem: SweepProblem, automaton: Automaton) -> None:
        from dovetail.backends.frontier.kernels import layers

        self._kernels: Any = layers
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
            found.start, found.ends, classes, found.width, low - found.low, high - found.low
        )
        return found._replace(min_end=lowest, max_end=highest)

    def _between(self, low: int, high: int, *, forward: bool) -> EdgesByClass:
        """Those of the nodes from `low` to `high` − 1."""
        automaton, classes = self._automaton, len(self._problem.move_classes.weight)
        nodes = NodeRange(low, high, not forward, max(0, low - automaton.farthest))
        start = np.zeros(classes * (high - low) + 1, dtype=np.int64)
        self._kernels.count_edges(automaton.edges, self._problem.move_class, nodes, start)
        ends = np.empty(start[-1], dtype=np.int32)
        self._kernels.place_edges(automaton.edges, self._problem.move_class, nodes, start, ends)
        return EdgesByClass(low, high - low, start, ends)
