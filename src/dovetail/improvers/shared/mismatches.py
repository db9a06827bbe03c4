"""Removal of mismatches: take the fewest tiles off a board so that no neighbours mismatch.

These tiles are a minimum vertex cover of the graph that joins mismatched neighbours. Neighbours
differ in the parity of column plus row, so that the graph is bipartite. A maximum matching
therefore gives the cover (Koenig 1931), and augmenting paths give the matching (Kuhn 1955).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.board import EMPTY, BoardArrays
from dovetail.models.boards.geometry import SIDES, opposite

Graph = dict[int, list[int]]


def take_off_mismatches(board: BoardArrays, placed: NDArray[np.int32]) -> None:
    """Empty the fewest cells of `placed`, shape (n,), so that no two neighbours mismatch.

    Hinted tiles stay; their mismatched neighbours are taken off first.
    """
    for cell in np.flatnonzero(board.fixed >= 0).tolist():
        placed[_mismatched(board, placed, cell)] = EMPTY
    graph = {cell: _mismatched(board, placed, cell) for cell in range(board.cells)}
    placed[sorted(minimum_cover(board, graph))] = EMPTY


def minimum_cover(board: BoardArrays, graph: Graph) -> set[int]:
    """Return a minimum vertex cover of a graph whose edges join neighbours of the board."""
    even = [
        cell for cell in graph if graph[cell] and sum(divmod(cell, board.puzzle.height)) % 2 == 0
    ]
    mates: dict[int, int] = {}  # partners of matched cells, even and odd
    for cell in even:
        _augment(graph, mates, cell)
    reached, seen = [cell for cell in even if cell not in mates], set[int]()
    for cell in reached:  # the loop appends to `reached`, along alternating paths
        for other in graph[cell]:
            if other not in seen:
                seen.add(other)
                reached.append(mates[other])
    return seen.union(even).difference(reached)


def _augment(graph: Graph, mates: dict[int, int], start: int) -> None:
    """Extend the matching `mates` to the cell `start` by an augmenting path, if there is one."""
    reached, came_from = [start], dict[int, int]()
    for cell in reached:  # the loop appends to `reached`
        for other in graph[cell]:
            if other in came_from:
                continue
            came_from[other] = cell
            if other in mates:
                reached.append(mates[other])
                continue
            free: int | None = other
            while free is not None:
                end = came_from[free]
                before = mates.get(end)
                mates[end], mates[free] = free, end
                free = before
            return


def _mismatched(board: BoardArrays, placed: NDArray[np.int32], cell: int) -> list[int]:
    """Return the neighbours of a cell whose tiles mismatch the tile in the cell."""
    beside = [(side, int(board.neighbours[cell, side])) for side in SIDES]
    return [
        other
        for side, other in beside
        if placed[cell] >= 0
        and other >= 0
        and placed[other] >= 0
        and board.sides[placed[cell], side] != board.sides[placed[other], opposite(side)]
    ]
