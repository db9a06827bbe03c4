"""A plan: everything that determines a search, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dovetail.harness.run.job import Job, RandomOrder, Trials
from dovetail.models.request import Request
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle, Puzzle, Task


@dataclass(frozen=True)
class Plan:
    """One puzzle, one request, and the backend with its config that is to answer it.

    What a job leaves open is settled: the backend has a name, and the request says how symmetry
    is broken. `seed` is that of checks. The search goes by the options' own order unless there is
    an `order`, and through the whole puzzle unless there is a `sub_problem`:
    then the count is its share, and the shares of all sub-problems below an item add up.
    """

    puzzle: Puzzle
    request: Request
    backend: str
    config: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    order: RandomOrder | Trials | None = None
    sub_problem: SubProblem | None = None

    @classmethod
    def of(cls, job: Job, request: Request | None = None) -> Plan:
        """Return the plan of a job that names its backend, with its request or a settled one."""
        settled = job.request if request is None else request
        return cls(job.puzzle, settled, job.backend, job.config, job.seed, job.order)

    @property
    def searches_once(self) -> bool:
        """Whether there is one search, so that it finds no solution twice."""
        return self.order is None or self.order.searches_once

    def task(self, lowered: LoweredPuzzle) -> Task:
        """Return what the backend is given; `lowered` is the plan's puzzle.

        Raises `ConfigError` for what cannot be asked of such a puzzle.
        """
        request = self.request
        if isinstance(self.order, Trials):
            request = replace(request, stop_at_remaining=self.order.remaining)
        return lowered.task(request, self.sub_problem)
