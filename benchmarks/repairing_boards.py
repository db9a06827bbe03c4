"""What `repair` gains with several settings, each from the same boards: a row for each.

    python benchmarks/repairing_boards.py edges 3 2 "" "refill=exact destroy=component" -- BOARD …

gives each of the settings three seconds of processor time on each board from each of two seeds. A
run starts from what one beam of 4,096 states finds. Every board is verified.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from statistics import mean

from dovetail.backends.base import Budget
from dovetail.backends.config import build_config, parse_words
from dovetail.harness.improving import edge_puzzle
from dovetail.harness.run.searches import SliceWork
from dovetail.improvers.base import ImprovingSearch, Placed
from dovetail.improvers.beam import Beam, BeamConfig
from dovetail.improvers.repair.improver import Repair, RepairConfig
from dovetail.improvers.shared.board import BoardArrays, board_arrays
from dovetail.models.boards.partial_board import Objective, verified_score
from dovetail.puzzles.loading import load

WIDTH = 4_096
WORK = 50_000, 100, 50_000_000


def main(
    objective: str, seconds: str, seeds: str, settings: Sequence[str], paths: Sequence[str]
) -> None:
    """Print a row for each of the settings, by the objective edges or tiles."""
    aim = Objective(objective)
    boards = [board_arrays(edge_puzzle(load(path)), aim) for path in paths]
    starts = [beam(board) for board in boards]
    before = [
        verified_score(b.puzzle, b.partial_board(s), aim)
        for b, s in zip(boards, starts, strict=True)
    ]
    print(f"{len(boards)} boards, start {mean(before):.2f} ({min(before)} to {max(before)})")
    for words in settings:
        config = build_config(RepairConfig, parse_words(words.split()), "improver repair")
        if reason := Repair().refuses(boards[0], config):
            print(f"{words:50} {reason}")
            continue
        repaired(boards[0], config, 1, starts[0], 0.3)  # compiles
        scores, counted = [], Counter[str]()
        for board, start in zip(boards, starts, strict=True):
            for seed in range(1, int(seeds) + 1):
                found = repaired(board, config, seed, start, float(seconds))
                score = verified_score(board.puzzle, board.partial_board(found.best), aim)
                assert score == found.score
                scores.append(score)
                counted.update(found.counters)
        rate = counted["repairs"] / (len(scores) * float(seconds))
        accepted, proved = (counted[name] / counted["repairs"] for name in ("accepted", "proved"))
        print(
            f"{words or 'default':50} {mean(scores) - mean(before):+.2f} to {mean(scores):.2f} "
            f"({min(scores)} to {max(scores)}), {rate:,.0f} repairs/s, {accepted:.0%} accepted, "
            f"{proved:.0%} proved",
            flush=True,
        )


def beam(board: BoardArrays) -> Placed:
    """What one beam finds."""
    search = Beam().begin(board, BeamConfig(width=WIDTH), 1, None)
    while not search.counters["beams"]:
        search.advance(Budget(WORK[0]))
    return search.best


def repaired(
    board: BoardArrays, config: RepairConfig, seed: int, start: Placed, seconds: float
) -> ImprovingSearch:
    """A search that has had so many seconds of processor time."""
    began = time.process_time()
    search, work = Repair().begin(board, config, seed, start), SliceWork(0.05, *WORK)
    while (spent := time.process_time() - began) < seconds:
        search.advance(Budget(work.now, seconds=seconds - spent))
        work.took(time.process_time() - began - spent)
    return search


if __name__ == "__main__":
    _, objective, for_seconds, seeds, *rest = sys.argv
    at = rest.index("--")
    main(objective, for_seconds, seeds, rest[:at], rest[at + 1 :])
