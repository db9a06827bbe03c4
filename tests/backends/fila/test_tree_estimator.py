"""Random probes of FILA beside their twin in plain Python, and of hybrid searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.choices import every_descent
from backends.fila.twin import Twin
from dovetail.backends.base import AnyBackend, Budget, Config
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.fila.backend import Fila, FilaConfig
from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator, HybridEstimator
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream
from oracle.strategies import packing_puzzles

EVERYTHING = 10**6  # a prefix as wide as any tree here


class ProbingTwin(Twin):
    """One descent; `choose` draws a number below a bound. `fits` are those it met, weighed."""

    def __init__(
        self,
        placements: Placements,
        rule: dict[int, str],
        choose: Callable[[int], int],
        *,
        nof: bool = True,
    ) -> None:
        self.choose, self.weight = choose, 1
        super().__init__(placements, rule, nof=nof)

    def solve(self, remaining: int) -> None:
        """Follow one image of those that the whole search places one after another."""
        if remaining == 0:
            self.solutions = self.weight
            return
        target = self.target(remaining)
        if target is None:
            return
        images = self.images(target, ordered=self.rule[remaining] == "f")
        fitting = [image for image in images if not self.cells[image] & self.occupied]
        if not fitting:
            return
        self.weight *= len(fitting)
        self.fits[remaining] = self.weight
        chosen = fitting[self.choose(len(fitting))]
        self.occupied |= self.cells[chosen]
        self.left[self.p.shape[chosen]] -= 1
        self.solve(remaining - 1)


def task_of(puzzle: Puzzle, *reductions: str) -> Task:
    """All solutions, after reductions."""
    return build_task(
        puzzle, Request(Symmetry.ALL, reductions=tuple(map(Reduction.parse, reductions)))
    )


def probe(
    task: Task, stages: str, estimates: int, seed: int, prefix_width: int
) -> list[list[float]]:
    """Estimates of the tree of `fila` with these stages."""
    config = FilaConfig(tuple(stages.split(",")))
    rows: list[list[float]] = (
        Fila().tree_estimator(task, config, seed, prefix_width).levels(estimates).tolist()
    )
    return rows


@given(packing_puzzles(), st.sampled_from("fes"), st.sampled_from("fes"), st.data())
@settings(max_examples=20)
def test_descents_equal_those_of_the_twin(
    puzzle: PackingPuzzle, before: str, after: str, data: st.DataObject
) -> None:
    """From one random stream, one after another: fits by pieces remaining, and solutions."""
    placements = bounded_placements(puzzle)
    pieces = sum(shape.max_count for shape in placements.shapes)
    stages, switch = before, 0
    if pieces > 1 and (before == "f") == (after == "f"):  # a hand-over begins on other numbers
        switch = data.draw(st.integers(1, pieces - 1))
        stages += f",{after}@{switch}"
    rule = {n: after if n <= switch else before for n in range(1, pieces + 1)}
    seed = data.draw(st.integers(0, 2**64 - 1))
    stream, rows = RandomStream(seed), probe(task_of(puzzle), stages, 5, seed, prefix_width=1)
    for row in rows:
        twin = ProbingTwin(placements, rule, stream.below)
        fits = [twin.fits[remaining] for remaining in range(pieces, 0, -1)]
        assert row == [*fits, twin.solutions]


@given(packing_puzzles(), st.sampled_from("fes"))
@settings(max_examples=10)
def test_the_mean_of_all_descents_is_the_tree(puzzle: PackingPuzzle, heuristic: str) -> None:
    """Each by its probability: fits by pieces remaining, and solutions."""
    placements = bounded_placements(puzzle)
    pieces = sum(shape.max_count for shape in placements.shapes)
    rule = dict.fromkeys(range(1, pieces + 1), heuristic)
    whole = Twin(placements, rule, nof=True)
    if sum(whole.fits.values()) > 200:
        return
    descents = every_descent(lambda choose: ProbingTwin(placements, rule, choose))
    mean = Counter[int]()
    for probability, twin in descents:
        for remaining, weight in twin.fits.items():
            mean[remaining] += probability * weight  # type: ignore[assignment]
    assert {r: mean[r] for r in rule} == {r: whole.fits[r] for r in rule}
    assert sum(p * twin.solutions for p, twin in descents) == whole.solutions


HYBRIDS = ["f", "e", "s", "piece,f@{}", "piece,s@{},e@2", "s,e@4,f@1", "dlx:s,fila:f@3"]


def estimator_of(
    backend: AnyBackend, task: Task, config: Config, seed: int, prefix: int, population: int = 0
) -> GuidedTreeEstimator | HybridEstimator:
    """The estimator of `dlx` or `fila`."""
    found = backend.tree_estimator(task, config, seed, prefix, population)
    assert isinstance(found, GuidedTreeEstimator | HybridEstimator)
    return found


def searched(task: Task, backend: AnyBackend, config: Config) -> list[int]:
    """The fits of a whole search, from all pieces remaining down, and the solutions it finds."""
    search = backend.prepare(task, config)
    while search.advance(Budget(10**7)) is None:
        search.take()
    fits = search.counters.fits_by_remaining
    assert fits is not None
    assert search.count is not None
    return [*(fits[remaining] for remaining in sorted(fits, reverse=True)), search.count]


def engines(stages: str) -> list[tuple[AnyBackend, Config]]:
    """`fila` with these stages, and `dlx` where it has them."""
    words = tuple(stages.split(","))
    found: list[tuple[AnyBackend, Config]] = [(Fila(), FilaConfig(words))]
    if "piece" not in stages and "fila" not in stages:
        found.append((Dlx(), DlxConfig(words)))
    return found


@pytest.mark.parametrize("stages", [*HYBRIDS, "dlx:f,fila:R@4"])
def test_a_wide_prefix_is_the_whole_tree(stages: str) -> None:
    """Across hand-overs: the fits that the search counts, and its solutions."""
    task = task_of(load("pentominoes-5x6-FLNPUY"))
    for backend, config in engines(stages.format(5)):
        estimator = estimator_of(backend, task, config, 0, EVERYTHING)
        assert estimator.levels(2).tolist() == [searched(task, backend, config)] * 2
        assert estimator.probes == 0


@given(packing_puzzles(), st.sampled_from(["f", "s", "dlx:s,fila:f@1", "f,R@1", "piece,f@{}"]))
@settings(max_examples=15)
def test_a_wide_prefix_of_random_puzzles(puzzle: PackingPuzzle, stages: str) -> None:
    """Pieces that are used several times among them."""
    pieces = sum(shape.max_count for shape in bounded_placements(puzzle).shapes)
    if pieces == 1:
        return
    task = task_of(puzzle)
    for backend, config in engines(stages.format(pieces - 1)):
        rows = estimator_of(backend, task, config, 0, EVERYTHING).levels(1)
        assert rows.tolist() == [searched(task, backend, config)]


@pytest.mark.parametrize(("prefix_width", "population"), [(1, 0), (20, 0), (1, 25)])
@pytest.mark.parametrize("stages", HYBRIDS)
def test_many_descents_come_near_the_tree(stages: str, prefix_width: int, population: int) -> None:
    """The mean is within five standard errors of what the search counts; so it is of samples."""
    task = task_of(load("pentominoes-5x6-FLNPUY"))
    for backend, config in engines(stages.format(5)):
        truth = searched(task, backend, config)
        estimator = estimator_of(backend, task, config, 3, prefix_width, population)
        rows = estimator.levels(400)
        error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
        # An error is reported where many descents come; few reach the last levels.
        known = np.count_nonzero(rows, axis=0) >= 10
        assert (np.abs(rows.mean(axis=0) - truth) <= 5 * error + 1e-9)[known].all()
        assert known[:4].all()


@pytest.mark.parametrize(
    ("stages", "prefix_width"), [("f", 1), ("s,e@4", 60), ("piece,f@6", 1), ("dlx:s,fila:f@6", 60)]
)
def test_many_descents_come_near_the_solutions(stages: str, prefix_width: int) -> None:
    """Of a puzzle that has so many, 11,520, that all levels and they have an error."""
    task = task_of(load("soma-cube"))
    for backend, config in engines(stages):
        truth = searched(task, backend, config)
        rows = estimator_of(backend, task, config, 3, prefix_width).levels(4000)
        error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
        assert np.count_nonzero(rows[:, -1]) >= 10
        assert (np.abs(rows.mean(axis=0) - truth) <= 5 * error + 1e-9).all()


@pytest.mark.parametrize("prefix_width", [1, 2, 8, 15])
@pytest.mark.parametrize("stages", HYBRIDS)
def test_descents_are_counted_once(stages: str, prefix_width: int) -> None:
    """Where they begin, and nowhere only if the whole tree is visited."""
    task = task_of(load("pentominoes-5x6-FLNPUY"))
    for backend, config in engines(stages.format(5)):
        estimator = estimator_of(backend, task, config, 0, prefix_width)
        rows = estimator.levels(20).tolist()
        assert estimator.nodes > 0
        assert estimator.probes > 0 or rows == [searched(task, backend, config)] * 20
        if prefix_width == 1:  # from the root, or below each image of the first target
            assert estimator.probes == 20 * (rows[0][0] if stages.startswith("piece") else 1)
