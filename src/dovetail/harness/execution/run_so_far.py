"""A run as its events show it: what time counts, and the result if it is cut from outside."""

from __future__ import annotations

import time

from dovetail.harness.run.best_board import BestBoard
from dovetail.harness.run.events import Chosen, Compiling, Event, Finished, Progress, Started
from dovetail.models.outcome import Counters, Outcome, Status


class RunSoFar:
    """Collects the events of a run; `finished` is the result of one that is cut from outside.

    Time counts from `Started` on, save while something is compiled.
    """

    def __init__(self) -> None:
        self._counted_s = 0.0
        self._since: float | None = None
        self._baseline: int | None = None
        self._known = Progress(None, None, None)
        self._chosen: Chosen | None = None
        self._best: BestBoard | None = None
        self.searches = False

    @property
    def is_ready(self) -> bool:
        """Whether time counts at present."""
        return self._since is not None

    @property
    def counted_s(self) -> float:
        """Seconds of prepare, solve and check so far."""
        return self._counted_s + (0.0 if self._since is None else time.monotonic() - self._since)

    def add(self, event: Event) -> None:
        """Take an event of the run."""
        match event:
            case Started():
                self._count(counts=True)
                self._baseline = event.baseline_bytes
            case Compiling():
                self._count(counts=not event.under_way)
            case Chosen():
                self._chosen = event
            case BestBoard():
                self._best = event
            case Progress():
                self._known, self.searches = event, True

    def finished(
        self, status: Status, reason: str | None = None, peak_bytes: int | None = None
    ) -> Finished:
        """The result of the run, cut now: its last lower bound or best board, and its times."""
        known, counted_s = self._known, self.counted_s
        prepare_s = known.prepare_s if self.searches and known.prepared else counted_s
        solve_s = max(0.0, counted_s - prepare_s - known.check_s)
        return Finished(
            Outcome(status, known.count, Counters(nodes=known.nodes), reason),
            searched=known.searched,
            chosen=self._chosen,
            best=self._best,
            example=None if self._best is None else self._best.board.solution,
            prepare_s=prepare_s,
            solve_s=solve_s,
            check_s=known.check_s,
            peak_bytes=peak_bytes,
            baseline_bytes=self._baseline,
        )

    def _count(self, *, counts: bool) -> None:
        """Let time count from now on, or not."""
        self._counted_s = self.counted_s
        self._since = time.monotonic() if counts else None
