"""The worked example of the guide passes as it is, so that it can be copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dovetail.backends.bitset.backend import Bitset
from harness.pytest_plugin.conftest import Project

pytest_plugins = ["pytester"]

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "counts"


@pytest.fixture
def example(project: Project) -> Project:
    """A copy of it."""
    Bitset().warm_up()
    for path in EXAMPLE.iterdir():
        if path.is_file():
            shutil.copy(path, project.pytester.path)
    return project


def test_the_example(example: Project) -> None:
    """Its counts are those recorded, and recording them anew changes nothing."""
    example.run().assert_outcomes(passed=5)
    before = example.golden.read_bytes()
    result = example.run("--update-counts", "--benchmark-disable")
    message = "solution-counts.toml is unchanged: all counts agree with it"
    assert example.summary(result) == [message]
    assert example.golden.read_bytes() == before


def test_a_changed_puzzle_is_reported(example: Project) -> None:
    """As the guide shows it."""
    puzzle = example.pytester.path / "courtyard.toml"
    puzzle.write_text(puzzle.read_text().replace("count = [0, 1]", "count = 1"))
    result = example.run("-k", "every")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        [
            'the puzzle has changed: "courtyard dlx all"',
            "  count                     24                  24  same",
            "  nodes                    239                 239  same",
            "  puzzle      09eab6c45d2469cf    e382f484bcec59b9  CHANGED",
        ]
    )
