"""What is asked of an improver, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from dovetail.backends.config import plain_values, settings_of
from dovetail.errors import ConfigError
from dovetail.harness.run.best_board import BestBoard, Improved
from dovetail.improvers import DEFAULT_IMPROVER
from dovetail.improvers.registry import improver_config, improver_named
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.partial_board import PartialBoard
from dovetail.models.task import Puzzle


@dataclass(frozen=True)
class ImprovementJob:
    """A board, who is to improve it, with which settings and seed, for how long.

    Without `nodes` only the time ends it. With them the search does not adapt to the time left,
    which still ends it. `start` is a board to improve.
    """

    puzzle: EdgePuzzle
    improver: str = DEFAULT_IMPROVER
    config: Mapping[str, object] = field(default_factory=dict)
    seed: int = 1
    time_s: float = 60.0
    nodes: int | None = None
    start: PartialBoard | None = None


@dataclass(frozen=True)
class ImprovementResult:
    """The best board with its score and the trace of improvements, and what they took.

    The status is `exhausted` where the improver has tried all that it may lay, solutions among
    them: then there is none. A higher score may be possible, since `breaks` lays no tile that
    misses both of the sides that its list goes by. Seconds are wall-clock and count from the end of
    `warm_up_s` (importing and compiling); `cpu_s` is the processor time of the search. `counters`
    are the improver's own.
    """

    job: ImprovementJob
    status: Status
    best: BestBoard
    nodes: int
    warm_up_s: float
    solve_s: float
    cpu_s: float
    counters: Mapping[str, int]

    @property
    def board(self) -> PartialBoard:
        """The best board."""
        return self.best.board

    @property
    def score(self) -> int:
        """Its matched edges."""
        return self.best.score

    @property
    def bound(self) -> int:
        """The score of a solution."""
        return self.best.bound

    @property
    def trace(self) -> tuple[Improved, ...]:
        """Each improvement."""
        return self.best.trace

    @property
    def is_solution(self) -> bool:
        """Whether every edge matches."""
        return self.best.is_solution


def improvement_fields(result: ImprovementResult) -> dict[str, Any]:
    """The fields of a result, as `--json` prints them."""
    job = result.job
    improver = improver_named(job.improver)
    keys = [setting.key for setting in settings_of(improver.config_type)]
    return {
        "puzzle": job.puzzle.name,
        "digest": job.puzzle.digest,
        "backend": job.improver,
        "config": plain_values(improver_config(job.improver, job.config), keys),
        "seed": job.seed,
        "status": str(result.status),
        "score": result.score,
        "bound": result.bound,
        "nodes": result.nodes,
        "native": dict(result.counters),
        "trace": [asdict(one) for one in result.trace],
        "warm_up_s": result.warm_up_s,
        "solve_s": result.solve_s,
        "cpu_s": result.cpu_s,
        "cells": result.board.cells,
    }


def edge_puzzle(puzzle: Puzzle) -> EdgePuzzle:
    """The puzzle, which is one of edge matching; `ConfigError` for anything else."""
    if not isinstance(puzzle, Puzzle):
        raise ConfigError(f"board is {puzzle!r:.60}; expected a puzzle, a catalogue name or a file")
    if not isinstance(puzzle, EdgePuzzle):
        raise ConfigError(f"{puzzle.name} is not an edge-matching puzzle; only boards are improved")
    return puzzle
