"""Rules of `auto` for cover problems and packing puzzles.

| cover problem | choice |
|---|---|
| small tree (estimated from the beginning of the search) | `bitset` |
| large tree, count only, states repeat | `zdd` |
| other | `bitset`, or `dlx` if the option table of `bitset` is too large |

| packing puzzle | choice |
|---|---|
| small tree (estimated from samples of levels) | `bitset` |
| unlimited copies of each piece, large tree, count only | `zdd` |
| in the plane, tables fit into memory, faster than a tree search | `frontier` |
| several copies of a piece, large tree, count only | `zdd` |
| boxes in a box with too many placements to size a tree | `skyline` |
| rectangles in a rectangle, many placements, large tree | `skyline` |
| other | the first of `bitset`, `fila` with `kernel=fast` and `dlx` that supports the puzzle |

`dlx` and `bitset` search the same nodes; `bitset` is about three times as fast or faster
(docs/solvers/bitset-measurements.md). `dlx` runs searches with triggers, with repeated filters or
with a random order of placements, without changing the request. In other searches, a piece breaks
symmetry: the choice of the redundancy filter, or, if the tree is large, the piece with the smallest
tree according to sampling.

The duration of `zdd` cannot be predicted to within a factor of ten. Therefore `zdd` is tried for a
share of the expected time of a tree search. If items are covered several times, a tree search is
slow, and the progress of the trial predicts when `zdd` ends. The predicted end is usually too late,
because repeated states make the rest of a search faster. Such a trial continues while its predicted
end is within 1.5 times the expected time of a tree search. If a tree search would end within the
time limit, a trial that continues leaves enough time for the tree search. If a tree search would
not end in time, the run can only report a lower bound, and the trial may take a larger share of the
time. A trial may be unfinished when the budget for choosing is used up. If there is no time limit,
or if the progress predicts an end in time, the trial then continues as the search of the run, with
the same guard.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from dovetail.backends.base import AnyBackend, Search
from dovetail.harness.planning import trials
from dovetail.harness.planning.trials import Choice, Choosing, TreeSize, Tryout
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job, PieceSelection
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.searches import Guard
from dovetail.harness.sizes import about, show_size
from dovetail.jit import compiling_in_two
from dovetail.models.formulations.boxes import not_boxes
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.placements import Shape
from dovetail.models.request import Reduction, ReductionName
from dovetail.models.task import Task

# Maximum number of nodes of a cover problem for which only `bitset` is tried.
SMALL_NODES = 20_000
# Minimum duration of a tree search for which `zdd` is tried, in seconds.
LARGE_S = 1.0
# Seconds per step of `zdd`.
STATE_STEP_S = 15e-9
# Maximum duration of the trial of `zdd`: a share of the duration of a tree search, or a share of
# the time limit if a tree search would not end in time, and at most `MAX_TRIAL_S`.
SHARE, ZDD_LIMIT_SHARE, MAX_TRIAL_S = 0.1, 1 / 4, 30.0
# Maximum predicted duration of a trial that continues, as a multiple of the duration of a tree
# search.
PROMISING = 1.5
# Minimum duration of a tree search for which an unfinished trial always continues if there is no
# time limit.
HOPELESS_S = 3600.0
# Maximum duration of a tree search for which the tables of `frontier` are not built.
QUICK_S = 0.02
# Seconds per step of `frontier` while it builds its tables.
WORK_S = 5e-9
# Maximum duration of building the tables of `frontier`: the duration of a tree search, within these
# bounds, or this share of the time limit if a tree search would not end in time.
MIN_STAGE_S, MAX_STAGE_S, TABLES_LIMIT_SHARE = 1.0, 600.0, 1 / 2
# Minimum duration of a tree search for which the tables of `frontier` are built beyond the budget
# for choosing, as a multiple of the budget.
LONGER = 2.0
# Rectangles with a large tree are left to `skyline` if they have more than this number of options.
# On puzzles of rectangles that were cut at random, `skyline` was faster than `bitset` on all eight
# puzzles with more options, but slower on some of the six puzzles with fewer options.
MAX_TREE_RECTANGLES = 2_000
# Number of estimates of the tree of `skyline`, number of nodes that an estimate samples of each
# level, and maximum number of nodes for measuring the speed. All estimates take 0.1 to 0.5 s. The
# speed is measured over many nodes, because the share of nodes that known states save grows during
# the first few hundred thousand nodes.
BOX_ESTIMATES, BOX_POPULATION, BOX_RATE_NODES = 10, 1_000, 600_000
# Minimum duration of a tree search for which a piece is selected by sampling, in seconds.
SAMPLING_PAYS_S = 1.0


def choose_for_cover(tryout: Tryout) -> Choosing:
    """Choose a backend for a cover problem; return None if no backend supports it."""
    task = tryout.task(tryout.job.request)
    bitset = tryout.candidate("bitset", task)
    if bitset is None:
        dlx = tryout.candidate("dlx", task)
        why = tryout.reasons() or "it supports every cover problem"
        return None if dlx is None else Choice(dlx, why)
    forecast_s = None
    if tryout.is_whole and not task.request.listing:
        beginning = yield from tryout.begin(bitset, SMALL_NODES)
        if not beginning.was_all:
            size = yield from tryout.size(bitset)
            by_states = yield from _by_states(tryout, size)
            if by_states is not None:
                return by_states
            if size is not None:
                forecast_s = yield from tryout.forecast_s(bitset, size.nodes, size.node_s)
    return Choice(bitset, "its table of options is small enough", forecast_s=forecast_s)


def choose_for_packing(tryout: Tryout, task: Task) -> Choosing:
    """Choose a backend for a packing puzzle; return None if no backend supports it.

    `task` is from `Tryout.symmetry_breaking_task`.
    """
    why = left_to_dlx(tryout.job)
    if why is not None:
        dlx = tryout.candidate("dlx", tryout.task(tryout.job.request))
        return None if dlx is None else Choice(dlx, why)
    assert task.placements is not None
    flat = task.placements.lattice.dimension == 2
    frontier = tryout.backend("frontier") if tryout.is_whole and flat else None
    # If the cache is empty, the kernels of `frontier` and of the estimate are compiled in parallel.
    with compiling_in_two(None if frontier is None else frontier.kernel_list):
        size = yield from tryout.tree_size(task)
        quick = size is not None and size.seconds <= QUICK_S
        free = _copies_are_free(task)
        choice = (yield from _by_states(tryout, size)) if free else None
        if choice is None and not quick and frontier is not None:
            choice = yield from _by_frontier(tryout, frontier, task, size)
    if choice is None and not free and any(shape.max_count > 1 for shape in _shapes(task)):
        choice = yield from _by_states(tryout, size)
    large = flat and size is not None and size.seconds > LARGE_S
    max_options = MAX_TREE_RECTANGLES if large else trials.MAX_OPTIONS
    choice = choice or (yield from _by_boxes(tryout, task, max_options))
    return choice or (yield from _by_tree(tryout, task, size))


def _by_boxes(tryout: Tryout, task: Task, max_options: int) -> Choosing:
    """Choose `skyline` for boxes with more than `max_options` placements; otherwise return None."""
    options, backend = task.options, tryout.backend("skyline")
    assert isinstance(options, PackingOptions)
    if backend is None or options.option_count <= max_options or not_boxes(options) is not None:
        return None
    candidate, forecast_s = tryout.candidate("skyline", tryout.settled_task(backend)), None
    if candidate is None:
        return None
    if tryout.is_whole:
        samples = yield from tryout.levels(candidate, BOX_ESTIMATES, BOX_POPULATION)
        if samples is not None:
            nodes = float(samples[:, :-1].sum(axis=1).mean())
            forecast_s = yield from tryout.forecast_s(candidate, nodes, rate_nodes=BOX_RATE_NODES)
    why = f"the pieces are boxes with {candidate.task.options.option_count:,} placements"
    return Choice(candidate, why, forecast_s=forecast_s)


def left_to_dlx(job: Job) -> str | None:
    """Return the reason why `dlx` must run a search as requested, or None if rules may choose."""
    if job.order is not None:
        return "the option order is random"
    if job.request.triggers or any(reduction.down_to for reduction in job.request.reductions):
        return "the run has triggers, or filters that run after every placement"
    return None


def _shapes(task: Task) -> tuple[Shape, ...]:
    assert task.placements is not None
    return task.placements.shapes


def _copies_are_free(task: Task) -> bool:
    """Return whether the numbers of copies restrict no solution.

    States of the search then need not contain the number of copies used.
    """
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


def _by_states(tryout: Tryout, size: TreeSize | None) -> Choosing:
    """Choose `zdd` if the whole count is requested and `zdd` is promising.

    Returns None otherwise, and if a tree search is fast or the size of its tree is unknown.
    """
    request = tryout.job.request
    if request.listing or not tryout.is_whole or size is None or size.seconds < LARGE_S:
        return None
    task = tryout.task(request)
    from dovetail.backends.zdd.search import counts_by_states  # imports the kernels of `zdd`

    if not counts_by_states(task):
        tryout.refusals["zdd"] = "it would have to list all solutions"
        return None
    candidate = tryout.candidate("zdd", task)
    if candidate is None:
        return None
    limit_s = tryout.job.limits.time_s
    trial_s, promising_s = _trial_s(size.seconds, limit_s)
    guard = _StateGuard(trial_s, 0.0 if task.cover.unit_bounds else promising_s)
    trial = yield from tryout.attempt(candidate, guard, lambda _: False)
    if trial is None:
        tryout.refusals["zdd"] = "it was not tried in the time for choosing"
        return None
    search, continuing = trial.search, None
    if trial.ended:
        why = "its trial completed the search"
    elif size.seconds >= HOPELESS_S and limit_s is None and search.reason is None:
        why = "its states repeat"
    elif (
        trial.unfinished
        and tryout.may_go_on(candidate)
        and (limit_s is None or guard.foresees_end(search))
    ):
        why, continuing = "its trial continues as the search", guard
    else:
        tryout.refusals["zdd"] = guard.reason or guard.not_finished
        return None
    return Choice(candidate, tryout.reasons(why, str(size)), search, continuing)


class _StateGuard(Guard):
    """Stops `zdd` after `trial_s` unless its progress predicts an end within `promising_s`."""

    def __init__(self, trial_s: float, promising_s: float) -> None:
        super().__init__()
        self._max_work, self._promising_work = trial_s / STATE_STEP_S, promising_s / STATE_STEP_S

    def problem(self, search: Search) -> str | None:
        if self.work < self._max_work or self.foresees_end(search):
            return None
        return search.reason or self.not_finished

    def foresees_end(self, search: Search) -> bool:
        """Return whether the progress of `search` predicts an end within `promising_s`."""
        return (search.work or 0) <= (search.progress() or 0.0) * self._promising_work

    @property
    def not_finished(self) -> str:
        return f"it was not finished after a trial of {self.work:,} steps"


def _trial_s(tree_s: float, limit_s: float | None) -> tuple[float, float]:
    """Return two time limits of a trial of `zdd` in seconds.

    The trial may exceed the first limit while its progress predicts an end within the second limit.
    `tree_s` is the duration of a tree search, and `limit_s` is the time limit of the run.
    """
    trial_s, promising_s = SHARE * tree_s, PROMISING * tree_s
    if limit_s is not None and tree_s < limit_s:
        promising_s = min(promising_s, limit_s - tree_s)
    elif limit_s is not None:
        trial_s, promising_s = ZDD_LIMIT_SHARE * limit_s, limit_s
    return min(MAX_TRIAL_S, trial_s), promising_s


def _by_frontier(
    tryout: Tryout, backend: AnyBackend, task: Task, size: TreeSize | None
) -> Choosing:
    """Choose `frontier` if it supports the task, unless a tree search is expected to be faster.

    Returns None otherwise, and if the tables are too large or take too long to build.
    """
    if tryout.candidate(backend.name, task) is None or tryout.is_over():
        return None
    candidate = tryout.candidate(backend.name, tryout.settled_task(backend))
    if candidate is None:
        return None
    limits = tryout.job.limits
    free_bytes = MemoryLimit(limits.memory_bytes).free_bytes
    guard = _TableGuard(_tables_s(size, limits.time_s), free_bytes, size)
    trial = yield from tryout.attempt(candidate, guard, lambda search: search.prepared)
    is_long = size is not None and size.seconds >= LONGER * tryout.budget.seconds
    continues = trial is not None and tryout.may_go_on(candidate) and is_long
    if trial is None or guard.reason is not None or (trial.unfinished and not continues):
        no_tables = "its tables were not built in the time for choosing"
        tryout.refusals[backend.name] = guard.reason or no_tables
        return None
    if trial.unfinished:
        return Choice(candidate, f"its tables are still being built; {size}", trial.search, guard)
    why, forecast, forecast_s = "its tables already contain the answer", trial.search.forecast, None
    if forecast is not None:
        why = f"about {about(forecast.states)} states expected ({show_size(forecast.memory_bytes)})"
        forecast_s = forecast.solve_s
    why = why if size is None else f"{why}; {size}"
    return Choice(candidate, why, trial.search, forecast_s=forecast_s)


class _TableGuard(Guard):
    """Stops `frontier` if its tables take too long or are too large, or a tree search is faster."""

    def __init__(self, max_s: float, free_bytes: int, size: TreeSize | None) -> None:
        super().__init__()
        self._max_work, self._free_bytes, self._size = int(max_s / WORK_S), free_bytes, size

    def problem(self, search: Search) -> str | None:
        forecast = search.forecast
        if forecast is None:
            if search.prepared or self.work < self._max_work:
                return None
            return "building its tables would take too long"
        if forecast.memory_bytes > self._free_bytes:
            needed, available = show_size(forecast.memory_bytes), show_size(self._free_bytes)
            return f"it would need {needed} of memory; {available} is available"
        slower = 0.0 if self._size is None else forecast.solve_s / max(self._size.seconds, 1e-9)
        return (
            f"it would take {about(slower)} times as long as a tree search" if slower > 1 else None
        )


def _tables_s(size: TreeSize | None, limit_s: float | None) -> float:
    """Return the maximum number of seconds for building the tables of `frontier`.

    The maximum is the duration of a tree search, within bounds, or the upper bound if this duration
    is unknown. If the duration and a time limit are known, the maximum leaves enough time for a
    tree search that would end within the limit, or is at most a share of the limit.
    """
    if size is None:
        return MAX_STAGE_S
    max_s = min(MAX_STAGE_S, max(MIN_STAGE_S, size.seconds))
    if limit_s is None:
        return max_s
    in_time = size.seconds < limit_s
    return min(max_s, limit_s - size.seconds if in_time else TABLES_LIMIT_SHARE * limit_s)


def _by_tree(tryout: Tryout, task: Task, size: TreeSize | None) -> Choosing:
    """Choose the first tree search that supports the task; return None if no tree search does."""
    selection = None
    long = size is not None and size.seconds >= SAMPLING_PAYS_S
    if tryout.is_whole and long and not tryout.is_over():
        task, selection = yield from _best_piece(tryout, task)
    for name, settings in (("bitset", {}), ("fila", _fila_settings(task)), ("dlx", {})):
        candidate = tryout.candidate(name, task, **settings)
        if candidate is None:
            continue
        forecast_s = None
        if name == "bitset" and size is None and tryout.is_whole:
            size = yield from tryout.size(candidate)
        if name == "bitset" and size is not None:
            nodes, node_s = size.nodes, size.node_s
            if selection is not None:
                for piece in selection.pieces:
                    if piece.piece == selection.chosen and piece.estimate is not None:
                        nodes, node_s = float(piece.estimate), None
            forecast_s = yield from tryout.forecast_s(candidate, nodes, node_s)
        why = tryout.reasons("" if size is None else str(size)) or "no trial was run"
        return Choice(candidate, why, piece_selection=selection, forecast_s=forecast_s)
    return None


def _best_piece(
    tryout: Tryout, task: Task
) -> Generator[Event, None, tuple[Task, PieceSelection | None]]:
    """Select the piece that breaks symmetry by sampling; return its task and the selection.

    The task is unchanged and the selection is None if the request already breaks symmetry, if there
    is no symmetry to break, if the task has more than `trials.MAX_SAMPLED` options, or if `bitset`
    refuses the task.
    """
    requested = tryout.job.request
    bitset = tryout.candidate("bitset", task)
    is_small = task.options.option_count <= trials.MAX_SAMPLED
    if bitset is None or not is_small or task.request.reductions == requested.reductions:
        return task, None
    by_sampling = (Reduction(ReductionName.PROBE), *requested.reductions)
    request, selection = yield from tryout.piece_selection(
        replace(requested, reductions=by_sampling), bitset
    )
    return tryout.task(request), selection


def _fila_settings(task: Task) -> dict[str, object]:
    """Return settings with which `fila` first places the piece that breaks symmetry.

    Afterwards, `fila` fills the cell with the fewest choices. No piece is placed first if solutions
    differ in their number of pieces or have fewer than 2 pieces.
    """
    pieces = task.options.placements_per_solution
    stages = ["e"] if pieces is None or pieces < 2 else ["piece", f"e@{pieces - 1}"]
    return {"kernel": "fast", "stages": stages}
