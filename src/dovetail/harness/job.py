"""A job: everything that determines one run, whether here or in a child process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dovetail.models.request import Request
from dovetail.models.task import Puzzle


@dataclass(frozen=True)
class Limits:
    """Where to cut a run short. Each is None for no limit.

    `time_s`: wall-clock seconds of prepare and solve together. `nodes`, `solutions`: how many
    to make. `memory_bytes`: of the process that searches, which is a child when this is set.
    """

    time_s: float | None = None
    nodes: int | None = None
    solutions: int | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Job:
    """One puzzle, one request, one backend with its config, limits, and the seed of checks."""

    puzzle: Puzzle
    request: Request = field(default_factory=Request)
    backend: str = "dlx"
    config: Mapping[str, object] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    seed: int = 0
