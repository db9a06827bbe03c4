"""Totals of the searches of a session: solutions, counters, status and rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.errors import how_many
from dovetail.harness.confidence import ratio_interval
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.job import Limits, Plan, Trials
from dovetail.harness.run.result import RateInterval, Result, Searched
from dovetail.harness.run.searches import PreparedSearch
from dovetail.models.outcome import Counters, Status, added
from dovetail.models.symmetry_expansion import COUNTED


class SearchRates:
    """The numbers of solutions and the processor times of several searches."""

    def __init__(self) -> None:
        self.cpu_s = 0.0
        self._found: list[int] = []
        self._seconds: list[float] = []

    def add(self, found: int, cpu_s: float) -> None:
        """Add a search; `cpu_s` is the processor time of the run so far."""
        self._found.append(found)
        self._seconds.append(cpu_s - self.cpu_s)
        self.cpu_s = cpu_s

    def interval(self) -> RateInterval | None:
        """Return the confidence interval of solutions per second.

        Returns None if too few searches found a solution.
        """
        if not self.cpu_s > 0:
            return None
        interval = ratio_interval(np.array(self._found, dtype=float), np.array(self._seconds))
        return None if interval is None else RateInterval(interval.low, interval.high)


class Tally:
    """The totals of the searches of a session, which run in sequence.

    `count` is the number of collected solutions; it is None while a search that only counts has no
    total. `counters` are sums over all searches, and `status` is the status that ended the last
    search. `began_cpu_s` is the processor time before the first search was prepared, which is not
    counted.
    """

    def __init__(self, plan: Plan, collector: SolutionCollector, began_cpu_s: float = 0.0) -> None:
        self.collector = collector
        self.counters = Counters()
        self.count: int | None = 0
        self.status: Status | None = None
        self.program: Mapping[str, str] = {}
        self._plan = plan
        self._reason: str | None = None
        self._counts_only = False
        self._begun = self._fruitful = self._found = 0
        self._with_trigger: dict[str, int] = {}
        self._rates, self._began_cpu_s = SearchRates(), began_cpu_s
        self._counted_by_search: int | None = None
        self._counters_before = Counters()

    def begin(self) -> None:
        """Begin another search."""
        self._begun += 1
        self._counters_before = self.counters
        self.collector.begin_search()

    def collect(
        self,
        prepared: PreparedSearch,
        take: Callable[[], NDArray[np.int32]],
        stop: Callable[[], bool],
    ) -> Iterator[NDArray[np.int32]]:
        """Pass new solutions of a search to the collector, and yield batches to list.

        `take` returns the options of the solutions. If `stop` returns True, the listing ends
        between two batches.
        """
        search, collector = prepared.search, self.collector
        if search.counts_only:
            collector.verify(lambda: prepared.to_original_ids(take()))
            if search.total is not None:
                collector.settle(search.total)
            self.count = None if search.total is None else collector.count
            self._counts_only = True
        else:
            yield from collector.add(prepared.to_original_ids(take()), stop)
            self.count, self._counted_by_search = collector.count, search.count

    def update(self, search: Search, status: Status | None) -> None:
        """Update counters and status from the current search."""
        counters = search.counters
        self.counters = counters if self._begun == 1 else added(self._counters_before, counters)
        self.status = status

    def end(self, search: Search, cpu_s: float) -> None:
        """Add a search that has ended to the totals.

        `cpu_s` is the processor time of preparing and solving since the start of the run.
        """
        found = self.collector.found
        self._reason, self.program = search.reason, search.program
        self._found += found
        self._fruitful += found > 0
        self._rates.add(found, cpu_s - self._began_cpu_s)
        for trigger, removed in (search.counters.backtracks_by_trigger or {}).items():
            before = self._with_trigger.get(trigger, 0)
            self._with_trigger[trigger] = before + any(removed.values())

    @property
    def is_over(self) -> bool:
        """Whether no further search follows."""
        if self.collector.complete or self.collector.error is not None:
            return True
        if self.status == Status.NODE_LIMIT:  # the limit of the session or of a restart
            max_nodes = self.collector.search_limits.nodes
            return max_nodes is not None and (self.counters.nodes or 0) >= max_nodes
        return self.status != Status.REMAINING_LIMIT

    def limits_of(self, prepared: PreparedSearch) -> Limits:
        """Return the limits of the next search, with the remaining nodes of the session."""
        limits = self.collector.search_limits
        remaining = None if limits.nodes is None else limits.nodes - (self.counters.nodes or 0)
        maxima = [nodes for nodes in (remaining, prepared.nodes) if nodes is not None]
        return replace(limits, nodes=min(maxima, default=None))

    @property
    def searched(self) -> Searched | None:
        """Totals over restarts or trials; None for a single search."""
        if self._plan.searches_once:
            return None
        return Searched(self._begun, self._fruitful, self._found, dict(self._with_trigger))

    @property
    def searched_with_rate(self) -> Searched | None:
        """`searched` with the processor time, and for trials with the interval of their rate."""
        searched = self.searched
        if searched is None:
            return None
        # Restarts are not a sample, because they become longer.
        sampled = isinstance(self._plan.order, Trials)
        interval = self._rates.interval() if sampled else None
        return replace(searched, cpu_s=self._rates.cpu_s, rate_interval=interval)

    def share(self, search: Search | None) -> float | None:
        """Return the share of the search tree or of the trials that is done.

        `search` is None between two searches. The share of restarts is None, because their number
        is not known in advance.
        """
        order = self._plan.order
        if isinstance(order, Trials):
            return (self._begun - (search is not None)) / order.count
        return search.progress() if search is not None and self._plan.searches_once else None

    @property
    def expansion_name(self) -> str:
        """Derivation of the solutions from the solutions of the search; see `Result`."""
        return COUNTED if self._counts_only else self.collector.expansion_name

    def result(self) -> Result:
        """Return the result without costs; its status is `wrong` if a check has failed."""
        collector = self.collector
        status = Status.SOLUTION_LIMIT if collector.complete else self.status
        result = Result(status or Status.WRONG, self.count, self.counters, self._reason)
        error, counted = collector.error, self._counted_by_search
        lists = status == Status.EXHAUSTED and not self._counts_only
        if error is None and lists and collector.found != counted:
            error = f"it counted {counted} and listed {how_many(collector.found, 'solution')}"
        return result if error is None else replace(result, status=Status.WRONG, reason=error)
