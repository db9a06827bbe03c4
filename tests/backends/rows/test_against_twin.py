"""The kernel beside its twin: nodes by cells remaining, and the solutions in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backends.searches import fewer_options
from dovetail.backends.base import Budget
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.orders import NAMES, cells_in_order
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from golden.edge_boards import with_first_corner
from oracle.strategies import laid_boards

SIZES = [(1, 1), (2, 1), (1, 4), (6, 1), (2, 2), (2, 3), (3, 2), (4, 2), (2, 4), (3, 3)]


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Boards of up to nine cells: signed ones, hints, options missing."""
    board = draw(laid_boards(SIZES))
    return draw(fewer_options(build_task(board, Request(Symmetry.ALL))))


@st.composite
def configs(draw: st.DrawFn, puzzle: EdgePuzzle) -> RowsConfig:
    """Every order that has a name, and lists; both ways with identical tiles."""
    order = draw(st.sampled_from([*NAMES, "listed"]))
    words = [f"{x}.{y}" for x, y in product(range(puzzle.width), range(puzzle.height))]
    listed = tuple(draw(st.permutations(words))) if order == "listed" else (order,)
    return RowsConfig(listed, draw(st.sampled_from(["once", "each"])))


def assert_like_twin(task: Task, config: RowsConfig, work: int = 10**6) -> None:
    """The same nodes and solutions, in slices of so many nodes; progress goes up to all."""
    options = task.edges
    assert options is not None
    assert RowsBackend().refuses(task, config) is None
    puzzle = options.puzzle
    order = cells_in_order(config.order, puzzle.width, puzzle.height)
    twin = Twin(options, order, config.identical_tiles)
    search = RowsBackend().prepare(task, config)
    found, shares, status = list[list[int]](), [0.0], None
    while status is None:
        status = search.advance(Budget(work=work))
        found.extend(search.take().tolist())
        shares.append(search.progress() or 0.0)
    assert status == Status.EXHAUSTED
    assert found == twin.solutions
    assert search.count == len(found)
    assert all(before <= after + 1e-9 for before, after in pairwise(shares))
    assert shares[-1] == pytest.approx(1 if twin.fits else 0)
    fits = search.counters.fits_by_remaining
    assert fits is not None
    assert Counter(fits) == twin.fits
    assert search.counters.nodes == twin.fits.total()


@given(st.data())
@settings(max_examples=70)
def test_random_boards(data: st.DataObject) -> None:
    """In one slice or in many."""
    task = data.draw(tasks())
    assert isinstance(task.puzzle, EdgePuzzle)
    config = data.draw(configs(task.puzzle))
    assert_like_twin(task, config, data.draw(st.sampled_from([1, 7, 10**6])))


@pytest.mark.parametrize("order", ["bottom-up", "spiral"])
def test_tiles_in_several_words(order: str) -> None:
    """81 inner tiles that look the same; those of a type go on in the next word of slots."""
    puzzle = random_board(11, 11, 1, seed=1)
    task = build_task(puzzle, Request(Symmetry.ALL))
    assert_like_twin(task, RowsConfig((order,)), work=5)


@pytest.mark.parametrize("order", ["bottom-up", "spiral"])
def test_a_strip_in_several_words(order: str) -> None:
    """100 tiles in a row, 67 of which look the same; they lie behind others in their words."""
    inner = [(0, 1, 0, 1)] * 30 + [(0, 2, 0, 1)] + [(0, 2, 0, 2)] * 67
    puzzle = EdgePuzzle("strip", 100, 1, ((0, 1, 0, 0), (0, 0, 0, 2), *inner))
    assert_like_twin(build_task(puzzle, Request(Symmetry.ALL)), RowsConfig((order,)), work=5)


def test_a_board_of_more_than_256_cells() -> None:
    """16 x 17 cells, whose many colours leave little to try."""
    puzzle = random_board(16, 17, 800, seed=3)
    assert_like_twin(build_task(puzzle, Request(Symmetry.ALL)), RowsConfig())


BOARD = random_board(5, 5, 4, seed=1)


