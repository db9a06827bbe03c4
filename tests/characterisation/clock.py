"""A clock that these tests set: time passes only where a step of a run is said to take any.

Every step takes a power of eight seconds of its own, so that a sum of them shows which it holds.
"""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

STEPS = (
    "warm up",  # compile what any search of the backend needs
    "warm up for task",
    "refuse",  # see whether the backend takes the task
    "symmetry breaking",  # ask the backend which piece to hold to one place of each orbit
    "lower",  # find all placements
    "reduce",  # filter placements
    "impossible",  # see whether parity and the like leave no solution
    "prepare",  # build the tables of a search
    "build",  # a slice of a search that still builds tables
    "search",  # a slice of a search
    "take",  # fetch what a search has found
    "progress",  # estimate the share that is done
    "classify",  # sort solutions into classes
    "verify",
    "draw",  # a random solution
    "descend",  # estimate a tree by random probes
)
BASE = 8
MAX_TIMES = 5_000
MONOTONIC_ZERO = 1_000_000
# Of wall-clock time, so much goes to the process and to its thread.
PROCESS_SHARE, THREAD_SHARE = 0.5, 0.25

# The functions of the package that take the steps in which no backend has a part.
TAKEN_BY = {
    "lower": ("dovetail.models.task", "bounded_placements"),
    "reduce": ("dovetail.models.reductions.pipeline", "volume_filter"),
    "impossible": ("dovetail.models.impossibility.packing", "why_impossible"),
    "classify": ("dovetail.models.symmetry", "SolutionClasses.first_of_class"),
    "verify": ("dovetail.models.verification.packing", "PackingVerifier.check"),
    "draw": ("dovetail.backends.frontier.search", "FrontierSearch.unrank"),
    "descend": ("dovetail.backends.shared.tree_estimator", "GuidedTreeEstimator.levels"),
}
# And those of backends that are not scripted.
DLX_SLICE = ("dovetail.backends.dlx.search", "DlxSearch.advance")
FRONTIER_SLICE = ("dovetail.backends.frontier.search", "FrontierSearch.advance")


class Clock:
    """The time of this process, which stands still but for steps that are `lasting`.

    `taken` counts the steps, whether or not they last.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now: float = 0
        self.taken: Counter[str] = Counter()
        self._lengths: dict[str, float] = {}
        self._hooks: dict[str, Callable[[], object]] = {}
        monkeypatch.setattr(time, "perf_counter", lambda: float(self.now))
        monkeypatch.setattr(time, "monotonic", lambda: float(MONOTONIC_ZERO + self.now))
        monkeypatch.setattr(time, "process_time", lambda: PROCESS_SHARE * self.now)
        monkeypatch.setattr(time, "thread_time", lambda: THREAD_SHARE * self.now)
        monkeypatch.setattr(time, "clock_gettime", self._processor_time)
        for step, place in TAKEN_BY.items():
            self.time(monkeypatch, step, place)

    def step(self, name: str) -> None:
        """Take a step."""
        self.taken[name] += 1
        assert self.taken[name] < MAX_TIMES, f"{name}, again and again: the run does not end"
        self.now += self._lengths.get(name, 0)
        self._hooks.pop(name, lambda: None)()

    def at(self, step: str, hook: Callable[[], object]) -> None:
        """Call `hook` when the step is taken next, at its end."""
        self._hooks[step] = hook

    @contextmanager
    def lasting(self, *names: str, seconds: float | None = None) -> Iterator[None]:
        """Within, these steps take time, by default all: so many seconds, or each its own."""
        self._lengths = {name: seconds or seconds_of(name) for name in names or STEPS}
        yield
        self._lengths = {}

    def steps_in(self, seconds: float) -> set[str]:
        """The steps that some seconds were spent on, each of its own length."""
        for name in self._lengths:
            assert self.taken[name] < BASE, f"{name} was taken too often for sums to be read"
        assert seconds == int(seconds)
        return {name for place, name in enumerate(STEPS) if int(seconds) // BASE**place % BASE}

    def _processor_time(self, clock: int) -> float:
        of_process = clock == time.CLOCK_PROCESS_CPUTIME_ID
        return (PROCESS_SHARE if of_process else THREAD_SHARE) * self.now

    def time(self, monkeypatch: pytest.MonkeyPatch, step: str, place: tuple[str, str]) -> None:
        """Have a function take a step before it does its work."""
        module, path = place
        *owners, name = path.split(".")
        owner: Any = importlib.import_module(module)
        for each in owners:
            owner = getattr(owner, each)
        original = getattr(owner, name)

        def timed(*arguments: Any, **words: Any) -> Any:
            self.step(step)
            return original(*arguments, **words)

        monkeypatch.setattr(owner, name, timed)


def seconds_of(step: str) -> int:
    """How long a step takes."""
    return int(BASE ** STEPS.index(step))
