"""Collection of the solutions of a run: verification, symmetry expansion, counting, and totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Search
from dovetail.errors import how_many
from dovetail.harness.confidence import ratio_interval
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Limits, Plan, Trials
from dovetail.harness.run.result import RateInterval, Result, Searched
from dovetail.harness.run.searches import PreparedSearch
from dovetail.models.outcome import Counters, Status, added
from dovetail.models.solution import Solution
from dovetail.models.symmetry_expansion import COUNTED, AsFound, SymmetryExpansion
from dovetail.models.task import Task
from dovetail.models.verification.dispatch import Verifier, verifier_for
from dovetail.random_stream import random_words

# Number of first solutions that are all verified, in a whole search and in a part of a search.
CHECKED_FIRST, CHECKED_FIRST_OF_PART = 1_000, 2
# Of the later solutions, a random sample of 1 in `ONE_IN` is verified.
ONE_IN = 64
# Number of first solutions that are compared with each other, and must be distinct.
DISTINCT_AMONG_FIRST = 50_000


class SolutionChecker:
    """Verifies solutions as they are found.

    If the request lists solutions, all solutions are verified. Otherwise, the first 1,000 solutions
    and a sample of 1 in 64 later solutions are verified. The sample depends on the seed and on the
    number of each solution, not on the batches in which the solutions arrive. The first 50,000
    solutions must also be distinct.

    A search in parts has a checker for each part, and all checkers share a `verifier`. The checker
    of a part verifies the first two solutions and the sample. The collector of all parts verifies
    the solutions that are listed.
    """

    def __init__(self, task: Task, seed: int, verifier: Verifier | None = None) -> None:
        self._task = task
        self._verifier = verifier or verifier_for(task)
        self._first = CHECKED_FIRST if verifier is None else CHECKED_FIRST_OF_PART
        self._is_part = verifier is not None
        self._seed = seed
        self._distinct: set[bytes] = set()
        self.seen = 0
        self.verified = 0
        self.error: str | None = None
        # Copy of the first verified solution, padded with −1; None before a solution is verified,
        # and always None for a part of a search.
        self.first_row: NDArray[np.int32] | None = None

    def check(self, solutions: NDArray[np.int32]) -> None:
        """Check the next solutions, and set `error` if a solution is wrong or repeated.

        `solutions` has the shape (n, k) for n solutions, and is padded with −1.
        """
        first = self.seen
        self.seen += len(solutions)
        if self.error is not None or not len(solutions):
            return
        chosen = solutions
        if self._is_part or not self._task.request.listing:
            chosen = solutions[self._sampled(first, len(solutions))]
        self.error = self._verifier.check(chosen) or self._repeated(solutions, first)
        if self.error is not None:
            return
        self.verified += len(chosen)
        if self.first_row is None and len(chosen) and not self._is_part:
            self.first_row = chosen[0].copy()

    def _sampled(self, first: int, count: int) -> NDArray[np.bool_]:
        drawn: NDArray[np.bool_] = random_words(self._seed, first, count) % np.uint64(ONE_IN) == 0
        return drawn | (np.arange(first, first + count) < self._first)

    def _repeated(self, solutions: NDArray[np.int32], first: int) -> str | None:
        if first >= DISTINCT_AMONG_FIRST:
            return None
        for number, key in enumerate(_keys(solutions), start=first + 1):
            if key in self._distinct:
                return f"solution {number} was found before"
            self._distinct.add(key)
        return None


def _keys(solutions: NDArray[np.int32]) -> list[bytes]:
    """Return the key of each solution: its sorted options without padding, as bytes."""
    ascending = np.sort(solutions, axis=1)  # the padding is in front
    padded = np.count_nonzero(ascending < 0, axis=1)
    keys = [b""] * len(solutions)
    for width in sorted(set(padded.tolist())):
        numbers = np.flatnonzero(padded == width)
        text = np.ascontiguousarray(ascending[numbers, width:]).tobytes()
        size = len(text) // len(numbers)
        for index, number in enumerate(numbers.tolist()):
            keys[number] = text[index * size : (index + 1) * size]
    return keys


class SolutionCollector(SolutionChecker):
    """Checks, expands and counts the solutions of the searches of a plan, up to the limit.

    The limit on solutions applies after symmetry expansion. A search itself has this limit only if
    it is the single search of its plan and its solutions are not expanded. A solution that an
    earlier search has found is dropped. A solution that the same search finds twice is an error.

    With `as_found`, solutions are listed without expansion. This is used for a search that stops at
    its first solution, and for parts of a search, whose solutions are expanded when the parts are
    merged. Collectors of parts share a `verifier`.
    """

    def __init__(
        self,
        plan: Plan,
        task: Task,
        limits: Limits,
        clock: RunClock,
        *,
        verifier: Verifier | None = None,
        as_found: bool = False,
    ) -> None:
        self._solving, self._verifying = clock.solving, clock.verifying
        self._max_count = limits.solutions
        with self._verifying:
            super().__init__(task, plan.seed, verifier)
        with self._solving:
            self.expansion: SymmetryExpansion = AsFound() if as_found else task.symmetry_expansion()
        self._listing = plan.request.listing or as_found
        # Keys of the solutions of all earlier searches, and keys of the solutions of the current
        # search. Both are empty for a plan with a single search.
        self._before, self._now = set[bytes](), set[bytes]()
        self._searches_once = plan.searches_once
        plain = isinstance(self.expansion, AsFound) and plan.searches_once
        self.search_limits = limits if plain else replace(limits, solutions=None)
        self.count = 0
        self.found = 0
        self.cut_short = False

    @property
    def complete(self) -> bool:
        """Whether the limit on solutions is reached."""
        return self._max_count is not None and self.count >= self._max_count

    @property
    def example(self) -> Solution | None:
        """First verified solution; None if there is none, and always for a part of a search."""
        row = self.first_row
        return None if row is None else self._task.solution(row[row >= 0].tolist())

    def begin_search(self) -> None:
        """Begin another search with `found`, the number of its solutions, at 0.

        Solutions that an earlier search has found are dropped from now on.
        """
        self.found = 0
        self._before |= self._now
        self._now.clear()

    def add(
        self, found: NDArray[np.int32], stop: Callable[[], bool]
    ) -> Iterator[NDArray[np.int32]]:
        """Verify and count new solutions of the search, and yield the batches to list.

        `found` has the shape (n, k) for n solutions, and so has each batch. Solutions that symmetry
        expansion adds are also verified. If `stop` returns True between two batches, no further
        batch is yielded; `cut_short` is then True if the last batch was not reached.
        """
        self.found += len(found)
        if not self._searches_once:
            with self._solving:
                found = self._new(found)
        if not self._listing or not self.expansion.adds:
            with self._verifying:
                self.check(found)
        if not self._listing:
            with self._solving:
                self.add_to_count(self.expansion.count(found))
            return
        batches = self.expansion.listed(found)
        while not self.complete and self.error is None:
            with self._solving:
                listed = next(batches, None)
            if listed is None:
                return
            if self.expansion.adds:
                with self._verifying:
                    self.check(listed)
                if self.error is not None:
                    return
            if self._max_count is not None:
                listed = listed[: self._max_count - self.count]
            self.add_to_count(len(listed))
            if len(listed):
                yield listed
            if stop():
                self.cut_short = next(batches, None) is not None
                return

    def verify(self, sample: Callable[[], NDArray[np.int32]]) -> None:
        """Verify a sample of the solutions of a search that counts its solutions itself."""
        with self._verifying:
            self.check(sample())

    def add_to_count(self, more: int) -> None:
        """Add solutions to the count, up to the limit."""
        self.count += more
        if self._max_count is not None:
            self.count = min(self.count, self._max_count)

    def _new(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of `found` that no earlier search has found."""
        keys = _keys(found)
        self._now.update(keys)
        new: NDArray[np.bool_] = np.array([key not in self._before for key in keys], dtype=bool)
        return found[new]


