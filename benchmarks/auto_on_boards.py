"""`auto` beside the best of fixed solvers on forty boards, generated ones and the community's.

Run `python benchmarks/auto_on_boards.py [BOARD...]`. A line for each board: the wall time of a
count up to symmetry by `auto`, kernels compiled, the median of three; what it chose; and that of
the best fixed solver, which breaks symmetry by a tile too. A solver is given up when it has taken
two and a half times as long as the best so far, or 20 s. The last line has the boards whose best
solver takes more than half a second.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from statistics import median

import dovetail
from dovetail.errors import DovetailError

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
    "rows": ("rows", {}),
    "rows, spiral": ("rows", {"order": "spiral"}),
    "domains": ("domains", {}),
    "colorpair": ("colorpair", {}),
}
MAX_S, GIVEN_UP, ROUNDS, LONG_S = 20.0, 2.5, 3, 0.5


@dataclass(frozen=True)
class Timed:
    """What counting took, None where it was given up; and the solver that `auto` chose."""

    seconds: float | None
    chosen: str = ""


def timed(board: str, backend: str, config: dict[str, str], max_s: float) -> Timed:
    """Count once."""
    begun = time.perf_counter()
    try:
        result = dovetail.count(
            board,
            backend,
            config=config,
            reduce=() if backend == "auto" else ("redundancy",),
            time_limit=max_s,
        )
    except DovetailError:  # refused
        return Timed(None)
    took = time.perf_counter() - begun
    done = result.status == "exhausted"
    return Timed(took if done else None, result.chosen.backend if result.chosen else "")


def compare(board: str) -> tuple[float, float] | None:
    """Print a board's line; returns the ratio and the best time, None where no solver ends."""
    best, name = MAX_S, ""
    for label, (backend, config) in FIXED.items():
        one = timed(board, backend, config, min(MAX_S, GIVEN_UP * best))
        if one.seconds is not None and one.seconds < best:
            best, name = one.seconds, label
    if not name:
        print(f"{board}: none of {', '.join(FIXED)} ends in {MAX_S:.0f} s", flush=True)
        return None
    backend, config = FIXED[name]
    mine, its, chosen = [], [best], ""
    for _ in range(ROUNDS):
        one = timed(board, "auto", {}, 20 * MAX_S)
        chosen = one.chosen
        mine.append(one.seconds or 20 * MAX_S)
        its.append(timed(board, backend, config, 20 * MAX_S).seconds or best)
    ratio = median(mine) / median(its)
    print(
        f"{board}: auto {median(mine):.2f} s ({chosen}), {name} {median(its):.2f} s, × {ratio:.2f}",
        flush=True,
    )
    return ratio, median(its)


def main() -> None:
    """Compare all boards, or those named."""
    boards = sys.argv[1:] or GENERATED
    for backend, config in FIXED.values():
        timed("edges-4-b3i3-1", backend, config, MAX_S)
    compared = [found for board in boards if (found := compare(board)) is not None]
    long = [ratio for ratio, best_s in compared if best_s > LONG_S]
    print(
        f"{len(long)} boards of over {LONG_S} s: × {max(long, default=0):.2f} at most, "
        f"{sum(ratio > 1.5 for ratio in long)} over × 1.5, median {median(long or [0]):.2f}"
    )


if __name__ == "__main__":
    main()
