"""The searches of a plan: they are prepared in sequence, and advanced in slices or in a thread.

The node limits of restarts are Luby's sequence, 1 1 2 1 1 2 4 1 1 2 …, multiplied by a number of
nodes. For every distribution of the length of a search, the best fixed schedule is faster by at
most a logarithmic factor. Source: M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas
algorithms", 1993. The number of nodes is proportional to the number of options, like the time to
shuffle and prepare the options.

A random order is determined by a seed and a number. A search tries the options of an item in the
order of their numbers, and a shuffle of all options makes every order of the options of an item
equally likely. Two options that share two items have the same relative order in both items. With
`within_items`, the order of the options is independent in each item, as in the trials of Busche
2011. The keys of a shuffle are words of `random_stream`, which are the same on every machine. With
`hardest_first`, the pieces with the largest surface, which are hardest to place, come first. This
order is for searches that need only one solution.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, repeat
from math import inf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Budget, Config, Search
from dovetail.backends.registry import backends_that
from dovetail.backends.threaded import ThreadedSearch
from dovetail.errors import ConfigError
from dovetail.harness.run.clock import RunClock, Stopwatch
from dovetail.harness.run.job import Limits, RandomOrder, Trials
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.placements import NO_CELL, Placements
from dovetail.models.reductions.pipeline import Reduced
from dovetail.models.task import Task
from dovetail.platform.resources import processor_clock
from dovetail.random_stream import random_words

# Number of nodes of the shortest restart, per option.
NODES_PER_OPTION = 3
# Target duration of a slice in seconds.
SLICE_S = 0.03
# Work of the first slice, and minimum work of a slice.
FIRST_WORK = 20_000
MIN_WORK = 1_000
# Maximum work of a slice. If the buffer of solutions is full, a search ends its slice early and
# appears to be faster than it is; the maximum bounds this error.
MAX_WORK = 5_000_000
# Seconds between two checks of a searching thread.
POLL_S = 0.02


@dataclass(frozen=True, eq=False)
class PreparedSearch:
    """A prepared search, which a trial may have advanced, and the conversion of its solutions."""

    search: Search
    # Function that converts solutions of the search to original option numbers.
    to_original_ids: Callable[[NDArray[np.int32]], NDArray[np.int32]]
    # Number of nodes after which the next search replaces this search; None for no limit.
    nodes: int | None = None


def search_sequence(
    order: RandomOrder | Trials | None,
    task: Task,
    backend: AnyBackend,
    config: Config,
    trial: int | None = None,
) -> Iterator[PreparedSearch]:
    """Prepare and yield the searches of a plan in sequence; the caller advances them.

    With `trial`, only the trial with this number, from 0, is prepared. Raises `ConfigError` for a
    trial that the plan does not have, and for a sub-problem that is not part of the task's search.
    """
    trials = order.count if isinstance(order, Trials) else 0
    if trial is not None and not 0 <= trial < trials:
        expected = f"expected 0 to {trials - 1}" if trials else "there are none"
        raise ConfigError(f"sub-problem: there is no trial {trial}; {expected}")
    if order is None:
        search, part = backend.prepare(task, config), task.part
        if part is not None:
            search.begin_within(part)
        yield PreparedSearch(search, task.to_original_ids)
        return
    hardest_first = isinstance(order, RandomOrder) and order.hardest_first
    shuffle = shuffled_within_items if order.within_items else shuffled
    every = enumerate(_lengths(order, task.options.option_count))
    for number, nodes in every if trial is None else [(trial, None)]:
        ordered = shuffle(task, order.seed, number, hardest_first=hardest_first)
        yield PreparedSearch(backend.prepare(ordered, config), ordered.to_original_ids, nodes)


def no_random_order(
    order: RandomOrder | Trials | None, task: Task, backend: AnyBackend
) -> str | None:
    """Return the reason why the random order of a plan is not supported.

    Returns None if the order is supported, and for a plan without a random order.
    """
    if order is None:
        return None
    if task.placements is None:
        return f"random orders are for packing puzzles; {task.puzzle.name} has no placements"
    within = order.within_items

    def has_order(other: AnyBackend) -> bool:
        return other.by_item_order if within else other.by_option_order

    if has_order(backend):
        return None
    kind = "random option order" + " within items" * within
    return f"it does not support a {kind}; valid: {backends_that(has_order)}"


def shuffled(task: Task, seed: int, number: int = 0, *, hardest_first: bool = False) -> Task:
    """Return the task of a packing puzzle with its options in a random order.

    `number` is the index of the order in the sequence that `seed` determines. `reduced` of the
    returned task has the original numbers of the options, so that data such as weights can be
    assigned to them.
    """
    options = task.options
    assert isinstance(options, PackingOptions)
    order = random_order(seed, number, options.option_count)
    if hardest_first:
        surface = surfaces(options.placements)[options.placements.shape[order]]
        order = order[np.argsort(-surface, kind="stable")]
    reduced = task.reduced
    if reduced is None:
        reduced = Reduced(options.option_count, order, {}, None)
    else:
        reduced = replace(reduced, kept=reduced.kept[order])
    return replace(task, options=options.subset(order), reduced=reduced)


def shuffled_within_items(
    task: Task, seed: int, number: int = 0, *, hardest_first: bool = False
) -> Task:
    """Return the task of a packing puzzle in which each item has its options in a random order.

    `number` is the index of the orders in the sequence that `seed` determines. The key of an option
    in an item depends on the option's number before reductions, so that tasks with different
    reductions have the same relative orders.
    """
    options, cover = task.options, task.cover
    assert isinstance(options, PackingOptions)
    option = cover.option_of_member
    original = option if task.reduced is None else task.reduced.kept[option]
    p = options.placements
    size = p.cells.shape[1] + 1 + p.crossings.shape[1]  # most items: cells, a piece, crossings
    place = np.arange(len(option)) - cover.start[option]
    words = random_words(seed, number * task.options_before * size, task.options_before * size)
    order = np.argsort(words[original * size + place])  # the words of a stream are distinct
    if hardest_first:
        surface = surfaces(options.placements)[options.placements.shape[option[order]]]
        order = order[np.argsort(-surface, kind="stable")]
    return replace(task, member_order=order)


def surfaces(placements: Placements) -> NDArray[np.int64]:
    """Return the surface of each piece shape: the number of outer sides of its cells.

    The array has an element for each shape. The surface of a shape without placements is 0.
    """
    surface = np.zeros(len(placements.shapes), dtype=np.int64)
    shapes, examples = np.unique(placements.shape, return_index=True)
    for shape, example in zip(shapes, examples, strict=True):
        cells = placements.cells[example]
        cells = cells[cells != NO_CELL]
        surface[shape] = np.count_nonzero(~np.isin(placements.neighbours[cells], cells))
    return surface


def random_order(seed: int, number: int, size: int) -> NDArray[np.int64]:
    """Return a permutation of 0 to size − 1; `number` is its index in the sequence of the seed."""
    return np.argsort(random_words(seed, number * size, size), kind="stable")


def restart_nodes(options: int) -> int:
    """Return the number of nodes of the shortest restart."""
    return NODES_PER_OPTION * options


def luby(number: int) -> int:
    """Return a term of Luby's sequence by its number; the first term has the number 1."""
    power = (number + 1).bit_length() - 1
    if number == 2**power - 1:
        return 1 << (power - 1)
    return luby(number - 2**power + 1)


