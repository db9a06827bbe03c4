"""States and the layers that they are in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layout import Layer

FIRST_STATES = 2**10
GROWTH = 1.25
BYTES_PER_STATE = 12


class States:
    """States one after another: `node` of the automaton, int32, and the `ways` to it, uint64.

    Only the first `count` of the entries are states; those that are given have one way each.
    """

    def __init__(self, node: NDArray[np.int32] | None = None) -> None:
        self.node = np.zeros(FIRST_STATES, dtype=np.int32) if node is None else node.copy()
        self.ways: NDArray[np.uint64] = np.ones(len(self.node), dtype=np.uint64)
        self.count = 0 if node is None else len(node)

    @property
    def held_bytes(self) -> int:
        return self.count * BYTES_PER_STATE

    def grow(self) -> None:
        """Make room for as many more."""
        self.reserve(max(FIRST_STATES, 2 * len(self.node)) - self.count)

    def reserve(self, more: int) -> None:
        """Make room for so many more at once: it takes no memory until it is used."""
        entries = self.count + more
        if entries > len(self.node):
            node, ways = np.empty(entries, dtype=np.int32), np.empty(entries, dtype=np.uint64)
            node[: self.count], ways[: self.count] = (
                self.node[: self.count],
                self.ways[: self.count],
            )
            self.node, self.ways = node, ways

    def extend(self, other: States) -> None:
        """Add those of another, for which there is room, behind the last."""
        first, self.count = self.count, self.count + other.count
        self.node[first : self.count] = other.node[: other.count]
        self.ways[first : self.count] = other.ways[: other.count]


class Side:
    """The layers counted from one side, of which the last one is `number`.

    The states of set s of layer k are those from `runs[k][s]` to `runs[k][s + 1]`, ascending by
    node. Unless all are to be kept, there is none but the last layer. No state of that has more
    than `max_ways`.
    """

    def __init__(
        self, number: int, node: NDArray[np.int32], run: NDArray[np.int64], *, keep: bool
    ) -> None:
        self.number, self.states, self.keep = number, States(node), keep
        self.runs = {number: run}
        self.sizes = {number: len(node)}
        self.max_ways = 1

    @property
    def run(self) -> NDArray[np.int64]:
        """That of the last layer."""
        return self.runs[self.number]

    @property
    def layer(self) -> Layer:
        """The last layer, with room behind its states if more are to come."""
        return Layer(self.run, self.states.node, self.states.ways)

    @property
    def size(self) -> int:
        """How many states the last layer has."""
        return self.sizes[self.number]

    @property
    def node(self) -> NDArray[np.int32]:
        """The nodes of the last layer's states."""
        return self.states.node[int(self.run[0]) : int(self.run[-1])]

    @property
    def ways(self) -> NDArray[np.uint64]:
        """The ways to the last layer's states."""
        return self.states.ways[int(self.run[0]) : int(self.run[-1])]

    def add(self, number: int, states: States, run: NDArray[np.int64]) -> None:
        """A layer is complete: the last of some states, which are those before it too if kept."""
        if not self.keep:
            del self.runs[self.number]
        self.number, self.states = number, states
        self.runs[number], self.sizes[number] = run, int(run[-1] - run[0])
