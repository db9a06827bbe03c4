"""What a checkpoint holds: how much of each run is done, how fast, and what may be left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.harness.workers.assignment import read_part, read_result
from dovetail.harness.workers.checkpoint_file import reading
from dovetail.harness.workers.division import Division
from dovetail.harness.workers.part_tree import CUT, DONE, PENDING
from dovetail.harness.workers.tree_estimate import estimate_tree, part_cost
from dovetail.models.outcome import Status


@dataclass(frozen=True)
class RunStatus:
    """The state of one run in a checkpoint.

    `status` is how its last sitting ended, None while it has not. `share` is the estimated share of
    the search tree that is done, by the time that it takes; None while nothing is known. `count` is
    a lower bound unless the status is `exhausted`; where solutions are listed, it is the number
    that the search found, before symmetry is considered. `nodes_per_s` is per second of searching,
    of all workers together, and `left_s` the range of seconds left with as many workers as the last
    sitting had.
    """

    name: str
    status: str | None
    division: str | None
    workers: int
    sittings: int
    done: int
    cut: int
    waiting: int
    redone: int
    audited: int
    share: float | None
    count: int | None
    nodes: int | None
    wall_s: float
    nodes_per_s: float | None
    left_s: tuple[float, float] | None

    @property
    def is_divided(self) -> bool:
        """Whether the run has sub-problems; the checkpoint keeps nothing of another."""
        return self.division is not None and self.division != Division.WHOLE

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be done."""
        return not self.waiting if self.is_divided else self.status == Status.EXHAUSTED


def checkpoint_status(path: Path) -> list[RunStatus]:
    """Return the state of each run in a checkpoint, which may be in use.

    Raises `ConfigError` for a file that is not a checkpoint or is damaged.
    """
    with reading(path) as database:
        runs = database.execute(
            "SELECT number, name, status, division FROM run ORDER BY number"
        ).fetchall()
        return [_run_status(database, *run) for run in runs]


def _run_status(
    database: Any, number: int, name: str, status: str | None, division: str | None
) -> RunStatus:
    sittings = database.execute(
        "SELECT workers, redone, wall_s FROM sitting WHERE run = ? ORDER BY number", (number,)
    ).fetchall()
    parts = database.execute(
        "SELECT key, state, part, result, audited, wall_s FROM part WHERE run = ?", (number,)
    ).fetchall()
    states = [part[1] for part in parts]
    results = {part[0]: read_result(part[3], None) for part in parts if part[3] is not None}
    costs = {part[0]: part_cost(read_part(part[2]), results.get(part[0])) for part in parts}
    estimate = estimate_tree(costs) if results else None
    workers = sittings[-1][0] if sittings else 0
    wall_s = sum(part[5] for part in parts) + sum(sitting[2] for sitting in sittings)
    nodes = _total([result.counters.nodes for result in results.values()])
    return RunStatus(
        name,
        status,
        division,
        workers,
        len(sittings),
        states.count(DONE),
        states.count(CUT),
        states.count(PENDING),
        sum(sitting[1] for sitting in sittings),
        sum(part[4] is not None for part in parts),
        None if estimate is None else estimate.share(),
        _total([result.count for result in results.values()]),
        nodes,
        wall_s,
        nodes / wall_s if nodes and wall_s else None,
        None if estimate is None else estimate.left_s(workers),
    )


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
