"""A trial of a search that may take long, and one that goes on after the search was chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Forecast, Search
from dovetail.models.outcome import Counters, Status

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
