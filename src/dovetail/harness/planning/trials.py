"""Trials of searches that may take long: the time for all of them, and one that goes on.

Choosing a backend may take a tenth of the limit on time, or 2 s without one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Forecast, Search
from dovetail.harness.planning.costs import about_s
from dovetail.harness.run.clock import RunClock
from dovetail.models.outcome import Counters, Status

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


# Returns the reason to give a search up after so many steps of work, None to go on.
Rule = Callable[[Search, int], str | None]


@dataclass(frozen=True, eq=False)
class Trial:
    """A search that was tried.

    `problem` is the reason to give it up. A search that is `unfinished` has none: the time for
    choosing was over first.
    """

    search: Search
    ended: bool = False
    """Whether the search has come to its end."""
    problem: str | None = None
    unfinished: bool = False
    work: int = 0
    """Steps done."""


class OnTrial(Search):
    """A search that is skipped as soon as a rule gives it up, after `work` done in its trial.

    Also where it needs too much memory: `auto` then chooses anew.
    """

    def __init__(self, search: Search, rule: Rule, work: int) -> None:
        self._search, self._rule, self._work = search, rule, work
        self._problem: str | None = None

    @property
    def counters(self) -> Counters:
        return self._search.counters

    @property
    def count(self) -> int | None:
        return self._search.count

    def advance(self, budget: Budget) -> Status | None:
        if self._problem is None:
            status = self._search.advance(budget)
            self._work += budget.work
            if status == Status.MEMORY_LIMIT:
                self._problem = self._search.reason or "it needs too much memory"
            elif status is None:
                done = self._search.work
                self._problem = self._rule(self._search, self._work if done is None else done)
            if self._problem is None:
                return status
        return Status.SKIPPED

    def take(self) -> NDArray[np.int32]:
        return self._search.take()

    def progress(self) -> float | None:
        return self._search.progress()

    @property
    def work(self) -> int | None:
        return self._search.work

    @property
    def prepared(self) -> bool:
        return self._search.prepared

    @property
    def forecast(self) -> Forecast | None:
        return self._search.forecast

    @property
    def reason(self) -> str | None:
        return self._problem or self._search.reason

    @property
    def program(self) -> Mapping[str, str]:
        return self._search.program

    @property
    def counts_only(self) -> bool:
        return self._search.counts_only

    @property
    def total(self) -> int | None:
        return self._search.total
