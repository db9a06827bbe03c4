"""What searches cost: fixed figures, so that a puzzle gets the same choice everywhere.

Thread CPU seconds on one machine (AMD EPYC); docs/solvers/auto-measurements.md has the runs that
they come from.
"""

from __future__ import annotations

from dovetail.backends.rows.board_code import NODES_BEFORE

# Of a node of `bitset`: 48 to 78 ns on packings of up to 64 items after a few pieces, 25 to 51 ns
# on covers; up to 1.3 µs where there are tens of thousands of options.
NODE_S = 60e-9
# Of a step of `zdd`.
STATE_STEP_S = 50e-9
# Of a step of `frontier` while it builds its tables: 3.3 to 5.2 ns.
WORK_S = 5e-9
# Of a node of `rows` on any board and for each of its cells: 8 to 9 ns on 36 and 49 cells, 11 to 13
# on 81 and 100; and what share of it a node takes by the board's own code.
ROWS_S, ROWS_CELL_S, CODE_SHARE = 5e-9, 0.08e-9, 0.6
# Of a node of `domains`, for each cell of the board: 25 to 32 ns.
DOMAINS_CELL_S = 28e-9
UNSAID = 1e15  # from here on a number is written with its power of ten


def about(number: float) -> str:
    """A number as one says it: its first two digits."""
    return f"{float(f'{number:.1e}'):,.0f}" if number < UNSAID else f"{number:.1e}"


def about_s(seconds: float) -> str:
    """Seconds as one says them."""
    if seconds < 1e-3:
        return "less than 1 ms"
    if seconds < 1:
        return f"{about(seconds * 1e3)} ms"
    return f"{seconds:.1f} s" if seconds < 10 else f"{about(seconds)} s"


def rows_s(nodes: float, cells: int) -> float:
    """What a search by `rows` takes."""
    own_code = max(0.0, nodes - NODES_BEFORE)
    return (nodes - (1 - CODE_SHARE) * own_code) * (ROWS_S + ROWS_CELL_S * cells)


def domains_s(nodes: float, cells: int) -> float:
    """What a search by `domains` takes."""
    return nodes * DOMAINS_CELL_S * cells
