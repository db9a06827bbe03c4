"""Scores of improvers on boards that nobody can finish: a row for each board.

    python benchmarks/improving_boards.py portfolio edges 60 3 BOARD.json …

runs the improver for 60 seconds from each of three seeds. Every board is verified.
"""

from __future__ import annotations

import os
import sys
from statistics import mean

from dovetail.harness.improving import edge_puzzle, improve, improving_job
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.puzzles.loading import load


def main(improver: str, objective: str, seconds: str, seeds: str, *boards: str) -> None:
    """Print the scores as they come, then the means."""
    by_board = {}
    for board in boards:
        puzzle = edge_puzzle(load(board))
        found = []
        for seed in range(1, int(seeds) + 1):
            limits = Limits(time_s=float(seconds))
            job = improving_job(puzzle, improver, seed=seed, limits=limits, objective=objective)
            *_, result = improve(job)
            assert isinstance(result, Result)
            assert result.best is not None
            found.append((result.best, result.solve_cpu_s))
        by_board[board] = [best.score for best, _ in found]
        last = [f"{best.trace[-1].seconds:.1f}" for best, _ in found]
        cpu = [f"{cpu_s:.0f}" for _, cpu_s in found]
        print(puzzle.name, *by_board[board], "last improved after", *last, "s; CPU", *cpu, "s")
        sys.stdout.flush()
    scores = [score for found in by_board.values() for score in found]
    load_average = os.getloadavg()[2]
    print(
        f"{improver}, {objective}, {seconds} s: mean {mean(scores):.2f} of {len(scores)} runs,",
        end=" ",
    )
    print(f"{min(scores)} to {max(scores)}; load {load_average:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
