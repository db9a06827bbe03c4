"""Searches of backends in this process: to their ends, and cut at random moments."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.backends.base import AnyBackend, Budget, Config, Search
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.puzzles.loading import load

WHOLE = SubProblem()


class Walk:
    """A whole search in parts, cut again and again at random moments."""

    def __init__(
        self,
        task: Task,
        backend: str,
        seed: int,
        max_work: int,
        part: SubProblem = WHOLE,
        config: Config | None = None,
        passes_over: bool = False,
        max_cuts: int = 2_000,
    ) -> None:
        self._passes_over = passes_over  # nodes where the search cannot be cut
        self._max_cuts = max_cuts
        self.solutions: list[tuple[int, ...]] = []
        self.fits, self.attempts = Counter[int](), Counter[int]()
        self.nodes = self.cuts = 0
        self._task, self._backend = task, backend_named(backend)
        self._config = config or self._backend.config_type()
        self._random, self._max_work = random.Random(seed), max_work
        self._go_on(part)

    def _go_on(self, part: SubProblem) -> None:
        search = self._backend.prepare(self._task, self._config)
        search.begin_within(part)
        status = search.advance(Budget(work=self._random.randint(1, self._max_work)))
        found = search.take()
        while status is None and self.cuts > self._max_cuts:  # enough: to the end
            status = search.advance(Budget(work=100_000))
            found = np.concatenate([found, search.take()])
        while self._passes_over and status is None and search.remaining() is None:
            status = search.advance(Budget(work=self._random.randint(1, self._max_work)))
            found = np.concatenate([found, search.take()])
        self.solutions += [tuple(sorted(row[row >= 0].tolist())) for row in found]
        self.nodes += search.counters.nodes or 0
        self.fits.update(search.counters.fits_by_remaining or {})
        self.attempts.update(search.counters.attempts_by_remaining or {})
        left = search.remaining()
        if status is not None:
            assert not left
            return
        assert left is not None
        self.cuts += len(left) > 0
        for one in left:
            self._go_on(one)


def run_out(search: Search, work: int = 10**7) -> list[list[int]]:
    """Run a search to its end, `work` at a time; return its solutions in order."""
    solutions, status = list[list[int]](), None
    while status is None:
        status = search.advance(Budget(work))
        solutions += [[o for o in row if o >= 0] for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    return solutions


def searched(
    task: Task, backend: str, config: Config | None = None
) -> tuple[list[tuple[int, ...]], Counters]:
    """The solutions of a task in their order, and what the search counted."""
    solver = backend_named(backend)
    search = solver.prepare(task, config or solver.config_type())
    return [tuple(sorted(row)) for row in run_out(search, 100_000)], search.counters


def lowered(
    puzzle: Puzzle | str,
    backend: str,
    settings: Mapping[str, object],
    reduce: Sequence[str] = (),
    symmetry: Symmetry = Symmetry.ALL,
) -> tuple[AnyBackend, Task, Config]:
    """A backend, a task after reductions, and the config with these settings."""
    solver = backend_named(backend)
    request = Request(symmetry, reductions=tuple(map(Reduction.parse, reduce)))
    task = build_task(load(puzzle) if isinstance(puzzle, str) else puzzle, request)
    return solver, task, build_config(solver.config_type, settings, backend)


@st.composite
def fewer_options(draw: st.DrawFn, task: Task) -> Task:
    """A task on a board as it is, or without some of its options, as after a reduction."""
    assert task.edges is not None
    kept, numbers = draw(st.sampled_from([1.0, 1.0, 0.95, 0.8])), range(task.edges.option_count)
    chance = random.Random(draw(st.integers(0, 10**6)))
    chosen = [option for option in numbers if chance.random() <= kept]
    return replace(task, options=task.edges.subset(np.array(chosen, dtype=np.int64)))


def near(rows: NDArray[np.float64], truth: Sequence[float], min_count: int) -> NDArray[np.bool_]:
    """Assert that estimates have means within five standard errors of the truth.

    An error is known where many descents come; few reach the last levels. Return where it is.
    """
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    known: NDArray[np.bool_] = np.count_nonzero(rows, axis=0) >= min_count
    assert (np.abs(rows.mean(axis=0) - truth) <= 5 * error + 1e-9)[known].all()
    return known
