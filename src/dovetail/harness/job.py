"""A job: everything that determines one run, whether here or in a child process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property

from dovetail.errors import ConfigError
from dovetail.models.digest import content_digest
from dovetail.models.request import Request
from dovetail.models.task import Puzzle


@dataclass(frozen=True)
class Limits:
    """Where to cut a run short. Each is None for no limit.

    `time_s`: wall-clock seconds of prepare and solve together. `nodes`, `solutions`: how many
    to make. `memory_bytes`: of the process that searches. Time and memory are watched from
    outside: a run with either limit is in a child process.
    """

    time_s: float | None = None
    nodes: int | None = None
    solutions: int | None = None
    memory_bytes: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value >= 0:  # a NaN is not
                raise ConfigError(f"limit {name} is {value}; expected 0 or more")


@dataclass(frozen=True)
class Job:
    """One puzzle, one request, one backend with its config, limits, and the seed of checks."""

    puzzle: Puzzle
    request: Request = field(default_factory=Request)
    backend: str = "dlx"
    config: Mapping[str, object] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    seed: int = 0

    @cached_property
    def digest(self) -> str:
        """Identifies the run: the question, who is asked, the limits and the seed."""
        return content_digest(
            {
                "kind": "job",
                "puzzle": self.puzzle.digest,
                "request": asdict(self.request),
                "backend": self.backend,
                "config": dict(sorted(self.config.items())),
                "limits": asdict(self.limits),
                "seed": self.seed,
            }
        )
