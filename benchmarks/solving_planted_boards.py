"""Boards with a planted solution and few colours: an improver beside the first solution of `rows`.

    python benchmarks/solving_planted_boards.py portfolio 10 4 6

makes boards of 10 x 10 with 4 border and 6 inner colours from the seeds 1 to 20. The improver has
30 seconds for each; `rows` has twice the time that the improver took, or two seconds.
"""

from __future__ import annotations

import sys

from dovetail.api import count
from dovetail.harness.improving import improve, improving_job
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.puzzles.edge_boards import random_board

SEEDS = range(1, 21)
IMPROVER_S, MIN_ROWS_S = 30.0, 2.0


def main(improver: str, side: str, border_colours: str, inner_colours: str) -> None:
    """Print a line for each board, and how often the improver was faster."""
    faster = 0
    for seed in SEEDS:
        board = random_board(int(side), int(side), int(inner_colours), seed, int(border_colours))
        *_, result = improve(
            improving_job(board, improver, seed=1, limits=Limits(time_s=IMPROVER_S))
        )
        assert isinstance(result, Result)
        limit_s = max(MIN_ROWS_S, 2 * result.solve_s)
        rows = count(board, "rows", symmetry="all", limit=1, time_limit=limit_s)
        is_solved = result.status == Status.SOLVED
        wins = is_solved and (not rows.count or rows.total_s > result.solve_s)
        faster += wins
        solved = f"solved in {result.solve_s:.2f} s" if is_solved else "not solved"
        first = f"first in {rows.total_s:.2f} s" if rows.count else f"none in {limit_s:.1f} s"
        print(f"{board.name}: {improver} {solved} ({result.score}); rows {first}", flush=True)
    print(f"{improver} is faster on {faster} of {len(SEEDS)} boards")


if __name__ == "__main__":
    main(*sys.argv[1:])
