"""Random solutions: each as likely as every other, and what cannot be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dovetail.api import sample, solve, verify
from dovetail.backends.base import Forecast
from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness import sampling as module
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.sampling import CountingProgress
from dovetail.harness.sampling import sample as sample_by_job
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry, SymmetryValue
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.symmetry import canonical_forms
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.set_puzzles import in_box
from dovetail.reports.progress import CountingNotices
from harness.known import known

SIX = in_box("pentominoes-5x6-FLNPUY", "pentominoes", (6, 5), letters="FLNPUY")
HOPELESS = in_box("pentominoes-3x10-FIPTUV", "pentominoes", (10, 3), letters="FIPTUV")
RANDOM = {"uniform": False}
TINY, SMALL = Limits(memory_bytes=1024), Limits(memory_bytes=2**27)
DOMINOES = PackingPuzzle(
    "dominoes",
    SquareLattice(2),
    box(4, 4),
    (Piece("A", ((0, 0), (1, 0)), min_count=8, max_count=8),),
)
# Quantiles of the chi-square distribution: 99.9 % of draws are below.
NOT_LIKELY = {9: 27.88, 8: 26.12, 39: 72.05, 35: 66.62}


def chi_square(seen: Counter[object], kinds: int) -> float:
    """How far from equally often, as the statistic of Pearson's test."""
    expected = seen.total() / kinds
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
        (SIX, "all", {"break_symmetry": False}),
        (DOMINOES, "all", {}),
        (SIX, "all", "zdd"),
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_every_solution_is_as_likely(
    puzzle: PackingPuzzle, symmetry: SymmetryValue, config: dict[str, object] | str
) -> None:
    """Pearson's test on 30 draws for each solution or class; symmetric ones among them.

    By `frontier` with a config, or another backend, whose symmetry is broken for it.
    """
    backend = config if isinstance(config, str) else "frontier"
    settings = {} if isinstance(config, str) else config
    task = build_task(puzzle, Request(Symmetry(symmetry)))
    kinds = set(classes_of(task, solve(puzzle, "dlx", symmetry=symmetry)))
    count = 30 * len(kinds)
    sampled = sample(puzzle, count, backend, seed=7, symmetry=symmetry, config=settings)
    seen = Counter[object](classes_of(task, sampled))
    assert set(seen) <= kinds
    assert chi_square(seen, len(kinds)) < NOT_LIKELY[len(kinds) - 1]


def test_a_seed_draws_the_same() -> None:
    """And another seed something else."""
    first, again, other = (list(sample(SIX, 8, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("puzzle", "asked", "error", "message"),
    [
        (SIX, {"backend": "dlx"}, ConfigError, "cannot sample .* valid: auto, frontier, zdd"),
        (HOPELESS, {}, ConfigError, "no solution"),
        ("queens-6", {"backend": "frontier"}, BackendError, "packing puzzles only"),
        ("one-sided-pentominoes-9x10", {"time_limit": 0.2}, LimitError, "time.*; uniform=False"),
        ("tetris-cube", {"limits": SMALL}, LimitError, "memory-limit: .*; uniform=False"),
        (SIX, {"uniform": False, "limits": TINY}, LimitError, "the memory limit was reached"),
        (SIX, {"backend": "frontier", **RANDOM}, BackendError, "not support a random option"),
        (HOPELESS, RANDOM, ConfigError, "no solution"),
    ],
)
def test_what_cannot_be_drawn(
    puzzle: str | PackingPuzzle, asked: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Other backends, puzzles without a solution, other kinds, too little time or memory."""
    with pytest.raises(error, match=message):
        list(sample(puzzle, **asked))


@pytest.mark.parametrize("name", ["edges-4-b3i3-1", "soma-cube"])
def test_the_first_that_counts(name: str) -> None:
    """`auto` is `frontier` for packings and `zdd` for others."""
    (solution,) = sample(name, seed=3)
    assert verify(name, solution).distinct == 1


SLOW, QUICK = Forecast(12_345_678, 2**30, 90.0), Forecast(5, 2**10, 0.01)


@pytest.mark.parametrize(
    ("script", "notices"),
    [
        ([(0.1, None), (0.9, QUICK), (0.95, QUICK)], []),
        ([(0.1, None), (0.2, SLOW), (5.0, SLOW)], ["expects about 12.3 M states"]),
        ([(1.0, None), (2.0, QUICK)], ["cannot tell yet"]),
        ([(1.0, None), (2.0, SLOW)], ["cannot tell yet", "expects about 12.3 M states"]),
    ],
)
def test_messages_before_a_long_count(
    script: list[tuple[float, Forecast | None]], notices: list[str]
) -> None:
    """What samples need and what is expected, once each, and nothing of a short count."""
    messages = CountingNotices(Job(SIX, limits=Limits(memory_bytes=2**30)))
    counts = (CountingProgress("frontier", seconds, None, None, one) for seconds, one in script)
    found = [notice for notice in map(messages.next_notice, counts) if notice]
    assert [words in notice for words, notice in zip(notices, found, strict=True)] == [
        True for _ in notices
    ]
    assert [module.OFFER in notice for notice in found] == [True, False][: len(found)]
    error = f"nothing was sampled; {module.OFFER}"
    assert messages.without_second_offer(error).endswith(module.OFFER) == (not notices)


def test_how_far_the_count_is() -> None:
    """It is reported slice by slice, with the forecast as soon as there is one."""
    reports = list[CountingProgress]()
    job = Job(load("pentominoes-6x10"), Request(), "frontier")
    list(sample_by_job(job, 1, on_counting=reports.append))
    assert [one.seconds for one in reports] == sorted(one.seconds for one in reports)
    assert (reports[0].forecast, reports[-1].backend) == (None, "frontier")
    assert reports[-1].forecast is not None


def test_what_a_count_in_space_needs() -> None:
    """It is known before the count begins, by the tree search that `auto` estimates."""
    reports = list[CountingProgress]()
    list(sample_by_job(Job(load("soma-cube"), Request(), "auto"), 1, on_counting=reports.append))
    first = reports[0]
    assert (first.backend, first.nodes, first.rough) == ("zdd", 0, True)
    assert known(first.forecast).states < 100_000
    before = CountingNotices(Job(SIX)).next_notice(replace(first, forecast=SLOW))
    assert "to within a factor of 8" in str(before)


def test_a_hopeless_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends once its forecast is known, with the figures and the offer."""
    monkeypatch.setattr(module, "HOPELESS", 0.0)
    with pytest.raises(LimitError, match=r"time-limit: .* states, .* are left; uniform=False"):
        list(sample("pentominoes-6x10", limits=Limits(time_s=3600)))
