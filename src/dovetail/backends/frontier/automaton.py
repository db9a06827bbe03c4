"""The automaton of frontier shapes of a problem, built in slices."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels import automaton, layers
from dovetail.backends.frontier.kernels.automaton import Expanded, Nodes, SweepBoard, Trimmed
from dovetail.backends.frontier.kernels.layers import Edges, EdgesByClass
from dovetail.backends.frontier.problem import WINDOW_BITS, SweepProblem
from dovetail.backends.shared.state_search import MemoryBudget, RepresentationLimitError
from dovetail.kernels.bits import words_for
from dovetail.kernels.layout import EXHAUSTED, WORD_BITS, WORK_SPENT
from dovetail.machine_code.layout import LANES
from dovetail.models.packings.placements import NO_CELL

FIRST_NODES, FIRST_EDGES = 2**13, 2**15
NODE_BYTES = 4 + 8 + 4 + 4 + 8 + 1  # bytes of a node in all arrays with an entry for each node
SHAPE_BITS = 64
MIN_RANGE = 1_000
MAX_INDEXED = 2**22  # largest product of nodes and classes for one index of all edges
MAX_ENTRIES = 2**31 - 1

kernels: Any = automaton
edge_kernels: Any = layers


class Automaton:
    """The nodes from which the board can be filled, by ascending area, and their edges.

    If the board cannot be filled, there are no nodes. Otherwise node 0 is the empty board. Piece
    shapes beyond the 64th are left out of `nodes.before` and `nodes.behind`, so that these shapes
    restrict nothing. `farthest` is the largest difference between the numbers of an edge's nodes.
    """

    def __init__(self, problem: SweepProblem, nodes: Trimmed, farthest: int) -> None:
        self.problem, self.nodes, self._farthest = problem, nodes, farthest
        self.node_count, self.edge_count = len(nodes.accepting), len(nodes.to)
        self.held_bytes = sum(array.nbytes for array in nodes)
        self.edges = Edges(nodes.first_edge, nodes.to, nodes.move)
        # Nodes whose unsettled cells may all stay empty, shape (a,).
        self.accepted = np.flatnonzero(nodes.accepting).astype(np.int32)
        self._whole: dict[bool, EdgesByClass] = {}

    @cached_property
    def max_edges(self) -> int:
        """Largest number of edges that leave a node or lead to a node."""
        leaving = int(np.diff(self.nodes.first_edge).max(initial=0))
        return max(leaving, int(np.bincount(self.nodes.to).max(initial=0)))

    def edges_by_class(self, nodes: NDArray[np.int32], *, forward: bool) -> EdgesByClass:
        """Return the edges that leave `nodes` if `forward`, else the edges that reach `nodes`.

        The result may include further edges.
        """
        count = self.node_count
        low = int(nodes.min(initial=count))
        high = max(low, int(nodes.max(initial=-1)) + 1)
        if count * len(self.problem.weight) > MAX_INDEXED:
            found = self._between(low, high, forward=forward)
        else:
            if forward not in self._whole:
                self._whole[forward] = self._between(0, count, forward=forward)
            found = self._whole[forward]
        if forward:
            return found._replace(min_end=low, max_end=min(count, high + self._farthest) - 1)
        return found._replace(min_end=max(0, low - self._farthest), max_end=high - 1)

    def edges_back(self) -> Edges:
        """Return the edges, grouped by the node that they reach."""
        nodes = self.nodes
        source = np.repeat(np.arange(self.node_count), np.diff(nodes.first_edge))
        order = np.argsort(nodes.to, kind="stable")
        reached = np.bincount(nodes.to, minlength=self.node_count)
        return Edges(
            first=np.concatenate([[0], np.cumsum(reached)]).astype(np.int64),
            end=source[order].astype(np.int32),
            move=nodes.move[order],
        )

    def _between(self, low: int, high: int, *, forward: bool) -> EdgesByClass:
        """Return the edges that leave, or reach, the nodes from `low` to `high` − 1.

        Raises `RepresentationLimitError` if `several` needs more than `MAX_ENTRIES` entries.
        """
        low -= low % WORD_BITS
        first = low if forward else max(0, low - self._farthest)
        words, classes = words_for(high - low), len(self.problem.weight)
        present = np.zeros(classes * words, dtype=np.uint64)
        before = np.zeros(classes * words, dtype=np.int64)
        none = np.zeros(0, dtype=np.int32)
        found = EdgesByClass(low, words, present, before, none, none)

        def index(step: int) -> None:
            edge_kernels.index_edges(
                step, self.edges, self.problem.move_class, not forward, first, high, found
            )

        index(edge_kernels.MARK)
        pairs = np.bitwise_count(present)
        np.cumsum(pairs, dtype=np.int64, out=before)
        before -= pairs
        found = found._replace(only=np.zeros(int(pairs.sum()), dtype=np.int32))
        index(edge_kernels.COUNT)
        entries = edge_kernels.lay_out(found.only)
        if entries > MAX_ENTRIES:
            raise RepresentationLimitError(f"frontier shapes have more than {MAX_ENTRIES:,} edges")
        found = found._replace(several=np.zeros(entries, dtype=np.int32))
        index(edge_kernels.PLACE)
        return found


class AutomatonBuilder:
    """Builder of an automaton: `expand`, then `finish`; both yield when a slice's work is done."""

    def __init__(self, problem: SweepProblem, memory_budget: MemoryBudget) -> None:
        self._problem, self._memory_budget = problem, memory_budget
        moves = len(problem.mask)
        up, down, far = _near_masks(problem.neighbours)
        self._board = SweepBoard(
            first_move=problem.first_move,
            mask=np.append(problem.mask, np.zeros(LANES, dtype=np.uint64)),
            size=np.bitwise_count(problem.mask).astype(np.int64),
            optional=problem.optional.astype(np.uint8),
            open_ended=(problem.optional | far).astype(np.uint8),
            up=up,
            down=down,
            fillable=problem.fillable.astype(np.uint8),
        )
        self._progress = np.zeros(kernels.PROGRESS_SIZE, dtype=np.int64)
        self._progress[kernels.NODE_COUNT] = 1
        nodes = max(FIRST_NODES, 2 * moves + 2)
        self._nodes = Nodes(
            area=np.zeros(nodes, dtype=np.int32),
            window=np.zeros(nodes, dtype=np.uint64),
            next_in_area=np.full(nodes, NO_CELL, dtype=np.int32),
            first_in_area=np.full(problem.cell_count + 1, NO_CELL, dtype=np.int32),
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
        kernels.enter(0, 1, self._nodes)

    @property
    def nodes(self) -> int:
        """Number of nodes found."""
        return int(self._progress[kernels.NODE_COUNT])

    @property
    def held_bytes(self) -> int:
        """Memory of the arrays in bytes."""
        return sum(array.nbytes for array in (*self._nodes, *self._expanded))

    def expand(self) -> Iterator[None]:
        """Expand all nodes.

        Raises `MemoryBudgetExceededError` before the memory budget is exceeded.
        """
        self._progress[kernels.WORK_LEFT] = self._memory_budget.work
        reason = WORK_SPENT
        while reason != EXHAUSTED:
            reason = kernels.expand(self._board, self._nodes, self._expanded, self._progress)
            if reason == kernels.NODES_FULL:
                yield from self._more_nodes()
            elif reason == kernels.EDGES_FULL:
                self._check_memory(2 * self._expanded.to.nbytes)
                yield from self._double(self._expanded.to, self._expanded.move)
            elif reason == WORK_SPENT:
                yield from self._spend(0)

    def finish(self) -> Generator[None, None, Automaton]:
        """Return the automaton of the nodes from which the board can be filled.

        Raises `MemoryBudgetExceededError` before the memory budget is exceeded.
        """
        problem, expanded = self._problem, self._expanded
        count = int(self._progress[kernels.EXPANDED])
        self._check_memory(self.held_bytes // 4)
        number = np.full(self.nodes, NO_CELL, dtype=np.int32)
        totals = np.zeros(3, dtype=np.int64)
        yield from self._in_ranges(
            count, kernels.number_useful, expanded, number, totals, backwards=True
        )
        nodes, edges, _ = totals.tolist()
        trimmed = Trimmed(
            first_edge=np.zeros(nodes + 1, dtype=np.int64),
            to=np.zeros(edges, dtype=np.int32),
            move=np.zeros(edges, dtype=np.int32),
            accepting=np.zeros(nodes, dtype=np.uint8),
            before=np.zeros(nodes, dtype=np.uint64),
            behind=np.zeros(nodes, dtype=np.uint64),
        )
        bits = shape_bits(problem.uses)[problem.move_class]
        totals[:] = 0
        yield from self._in_ranges(count, kernels.compress, expanded, number, bits, trimmed, totals)
        yield from self._in_ranges(nodes, kernels.behind_by_node, trimmed, bits, backwards=True)
        return Automaton(problem, trimmed, int(totals[2]))

    def _more_nodes(self) -> Iterator[None]:
        """Double the capacity for nodes, of the arrays and of the table."""
        nodes, expanded = self._nodes, self._expanded
        self._check_memory(len(nodes.area) * NODE_BYTES + 2 * nodes.table.nbytes)
        yield from self._double(
            nodes.area, nodes.window, nodes.next_in_area, expanded.order, expanded.accepting
        )
        expanded.first_edge.resize(len(nodes.area) + 1, refcheck=False)
        self._nodes = nodes._replace(table=_new_table(len(nodes.area)))
        yield from self._in_ranges(len(self._nodes.table), _clear, self._nodes.table)
        yield from self._in_ranges(self.nodes, kernels.enter, self._nodes)

    def _double(self, *arrays: NDArray[Any]) -> Iterator[None]:
        """Double the length of arrays; the slice may end after each, as large arrays take long."""
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
        """Call a kernel on successive ranges of `count` entries, sized by the work left.

        If `backwards`, the first range is at the end.
        """
        done, each = 0, kernels.WORK_PER_NODE
        while done < count:
            work = int(self._progress[kernels.WORK_LEFT])
            size = min(count - done, max(MIN_RANGE, work // each))
            first = count - done - size if backwards else done
            kernel(first, first + size, *arguments)
            done += size
            yield from self._spend(size * each)

    def _spend(self, work: int) -> Iterator[None]:
        """Count `work` as done; the slice ends if no work is left."""
        self._progress[kernels.WORK_LEFT] -= work
        if self._progress[kernels.WORK_LEFT] <= 0:
            yield
            self._progress[kernels.WORK_LEFT] = self._memory_budget.work

    def _check_memory(self, more_bytes: int) -> None:
        """Raise `MemoryBudgetExceededError` if the arrays and `more_bytes` exceed the budget."""
        share = float(self._progress[kernels.AREA]) / len(self._nodes.first_in_area)
        self._memory_budget.check(
            self.held_bytes + more_bytes,
            f"more than {self.nodes:,} frontier shapes, for {share:.0%} of the board,",
        )


def shape_bits(uses: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the piece shapes that each row of `uses` uses, as bits.

    `uses` has shape (n, shapes), and the result has shape (n,). Piece shapes beyond the 64th are
    left out.
    """
    bits = np.zeros(len(uses), dtype=np.uint64)
    for shape in range(min(uses.shape[1], SHAPE_BITS)):
        bits |= np.where(uses[:, shape] > 0, np.uint64(1) << np.uint64(shape), np.uint64(0))
    return bits


def _new_table(nodes: int) -> NDArray[np.int32]:
    """Return an uninitialised table with at least two entries for each node."""
    return np.empty(2 ** int(2 * nodes - 1).bit_length(), dtype=np.int32)


def _clear(first: int, last: int, table: NDArray[np.int32]) -> None:
    table[first:last] = NO_CELL


def _near_masks(
    neighbours: NDArray[np.int64],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]:
    """Return the later and the earlier neighbours of each cell, as bits, and a mask of cells.

    The bits are those of `SweepBoard.up` and `SweepBoard.down`. The mask has the cells with a later
    neighbour beyond the window.
    """
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
