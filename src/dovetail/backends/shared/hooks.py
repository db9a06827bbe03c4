"""Triggers, repeated filters and traces of a request, as the arrays that kernels take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.kernel_search import KernelSearch
from dovetail.backends.shared.kernels import hooks as kernel
from dovetail.backends.shared.kernels.hooks import Hooks
from dovetail.models.packings.placements import Placements
from dovetail.models.request import Reduction, Trigger
from dovetail.models.sums import (
    cell_colours,
    parity_supply,
    placement_parities,
    table_of,
    too_large,
    volume_supply,
)
from dovetail.models.task import Task

TRACE_ROWS = 4096
# The bit of `Hooks.post_placement_actions` for each trigger and filter.
ACTIONS: dict[tuple[type, str], np.uint64] = {
    (Trigger, "parity"): kernel.PARITY_TRIGGER,
    (Trigger, "volume"): kernel.VOLUME_TRIGGER,
    (Reduction, "parity"): kernel.PARITY_FILTER,
    (Reduction, "volume"): kernel.VOLUME_FILTER,
    (Reduction, "fit"): kernel.FIT_FILTER,
}
NO_TRACE = np.empty((0, 2), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class ReachableSums:
    """Table of the sums that the remaining pieces can reach, and an index into the table.

    For parity, the index is the entry for the parity of the open cells. For volume, the index is
    the beginning of the row for the remaining pieces.
    """

    # Array `reachable` of a `SumTable`.
    reachable: NDArray[np.uint8]
    # Decrease of the index by each placement of the whole puzzle, shape (placements,).
    step: NDArray[np.uint64]
    # Index before the first placement.
    start: int

    def place(self, placed: NDArray[np.int64]) -> int:
        """Return the index into `reachable` after the placements `placed` of the whole puzzle."""
        return self.start - int(self.step[placed].sum())


@dataclass(frozen=True, eq=False)
class TriggerSpec:
    """Triggers, filters and trace of the search of a whole puzzle."""

    # Number of pieces of the whole puzzle.
    pieces: int
    # `Hooks.post_placement_actions` for the whole puzzle.
    post_placement_actions: NDArray[np.uint64]
    parity: ReachableSums
    volume: ReachableSums
    # True if placements are recorded.
    traced: bool
    # Entry `MIN_CELLS` of `Hooks.state`.
    min_cells: int = 0

    def hooks(
        self, placements: Placements, options: NDArray[np.integer], placed: NDArray[np.int64]
    ) -> Hooks:
        """Return the arrays for a search after the placements `placed` of the whole puzzle.

        `placements` are the placements left, and `options` their numbers in the whole puzzle.
        """
        pieces, cells = self.pieces - len(placed), placements.cell_count
        part, volume, empty, waiting = np.empty((4, cells), dtype=np.int32)
        state = np.zeros(kernel.STATE_SIZE, dtype=np.uint64)
        state[kernel.PARITY] = self.parity.place(placed)
        state[kernel.VOLUMES] = self.volume.place(placed)
        state[kernel.MIN_CELLS] = self.min_cells
        return Hooks(
            post_placement_actions=self.post_placement_actions[: pieces + 1],
            state=state,
            parity_reachable=self.parity.reachable,
            parity_step=self.parity.step[options],
            volume_reachable=self.volume.reachable,
            volume_step=self.volume.step[options],
            backtracks=np.zeros((2, pieces + 1), dtype=np.uint64),
            neighbours=np.ascontiguousarray(placements.neighbours),
            optional=np.ascontiguousarray(placements.optional),
            open_cell=np.zeros(cells, dtype=np.uint8),
            part=part,
            volume=volume,
            empty=empty,
            waiting=waiting,
            mark=np.full(cells, -1, dtype=np.int64),
            trace=np.empty((TRACE_ROWS if self.traced else 0, 2), dtype=np.int32),
        )


def needs_trigger_spec(task: Task) -> bool:
    """Return whether a task has triggers, repeated filters or a trace."""
    return bool(task.post_placement_rules) or task.request.trace is not None


def unsupported_triggers(task: Task) -> str | None:
    """Return why the triggers and filters of a task cannot be run, or None."""
    placements, about = task.placements, _about(task)
    if placements is None:
        return None
    supplies = {"parity": parity_supply, "volume": volume_supply}
    reasons = (
        too_large(supply(placements), name) for name, supply in supplies.items() if name in about
    )
    return next((reason for reason in reasons if reason is not None), None)


def goes_on_below(task: Task, remaining: int) -> bool:
    """Return whether a trigger or the trace acts on some of the last `remaining` placements."""
    trace = task.request.trace
    triggers = (rule for rule in task.post_placement_rules if isinstance(rule, Trigger))
    return (trace is not None and trace.down_to <= remaining) or any(
        trigger.down_to < remaining for trigger in triggers
    )


def build_trigger_spec(task: Task) -> TriggerSpec | None:
    """Return the trigger spec of a task whose triggers are supported; None if none is needed."""
    post_placement_rules, trace = task.post_placement_rules, task.request.trace
    placements, pieces = task.placements, task.options.placements_per_solution
    if not needs_trigger_spec(task):
        return None
    assert placements is not None
    assert pieces is not None
    post_placement_actions = np.zeros(pieces + 1, dtype=np.uint64)
    for rule in post_placement_rules:
        post_placement_actions[rule.down_to : pieces] |= ACTIONS[type(rule), str(rule.name)]
    if trace is not None:
        post_placement_actions[trace.down_to - 1 :] |= kernel.TRACE
    about = _about(task)
    return TriggerSpec(
        pieces=pieces,
        post_placement_actions=post_placement_actions,
        parity=_parity_sums(placements) if "parity" in about else _no_sums(placements),
        volume=_volume_sums(placements) if "volume" in about else _no_sums(placements),
        traced=trace is not None,
        min_cells=max((trigger.min_cells or 0 for trigger in task.request.triggers), default=0),
    )


def idle_trigger_spec() -> TriggerSpec:
    """Return a trigger spec without triggers for a puzzle of 1 placement, for compiling."""
    nothing = ReachableSums(np.ones(1, dtype=np.uint8), np.zeros(1, dtype=np.uint64), 0)
    return TriggerSpec(1, np.zeros(2, dtype=np.uint64), nothing, nothing, traced=False)


class HookedSearch(KernelSearch):
    """A search by a kernel that may take `Hooks`."""

    _hooks: Hooks | None = None

    def take_trace(self) -> NDArray[np.int32]:
        """Return the rows of the trace recorded since the last call, and empty the trace."""
        if self._hooks is None:
            return NO_TRACE
        filled = int(self._hooks.state[kernel.TRACED])
        self._hooks.state[kernel.TRACED] = 0
        return self._hooks.trace[:filled].copy()

    def _backtracks(self) -> dict[str, dict[int, int]] | None:
        return None if self._hooks is None else count_backtracks(self._hooks)

    def _clear_counts(self) -> None:
        super()._clear_counts()
        if self._hooks is not None:
            self._hooks.backtracks[:] = 0
            self.take_trace()


def count_backtracks(hooks: Hooks) -> dict[str, dict[int, int]]:
    """Return the backtracks of each trigger that is on, by pieces remaining."""
    actions = hooks.post_placement_actions
    return {
        name: {
            remaining: int(hooks.backtracks[row, remaining])
            for remaining in range(len(actions) - 1, -1, -1)
            if actions[remaining] & ACTIONS[Trigger, name]
        }
        for row, name in enumerate(("parity", "volume"))
        if np.any(actions & ACTIONS[Trigger, name])
    }


def renumbered(trace: NDArray[np.int32], options: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a trace of a sub-problem with placements numbered as in the whole problem."""
    if not len(trace):  # the usual case: the request has no trace
        return trace
    number, remaining = trace.T
    placed = options[np.where(number < 0, ~number, number)]
    return np.column_stack([np.where(number < 0, ~placed, placed), remaining])


def _about(task: Task) -> set[str]:
    """Return the properties that a task's triggers and filters check: parity, volume, fit."""
    return {str(rule.name) for rule in task.post_placement_rules}


def _parity_sums(placements: Placements) -> ReachableSums:
    table = table_of(parity_supply(placements))
    step = table.step[placements.shape] + placement_parities(placements)
    total = int(cell_colours(placements).sum())
    min_parity = -int(np.count_nonzero(cell_colours(placements) < 0))
    return ReachableSums(table.reachable, step.astype(np.uint64), table.start + total - min_parity)


def _volume_sums(placements: Placements) -> ReachableSums:
    table = table_of(volume_supply(placements))
    step = table.step[placements.shape]
    return ReachableSums(table.reachable, step.astype(np.uint64), table.start)


def _no_sums(placements: Placements) -> ReachableSums:
    return ReachableSums(np.ones(1, dtype=np.uint8), np.zeros(len(placements), dtype=np.uint64), 0)