@pytest.mark.parametrize("order", ["bottom-up", "top-down"])
def test_the_fixed_corner_is_filled_first(order: str) -> None:
    """As many nodes as with that tile as a hint where the order begins, named or by its cells."""
    request = Request(reductions=(Reduction.parse("redundancy"),))
    ys = range(5) if order == "bottom-up" else reversed(range(5))
    cells = ",".join(f"{x}.{y}" for y in ys for x in range(5))
    hinted = Job(with_first_corner(BOARD, order), Request(Symmetry.ALL), "rows", {"order": order})
    expected = finish(execute(hinted))
    for words in (order, cells):
        finished = finish(execute(Job(BOARD, request, "rows", {"order": words})))
        assert (finished.count, finished.nodes) == (expected.count, expected.nodes)


def task_of(puzzle: EdgePuzzle, *reductions: str) -> Task:
    """All boards of a puzzle, symmetry broken or not."""
    reduce = tuple(map(Reduction.parse, reductions))
    return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reduce))


def levels(task: Task, config: RowsConfig, estimates: int, capacity: int) -> NDArray[np.float64]:
    """So many estimates, seed 1."""
    return RowsBackend().tree_estimator(task, config, 1, 1, capacity).levels(estimates)


def test_what_the_model_expects() -> None:
    """A level for each cell; a fourth of it where a tile breaks the symmetry of the square."""
    puzzle = load("edges-6-b4i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    whole, broken = (
        RowsBackend().expected_levels(task, RowsConfig((order,)))
        for task, order in ((task_of(puzzle), "best"), (task_of(puzzle, "redundancy"), "spiral"))
    )
    assert whole is not None
    assert broken is not None
    assert whole.shape == (36,)
    assert whole / 4 == pytest.approx(broken)
    probed = levels(task_of(puzzle), RowsConfig(("spiral",)), 20, 1_000)
    assert 0.4 < whole.sum() / probed[:, :-1].sum(axis=1).mean() < 2.5


class Twin:
    """Counts tiles put down by cells remaining, and keeps the solutions in the order found.

    A solution is its options in the order of filling.
    """

    def __init__(
        self, options: EdgeOptions, order: Sequence[tuple[int, int]], identical_tiles: str
    ) -> None:
        self.sign = -1 if options.puzzle.signed else 1
        self.order, self.each = list(order), identical_tiles == "each"
        self.type_of = options.tile_type.tolist()
        self.sides = options.sides.tolist()
        self.here: dict[tuple[int, int], list[int]] = {cell: [] for cell in order}
        numbers = range(options.option_count)
        for o in sorted(numbers, key=lambda o: (self.type_of[o], self.sides[o])):
            x, y = divmod(int(options.cell[o]), options.puzzle.height)
            self.here[x, y].append(o)
        self.unused = [list(range(len(kind.tiles))) for kind in options.types]
        self.placed: dict[tuple[int, int], tuple[int, int]] = {}  # copy and option
        self.fits = Counter[int]()
        self.solutions: list[list[int]] = []
        self.solve()

    def solve(self) -> None:
        """Try all tiles in the next cell."""
        if len(self.placed) == len(self.order):
            if self.ascending():
                self.solutions.append([self.placed[cell][1] for cell in self.order])
            return
        cell = self.order[len(self.placed)]
        for copy, option in list(self.candidates(cell)):
            self.fits[len(self.order) - len(self.placed)] += 1
            self.placed[cell] = copy, option
            self.unused[self.type_of[option]].remove(copy)
            self.solve()
            self.unused[self.type_of[option]].append(copy)
            del self.placed[cell]

    def candidates(self, cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """The copies that fit, by type, copy and orientation; of copies the first or each."""
        for kind, unused in enumerate(self.unused):
            fitting = [
                o for o in self.here[cell] if self.type_of[o] == kind and self.matches(cell, o)
            ]
            for copy in sorted(unused)[: None if self.each else 1]:
                yield from ((copy, option) for option in fitting)

    def matches(self, cell: tuple[int, int], option: int) -> bool:
        """Whether an option agrees with the neighbours that are there."""
        x, y = cell
        for side, near in enumerate(((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))):
            if near in self.placed:
                other = self.sides[self.placed[near][1]][(side + 2) % 4]
                if self.sides[option][side] != self.sign * other:
                    return False
        return True

    def ascending(self) -> bool:
        """Whether copies of every type lie in their order."""
        used: dict[int, list[int]] = {}
        for cell in self.order:
            copy, option = self.placed[cell]
            used.setdefault(self.type_of[option], []).append(copy)
        return all(copies == sorted(copies) for copies in used.values())
