"""The time charged to a run, and its result if it is ended from outside, from its events."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from dovetail.harness.run.events import Compiling, Event, Progress, Started
from dovetail.harness.run.job import Chosen
from dovetail.harness.run.result import BestBoard, Result
from dovetail.models.outcome import Counters, Status


class RunSoFar:
    """The state of a run according to its events.

    Time is charged from `Started` on, except during compilation. `clock` returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or time.monotonic
        self._silent_s = 0.0  # charged since the last progress, up to `_since`
        self._since: float | None = None  # None while no time is charged
        self._baseline: int | None = None
        self._known = Progress(None, None, None)
        self._chosen: Chosen | None = None
        self._best: BestBoard | None = None
        self.searches = False

    @property
    def is_ready(self) -> bool:
        """Whether time is charged at present."""
        return self._since is not None

    @property
    def charged_s(self) -> float:
        """Seconds of preparing and solving that were reported, and the seconds since then."""
        return self._known.prepare_s + self._known.solve_s + self._unreported_s

    @property
    def check_s(self) -> float:
        """Seconds of verifying that were reported last."""
        return self._known.check_s

    def add(self, event: Event) -> None:
        """Update the state with an event of the run."""
        match event:
            case Started():
                self._silent_s, self._since = self._unreported_s, self._clock()
                self._baseline = event.baseline_bytes
            case Compiling():
                self._silent_s = self._unreported_s
                self._since = None if event.under_way else self._clock()
            case Chosen():
                self._chosen = event
            case BestBoard():
                self._best = event
            case Progress():
                self._known, self.searches = event, True
                self._silent_s, self._since = 0.0, self._clock()
            case Result():
                known = self._known
                self._known = replace(known, prepare_s=event.prepare_s, solve_s=event.solve_s)
                self._silent_s, self._since = 0.0, None

    def finished(
        self, status: Status, reason: str | None = None, peak_bytes: int | None = None
    ) -> Result:
        """Return the result of the run if it is ended now."""
        known, silent_s = self._known, self._unreported_s
        searched_s = silent_s if self.searches and known.prepared else 0.0
        return Result(
            status,
            known.count,
            Counters(nodes=known.nodes),
            reason,
            searched=known.searched,
            chosen=self._chosen,
            **({} if self._best is None else vars(self._best)),
            example=None if self._best is None else self._best.board.solution,
            prepare_s=known.prepare_s + silent_s - searched_s,
            solve_s=known.solve_s + searched_s,
            check_s=known.check_s,
            peak_bytes=peak_bytes,
            baseline_bytes=self._baseline,
        )

    @property
    def _unreported_s(self) -> float:
        """Seconds that were charged since the last progress."""
        return self._silent_s + (0.0 if self._since is None else self._clock() - self._since)
