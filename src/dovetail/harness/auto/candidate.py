"""What `auto` chooses from, and what it has chosen."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dovetail.backends.base import Backend, Config, Search
from dovetail.backends.config import build_config, plain_values
from dovetail.harness.events import Chosen, Event
from dovetail.harness.probe import Probe
from dovetail.models.request import Reduction
from dovetail.models.task import Task


@dataclass(frozen=True, eq=False)
class Candidate:
    """A backend with the settings of its config and the task that it would be given."""

    backend: Backend
    task: Task
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.backend.name

    @cached_property
    def config(self) -> Config:
        """The whole config."""
        return build_config(self.backend.config_type, self.settings, f"backend {self.name}")

    @property
    def plain_settings(self) -> dict[str, object]:
        """The settings as a job has them."""
        return plain_values(self.config, self.settings)


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate chosen, and why.

    `search` is one for its task that has been prepared already, None where there is none; `probe`
    tells how the piece that it confines was found, where it was looked for.
    """

    candidate: Candidate
    why: str
    search: Search | None = None
    probe: Probe | None = None

    def told(self, reductions: tuple[Reduction, ...]) -> Chosen:
        """What a run tells of it, whose request has these reductions."""
        candidate = self.candidate
        names = tuple(map(str, reductions))
        return Chosen(candidate.name, candidate.plain_settings, names, self.why)


# Choosing tells what happens; in the end there is a choice, or None where nothing takes the puzzle.
Choosing = Generator[Event, None, Choice | None]
