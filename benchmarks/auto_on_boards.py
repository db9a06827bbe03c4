"""`auto` beside the best of fixed solvers on forty boards, generated ones and the community's.

Run `python -m benchmarks.auto_on_boards [BOARD...]`; `beside_fixed` has what it prints. The fixed
solvers break symmetry by a tile too.
"""

from __future__ import annotations

from benchmarks.beside_fixed import Comparison, Solver

GENERATED = (
    *(f"edges-6-b3i4-{seed}" for seed in (4, 5)),
    *(f"edges-6-b4i4-{seed}" for seed in range(1, 7)),
    *(f"edges-6-b5i4-{seed}" for seed in (1, 2, 3)),
    *(f"edges-6-b5i5-{seed}" for seed in (1, 2)),
    *(f"edges-7-b5i6-{seed}" for seed in (1, 2, 3)),
    *(f"edges-7-b6i6-{seed}" for seed in range(1, 8)),
    *(f"edges-7-b7i6-{seed}" for seed in (1, 2)),
    *(f"edges-8-b8i8-{seed}" for seed in range(1, 6)),
    *(f"edges-8-b9i8-{seed}" for seed in (1, 2, 3)),
    *(f"edges-9-b10i11-{seed}" for seed in (1, 2)),
    *(f"edges-9-b10i10-{seed}" for seed in (1, 2)),
    *(f"edges-10-b13i12-{seed}" for seed in (1, 2, 3)),
)
FIXED = {
    "rows": Solver("rows"),
    "rows, spiral": Solver("rows", {"order": "spiral"}),
    "domains": Solver("domains"),
    "colorpair": Solver("colorpair"),
}

if __name__ == "__main__":
    Comparison(FIXED, max_s=20.0, target=1.5).run(GENERATED, warm_up="edges-4-b3i3-1")
