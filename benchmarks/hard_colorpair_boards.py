"""Boards on which basic ColorPair needs as many nodes as on the boards of the paper's table 2.

    python benchmarks/hard_colorpair_boards.py >FILE

Draws boards of 9x9 and 10x10 of the kinds in table 2 of Benoist and Bourreau (2008), seed after
seed, and keeps those on which the propagator needs 2 to 20 million nodes, until there are 48. The
suite `colorpair` has these boards. Prints a line for each board that was drawn.
"""

from __future__ import annotations

from itertools import count as counting

from dovetail.api import count
from dovetail.harness.run.job import Limits
from dovetail.models.outcome import Status
from dovetail.puzzles.edge_boards import random_board

# Sides, colours of the frame and inner colours.
KINDS = (
    *((9, 10, 10), (9, 11, 12), (9, 9, 12)),
    *((10, 13, 13), (10, 14, 14), (10, 12, 15), (10, 13, 14)),
)
BASIC = {
    "choice": "min-offer",
    "shaving": "none",
    "shared_edges": False,
    "cycles": False,
    "backjumping": False,
}
LEAST, MOST, WANTED = 2_000_000, 20_000_000, 48


def main() -> None:
    """Print each board with its nodes, the kept ones with their number."""
    kept = 0
    for seed in counting(1):
        for side, border_colours, inner_colours in KINDS:
            board = random_board(None, side, inner_colours, seed, border_colours)
            result = count(
                board,
                "colorpair",
                symmetry="unique",
                reduce=["redundancy"],
                config=BASIC,
                limits=Limits(nodes=MOST),
            )
            nodes = result.nodes or 0
            finished = result.status == Status.EXHAUSTED
            keep = finished and nodes >= LEAST
            kept += keep
            mark = f"kept {kept}" if keep else "too easy" if finished else "too hard"
            print(f"{board.name}: {'' if finished else '> '}{nodes:,} nodes, {mark}", flush=True)
            if kept == WANTED:
                return


if __name__ == "__main__":
    main()
