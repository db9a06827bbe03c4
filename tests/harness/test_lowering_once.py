"""A puzzle is lowered once in a process, whatever runs it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import dovetail
from dovetail.cli.main import run
from dovetail.harness.run import session
from dovetail.harness.workers import watched_run
from dovetail.models import task
from dovetail.models.task import LoweredPuzzle, Puzzle

SIX = "pentominoes-5x6-FLNPUY"

COMMANDS = [
    f"count {SIX} -b dlx --reduce redundancy --reduce fit",
    f"count {SIX} -b dlx --reduce probe",
    f"count {SIX} -b bitset",
    "count pentominoes-6x10",
    f"solve {SIX} --option-order random --restarts --limit 1",
    f"estimate {SIX} --descents 1000",
    f"sample {SIX} -n 2",
    f"trials {SIX} --trials 3 --remaining 3",
]


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the puzzles that were lowered, in order."""
    names: list[str] = []

    original = task.lower

    def noting(puzzle: Puzzle, **asked: Any) -> LoweredPuzzle:
        names.append(puzzle.name)
        return original(puzzle, **asked)

    bound = [
        module for module in list(sys.modules.values()) if vars(module).get("lower") is original
    ]
    assert {task, session, watched_run} <= set(bound)
    for module in bound:
        monkeypatch.setattr(module, "lower", noting)
    return names


@pytest.mark.parametrize("words", COMMANDS)
def test_commands(words: str, lowered: list[str]) -> None:
    """Each command, `auto` and trials included; what warms kernels up is no user's puzzle."""
    assert run(words.split()) == 0
    assert lowered.count(words.split()[1]) == 1


def test_a_child_lowers_for_itself(lowered: list[str]) -> None:
    """A limit on time takes a child; this process lowers to read the solutions, and once."""
    limits = dovetail.Limits(time_s=60.0)
    assert len(list(dovetail.solve(SIX, limits=limits))) > 0
    assert lowered.count(SIX) == 1
