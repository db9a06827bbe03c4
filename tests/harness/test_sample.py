"""Random solutions: each as likely as every other, and what cannot be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from dovetail.api import sample, solve
from dovetail.cli.main import run
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.run.job import Limits
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.symmetry import canonical_forms
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box, pentominoes_in_rectangle

SIX = pentominoes_in_rectangle(5, 6, "FLNPUY")
DOMINOES = PackingPuzzle(
    "dominoes",
    SquareLattice(2),
    box(4, 4),
    (Piece("A", ((0, 0), (1, 0)), min_count=8, max_count=8),),
)
LOOSE = PackingPuzzle(
    "loose",
    SquareLattice(2),
    box(4, 2),
    (
        Piece("A", ((0, 0), (1, 0)), min_count=0, max_count=4),
        Piece("B", ((0, 0), (1, 0), (0, 1)), min_count=1, max_count=1),
    ),
    (),
    ((3, 0), (3, 1), (0, 0)),
)
# Quantiles of the chi-square distribution: 99.9 % of draws are below.
NOT_LIKELY = {9: 27.88, 8: 26.12, 39: 72.05, 35: 66.62}


def chi_square(seen: Counter[object], kinds: int) -> float:
    """How far from equally often, as the statistic of Pearson's test."""
    expected = sum(seen.values()) / kinds
    missing = kinds - len(seen)
    return sum((n - expected) ** 2 / expected for n in seen.values()) + missing * expected


def classes_of(task: Task, solutions: Iterable[Solution]) -> list[tuple[int, ...]]:
    """The canonical forms of solutions under the task's symmetries."""
    options = task.all_options
    assert isinstance(options, PackingOptions)
    numbers = {frozenset(options.placed(n)[1]): n for n in range(options.option_count)}
    rows = [
        [numbers[frozenset(cells)] for _, cells in solution.placed]
        for solution in solutions
        if isinstance(solution, PackingSolution)
    ]
    forms = canonical_forms(np.array(rows, dtype=np.int32), task.group)
    return [tuple(form) for form in forms.tolist()]


@pytest.mark.parametrize(
    ("puzzle", "symmetry", "config"),
    [
        (SIX, "unique", {}),
        (SIX, "all", {}),
        (SIX, "all", {"break_symmetry": False}),
        (DOMINOES, "unique", {}),
        (DOMINOES, "all", {}),
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_every_solution_is_as_likely(
    puzzle: PackingPuzzle, symmetry: str, config: dict[str, object]
) -> None:
    """Pearson's test on 60 draws for each solution or class; symmetric ones among them."""
    task = build_task(puzzle, Request(Symmetry(symmetry)))
    kinds = set(classes_of(task, solve(puzzle, "dlx", symmetry=symmetry)))
    sampled = sample(puzzle, 60 * len(kinds), seed=7, symmetry=symmetry, config=config)
    seen = Counter[object](classes_of(task, sampled))
    assert set(seen) <= kinds
    assert chi_square(seen, len(kinds)) < NOT_LIKELY[len(kinds) - 1]


def test_pieces_in_varying_number() -> None:
    """Optional cells and ranges: what is drawn is what is listed."""
    listed = {solution.placed for solution in solve(LOOSE, "dlx", symmetry="all")}  # type: ignore[union-attr]
    sampled = sample(LOOSE, 40 * len(listed), seed=3, symmetry="all")
    assert {solution.placed for solution in sampled} == listed  # type: ignore[union-attr]


def test_a_seed_draws_the_same() -> None:
    """And another seed something else."""
    first, again, other = (list(sample(SIX, 8, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_many_solutions() -> None:
    """Of the 184 packings of the one-sided pentominoes few are drawn twice among thirty."""
    puzzle = load("one-sided-pentominoes-3x30")
    assert len(set(sample(puzzle, 30, symmetry="all"))) > 20


def test_what_cannot_be_drawn() -> None:
    """Other backends, puzzles without a solution, other kinds, too little time."""
    with pytest.raises(ConfigError, match="dlx cannot sample solutions; valid: frontier"):
        list(sample(SIX, 1, "dlx"))
    with pytest.raises(ConfigError, match="no solution"):
        list(sample(pentominoes_in_rectangle(3, 10, "FIPTUV"), 1))
    with pytest.raises(BackendError, match="packing puzzles only"):
        list(sample("queens-6"))
    with pytest.raises(ConfigError, match="expected a whole number of 0 or more"):
        list(sample(SIX, -1))
    with pytest.raises(LimitError, match="time-limit"):
        list(sample("one-sided-pentominoes-9x10", limits=Limits(time_s=0.2)))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it writes is verified by another command."""
    path = tmp_path / "drawn.jsonl"
    words = ["draw", "pentominoes-6x10", "-n", "4", "--seed", "2", "-o", str(path)]
    assert run(words) == 0
    assert len(path.read_text().splitlines()) == 4
    assert run(["verify", "pentominoes-6x10", str(path)]) == 0
    assert run(["draw", "one-sided-pentominoes-9x10", "--time-limit", "0.2"]) == 3
    assert run(["draw", "pentominoes-6x10", "-n", "1000000", "--time-limit", "0.5"]) == 3
    assert "time-limit" in capsys.readouterr().err
