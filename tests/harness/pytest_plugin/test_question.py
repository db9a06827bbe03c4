"""The words of a question: the same for the same run, however it was asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import ConfigError
from dovetail.harness.pytest_plugin.solution_count import asked_job, puzzle_beside, question_words
from dovetail.harness.run.job import Job, Limits
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load


def job(puzzle: Puzzle, backend: str = "dlx", **asked: Any) -> Job:
    """A job up to symmetry."""
    question = {"labelled": False, "reduce": (), "triggers": (), "config": {}, "limits": None}
    return asked_job(puzzle, backend, symmetry="unique", **{**question, **asked})


def test_all_words() -> None:
    """What changes the answer or the nodes; no limits."""
    asked = job(
        load("pentominoes-6x10"),
        reduce=["redundancy=X", "volume"],
        triggers=["parity@3"],
        config={"stages": ("s", "f@11")},
        labelled=True,
        limits=Limits(nodes=10**9),
    )
    assert question_words(asked) == (
        "pentominoes-6x10 dlx unique labelled reduce=redundancy=X,volume triggers=parity@3 "
        "config.stages=s,f@11"
    )


@pytest.mark.parametrize("stages", ["s,f@11", ["s", "f@11"], ("s", "f@11")])
def test_a_config_is_the_same_however_it_is_written(stages: object) -> None:
    """As text or as a list."""
    asked = job(load("pentominoes-6x10"), "fila", config={"nof": "yes", "stages": stages})
    words = "pentominoes-6x10 fila unique config.nof=true config.stages=s,f@11"
    assert question_words(asked) == words


def test_names_cannot_pass_for_words() -> None:
    """A puzzle called as another is asked."""
    puzzle = load("pentominoes-3x20")
    assert isinstance(puzzle, PackingPuzzle)
    named = replace(puzzle, name="it's labelled\n")
    assert question_words(job(named)) == "'it'\"'\"'s labelled\n' dlx unique"


def test_a_file_beside_the_test_comes_first(tmp_path: Path) -> None:
    """Then files and names as everywhere; a puzzle is itself."""
    (tmp_path / "queens-5").write_text('name = "mine"\nbox = [2, 1]\nsets = ["dominoes"]\n')
    known = load("queens-6")
    assert puzzle_beside(tmp_path, "queens-5").name == "mine"
    assert puzzle_beside(tmp_path, "queens-6") == known
    assert puzzle_beside(tmp_path, known) is known
    with pytest.raises(ConfigError, match=r"there is no file 'none\.toml'"):
        puzzle_beside(tmp_path, "none.toml")