class SearchTotals:
    """The totals of restarts or trials; each is added when it has ended."""

    def __init__(self) -> None:
        # Number of solutions and processor time of each search.
        self._found, self._cpu_s = list[int](), list[float]()
        # Sums, because progress shows them after each search.
        self._solutions = self._fruitful = 0
        self._with_trigger: dict[str, int] = {}

    def add(self, found: int, cpu_s: float, with_trigger: Mapping[str, int]) -> None:
        """Add a search; `with_trigger` has 1 for each trigger that removed a placement, or 0."""
        self._found.append(found)
        self._cpu_s.append(cpu_s)
        self._solutions += found
        self._fruitful += found > 0
        for trigger, number in with_trigger.items():
            self._with_trigger[trigger] = self._with_trigger.get(trigger, 0) + number

    @property
    def ended(self) -> int:
        """Number of searches."""
        return len(self._found)

    def searched(self, begun: int) -> Searched:
        """Return the totals, without processor time, after `begun` searches."""
        return Searched(begun, self._fruitful, self._solutions, dict(self._with_trigger))

    def searched_with_rate(self, begun: int, *, are_trials: bool) -> Searched:
        """Return the totals with processor time; for trials, also the interval of their rate."""
        interval, cpu_s = None, sum(self._cpu_s)
        # Restarts are not a sample, because later restarts are longer.
        if are_trials and cpu_s > 0:
            interval = ratio_interval(np.array(self._found, dtype=float), np.array(self._cpu_s))
        rates = None if interval is None else RateInterval(interval.low, interval.high)
        return replace(self.searched(begun), cpu_s=cpu_s, rate_interval=rates)