def _lengths(order: RandomOrder | Trials, options: int) -> Iterator[int | None]:
    """Return the node limits of the searches in random orders; None means no limit."""
    if isinstance(order, Trials):
        return repeat(None, order.count)
    if order.searches_once:
        return repeat(None, 1)
    return (restart_nodes(options) * luby(number) for number in count(1))


class Guard:
    """Abandons a search that takes too long, so that another backend can be chosen.

    `problem` is called after each slice that does not end the search. A search that needs too much
    memory is also abandoned.
    """

    # Number of nodes at which the search pauses so that `problem` is called; None for no pause.
    max_nodes: int | None = None

    def __init__(self) -> None:
        self.reason: str | None = None  # why the search was abandoned
        self.work = 0  # work done so far, in the unit of `Budget.work`

    def problem(self, search: Search) -> str | None:
        """Return the reason to abandon the search now, or None to continue."""
        raise NotImplementedError

    def judge(self, search: Search, status: Status | None, given: int) -> Status | None:
        """Return the status after a slice of `given` work.

        Returns `SKIPPED` if the search is abandoned, None if it continues, and otherwise the status
        that ended it.
        """
        self.work = self.work + given if search.work is None else search.work
        paused = status == Status.NODE_LIMIT and search.counters.nodes == self.max_nodes
        if status is None or paused:
            self.reason = self.problem(search)
            status = None
        elif status == Status.MEMORY_LIMIT:
            self.reason = search.reason or "it needs too much memory"
        return status if self.reason is None else Status.SKIPPED


class SliceWork:
    """Adapts the work per slice to a target duration in seconds.

    The work is `first` at the beginning, and later a number from `smallest` to `largest`.
    """

    def __init__(self, seconds: float, first: int, smallest: int, largest: int) -> None:
        self.now = first  # work of the next slice
        self._seconds, self._smallest, self._largest = seconds, smallest, largest

    def took(self, seconds: float) -> None:
        """Adapt the work to the duration of the last slice, by a factor from 1/4 to 2."""
        factor = min(2.0, max(0.25, self._seconds / max(seconds, 1e-6)))
        self.now = min(self._largest, max(self._smallest, int(self.now * factor)))


