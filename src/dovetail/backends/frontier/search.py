"""One search by frontiers: what is counted, listed or forecast, step by step."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Forecast, SamplingSearch
from dovetail.backends.frontier.burnside import fixed_by
from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.forecast import forecast
from dovetail.backends.frontier.listing import Listing, RowBuffer
from dovetail.backends.frontier.packing import packing_problem
from dovetail.backends.frontier.states import BYTES_PER_STATE
from dovetail.backends.frontier.unranking import Unranking
from dovetail.backends.frontier.ways import ways_of
from dovetail.backends.shared.burnside import total_of
from dovetail.backends.shared.memory_budget import (
    MemoryBudget,
    MemoryBudgetExceededError,
    RepresentationLimitError,
)
from dovetail.backends.shared.slices import buffer_rows
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import NO_CELL
from dovetail.models.task import Task

SAMPLE = 200
BUFFERED_ROWS = 2**16  # they come fast
# Layers are kept to draw a sample from where they take no more than this.
MAX_KEPT_BYTES = 2**28


class FrontierSearch(SamplingSearch):
    """Counts the solutions of a task, or lists them.

    What is counted is what was asked for, up to symmetry too; a few of the solutions are drawn, so
    that they can be verified. What is listed is left to be completed. For `drawing` all layers are
    kept, and solutions have numbers.
    """

    def __init__(self, task: Task, threads: int = 1, *, drawing: bool = False) -> None:
        self.task, self._memory_budget, self._drawing = task, MemoryBudget(), drawing
        self._counting = Counting(packing_problem(task), self._memory_budget, threads)
        self._forecast: Forecast | None = None
        self._to_sample = False
        self._buffer: RowBuffer | None = None
        self._total: int | None = None
        self._listed = 0
        self._status: Status | None = None
        self._reason: str | None = None
        self._steps = self._all_steps()

    @property
    def prepared(self) -> bool:
        return self._forecast is not None

    @property
    def forecast(self) -> Forecast | None:
        return self._forecast

    @property
    def reason(self) -> str | None:
        return self._reason

    @property
    def counts_only(self) -> bool:
        return not self.task.request.listing

    @property
    def total(self) -> int | None:
        return self._total

    @property
    def count(self) -> int | None:
        """Rows that `take` has given or will give; the total where nothing is listed."""
        if not self.task.request.listing:
            return self._total
        return self._listed + (0 if self._buffer is None else self._buffer.filled)

    @property
    def counters(self) -> Counters:
        """States are no placements made, so that there are no nodes."""
        native: dict[str, int] = {}
        automaton, layered_dp = self._counting.automaton, self._counting.layered_dp
        if automaton is not None:
            native |= {"frontiers": automaton.node_count, "edges": automaton.edge_count}
        if layered_dp is not None:
            sizes = {**layered_dp.near.sizes, **layered_dp.far.sizes}
            native |= {"piece_sets": layered_dp.sets.count, "states": sum(sizes.values())}
            native |= {f"states_{placed}_placed": sizes[placed] for placed in sorted(sizes)}
        return Counters(native=native)

    def advance(self, budget: Budget) -> Status | None:
        self._memory_budget.work = budget.work
        if (
            self._memory_budget.memory_bytes is None
        ):  # in all: what is held since then is part of it
            self._memory_budget.memory_bytes = budget.memory_bytes
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        before, buffer = self._listed, self._buffer
        if buffer is not None:
            before += buffer.filled
            if buffer.filled == len(buffer.rows):
                return None
            buffer.open_for(budget.solutions)
        if self._status is None:
            try:
                next(self._steps)
            except StopIteration:
                self._status = Status.EXHAUSTED
            except MemoryBudgetExceededError as error:
                self._status, self._reason = Status.MEMORY_LIMIT, str(error)
            except MemoryError:
                self._status, self._reason = Status.MEMORY_LIMIT, self._forecast_in_words()
            except RepresentationLimitError as error:
                self._status, self._reason = Status.SKIPPED, str(error)
        if self._status is None and budget.solutions is not None and self._buffer is not None:
            found = self._listed + self._buffer.filled - before
            return Status.SOLUTION_LIMIT if found >= budget.solutions else None
        return self._status

    def take(self) -> NDArray[np.int32]:
        if self._buffer is not None:
            self._listed += self._buffer.filled
            return self._options(self._buffer.take())
        if not self._to_sample:
            return np.zeros((0, 0), dtype=np.int32)
        self._to_sample = False
        return self._options(self._unranking.sample(SAMPLE))

    @property
    def numbers(self) -> int:
        return self._counting.total

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        rows, images = self._unranking.unranked([number])
        return self._options(rows[0]), int(images[0])

    @cached_property
    def _unranking(self) -> Unranking:
        """Of what was counted, with all layers kept."""
        return Unranking(self._counting, ways_of(self._counting))

    def progress(self) -> float | None:
        return None  # layers grow and shrink: how much is left is not known

    def _all_steps(self) -> Iterator[None]:
        """What `advance` does, a slice at a time."""
        counting, listing = self._counting, self.task.request.listing
        yield from counting.expand()
        needs_all = listing or self._drawing
        expected = yield from forecast(counting, self._memory_budget, keep=needs_all)
        self._memory_budget.check(expected.memory_bytes, f"about {expected.states:,} states")
        self._forecast = expected
        yield
        keep = needs_all or self._has_plenty(expected)
        yield from counting.meet(
            keep=keep, join=not listing, expected=expected.states, numbered=self._drawing
        )
        if listing and counting.layered_dp is not None:
            ways = ways_of(counting)
            rows = buffer_rows(ways.moves, BUFFERED_ROWS)
            self._buffer = RowBuffer(rows, ways.moves)
            yield
            yield from Listing(ways, counting.ended, self._memory_budget, self._buffer).steps()
        elif not listing and not self._drawing:
            self._total = yield from total_of(self.task, counting.total, self._fixed_by)
            self._to_sample = keep and counting.is_numbered

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[None, None, int]:
        options = self.task.all_options
        assert isinstance(options, PackingOptions)
        return fixed_by(options, symmetry, self._memory_budget)

    def _has_plenty(self, expected: Forecast) -> bool:
        """Whether all layers can be kept for the sake of a sample."""
        memory_budget, all_layers = (
            self._memory_budget.memory_bytes,
            expected.states * BYTES_PER_STATE,
        )
        return all_layers <= (
            MAX_KEPT_BYTES if memory_budget is None else min(MAX_KEPT_BYTES, memory_budget // 4)
        )

    def _forecast_in_words(self) -> str:
        """What was expected, for those who had not enough memory for it all the same."""
        if self._forecast is None:
            return (
                f"the memory limit was reached with {self._counting.frontiers_found:,} frontier "
                "shapes found, before the memory of the count could be estimated"
            )
        return (
            f"the memory limit was reached; the estimate was about {self._forecast.states:,} "
            f"states in {self._forecast.memory_bytes:,} bytes"
        )

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Moves as the task's options; −1 stays."""
        return np.append(self._counting.problem.option, np.int32(NO_CELL))[rows]
