"""`auto` beside the best of fixed solvers on the packings of the catalogue.

Run `python -m benchmarks.auto_on_packings [PUZZLE...]`; `beside_fixed` has what it prints. Left out
are one-sided pentominoes in 9x10 and those of the hexominoes, the heptominoes and the 26 pieces of
four dimensions, which take any solver more than a minute, or are over at once.
"""

from __future__ import annotations

from benchmarks.beside_fixed import Comparison, Solver

PACKINGS = (
    *(f"pentominoes-{size}" for size in ("6x10", "5x12", "4x15", "8x8-hole")),
    *(f"pentominoes-{size}" for size in ("3x4x5", "2x5x6", "2x3x10")),
    *(f"one-sided-pentominoes-{size}" for size in ("3x30", "5x18", "6x15")),
    "tetro-pentominoes-diamond-13",
    "soma-cube",
    "diabolical-cube",
    "tetris-cube",
    "bedlam-cube",
    "hypercube-paths-2x3x3x5",
    *(f"dominoes-{size}" for size in ("8x8", "16x16")),
    *(f"trominoes-{size}" for size in ("6x6", "9x9", "12x12")),
)
FIXED = {
    "frontier": Solver("frontier", reduce=()),
    "bitset": Solver("bitset"),
    "bitset, probe": Solver("bitset", reduce=()),
    "zdd": Solver("zdd"),
    "fila": Solver("fila", {"kernel": "fast"}),
    "dlx": Solver("dlx"),
}

if __name__ == "__main__":
    Comparison(FIXED, max_s=60.0, target=1.25).run(PACKINGS, warm_up="pentominoes-5x6-FLNPUY")
