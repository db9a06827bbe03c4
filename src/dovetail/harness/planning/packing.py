"""`auto` for packing puzzles.

| puzzle | choice |
|---|---|
| a small tree, by random descents | `bitset` |
| as many copies of each piece as fit, where a large tree need not be gone through | `zdd` |
| in the plane, where the tables fit and are faster than a tree search | `frontier` |
| several copies of a piece, where a large tree need not be gone through | `zdd` |
| any other | `bitset`, else `fila` with its fast kernel, else `dlx` |

Searches with triggers or repeated filters, or that take placements in a random order, are left to
`dlx` as they are asked for. In others a piece breaks symmetry: that of the redundancy filter, or,
where the tree is large, the one with the smallest tree by a probe.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from dovetail.backends.base import AnyBackend, Search
from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.costs import WORK_S, about, tree_search_s
from dovetail.harness.planning.states import choose_zdd
from dovetail.harness.planning.trials import OnTrial
from dovetail.harness.planning.tryout import TreeSize, Tryout
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import PieceSelection
from dovetail.harness.sizes import show_size
from dovetail.jit import compiling_in_two
from dovetail.models.placements import Shape
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import Task

QUICK_S = 0.02  # of a tree search: in less than that no tables are built
MAX_OPTIONS = 20_000  # beyond which building tables for a trial takes too long
MIN_STAGE_S, MAX_STAGE_S = 1.0, 600.0  # that frontier's tables may take to build
LIMIT_SHARE = 1 / 2  # for them, of a limit on time in which a tree search would not end
LONGER = 2.0  # times that for choosing, a tree search takes for which tables are built on
SAMPLING_PAYS_S = 1.0  # of a tree search
MAX_SAMPLED = 10_000  # options; of more no estimates are quick, and short searches take minutes


@dataclass(frozen=True)
class _Tree:
    """About how large the tree of a search by fewest choices is, and how long that takes.

    `seconds` are by fixed costs, so that a puzzle gets the same choice everywhere.
    """

    size: TreeSize
    seconds: float

    def __str__(self) -> str:
        return f"a tree search would need about {about(self.size.nodes)} nodes"


def choose_for_packing(tryout: Tryout, task: Task) -> Choosing:
    """Choose for the job's puzzle, symmetry broken by a piece; None where no backend takes it."""
    job = tryout.job
    why = _left_to_dlx(job)
    if why is not None:
        dlx = tryout.candidate("dlx", tryout.task(job.request))
        return None if dlx is None else Choice(dlx, why)
    frontier = tryout.backend("frontier") if _suits_frontier(tryout, task) else None
    # From cold its kernels are compiled beside those that tell whether they are needed.
    with compiling_in_two(None if frontier is None else frontier.kernel_list):
        tree = yield from _tree(tryout, task)
        quick = tree is not None and tree.seconds <= QUICK_S
        free = _copies_are_free(task)
        choice = (yield from _by_states(tryout, tree)) if free else None
        if choice is None and not quick and frontier is not None:
            choice = yield from _by_frontier(tryout, frontier, task, tree)
    if choice is None and not free and any(shape.max_count > 1 for shape in _shapes(task)):
        choice = yield from _by_states(tryout, tree)
    return choice or (yield from _by_tree(tryout, task, tree))


def _shapes(task: Task) -> tuple[Shape, ...]:
    assert task.placements is not None
    return task.placements.shapes


def _copies_are_free(task: Task) -> bool:
    """Whether numbers of copies restrict no solution, so that states need not tell them apart."""
    placements, shapes = task.placements, _shapes(task)
    assert placements is not None
    if len(shapes) == 1:
        return shapes[0].max_count > 1
    volumes = np.zeros(len(shapes), dtype=np.int64)
    volumes[placements.shape] = placements.sizes
    return all(
        shape.min_count == 0 and shape.max_count * volume >= placements.cell_count
        for shape, volume in zip(shapes, volumes.tolist(), strict=True)
        if volume
    )


def _left_to_dlx(job: Job) -> str | None:
    """Why a search is left to `dlx` as it is asked for, None if it is not."""
    if job.order is not None:
        return "the option order is random"
    if job.request.triggers or any(reduction.down_to for reduction in job.request.reductions):
        return "the run has triggers, or filters that run after every placement"
    return None


def _tree(tryout: Tryout, task: Task) -> Generator[Event, None, _Tree | None]:
    """The tree of a search by fewest choices; None where that takes too long to tell."""
    small = task.options.option_count <= MAX_OPTIONS
    bitset = tryout.candidate("bitset", task) if small else None
    if bitset is None:
        return None
    size = yield from tryout.size(bitset)
    return None if size is None else _Tree(size, tree_search_s(size.nodes, task))


def _suits_frontier(tryout: Tryout, task: Task) -> bool:
    """Whether `frontier` is worth a look: in the plane, where it is to go through the whole."""
    assert task.placements is not None
    return tryout.is_whole and task.placements.lattice.dimension == 2


def _by_states(tryout: Tryout, tree: _Tree | None) -> Choosing:
    """The choice of `zdd`, None where it does not pay or the size of the tree is not known."""
    if tree is None:
        return None
    return (yield from choose_zdd(tryout, tryout.task(tryout.job.request), tree.size.nodes))


