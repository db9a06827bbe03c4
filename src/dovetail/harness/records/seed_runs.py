"""Improvements of one board by one improver with several seeds, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from dovetail.harness.records.questions import solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.run.job import Limits


@dataclass(frozen=True)
class Scores:
    """The scores of several runs: the lowest, the median, the highest."""

    low: int
    middle: float
    high: int


@dataclass(frozen=True)
class SeedRuns:
    """The runs of one `solver`, an improver with its settings, on one `puzzle` by name.

    `runs` are those that have a board, by seed and repeat; `lost` those that were refused, failed
    or killed. All have the same limits; one of the two has a run.
    """

    puzzle: str
    digest: str
    solver: str
    runs: tuple[Record, ...]
    lost: tuple[Record, ...]

    @cached_property
    def best(self) -> Record | None:
        """The run with the highest score, reached first; None if no run has a board."""
        return best_run(self.runs)

    @property
    def bound(self) -> int | None:
        """The score of a solution, None if no run has a board."""
        return None if self.best is None else self.best.result.bound

    @property
    def best_known(self) -> int | None:
        """The highest score that the suite knows of the board."""
        return self._any.best_known

    @property
    def limits(self) -> Limits | None:
        """The limits of the runs."""
        return self._any.job.limits

    @property
    def _any(self) -> Record:
        return (*self.runs, *self.lost)[0]

    @property
    def solved(self) -> int:
        """How many runs found a solution."""
        return sum(run.result.score == run.result.bound for run in self.runs)

    @cached_property
    def improved_at(self) -> list[float]:
        """When any of the runs found a better board, in seconds, ascending."""
        return sorted({one.seconds for run in self.runs for one in run.result.trace or ()})

    def scores(self, seconds: float | None = None) -> Scores | None:
        """What the runs have reached after so many seconds, or at their ends; None without runs.

        A run that has no board by then has a score of 0.
        """
        reached = [score_at(run, seconds) for run in self.runs]
        return Scores(min(reached), median(reached), max(reached)) if reached else None


def seed_runs(results: Iterable[Record]) -> list[SeedRuns]:
    """The improvements among `results`, those of one solver on one board and limits together."""
    found: dict[tuple[str, str, object], list[Record]] = {}
    for result in results:
        if result.job.improves:
            place = result.job.puzzle_digest, solver_name(result), result.job.limits
            found.setdefault(place, []).extend(result.repeats)
    return [
        SeedRuns(
            puzzle=runs[0].job.puzzle,
            digest=digest,
            solver=solver,
            runs=tuple(run for run in runs if run.result.score is not None),
            lost=tuple(run for run in runs if run.result.score is None),
        )
        for (digest, solver, _), runs in found.items()
    ]


def best_run(runs: Iterable[Record]) -> Record | None:
    """The run with the highest score, of several the one that reached it first; None of none."""
    ranked = sorted(runs, key=lambda run: (-(run.result.score or 0), last_improved_s(run)))
    return next(iter(ranked), None)


def score_at(run: Record, seconds: float | None = None) -> int:
    """The score that a run has reached after so many seconds, or at its end."""
    if seconds is None:
        return run.result.score or 0
    return max((one.score for one in run.result.trace or () if one.seconds <= seconds), default=0)


def last_improved_s(run: Record) -> float:
    """When a run found its best board, in seconds; 0 if it found none."""
    return run.result.trace[-1].seconds if run.result.trace else 0.0
