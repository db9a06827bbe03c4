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

from dovetail.backends.base import AnyBackend
from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.costs import WORK_S, about, about_s, tree_search_s
from dovetail.harness.planning.states import choose_zdd
from dovetail.harness.planning.tryout import Tryout
from dovetail.harness.run.events import Event, PieceSelection
from dovetail.harness.run.job import Job
from dovetail.harness.sizes import show_size
from dovetail.jit import compiling_in_two
from dovetail.models.placements import Shape
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import Task

QUICK_S = 0.02  # of a tree search: in less than that no tables are built
MAX_OPTIONS = 20_000  # beyond which building tables for a trial takes too long
MIN_STAGE_S, MAX_STAGE_S = 1.0, 600.0  # that frontier's tables may take to build
SAMPLING_PAYS_S = 1.0  # of a tree search
MAX_SAMPLED = 10_000  # options; of more no estimates are quick, and short searches take minutes


@dataclass(frozen=True)
class _Tree:
    """About how many nodes a search by fewest choices makes, and how long that takes."""

    nodes: float
    seconds: float

    def __str__(self) -> str:
        seconds = about_s(self.seconds)
        return f"a tree search would need about {about(self.nodes)} nodes ({seconds})"


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
            choice = yield from _by_frontier(tryout, frontier, tree)
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
    volumes[placements.shape] = (placements.cells >= 0).sum(axis=1)
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
    nodes = yield from tryout.size(bitset)
    return None if nodes is None else _Tree(nodes, tree_search_s(nodes, task))


def _suits_frontier(tryout: Tryout, task: Task) -> bool:
    """Whether `frontier` is worth a look: in the plane, where it is to go through the whole."""
    assert task.placements is not None
    return tryout.is_whole and task.placements.lattice.dimension == 2


def _by_states(tryout: Tryout, tree: _Tree | None) -> Choosing:
    """The choice of `zdd`, None where it does not pay or the size of the tree is not known."""
    if tree is None:
        return None
    return (yield from choose_zdd(tryout, tryout.task(tryout.job.request), tree.nodes))


def _by_frontier(tryout: Tryout, backend: AnyBackend, tree: _Tree | None) -> Choosing:
    """The choice of `frontier`, None where its tables do not fit or a tree search is faster."""
    candidate = tryout.candidate(backend.name, tryout.settled_task(backend))
    if candidate is None:
        return None
    max_s = MAX_STAGE_S if tree is None else min(MAX_STAGE_S, max(MIN_STAGE_S, tree.seconds))
    trial = yield from tryout.stage(candidate, int(max_s / WORK_S))
    forecast, problem = trial.forecast, trial.problem
    if problem is None and forecast is not None and tree is not None:
        slower = forecast.solve_s > tree.seconds
        problem = f"it would take {about_s(forecast.solve_s)}" if slower else None
    if problem is not None:
        tryout.refusals[backend.name] = problem
        return None
    why = "its tables already contain the answer"
    if forecast is not None:
        size, seconds = show_size(forecast.memory_bytes), about_s(forecast.solve_s)
        why = f"about {about(forecast.states)} states expected ({size}, {seconds})"
    return Choice(candidate, why if tree is None else f"{why}; {tree}", search=trial.search)


def _by_tree(tryout: Tryout, task: Task, tree: _Tree | None) -> Choosing:
    """The choice of a tree search."""
    piece_selection = None
    if tryout.is_whole and tree is not None and tree.seconds >= SAMPLING_PAYS_S:
        task, piece_selection = yield from _best_piece(tryout, task)
    for name, settings in (("bitset", {}), ("fila", _fila_settings(task)), ("dlx", {})):
        candidate = tryout.candidate(name, task, **settings)
        if candidate is not None:
            parts = [str(tree)] if tree is not None else []
            parts += [tryout.refused] if tryout.refusals else []
            why = "; ".join(parts) or "no trial was made"
            return Choice(candidate, why, piece_selection=piece_selection)
    return None


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
