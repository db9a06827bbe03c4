"""What searches of boards cost, by the size of the board; see `costs`.

A module apart: the tables of `rows` are imported for boards alone.
"""

from __future__ import annotations

from dovetail.backends.rows.board_code import CELL_NODES_BEFORE

# Of a node of `rows` on any board and for each of its cells: 8 to 9 ns on 36 and 49 cells, 11 to 13
# on 81 and 100; and what share of it a node takes by the board's own code: 0.6 on up to 100 cells,
# 0.75 on 121, 0.93 on 256.
ROWS_S, ROWS_CELL_S, CODE_SHARE = 5e-9, 0.08e-9, 0.6
# Of a node of `domains`, for each cell of the board: 25 to 32 ns.
DOMAINS_CELL_S = 28e-9


def rows_s(nodes: float, cells: int) -> float:
    """What a search by `rows` takes."""
    own_code = max(0.0, nodes - CELL_NODES_BEFORE * cells)
    return (nodes - (1 - CODE_SHARE) * own_code) * (ROWS_S + ROWS_CELL_S * cells)


def domains_s(nodes: float, cells: int) -> float:
    """What a search by `domains` takes."""
    return nodes * DOMAINS_CELL_S * cells
