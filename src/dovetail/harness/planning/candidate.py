"""What `auto` chooses from, and what it has chosen."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dovetail.backends.base import AnyBackend, Config, Search
from dovetail.backends.config import build_config, plain_values
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Limits, Plan, RandomOrder
from dovetail.harness.run.result import Chosen, PieceSelection
from dovetail.harness.run.session import NodeGuard, Session
from dovetail.models.request import Reduction
from dovetail.models.task import Task


@dataclass(frozen=True, eq=False)
class Candidate:
    """A backend with the settings of its config and the task that it would be given."""

    backend: AnyBackend
    task: Task
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.backend.name

    @cached_property
    def config(self) -> Config:
        """The whole config."""
        config_type: type[Config] = self.backend.config_type
        return build_config(config_type, self.settings, f"backend {self.name}")

    def session(
        self,
        limits: Limits,
        clock: RunClock,
        *,
        seed: int = 0,
        order: RandomOrder | None = None,
    ) -> Session:
        """Return the session of a trial, whose time the clock does not count."""
        task = self.task
        plan = Plan(task.puzzle, task.request, self.name, self.settings, seed, order)
        return Session(plan, limits, clock=clock.for_trial(), task=task)

    @property
    def plain_settings(self) -> dict[str, object]:
        """The settings as a job has them."""
        return plain_values(self.config, self.settings)


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate chosen, and why.

    `search` is one for its task that has been prepared already, None where there is none;
    `piece_selection` reports how sampling selected the piece that breaks symmetry, if it did.
    With a `guard` the search may show that its forecast was wrong: then another is to be chosen.
    `forecast_s` are the seconds that the search is expected to take, at a speed that was measured.
    """

    candidate: Candidate
    why: str
    search: Search | None = None
    piece_selection: PieceSelection | None = None
    guard: NodeGuard | None = None
    forecast_s: float | None = None

    def reported(self, reductions: tuple[Reduction, ...], left_out: str | None) -> Chosen:
        """Return what a run reports of it, whose request has these reductions.

        `left_out` says what was not tried for lack of time, if anything was.
        """
        candidate = self.candidate
        names = tuple(map(str, reductions))
        why = self.why if left_out is None else f"{self.why}; {left_out}"
        return Chosen(candidate.name, candidate.plain_settings, names, why, self.forecast_s)


# Choosing tells what happens; in the end there is a choice, or None where nothing takes the puzzle.
Choosing = Generator[Event, None, Choice | None]
