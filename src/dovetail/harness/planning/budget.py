"""How long choosing a backend may take: a tenth of the limit on time, or 2 s without one."""

from __future__ import annotations

import time

from dovetail.harness.planning.costs import about_s
from dovetail.harness.run.clock import RunClock
from dovetail.models.outcome import Status

LIMIT_SHARE, DEFAULT_S = 0.1, 2.0


class ChoosingBudget:
    """The time for choosing, which begins now; compiling is no part of it.

    Steps that cannot be interrupted ask `allows` beforehand, all others ask `is_over` in between.
    `limit_s` is the run's limit on time. Without one processor time counts, so that a busy machine
    makes the same choice.
    """

    def __init__(self, clock: RunClock, limit_s: float | None) -> None:
        self.run_clock, self._limit_s = clock, limit_s
        self.seconds = DEFAULT_S if limit_s is None else LIMIT_SHARE * limit_s
        self._begun_s = self._now_s()
        self._was_short = False

    def is_over(self) -> bool:
        """Whether no time is left."""
        return not self.allows(0.0)

    def allows(self, seconds: float) -> bool:
        """Whether more than so many seconds are left; if not, `explanation` says so."""
        allowed = self._now_s() - self._begun_s + seconds < self.seconds
        self._was_short |= not allowed
        return allowed

    def _now_s(self) -> float:
        """The time on a clock that stands still while something is compiled."""
        warming = self.run_clock.warming
        if self._limit_s is None:
            return time.process_time() - warming.cpu_s
        return time.monotonic() - warming.wall_s

    @property
    def explanation(self) -> str | None:
        """What was left out for lack of time, None if there was enough."""
        if not self._was_short:
            return None
        share = "" if self._limit_s is None else ", a tenth of the time limit"
        return f"not all was tried: choosing may take {about_s(self.seconds)}{share}"

    def trial_clock(self) -> RunClock:
        """Return the clock of a trial, which ends with the budget or the run."""
        return _TrialClock(self)


class _TrialClock(RunClock):
    def __init__(self, budget: ChoosingBudget) -> None:
        super().__init__(interruption=budget.run_clock.interruption)
        self._budget = budget

    def for_trial(self) -> RunClock:
        return self._budget.trial_clock()

    def cut(self) -> Status | None:
        cut = self._budget.run_clock.cut()
        if cut is None and self._budget.is_over():
            return Status.TIME_LIMIT
        return cut
