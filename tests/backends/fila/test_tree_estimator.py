"""Random probes of FILA beside their twin in plain Python, and of hybrid searches."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from backends.fila.twin import Twin
from dovetail.backends.fila.backend import Fila, FilaConfig
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.random_stream import RandomStream
from oracle.strategies import packing_puzzles


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
