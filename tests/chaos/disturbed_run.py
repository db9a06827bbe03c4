"""A run with a checkpoint that is disturbed at random moments, goes on, and is compared.

A disturbance counts if it hit something while the command was running.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from chaos.search import MARK, Command, Ending, Search
from dovetail.platform.processes import marked

# One that ought to end does so within this time, and so does one that is not disturbed.
ENDS_S, FINISHES_S = 90.0, 300.0
LEFT_S = 5.0


class Place(ABC):
    """Where commands run, and what can be done to them there."""

    # For each way, whether the command goes on.
    ways: ClassVar[dict[str, bool]]
    # A command is disturbed so many seconds after it was started or disturbed before.
    moments_s = 0.4, 1.0

    def __init__(self, mark: str, chance: random.Random) -> None:
        self.mark, self.chance = mark, chance

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """The `ParallelOptions` of the next command."""

    @abstractmethod
    def strike(self, way: str, command: Command) -> bool:
        """Disturb a command; return whether there was something to hit."""

    @abstractmethod
    def close(self) -> None:
        """End what was started here."""


@dataclass
class Report:
    """The ways in which a run was disturbed, and what was wrong in the end."""

    ways: list[str] = field(default_factory=list)
    wrong: str | None = None


def disturbed(search: Search, expected: Ending, place: Place, wanted: int) -> Report:
    """Disturb a run so many times unless it ends before, go on, and compare the end."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        try:
            report.wrong = _disturb(search, expected, place, wanted, Path(folder), report.ways)
        finally:
            place.close()
        if report.wrong is None:
            left = _left(place.mark)
            report.wrong = f"processes left: {left}" if left else None
    return report


def strike_command(way: str, command: Command, chance: random.Random) -> bool:
    """Kill or terminate a command, or let it write no more."""
    if not command.is_running:
        return False
    if way == "coordinator":
        command.process.kill()
    elif way == "terminated":
        command.process.terminate()
    else:
        sizes = [one.stat().st_size for one in command.checkpoint.parent.glob("run.checkpoint*")]
        if not sizes:
            return False
        limit = (chance.randint(0, max(sizes)), resource.RLIM_INFINITY)
        resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, limit)
    return True


def _disturb(
    search: Search, expected: Ending, place: Place, wanted: int, folder: Path, ways: list[str]
) -> str | None:
    """Return what was wrong."""
    command = Command(search, folder, place.mark, place.options())
    waiting = list[str]()  # each way comes once before any comes again
    try:
        while len(ways) < wanted:
            if command.wait(place.chance.uniform(*place.moments_s)):
                break
            waiting = waiting or place.chance.sample(list(place.ways), len(place.ways))
            if not place.strike(waiting[-1], command):
                place.chance.shuffle(waiting)
                continue
            way = waiting.pop()
            ways.append(way)
            if place.ways[way]:
                continue
            if not command.wait(ENDS_S):
                return f"it did not end after: {way}"
            command = Command(search, folder, place.mark, place.options())
        if not command.wait(FINISHES_S):
            return "it did not end"
        if command.failure is not None:
            return command.failure
        return _difference(expected, command.ending())
    finally:
        command.process.kill()
        command.process.wait()


def _difference(expected: Ending, ended: Ending) -> str | None:
    if ended == expected:
        return None
    if ended.solutions != expected.solutions:
        return "other solutions"
    return f"{ended.status}, {ended.count} with {ended.nodes} nodes"


def _left(mark: str) -> list[int]:
    """The processes of a run that are still there; those that are ending have a moment to."""
    deadline = time.monotonic() + LEFT_S
    while (left := marked(MARK, mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left