def _by_frontier(tryout: Tryout, backend: AnyBackend, task: Task, tree: _Tree | None) -> Choosing:
    """The choice of `frontier`, None where its tables do not fit or a tree search is faster."""
    if tryout.candidate(backend.name, task) is None or tryout.is_over():
        return None
    candidate = tryout.candidate(backend.name, tryout.settled_task(backend))
    if candidate is None:
        return None
    memory_bytes = tryout.job.limits.memory_bytes
    free_bytes = MemoryLimit(memory_bytes).free_bytes
    rule = _TableRule(_table_work(tree, tryout.job.limits.time_s), free_bytes, tree)
    trial = yield from tryout.attempt(candidate, rule, lambda search: search.prepared)
    if trial is None or trial.problem is not None:
        tryout.refusals[backend.name] = _NO_TABLES if trial is None else str(trial.problem)
        return None
    if trial.unfinished:
        if not (tryout.may_go_on(candidate) and _pays_on(tryout, tree)):
            tryout.refusals[backend.name] = _NO_TABLES
            return None
        why = f"its tables are still being built; {tree}"
        return Choice(candidate, why, search=OnTrial(trial.search, rule, trial.work))
    why, forecast, forecast_s = "its tables already contain the answer", trial.search.forecast, None
    if forecast is not None:
        why = f"about {about(forecast.states)} states expected ({show_size(forecast.memory_bytes)})"
        forecast_s = forecast.solve_s
    why = why if tree is None else f"{why}; {tree}"
    return Choice(candidate, why, search=trial.search, forecast_s=forecast_s)


_NO_TABLES = "its tables were not built in the time for choosing"


@dataclass(frozen=True)
class _TableRule:
    """Gives up tables that take too long to build, do not fit, or do not pay."""

    max_work: int
    free_bytes: int
    tree: _Tree | None

    def __call__(self, search: Search, work: int) -> str | None:
        forecast = search.forecast
        if forecast is not None and forecast.memory_bytes > self.free_bytes:
            needed, there = show_size(forecast.memory_bytes), show_size(self.free_bytes)
            return f"it would need {needed} of memory; {there} is available"
        if forecast is not None and self.tree is not None:
            slower = forecast.solve_s / max(self.tree.seconds, 1e-9)
            if slower > 1:
                return f"it would take {about(slower)} times as long as a tree search"
        if forecast is None and not search.prepared and work >= self.max_work:
            return "building its tables would take longer than a tree search"
        return None


def _table_work(tree: _Tree | None, limit_s: float | None) -> int:
    """How many steps building tables may take: no more than a tree search, in time before it."""
    max_s = MAX_STAGE_S
    if tree is not None:
        max_s = min(max_s, max(MIN_STAGE_S, tree.seconds))
        if limit_s is not None:
            in_time = tree.seconds < limit_s
            max_s = min(max_s, limit_s - tree.seconds if in_time else LIMIT_SHARE * limit_s)
    return int(max_s / WORK_S)


def _pays_on(tryout: Tryout, tree: _Tree | None) -> bool:
    """Whether tables that outlast the time for choosing are built on, as a tree search is long."""
    long_s = LONGER * tryout.budget.seconds
    return tree is not None and tree.seconds >= long_s


def _by_tree(tryout: Tryout, task: Task, tree: _Tree | None) -> Choosing:
    """The choice of a tree search."""
    piece_selection = None
    if (
        tryout.is_whole
        and tree is not None
        and tree.seconds >= SAMPLING_PAYS_S
        and not tryout.is_over()
    ):
        task, piece_selection = yield from _best_piece(tryout, task)
    for name, settings in (("bitset", {}), ("fila", _fila_settings(task)), ("dlx", {})):
        candidate = tryout.candidate(name, task, **settings)
        if candidate is not None:
            forecast_s = None
            if name == "bitset" and tree is not None:
                size = _size_with_piece(tree.size, piece_selection)
                forecast_s = yield from tryout.forecast_s(candidate, size)
            parts = [str(tree)] if tree is not None else []
            parts += [tryout.refused] if tryout.refusals else []
            why = "; ".join(parts) or "no trial was made"
            return Choice(candidate, why, piece_selection=piece_selection, forecast_s=forecast_s)
    return None


def _size_with_piece(size: TreeSize, selection: PieceSelection | None) -> TreeSize:
    """The size of the tree with the piece that sampling selected."""
    if selection is None:
        return size
    estimates = {piece.piece: piece.estimate for piece in selection.pieces}
    estimate = estimates.get(selection.chosen or "")
    return size if estimate is None else TreeSize(float(estimate))


def _best_piece(
    tryout: Tryout, task: Task
) -> Generator[Event, None, tuple[Task, PieceSelection | None]]:
    """The task with the piece for symmetry breaking selected by sampling, if the choice is free."""
    asked = tryout.job.request
    bitset = tryout.candidate("bitset", task)
    is_small = task.options.option_count <= MAX_SAMPLED
    if bitset is None or not is_small or task.request.reductions == asked.reductions:
        return task, None
    by_sampling = (Reduction(ReductionName.PROBE), *asked.reductions)
    request, piece_selection = yield from tryout.piece_selection(
        replace(asked, reductions=by_sampling), bitset
    )
    return tryout.task(request), piece_selection


def _fila_settings(task: Task) -> dict[str, object]:
    """Settings of `fila`: the piece that breaks symmetry first, then the cell with fewest fits."""
    pieces = task.options.placements_per_solution
    stages = ["e"] if pieces is None or pieces < 2 else ["piece", f"e@{pieces - 1}"]
    return {"kernel": "fast", "stages": stages}
