"""From what a request wants watched to the arrays that kernels are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dovetail.models.parity import cell_colours, parity_supply, placement_parities
from dovetail.models.placements import Placements
from dovetail.models.request import Reduction, Trigger
from dovetail.models.sums import table_of, too_large
from dovetail.models.task import Task
from dovetail.models.volumes import volume_supply

if TYPE_CHECKING:
    from dovetail.backends.kernels.hooks import Hooks

TRACE_ROWS = 4096
NO_TRACE = np.empty((0, 2), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Ledger:
    """How placements change what the pieces that are left can add up to.

    `reachable` is a `SumTable`'s; `step` says how far back each placement of the whole puzzle
    takes the place in it, shape (n,), uint64; `start` is the place before the first.
    """

    reachable: NDArray[np.uint8]
    step: NDArray[np.uint64]
    start: int

    def place(self, placed: NDArray[np.int64]) -> int:
        """The place when some placements have been made."""
        return self.start - int(self.step[placed].sum())


@dataclass(frozen=True, eq=False)
class Watch:
    """What is watched while the whole puzzle of so many `pieces` is searched.

    `duties` is that of `Hooks` for the whole puzzle; `traced` is whether placements are noted.
    """

    pieces: int
    duties: NDArray[np.uint64]
    parity: Ledger
    volume: Ledger
    traced: bool

    def hooks(
        self, placements: Placements, options: NDArray[np.integer], placed: NDArray[np.int64]
    ) -> Hooks:
        """The arrays for a search of `placements`, which are `options` in the whole puzzle.

        They are what is left when the placements `placed` of the whole puzzle have been made.
        """
        from dovetail.backends.kernels import hooks as kernel  # imports numba

        pieces, cells = self.pieces - len(placed), placements.cell_count
        state = np.zeros(kernel.STATE_SIZE, dtype=np.uint64)
        state[kernel.PARITY] = self.parity.place(placed)
        state[kernel.VOLUMES] = self.volume.place(placed)
        return kernel.Hooks(
            duties=self.duties[: pieces + 1],
            state=state,
            parity_reachable=self.parity.reachable,
            parity_step=self.parity.step[options],
            volume_reachable=self.volume.reachable,
            volume_step=self.volume.step[options],
            fired=np.zeros((2, pieces + 1), dtype=np.uint64),
            neighbours=np.ascontiguousarray(placements.neighbours),
            optional=np.ascontiguousarray(placements.optional),
            open_cell=np.zeros(cells, dtype=np.uint8),
            part=np.empty(cells, dtype=np.int32),
            volume=np.empty(cells, dtype=np.int32),
            empty=np.empty(cells, dtype=np.int32),
            waiting=np.empty(cells, dtype=np.int32),
            mark=np.full(cells, -1, dtype=np.int64),
            trace=np.empty((TRACE_ROWS if self.traced else 0, 2), dtype=np.int32),
        )


def is_watched(task: Task) -> bool:
    """Whether anything is to be watched while a task is searched."""
    return bool(task.watches) or task.request.trace is not None


def unwatchable(task: Task) -> str | None:
    """Why what is to be watched cannot be, None if it can."""
    placements, about = task.placements, _about(task)
    if placements is None:
        return None
    supplies = {"parity": parity_supply, "volume": volume_supply}
    reasons = (too_large(supplies[name](placements), name) for name in sorted(about))
    return next((reason for reason in reasons if reason is not None), None)


def goes_on_below(task: Task, remaining: int) -> bool:
    """Whether a trigger or the trace looks at placements made with so many pieces remaining.

    Or with fewer.
    """
    trace = task.request.trace
    triggers = (one for one in task.watches if isinstance(one, Trigger))
    return (trace is not None and trace.down_to <= remaining) or any(
        trigger.down_to < remaining for trigger in triggers
    )


def build_watch(task: Task) -> Watch | None:
    """What a task that is not `unwatchable` is to be watched for; None for nothing."""
    watches, trace = task.watches, task.request.trace
    placements, pieces = task.placements, task.options.placements_per_solution
    if not is_watched(task):
        return None
    from dovetail.backends.kernels import hooks as kernel  # imports numba

    assert placements is not None
    assert pieces is not None
    duties = np.zeros(pieces + 1, dtype=np.uint64)
    for watch in watches:
        duties[watch.down_to : pieces] |= _duty(watch)
    if trace is not None:
        duties[trace.down_to - 1 :] |= kernel.TRACE
    about = _about(task)
    return Watch(
        pieces=pieces,
        duties=duties,
        parity=_parity_ledger(placements) if "parity" in about else _no_ledger(placements),
        volume=_volume_ledger(placements) if "volume" in about else _no_ledger(placements),
        traced=trace is not None,
    )


def idle_watch() -> Watch:
    """A watch that watches nothing, over a puzzle of one placement: for compiling."""
    nothing = Ledger(np.ones(1, dtype=np.uint8), np.zeros(1, dtype=np.uint64), 0)
    return Watch(1, np.zeros(2, dtype=np.uint64), nothing, nothing, traced=False)


def fired_by_remaining(hooks: Hooks) -> dict[str, dict[int, int]]:
    """How often each trigger fired, by pieces then remaining; none for one that is off."""
    from dovetail.backends.kernels import hooks as kernel  # imports numba

    duties = {"parity": kernel.PARITY_TRIGGER, "volume": kernel.VOLUME_TRIGGER}
    return {
        name: {
            remaining: int(hooks.fired[row, remaining])
            for remaining in range(len(hooks.duties) - 1, -1, -1)
            if hooks.duties[remaining] & duty
        }
        for row, (name, duty) in enumerate(duties.items())
        if np.any(hooks.duties & duty)
    }


def take_trace(hooks: Hooks) -> NDArray[np.int32]:
    """The rows of the trace that are filled; they are free again then."""
    from dovetail.backends.kernels import hooks as kernel  # imports numba

    filled = int(hooks.state[kernel.TRACED])
    hooks.state[kernel.TRACED] = 0
    return hooks.trace[:filled].copy()


def renumbered(trace: NDArray[np.int32], options: NDArray[np.int32]) -> NDArray[np.int32]:
    """A trace of a sub-problem by the numbers of the whole problem's placements."""
    if not len(trace):  # most often: nothing is to be recorded
        return trace
    number, remaining = trace.T
    made = options[np.where(number < 0, ~number, number)]
    return np.column_stack([np.where(number < 0, ~made, made), remaining])


