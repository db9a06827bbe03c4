"""What is asked of an improver, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from dovetail.backends.base import Config
from dovetail.backends.config import build_config, plain_values, settings_of
from dovetail.errors import ConfigError
from dovetail.improvers import DEFAULT_IMPROVER
from dovetail.improvers.registry import improver_named
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard
from dovetail.models.task import Puzzle


class Ending(StrEnum):
    """Why an improvement ended: with a solution, at a limit, by the user, with nothing to try."""

    SOLVED = "solved"
    TIME_LIMIT = "time-limit"
    NODE_LIMIT = "node-limit"
    INTERRUPTED = "interrupted"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True)
class ImprovementJob:
    """A board, who is to improve it, with which settings and seed, for how long.

    Without `nodes` only the time ends it. `start` is a board to improve.
    """

    puzzle: EdgePuzzle
    improver: str = DEFAULT_IMPROVER
    config: Mapping[str, object] = field(default_factory=dict)
    seed: int = 1
    time_s: float = 60.0
    nodes: int | None = None
    start: PartialBoard | None = None


@dataclass(frozen=True)
class Improved:
    """A better board than any before: its score, after how many seconds and nodes."""

    seconds: float
    nodes: int
    score: int


@dataclass(frozen=True)
class ImprovementResult:
    """The best board, its `score` (matched edges), and the `bound`, the score of a solution.

    `trace` has each improvement. Seconds are wall-clock, from `warm_up_s` (importing and compiling)
    on; `cpu_s` is the processor time of the search. `counters` are the improver's own.
    """

    job: ImprovementJob
    ending: Ending
    board: PartialBoard
    score: int
    bound: int
    trace: tuple[Improved, ...]
    nodes: int
    warm_up_s: float
    solve_s: float
    cpu_s: float
    counters: Mapping[str, int]

    @property
    def is_solution(self) -> bool:
        """Whether every edge matches."""
        return self.score == self.bound


def improvement_fields(result: ImprovementResult) -> dict[str, Any]:
    """The fields of a result, as `--json` prints them."""
    job = result.job
    improver = improver_named(job.improver)
    keys = [setting.key for setting in settings_of(improver.config_type)]
    return {
        "puzzle": job.puzzle.name,
        "digest": job.puzzle.digest,
        "backend": job.improver,
        "config": plain_values(improver_config(job), keys),
        "seed": job.seed,
        "status": str(result.ending),
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


def improver_config(job: ImprovementJob) -> Config:
    """The config of a job's improver; raises `ConfigError` as `build_config` does."""
    config_type = improver_named(job.improver).config_type
    config: Config = build_config(config_type, job.config, f"improver {job.improver}")
    return config


def edge_puzzle(puzzle: Puzzle) -> EdgePuzzle:
    """The puzzle, which is one of edge matching; `ConfigError` for another."""
    if not isinstance(puzzle, EdgePuzzle):
        raise ConfigError(f"{puzzle.name} is not an edge-matching puzzle; only boards are improved")
    return puzzle
