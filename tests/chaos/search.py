"""A search that is disturbed, the command that makes it, and what it comes to in one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dovetail.backends.registry import backend_named
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs, run
from dovetail.models.request import SymmetryValue
from harness.workers.results import collected

MARK = "DOVETAIL_CHAOS"
TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, eq=False)
class Search:
    """A puzzle and a solver; its solutions are listed up to symmetry, or all of them counted."""

    puzzle: str
    backend: str
    config: dict[str, object] = field(default_factory=dict)
    lists: bool = True

    def job(self) -> Job:
        """What is to be run."""
        symmetry: SymmetryValue = "unique" if self.lists else "all"
        (job,) = make_jobs([self.puzzle], self.backend, config=self.config, symmetry=symmetry)
        return job.listed() if self.lists else job

    @property
    def keeps_nodes(self) -> bool:
        """Whether the solver makes the same nodes in any division."""
        return backend_named(self.backend).cuts

    def __str__(self) -> str:
        return f"{self.puzzle} by {self.backend}"


@dataclass(frozen=True)
class Ending:
    """What a search comes to; the solutions that are listed as the lines of a file.

    `nodes` is None where it depends on how the search was divided.
    """

    status: str
    count: int | None
    nodes: int | None
    solutions: str


def ending(search: Search, events: Iterator[Event]) -> Ending:
    """Run to the end."""
    result = collected(events)
    finished, listed = result.finished, result.solutions if search.lists else []
    lines = [" ".join(map(str, options)) for options in listed]
    nodes = finished.nodes if search.keeps_nodes else None
    return Ending(str(finished.status), finished.count, nodes, "\n".join(lines))


def serial_ending(search: Search) -> Ending:
    """Search in this process."""
    return ending(search, run(search.job()))


class Command:
    """A process that searches with a checkpoint in a folder; see `main`."""

    def __init__(self, search: Search, folder: Path, mark: str, options: dict[str, Any]) -> None:
        self.checkpoint = folder / "run.checkpoint"
        self._ending = folder / "ending.json"
        self._errors = folder / "errors.txt"
        asked = {
            "search": asdict(search),
            "options": {**options, "checkpoint": str(self.checkpoint)},
            "ending": str(self._ending),
        }
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "chaos.search", json.dumps(asked)],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, MARK: mark, "PYTHONPATH": str(TESTS)},
            )

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def wait(self, timeout_s: float) -> bool:
        """Return whether it has ended within so many seconds."""
        try:
            self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def failure(self) -> str | None:
        """The end of its error message, if it has failed."""
        if not self.process.returncode:
            return None
        return f"exit {self.process.returncode}: {self._errors.read_text()[-500:]}"

    def ending(self) -> Ending:
        """What it has written at its end."""
        return Ending(**json.loads(self._ending.read_text()))


def main(asked: dict[str, Any]) -> None:
    """Search with these options, and write the ending to a file."""
    options = ParallelOptions(**asked["options"])
    interruption = Interruption()
    search = Search(**asked["search"])
    with interruption.on_signal(), Runs([search.job()], options) as runs:
        ended = ending(search, runs.run(0, interruption))
    Path(asked["ending"]).write_text(json.dumps(asdict(ended)))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