def run_sliced(
    search: Search,
    limits: Limits,
    clock: RunClock,
    slice_work: int | None = None,
    guard: Guard | None = None,
) -> Iterator[Status | None]:
    """Advance a search slice by slice to its end or to a limit.

    Yields None after each slice, and finally the status that ended the search. With `slice_work`,
    the work of a slice is fixed and is the same on every machine. By default, a slice takes about
    `SLICE_S`.

    The time of the search counts as preparing until the search is prepared, and then as solving.
    """
    work = SliceWork(SLICE_S, slice_work or FIRST_WORK, MIN_WORK, MAX_WORK)
    memory_bytes = MemoryLimit(limits.memory_bytes).free_bytes
    while True:
        cut = clock.ending_status()
        if cut is not None:
            yield cut
            return
        stops = (limits.nodes, None if guard is None else guard.max_nodes)
        max_nodes = min((nodes for nodes in stops if nodes is not None), default=None)
        nodes_left = None if max_nodes is None else max_nodes - (search.counters.nodes or 0)
        wanted = limits.solutions
        solutions_left = None if wanted is None else wanted - (search.count or 0)
        budget = Budget(work.now, nodes_left, solutions_left, memory_bytes=memory_bytes)
        stopwatch = clock.solving if search.prepared else clock.preparing
        before = stopwatch.wall_s
        with stopwatch:
            status = search.advance(budget)
        if guard is not None:
            status = guard.judge(search, status, budget.work)
        yield status
        if status is not None:
            return
        if slice_work is None:
            work.took(stopwatch.wall_s - before)


def run_threaded(
    search: ThreadedSearch, limits: Limits, clock: RunClock
) -> Iterator[Status | None]:
    """Run a search that cannot be sliced in a thread, and watch it.

    Yields None at the start and whenever solutions wait to be taken, and finally the status that
    ended the search.

    The search pauses while its solutions are taken, and the pause is not timed. The time of the
    search is added to the clock before each yield. If a limit or an interruption ends the
    iteration, the thread continues, and the caller must end the process. Raises MemoryError if the
    thread cannot be started, and any exception of the search.
    """
    ended: list[Status | BaseException] = []
    running = _ThreadTimes(search)

    def left_s() -> float:
        limit_s = clock.left_s
        return inf if limit_s is None else limit_s - running.uncharged_s

    def work() -> None:
        try:
            status = None
            with running.measured():
                while status is None:
                    seconds = None if clock.left_s is None else left_s()
                    budget = Budget(MIN_WORK, limits.nodes, limits.solutions, seconds)
                    status = search.advance(budget)
            ended.append(status)
        except BaseException as error:
            ended.append(error)

    yield None  # reports that no solution was found so far
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # not enough memory for the stack
        raise MemoryError from None
    while thread.is_alive():
        thread.join(POLL_S)
        cut = None
        if clock.interruption.requested:
            cut = Status.INTERRUPTED
        elif left_s() <= 0:
            search.stop()  # a search that stops itself can report more
            cut = Status.TIME_LIMIT if left_s() <= -5 * POLL_S else None
        if cut is not None and thread.is_alive():
            running.charge(clock.solving)
            yield cut
            return
        if search.found.paused:
            running.charge(clock.solving)  # before the yield, since the caller may not continue
            yield None
            search.found.resume()
    running.charge(clock.solving)
    if isinstance(ended[0], BaseException):
        raise ended[0]
    yield ended[0]


class _ThreadTimes:
    """Measures the time of a search in a thread, without its pauses.

    The processor time of the thread counts, or of the whole process if the search uses several
    threads. The processor time of the processes that the search has started is added.
    """

    def __init__(self, search: ThreadedSearch) -> None:
        self._search = search
        self._watch = Stopwatch()
        self._charged_s = self._charged_cpu_s = 0.0

    def measured(self) -> Stopwatch:
        """Return a stopwatch for the search; the thread of the search must call this method."""
        self._watch = Stopwatch(processor_clock(of_thread=not self._search.uses_threads))
        return self._watch

    @property
    def uncharged_s(self) -> float:
        """Wall-clock seconds since the last charge, without pauses."""
        return self._watch.wall_s - self._search.found.paused_s - self._charged_s

    def charge(self, stopwatch: Stopwatch) -> None:
        """Add the time since the last charge to a stopwatch; any thread may call this method."""
        more_s, cpu_s = max(0.0, self.uncharged_s), self._charged_cpu_s
        with suppress(OSError):  # the thread has just ended
            cpu_s = self._watch.cpu_s + self._search.processes_cpu_s
        stopwatch.add(more_s, cpu_s - self._charged_cpu_s)
        self._charged_s, self._charged_cpu_s = self._charged_s + more_s, cpu_s
