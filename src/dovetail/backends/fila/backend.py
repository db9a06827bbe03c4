"""The backend `fila`: Busche's fixed image list algorithm, in numba.

Source: M. Busche, "A fixed image list algorithm" (FILA), 2018. De Bruijn's algorithm, MCH and
EMCH are its heuristics f, s and e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config
from dovetail.backends.fila.descent import Descent
from dovetail.backends.fila.stages import PIECE, Stages
from dovetail.backends.fila.tables import sub_problem
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import Placements, Shape
from dovetail.models.task import Task


@dataclass(frozen=True)
class FilaConfig(Config):
    """`stages`: which heuristic picks the next target, by pieces remaining; see `Stages`.

    `nof`: whether image lists are told apart by the occupancy of a target's neighbours.
    """

    stages: str = "f"
    nof: bool = True

    def __post_init__(self) -> None:
        Stages.parse(self.stages)


class Fila:
    """Takes packing puzzles whose pieces are used a fixed number of times and fill everything."""

    name = "fila"
    summary = "fixed image lists (Busche), heuristics f, e, s and piece, with NOF and POF (numba)"
    control: Literal["slices"] = "slices"
    extra = None
    config_type = FilaConfig

    def missing(self) -> str | None:
        return None

    def refuses(self, task: Task, config: Config) -> str | None:
        assert isinstance(config, FilaConfig)
        if task.placements is None:
            return "it takes packing puzzles only"
        if task.placements.optional.any():
            return "it takes regions whose every cell is filled, and here some may stay empty"
        pieces = task.options.placements_per_solution
        if pieces is None:
            return "it takes pieces that are used a fixed number of times"
        return Stages.parse(config.stages).misfit(pieces)

    def warm_up(self) -> None:
        from dovetail.models.lattice import SquareLattice

        tiny = Placements(
            shapes=(Shape(("A",), 1, 1),),
            shape=np.zeros(1, dtype=np.int32),
            cells=np.zeros((1, 1), dtype=np.int32),
            coordinates=np.zeros((1, 1), dtype=np.int64),
            optional=np.zeros(1, dtype=bool),
            lattice=SquareLattice(1),
        )
        search = FilaSearch(tiny, 1, FilaConfig("e"))
        while search.advance(Budget(work=10)) is None:
            pass

    def prepare(self, task: Task, config: Config) -> FilaSearch:
        assert isinstance(config, FilaConfig)
        assert task.placements is not None
        assert task.options.placements_per_solution is not None
        return FilaSearch(task.placements, task.options.placements_per_solution, config)


class FilaSearch:
    """One sub-problem after another: the whole, or one for each image of the first target."""

    def __init__(self, placements: Placements, pieces: int, config: FilaConfig) -> None:
        self._placements, self._pieces, self._nof = placements, pieces, config.nof
        stages = Stages.parse(config.stages)
        self._heuristic = stages.by_remaining(pieces)
        self._attempts = np.zeros(pieces + 1, dtype=np.uint64)
        self._fits = np.zeros(pieces + 1, dtype=np.uint64)
        self._roots = [np.empty(0, dtype=np.int64)]
        if stages.first == PIECE and pieces > 0:
            self._roots = list(fewest_images(placements)[:, None])
        self._next_root = 0
        self._finished = 0  # solutions of sub-problems that are done
        self._current: Descent | None = None
        if len(self._roots) == 1 and len(self._roots[0]) == 0:
            self._current = self._begin(self._roots[0])  # no placement is made: tables only
        self._taken: list[NDArray[np.int32]] = []

    @property
    def count(self) -> int:
        done = 0 if self._current is None else self._current.solutions
        return self._finished + done

    @property
    def counters(self) -> Counters:
        by = range(self._pieces, 0, -1)
        return Counters(
            int(self._fits.sum()),
            int(self._attempts.sum()),
            {r: int(self._attempts[r]) for r in by},
            {r: int(self._fits[r]) for r in by},
        )

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        if self._next_root == len(self._roots):
            return Status.EXHAUSTED
        if self._current is None:
            if budget.nodes is not None and budget.nodes <= 0:
                return Status.NODE_LIMIT
            self._current = self._begin(self._roots[self._next_root])
            return None  # what was placed counts against the budget
        reason = self._current.advance(budget)
        self._taken.append(self._current.take())
        if reason == Status.EXHAUSTED:
            self._finished += self._current.solutions
            self._current = None
            self._next_root += 1
            return None if self._next_root < len(self._roots) else Status.EXHAUSTED
        return reason

    def take(self) -> NDArray[np.int32]:
        taken, self._taken = self._taken, []
        return np.concatenate([np.empty((0, self._pieces), dtype=np.int32), *taken])

    def progress(self) -> float | None:
        return self._next_root / len(self._roots) if self._roots else None

    def _begin(self, root: NDArray[np.int64]) -> Descent:
        """Make the placements of `root` and build the tables of what is left."""
        for depth in range(len(root)):
            self._attempts[self._pieces - depth] += np.uint64(1)
            self._fits[self._pieces - depth] += np.uint64(1)
        problem = sub_problem(self._placements, root)
        counters = (self._attempts, self._fits)
        return Descent(problem, root, self._heuristic, counters, nof=self._nof)


def fewest_images(placements: Placements) -> NDArray[np.int64]:
    """The images of the cell or piece that has the fewest: cells before pieces, the first such."""
    by_cell = np.bincount(placements.cells[placements.cells >= 0], minlength=placements.cell_count)
    by_shape = np.bincount(placements.shape, minlength=len(placements.shapes))
    counts = np.concatenate([by_cell, by_shape])
    target = int(counts.argmin())
    if target < placements.cell_count:
        return np.flatnonzero((placements.cells == target).any(axis=1))
    return np.flatnonzero(placements.shape == target - placements.cell_count)
