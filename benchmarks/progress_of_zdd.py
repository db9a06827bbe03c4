"""What the progress of `zdd` foresees: steps done by the share done, beside those of the whole.

Run `python -m benchmarks.progress_of_zdd PUZZLE...`; counts all solutions up to symmetry, as `auto`
asks for them. Steps do not depend on the machine.
"""

from __future__ import annotations

import sys

from dovetail.backends.base import Budget
from dovetail.backends.registry import backend_named
from dovetail.models.request import Request
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

SLICE_WORK, MAX_STEPS = 100_000, 2 * 10**9
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)


def main(names: list[str]) -> None:
    """Print a line for each puzzle whose search ends in `MAX_STEPS`."""
    for name in names:
        steps, ended = _steps(name)
        whole = steps[-1][0]
        if not ended:
            print(f"{name}: not finished after {whole:,} steps")
            continue
        figures = []
        for share in SHARES:
            done, progress = min(steps, key=lambda step: abs(step[0] - share * whole))
            figures.append(f"{share:.0%} {done / max(progress, 1e-12) / whole:.3g}")
        print(f"{name}: {whole:,} steps; foreseen by true: {', '.join(figures)}")


def _steps(name: str) -> tuple[list[tuple[int, float]], bool]:
    """The steps done and the progress after each slice, and whether the search has ended."""
    zdd = backend_named("zdd")
    search = zdd.prepare(build_task(load(name), Request()), zdd.config_type())
    steps = list[tuple[int, float]]()
    while not steps or steps[-1][0] < MAX_STEPS:
        status = search.advance(Budget(work=SLICE_WORK))
        steps.append((search.work or 0, search.progress() or 0.0))
        if status is not None:
            return steps, True
    return steps, False


if __name__ == "__main__":
    main(sys.argv[1:])
