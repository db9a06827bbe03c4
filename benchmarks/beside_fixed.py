"""`auto` beside the best of fixed solvers: what the benchmarks of boards and of packings share.

A line for each puzzle: the wall time of a count up to symmetry by `auto`, kernels compiled, the
median of three; what it chose; and that of the best fixed solver. All solvers get a 25th of
`max_s` first, then a fifth of it, then `max_s` where none ends; one is given up when it has taken
two and a half times as long as the best so far. The last line has the puzzles whose best solver
takes more than half a second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

import dovetail
from dovetail.errors import DovetailError

GIVEN_UP, ROUNDS, LONG_S = 2.5, 3, 0.5


@dataclass(frozen=True)
class Solver:
    """A backend with its config and the reductions that it is given."""

    backend: str
    config: Mapping[str, object] = field(default_factory=dict)
    reduce: Sequence[str] = ("redundancy",)


AUTO = Solver("auto", reduce=())


@dataclass(frozen=True)
class Timed:
    """What counting took, None where it was given up; and the solver that `auto` chose."""

    seconds: float | None
    chosen: str = ""


@dataclass(frozen=True)
class Comparison:
    """The solvers `auto` is compared with, how long they may take, and the largest ratio asked."""

    fixed: Mapping[str, Solver]
    max_s: float
    target: float

    def run(self, puzzles: Iterable[str], warm_up: str) -> None:
        """Compare all puzzles, or those that the command names."""
        for solver in self.fixed.values():
            _timed(warm_up, solver, self.max_s)
        named = sys.argv[1:] or puzzles
        compared = [found for puzzle in named if (found := self._compare(puzzle)) is not None]
        long = [ratio for ratio, best_s in compared if best_s > LONG_S]
        print(
            f"{len(long)} of over {LONG_S} s: × {max(long, default=0):.2f} at most, "
            f"{sum(ratio > self.target for ratio in long)} over × {self.target}, "
            f"median {median(long or [0]):.2f}"
        )

    def _compare(self, puzzle: str) -> tuple[float, float] | None:
        """Print a puzzle's line; returns the ratio and the best time, None where no solver ends."""
        best, name = self.max_s, ""
        for limit_s in (self.max_s / 25, self.max_s / 5, self.max_s):
            for label, solver in self.fixed.items():
                one = _timed(puzzle, solver, min(limit_s, GIVEN_UP * best))
                if one.seconds is not None and one.seconds < best:
                    best, name = one.seconds, label
            if name:
                break
        else:
            print(f"{puzzle}: none of {', '.join(self.fixed)} ends in {self.max_s:.0f} s")
            return None
        mine, its, chosen = [], [best], ""
        for _ in range(ROUNDS):
            one = _timed(puzzle, AUTO, 20 * self.max_s)
            chosen = one.chosen
            mine.append(one.seconds or 20 * self.max_s)
            its.append(_timed(puzzle, self.fixed[name], 20 * self.max_s).seconds or best)
        ratio = median(mine) / median(its)
        print(
            f"{puzzle}: auto {median(mine):.2f} s ({chosen}), {name} {median(its):.2f} s, "
            f"× {ratio:.2f}",
            flush=True,
        )
        return ratio, median(its)


def _timed(puzzle: str, solver: Solver, max_s: float) -> Timed:
    """Count once."""
    begun = time.perf_counter()
    try:
        result = dovetail.count(
            puzzle,
            solver.backend,
            config=solver.config,
            reduce=solver.reduce,
            time_limit=max_s,
        )
    except DovetailError:  # refused
        return Timed(None)
    took = time.perf_counter() - begun
    done = result.status == "exhausted"
    return Timed(took if done else None, result.chosen.backend if result.chosen else "")