def _about(task: Task) -> set[str]:
    """What the watches of a task are about, parity or volume."""
    return {str(watch.name) for watch in task.watches}


def _duty(watch: Reduction | Trigger) -> np.uint64:
    """The bit of `Hooks.duties` that a watch is."""
    from dovetail.backends.kernels import hooks as kernel  # imports numba

    duties: dict[tuple[type, str], np.uint64] = {
        (Trigger, "parity"): kernel.PARITY_TRIGGER,
        (Trigger, "volume"): kernel.VOLUME_TRIGGER,
        (Reduction, "parity"): kernel.PARITY_FILTER,
        (Reduction, "volume"): kernel.VOLUME_FILTER,
    }
    return duties[type(watch), str(watch.name)]


def _parity_ledger(placements: Placements) -> Ledger:
    table = table_of(parity_supply(placements))
    step = table.step[placements.shape] + placement_parities(placements)
    total = int(cell_colours(placements).sum())
    least = -int(np.count_nonzero(cell_colours(placements) < 0))
    return Ledger(table.reachable, step.astype(np.uint64), table.start + total - least)


def _volume_ledger(placements: Placements) -> Ledger:
    table = table_of(volume_supply(placements))
    step = table.step[placements.shape]
    return Ledger(table.reachable, step.astype(np.uint64), table.start)


def _no_ledger(placements: Placements) -> Ledger:
    return Ledger(np.ones(1, dtype=np.uint8), np.zeros(len(placements), dtype=np.uint64), 0)
