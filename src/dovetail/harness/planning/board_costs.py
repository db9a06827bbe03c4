"""What searches of boards cost, by the size of the board; see `costs`.

A module apart: the tables of `rows` are imported for boards alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, sqrt

from dovetail.backends.rows.board_code import CELL_NODES_BEFORE
from dovetail.kernels.word_size import WORD_BITS

# Of a node of `rows` on any board and for each of its cells: 8 to 9 ns on 36 and 49 cells, 11 to 13
# on 81 and 100; and what share of it a node takes by the board's own code, where the inner tiles
# are in one to four words.
ROWS_S, ROWS_CELL_S, CODE_SHARES = 5e-9, 0.08e-9, (0.6, 0.75, 0.83, 0.93)
# Of a node of `domains`, for each cell of the board: 25 to 32 ns.
DOMAINS_CELL_S = 28e-9


@dataclass(frozen=True)
class NodeCost:
    """Seconds that each of the first nodes takes, and each of those `later`."""

    first_s: float
    first_nodes: float = inf
    later_s: float = 0.0

    def seconds(self, nodes: float) -> float:
        """What so many nodes take."""
        first = min(nodes, self.first_nodes)
        later = nodes - first if nodes > first else 0.0
        return first * self.first_s + later * self.later_s

    def nodes(self, seconds: float) -> float:
        """How many nodes are made in so many seconds."""
        first = min(seconds / self.first_s, self.first_nodes)
        later_s = seconds - first * self.first_s
        return first + (later_s / self.later_s if self.later_s else 0.0)


def rows_cost(cells: int) -> NodeCost:
    """What nodes of `rows` take on a board of so many cells, about a square."""
    first_s = ROWS_S + ROWS_CELL_S * cells
    words = ceil(max(1.0, (sqrt(cells) - 2) ** 2) / WORD_BITS)
    share = CODE_SHARES[min(words, len(CODE_SHARES)) - 1]
    return NodeCost(first_s, CELL_NODES_BEFORE * cells, share * first_s)


def domains_cost(cells: int) -> NodeCost:
    """What nodes of `domains` take on a board of so many cells."""
    return NodeCost(DOMAINS_CELL_S * cells)
