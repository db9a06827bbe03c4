"""What `auto` forecasts of a count, beside what the count takes.

Run `python -m benchmarks.forecasts [-t SECONDS] [PUZZLE...]`: names or files; by default the
packings of the catalogue's examples. A line for each puzzle: the processor time of choosing, the
forecast, which `frontier` may make when its tables are built, and the processor time of the
search, at most as long as `-t` says (60 s), and their factor. The last line has the puzzles that
take over half a second; one without a forecast counts as missed. One that is not finished has a
factor if its forecast is below a third of what was spent; else nothing is known of it, and it is
left out.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.events import Compiling, Progress, Started
from dovetail.harness.run.job import Chosen, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.sizes import about_s
from dovetail.harness.workers.runs import execute
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue
from dovetail.puzzles.loading import load

LONG_S, WITHIN, MEMORY_BYTES = 0.5, 3.0, 6 * 2**30


@dataclass(frozen=True)
class Forecast:
    """What was forecast and taken, in processor seconds; `finished` if the count came to its end.

    `forecast_s` is None where there was no forecast.
    """

    name: str
    backend: str
    choosing_s: float
    forecast_s: float | None
    taken_s: float
    finished: bool

    @property
    def factor(self) -> float | None:
        """Forecast by taken; of a count that is not finished only if it is far too low."""
        if self.forecast_s is None:
            return None
        factor = self.forecast_s / max(self.taken_s, 1e-6)
        return factor if self.finished or factor * WITHIN < 1 else None

    def __str__(self) -> str:
        forecast = "no forecast" if self.forecast_s is None else about_s(self.forecast_s)
        taken = f"{'' if self.finished else 'over '}{self.taken_s:.2f} s"
        factor = "" if self.factor is None else f", × {self.factor:.2f}"
        return (
            f"{self.name}: {self.backend} chosen in {self.choosing_s:.2f} s, "
            f"forecast {forecast}, taken {taken}{factor}"
        )


def main() -> None:
    """Print a line for each puzzle, and the share within a factor of three."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-t", type=float, default=60.0)
    parser.add_argument("puzzles", nargs="*")
    asked = parser.parse_args()
    names = asked.puzzles or [name for entry in catalogue() for name in entry.examples]
    long = []
    for name in names:
        puzzle = load(name)
        if not asked.puzzles and not isinstance(puzzle, PackingPuzzle):
            continue
        found = _forecast(puzzle, asked.t)
        if found is None:
            continue
        print(found, flush=True)
        if found.taken_s > LONG_S:
            long.append(found)
    factors = [each.factor for each in long if each.factor is not None]
    near = sum(1 / WITHIN <= factor <= WITHIN for factor in factors)
    without = sum(each.forecast_s is None for each in long)
    print(
        f"{len(long)} of over {LONG_S} s: {near} of {len(factors) + without} within × {WITHIN:g}, "
        f"{without} without a forecast, {len(long) - len(factors) - without} not known"
    )


def _forecast(puzzle: Puzzle, max_s: float) -> Forecast | None:
    """Count once; None where there is nothing to search."""
    (job,) = make_jobs([puzzle], "auto", limits=Limits(memory_bytes=MEMORY_BYTES))
    begun, compiling_s, chosen, searching_s = time.process_time(), 0.0, None, None
    since: float | None = None
    for event in execute(job):
        now = time.process_time()
        match event:
            case Compiling(under_way=True):
                since = now
            case Compiling() | Started() if since is not None:
                compiling_s, since = compiling_s + now - since, None
            case Chosen():
                chosen, choosing_s = event, now - begun - compiling_s
                forecast_s = event.forecast_s
            case Result():
                if chosen is None or event.status == Status.SKIPPED:
                    return None
                return Forecast(
                    puzzle.name,
                    chosen.backend,
                    choosing_s,
                    forecast_s,
                    event.solve_cpu_s or 0.0,
                    event.status == Status.EXHAUSTED,
                )
            case Progress(prepared=True) if searching_s is None and chosen is not None:
                searching_s, forecast_s = now, forecast_s or event.forecast_s
        if chosen is not None and searching_s is not None and now - searching_s > max_s:
            taken_s = now - searching_s
            return Forecast(
                puzzle.name, chosen.backend, choosing_s, forecast_s, taken_s, finished=False
            )
    return None


if __name__ == "__main__":
    main()
