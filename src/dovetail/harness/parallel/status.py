"""What a checkpoint holds: how much of each run is done, how fast, and what may be left."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dovetail.harness.confidence import ratio_interval
from dovetail.harness.parallel.assignment import read_result
from dovetail.harness.parallel.checkpoint_file import open_to_read
from dovetail.harness.parallel.division import Division
from dovetail.harness.parallel.journal import CUT, DONE, PENDING
from dovetail.harness.parallel.keys import WHOLE, parent_key
from dovetail.models.outcome import Status

# With no more than this share of the tree left a search is as good as over.
MIN_LEFT = 1e-9


@dataclass(frozen=True)
class RunStatus:
    """The state of one run in a checkpoint.

    `status` is how its last sitting ended, None while it has not. `share` is the estimated share of
    the search tree that is done. `count` is a lower bound unless the status is `exhausted`; where
    solutions are listed, it is the number that the search found, before symmetry is considered.
    `nodes_per_s` is per second of searching, of all workers together, and `left_s` the range of
    seconds left with as many workers as the last sitting had.
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
    share: float
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

    Raises `ConfigError` for a file that is none.
    """
    with closing(open_to_read(path)) as database:
        database.execute("BEGIN")  # all that is read is of one moment
        runs = database.execute(
            "SELECT number, name, status, division, wall_s FROM run ORDER BY number"
        ).fetchall()
        return [_run_status(database, *run) for run in runs]


def _run_status(
    database: Any, number: int, name: str, status: str | None, division: str | None, wall_s: float
) -> RunStatus:
    sittings = database.execute(
        "SELECT workers, redone FROM sitting WHERE run = ? ORDER BY number", (number,)
    ).fetchall()
    parts = database.execute(
        "SELECT key, state, weight, result, audited FROM part WHERE run = ?", (number,)
    ).fetchall()
    states = [part[1] for part in parts]
    results = {part[0]: read_result(part[3], None) for part in parts if part[3] is not None}
    shares = _own_shares({part[0]: part[2] for part in parts})
    left = sum(part[2] for part in parts if part[1] == PENDING)
    seconds = [result.prepare_s + result.solve_s for result in results.values()]
    workers = sittings[-1][0] if sittings else 0
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
        1 - left if parts else 0.0,
        _total([result.count for result in results.values()]),
        nodes,
        wall_s,
        nodes / wall_s if nodes and wall_s else None,
        _left_s(seconds, [shares[key] for key in results], left, workers),
    )


def _own_shares(weights: dict[bytes, float]) -> dict[bytes, float]:
    """The shares of the tree in each sub-problem without the parts that it has left."""
    own = dict(weights)
    for key, weight in weights.items():
        if key != WHOLE and parent_key(key) in own:
            own[parent_key(key)] -= weight
    return {key: max(0.0, share) for key, share in own.items()}


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _left_s(
    seconds: list[float], shares: list[float], left: float, workers: int
) -> tuple[float, float] | None:
    """The range of seconds left, from those that each share of the tree has taken so far."""
    if left <= MIN_LEFT or not workers or sum(shares) <= MIN_LEFT:
        return None
    interval = ratio_interval(np.array(seconds), np.array(shares))
    if interval is None:
        return None
    return interval.low * left / workers, interval.high * left / workers