class Tally:
    """The totals of the searches of a session; the searches run in sequence.

    `began_cpu_s` is the processor time of the run before its first search was prepared; rates do
    not include this time. `parts` is the number of searches of a puzzle that is divided to break
    symmetry, and otherwise 0.
    """

    def __init__(
        self,
        plan: Plan,
        collector: SolutionCollector,
        began_cpu_s: float = 0.0,
        parts: int = 0,
    ) -> None:
        self.collector = collector
        # Sums over all searches.
        self.counters = Counters()
        # Number of collected solutions; None while a search that only counts has no total.
        self.count: int | None = 0
        # Status that ended the last search; None while a search runs.
        self.status: Status | None = None
        self.program: Mapping[str, str] = {}
        self._plan, self._parts = plan, parts
        self._reason: str | None = None
        self._counts_only = False
        # Number of solutions by another symmetry; None if it is unknown.
        self.other: int | None = None
        self._begun, self._totals = 0, SearchTotals()
        # Processor time of the run when the last search ended.
        self._ended_cpu_s = began_cpu_s
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

        `take` returns the options of the new solutions. `stop` is called between two batches; the
        listing ends if it returns True.
        """
        search, collector = prepared.search, self.collector
        if search.counts_only:
            collector.verify(lambda: prepared.to_original_ids(take()))
            if search.total is not None:
                collector.add_to_count(search.total)
            self.count = None if search.total is None else collector.count
            self.other = search.total_of_all
            self._counts_only = True
        else:
            yield from collector.add(prepared.to_original_ids(take()), stop)
            self.count, self._counted_by_search = collector.count, search.count
            self.other = collector.expansion.other

    def update(self, search: Search, status: Status | None) -> None:
        """Update the counters and the status from the current search."""
        counters = search.counters
        self.counters = counters if self._begun == 1 else added(self._counters_before, counters)
        self.status = status

    def end(self, search: Search, cpu_s: float) -> None:
        """Update the totals with a search that has ended.

        `cpu_s` is the processor time of preparing and solving since the start of the run.
        """
        self._reason, self.program = search.reason, search.program
        removed = search.counters.backtracks_by_trigger or {}
        with_trigger = {trigger: int(any(counts.values())) for trigger, counts in removed.items()}
        self._totals.add(self.collector.found, cpu_s - self._ended_cpu_s, with_trigger)
        self._ended_cpu_s = cpu_s

    @property
    def is_over(self) -> bool:
        """Whether no further search may begin, even if the plan has another search."""
        if self.collector.complete or self.collector.error is not None:
            return True
        if self.status == Status.NODE_LIMIT:  # the limit of the session or of a restart
            max_nodes = self.collector.search_limits.nodes
            return max_nodes is not None and (self.counters.nodes or 0) >= max_nodes
        if self.status == Status.EXHAUSTED:
            return self._begun >= self._parts
        return self.status != Status.REMAINING_LIMIT

    def limits_of(self, prepared: PreparedSearch) -> Limits:
        """Return the limits of the next search; the session and `prepared` limit its nodes."""
        limits = self.collector.search_limits
        remaining = None if limits.nodes is None else limits.nodes - (self.counters.nodes or 0)
        maxima = [nodes for nodes in (remaining, prepared.nodes) if nodes is not None]
        return replace(limits, nodes=min(maxima, default=None))

    @property
    def searched(self) -> Searched | None:
        """Totals over restarts or trials; None for a single search."""
        return None if self._plan.searches_once else self._totals.searched(self._begun)

    @property
    def searched_with_rate(self) -> Searched | None:
        """`searched` with its processor time; for trials, also the interval of their rate."""
        if self._plan.searches_once:
            return None
        are_trials = isinstance(self._plan.order, Trials)
        return self._totals.searched_with_rate(self._begun, are_trials=are_trials)

    def share(self, search: Search | None) -> float | None:
        """Return the share of the search tree or of the trials that is done.

        `search` is None between two searches. The share is None if it is unknown, for example for
        restarts, whose number is not known in advance.
        """
        order, ended = self._plan.order, self._begun - (search is not None)
        if isinstance(order, Trials):
            return ended / order.count
        if self._parts:
            share = 0.0 if search is None else search.progress()
            return None if share is None else (ended + share) / self._parts
        return search.progress() if search is not None and self._plan.searches_once else None

    @property
    def expansion_name(self) -> str:
        """Name of the derivation of the solutions; see `Result.symmetry_expansion`."""
        return COUNTED if self._counts_only else self.collector.expansion.name

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
