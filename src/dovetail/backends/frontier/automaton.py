"""The automaton of frontier shapes of a problem, built in slices."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layout import Board, Edges, Expanded, Nodes, Trimmed
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.sweep import WINDOW_BITS
from dovetail.backends.shared.memory_budget import MemoryBudget
from dovetail.kernels.lanes import LANES
from dovetail.models.placements import NO_CELL

FIRST_NODES, FIRST_EDGES = 2**13, 2**15
NODE_BYTES = 4 + 8 + 4 + 4 + 8 + 1  # of all arrays with an entry for each node
SHAPE_BITS = 64
MIN_RANGE = 1_000


@dataclass(frozen=True, eq=False)
class Automaton:
    """The nodes from which the board can be filled, in the order of their areas.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first_edge` | (n + 1,) | int64 | edges of node v: from `first_edge[v]` on |
    | `to`, `move` | (e,) | int32 | where an edge leads, and the move it makes |
    | `accepting` | (n,) | uint8 | whether the board may be left like this |
    | `before`, `behind` | (n,) | uint64 | shapes used on the ways to a node, and on those behind |

    There are no nodes where nothing fills the board; otherwise node 0 is the empty board. Of shapes
    beyond the 64th nothing is said in `before` and `behind`: they count as used everywhere.
    """

    first_edge: NDArray[np.int64]
    to: NDArray[np.int32]
    move: NDArray[np.int32]
    accepting: NDArray[np.uint8]
    before: NDArray[np.uint64]
    behind: NDArray[np.uint64]

    @property
    def node_count(self) -> int:
        return len(self.accepting)

    @property
    def edge_count(self) -> int:
        return len(self.to)

    @property
    def edges(self) -> Edges:
        """The edges by the node that they leave."""
        return Edges(self.first_edge, self.to, self.move)

    @cached_property
    def max_edges(self) -> int:
        """How many edges leave a node, or lead to one, at most."""
        leaving = int(np.diff(self.first_edge).max(initial=0))
        return max(leaving, int(np.bincount(self.to).max(initial=0)))

    @cached_property
    def farthest(self) -> int:
        """How far an edge leads at most, by the numbers of nodes."""
        source = np.repeat(np.arange(self.node_count), np.diff(self.first_edge))
        return int((self.to - source).max(initial=0))

    @cached_property
    def accepted(self) -> NDArray[np.int32]:
        """The nodes at which the board may be left."""
        return np.flatnonzero(self.accepting).astype(np.int32)

    @property
    def held_bytes(self) -> int:
        arrays = (self.first_edge, self.to, self.move, self.accepting, self.before, self.behind)
        return sum(array.nbytes for array in arrays)


def shape_bits(uses: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Sets of shapes, in rows that say how often each is used, as bits; shape (n,)."""
    bits = np.zeros(len(uses), dtype=np.uint64)
    for shape in range(min(uses.shape[1], SHAPE_BITS)):
        bits |= np.where(uses[:, shape] > 0, np.uint64(1) << np.uint64(shape), np.uint64(0))
    return bits


class AutomatonBuilder:
    """Builds an automaton: `expand` it, then `finish` it, both in slices.

    A slice ends when as much work is done as the budget allows.
    """

    def __init__(self, problem: SweepProblem, memory_budget: MemoryBudget) -> None:
        from dovetail.backends.frontier.kernels import automaton

        self._kernels: Any = automaton
        self._problem, self._memory_budget = problem, memory_budget
        cells, moves = problem.cell_count, len(problem.mask)
        up, down, far = _near_masks(problem.neighbours)
        self._board = Board(
            first_move=problem.first_move,
            mask=np.append(problem.mask, np.zeros(LANES, dtype=np.uint64)),
            size=np.bitwise_count(problem.mask).astype(np.int64),
            optional=problem.optional.astype(np.uint8),
            open_ended=(problem.optional | far).astype(np.uint8),
            up=up,
            down=down,
            fillable=problem.fillable.astype(np.uint8),
        )
        self._progress = np.zeros(automaton.PROGRESS_SIZE, dtype=np.int64)
        self._progress[automaton.NODES] = 1
        nodes = max(FIRST_NODES, 2 * moves + 2)
        self._nodes = Nodes(
            area=np.zeros(nodes, dtype=np.int32),
            window=np.zeros(nodes, dtype=np.uint64),
            next_in_area=np.full(nodes, NO_CELL, dtype=np.int32),
            first_in_area=np.full(cells + 1, NO_CELL, dtype=np.int32),
            table=_new_table(nodes),
        )
        self._nodes.first_in_area[0] = 0
        self._nodes.table[:] = NO_CELL
        edges = max(FIRST_EDGES, 2 * moves)
        self._expanded = Expanded(
            order=np.zeros(nodes, dtype=np.int32),
            first_edge=np.zeros(nodes + 1, dtype=np.int64),
            accepting=np.zeros(nodes, dtype=np.uint8),
            to=np.zeros(edges, dtype=np.int32),
            move=np.zeros(edges, dtype=np.int32),
        )
        self._kernels.enter(0, 1, self._nodes)

    @property
    def nodes(self) -> int:
        """How many have been found."""
        return int(self._progress[self._kernels.NODES])

    @property
    def share(self) -> float:
        """The share of the board that all nodes to be expanded have filled."""
        return float(self._progress[self._kernels.AREA]) / len(self._nodes.first_in_area)

    @property
    def held_bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in (*self._nodes, *self._expanded))

    def expand(self) -> Iterator[None]:
        """Expand all nodes.

        Raises `MemoryBudgetExceededError` before it takes more memory than there is.
        """
        kernels, progress = self._kernels, self._progress
        progress[kernels.WORK] = self._memory_budget.work
        reason = kernels.WORK_SPENT
        while reason != kernels.DONE:
            reason = kernels.expand(self._board, self._nodes, self._expanded, progress)
            if reason == kernels.NODES_FULL:
                yield from self._more_nodes()
            elif reason == kernels.EDGES_FULL:
                self._check_memory(2 * self._expanded.to.nbytes)
                yield from self._double(self._expanded.to, self._expanded.move)
            elif reason == kernels.WORK_SPENT:
                yield from self._spend(0)

    def finish(self) -> Generator[None, None, Automaton]:
        """The automaton without the nodes from which nothing fills the board."""
        kernels, problem = self._kernels, self._problem
        expanded = int(self._progress[kernels.EXPANDED])
        self._check_memory(self.held_bytes // 4)
        useful = np.zeros(self.nodes, dtype=np.uint8)
        number = np.full(self.nodes, NO_CELL, dtype=np.int32)
        found = self._expanded
        yield from self._in_ranges(expanded, kernels.mark_useful, found, useful, backwards=True)
        totals = np.zeros(2, dtype=np.int64)
        yield from self._in_ranges(expanded, kernels.number_useful, found, useful, number, totals)
        nodes, edges = totals.tolist()
        made = Trimmed(
            first_edge=np.zeros(nodes + 1, dtype=np.int64),
            to=np.zeros(edges, dtype=np.int32),
            move=np.zeros(edges, dtype=np.int32),
            accepting=np.zeros(nodes, dtype=np.uint8),
            before=np.zeros(nodes, dtype=np.uint64),
            behind=np.zeros(nodes, dtype=np.uint64),
        )
        bits = shape_bits(problem.move_classes.uses)[problem.move_class]
        totals[:] = 0
        yield from self._in_ranges(expanded, kernels.compress, found, number, bits, made, totals)
        yield from self._in_ranges(nodes, kernels.behind_by_node, made, bits, backwards=True)
        return Automaton(**made._asdict())

    def _more_nodes(self) -> Iterator[None]:
        """Make room for twice as many, in the arrays and in the table."""
        nodes, expanded = self._nodes, self._expanded
        self._check_memory(len(nodes.area) * NODE_BYTES + 2 * nodes.table.nbytes)
        yield from self._double(
            nodes.area, nodes.window, nodes.next_in_area, expanded.order, expanded.accepting
        )
        expanded.first_edge.resize(len(nodes.area) + 1, refcheck=False)
        self._nodes = nodes._replace(table=_new_table(len(nodes.area)))
        yield from self._in_ranges(len(self._nodes.table), _clear, self._nodes.table)
        yield from self._in_ranges(self.nodes, self._kernels.enter, self._nodes)

    def _double(self, *arrays: NDArray[Any]) -> Iterator[None]:
        """Make arrays twice as long, one after another: a large one takes a moment."""
        for array in arrays:
            array.resize(2 * len(array), refcheck=False)
            yield from self._spend(len(array))

    def _in_ranges(
        self,
        count: int,
        kernel: Callable[..., None],
        *arguments: NDArray[Any] | NamedTuple,
        backwards: bool = False,
    ) -> Iterator[None]:
        """Call a kernel on ranges of `count` entries, each of as many as there is work for."""
        done, each = 0, self._kernels.WORK_PER_NODE
        while done < count:
            work = int(self._progress[self._kernels.WORK])
            size = min(count - done, max(MIN_RANGE, work // each))
            first = count - done - size if backwards else done
            kernel(first, first + size, *arguments)
            done += size
            yield from self._spend(size * each)

    def _spend(self, work: int) -> Iterator[None]:
        """Count so much work as done; the slice ends if there is none left."""
        kernels, progress = self._kernels, self._progress
        progress[kernels.WORK] -= work
        if progress[kernels.WORK] <= 0:
            yield
            progress[kernels.WORK] = self._memory_budget.work

    def _check_memory(self, more_bytes: int) -> None:
        """Raises `MemoryBudgetExceededError` where so much more is too much."""
        self._memory_budget.check(
            self.held_bytes + more_bytes,
            f"more than {self.nodes:,} frontier shapes, for {self.share:.0%} of the board,",
        )


def _new_table(nodes: int) -> NDArray[np.int32]:
    """A table for so many nodes, with two entries for each at least, to be filled with −1."""
    return np.empty(2 ** int(2 * nodes - 1).bit_length(), dtype=np.int32)


def _clear(first: int, last: int, table: NDArray[np.int32]) -> None:
    """Make entries of a table empty."""
    table[first:last] = NO_CELL


def _near_masks(
    neighbours: NDArray[np.int64],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]:
    """Neighbours behind each cell and before it as bits, and whether any is too far behind."""
    count = len(neighbours)
    up, down = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint64)
    far = np.zeros(count, dtype=bool)
    for column in neighbours.T:
        distance = column - np.arange(count)
        known = column != NO_CELL
        above = known & (distance > 0) & (distance < WINDOW_BITS)
        below = known & (distance < 0) & (distance > -WINDOW_BITS)
        far |= known & (distance >= WINDOW_BITS)
        up[above] |= np.uint64(1) << distance[above].astype(np.uint64)
        down[below] |= np.uint64(1) << (WINDOW_BITS - 1 + distance[below]).astype(np.uint64)
    return up, down, far
