"""`breaks` beside the same search in C++, compiled here, on the same lists.

Run with `pytest benchmarks -s`; skipped where no C++ compiler is found. Nothing is asserted about
time; nodes, the best score and its board are.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import pytest
from benchmarks.compiling import compiled
from benchmarks.timing import answers, beside, in_turn, seconds
from numpy.typing import NDArray

from dovetail.improvers.breaks.improver import (
    BreaksConfig,
    colours_first,
    empty_stack,
    make_lists,
    make_rules,
    order_of,
    schedule_of,
    sides_of_colours,
)
from dovetail.improvers.breaks.kernels import breaks as kernels
from dovetail.improvers.shared.board import BoardArrays, board_arrays
from dovetail.kernels import layout as state_of
from dovetail.puzzles.edge_boards import random_board

SOURCE = Path(__file__).with_name("breaks_twin.cpp")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC")
COMPILERS = ("g++", "clang++")
NODES, ROUNDS = 10_000_000, 9
begin: Any = kernels.begin
search: Any = kernels.search

# Nodes, the best score, and the orientations of its board in the order of filling.
Found = tuple[int, int, tuple[int, ...]]


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ctypes.CDLL]:
    """The twin by compiler, each of them that is there."""
    folder = tmp_path_factory.mktemp("twin")
    found = {name: compiled(SOURCE, folder, FLAGS, name) for name in COMPILERS if which(name)}
    if not found:
        pytest.skip(f"no C++ compiler: none of {', '.join(COMPILERS)} is there")
    return found


@pytest.mark.parametrize(
    ("size", "inner", "border", "seed"), [(16, 17, 5, 1), (16, 17, 5, 2), (10, 8, 4, 1)]
)
def test_beside_cpp(
    libraries: dict[str, ctypes.CDLL], size: int, inner: int, border: int, seed: int
) -> None:
    """Ten million nodes of a generated board. Target: at least 0.75 of the rate of C++, so at most
    1.33 of the time.
    """
    board = board_arrays(random_board(size, size, inner, seed, border))
    config = BreaksConfig()
    problem = Problem(board, order_of(board, config), config)
    twins = {name: partial(twin, library, problem) for name, library in libraries.items()}
    contenders = {"numba": partial(ours, problem), **twins}
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    (found,) = set(answers(timings))
    assert isinstance(found, tuple)
    nodes, score = found[:2]
    print(f"\n{size} x {size}, seed {seed}, {nodes:,} nodes, score {score}, rounds: {ROUNDS}:")
    for contender, each in timings.items():
        rate = nodes / min(timing.solve_s for timing in each) / 1e6
        print(f"  {contender}: {seconds(each)}, {rate:.1f} M nodes/s at best")
    for compiler in twins:
        ratio = beside(timings["numba"], timings[compiler])
        print(f"  numba / {compiler}: {ratio}; target for solve 1.33")


class Problem:
    """A board with the lists and rules of one search."""

    def __init__(self, board: BoardArrays, order: list[int], config: BreaksConfig) -> None:
        self.board, self.steps = board, len(order)
        preferred = sides_of_colours(board, colours_first(board, config))
        self.lists = make_lists(board, order, preferred, seed=1)
        self.rules = make_rules(board, order, schedule_of(board, order, preferred, config))


def ours(problem: Problem) -> Callable[[], Found]:
    """The project's kernel."""
    stack = empty_stack(problem.board, problem.steps)
    colours = np.uint64(problem.board.colours)
    begin(problem.lists, problem.rules, stack, colours)

    def run() -> Found:
        while (nodes := int(stack.state[state_of.NODES])) < NODES:
            stack.state[kernels.IMPROVED] = 0
            search(problem.lists, problem.rules, stack, None, colours, np.uint64(NODES - nodes))
        return nodes, int(stack.state[kernels.BEST]), tuple(stack.record.tolist())

    return run


class Board(ctypes.Structure):
    """The arrays as the twin takes them; see the kernels' `BreaksLists` and `BreaksRules`."""

    _fields_ = tuple(
        (name, ctypes.c_void_p)
        for name in (*kernels.BreaksLists._fields, *kernels.BreaksRules._fields)
    ) + tuple((name, ctypes.c_uint64) for name in ("step_count", "tiles", "colours"))


def twin(library: ctypes.CDLL, problem: Problem) -> Callable[[], Found]:
    """The program in C++."""
    board = problem.board
    arrays: list[NDArray[Any]] = [*problem.lists, *problem.rules]
    numbers = problem.steps, board.cells, board.colours
    passed = Board(*map(_address, arrays), *numbers)
    hinted = empty_stack(board, problem.steps).shown

    def run() -> Found:
        found, record = np.zeros(2, dtype=np.uint64), np.zeros(problem.steps, dtype=np.uint32)
        library.breaks_twin(
            ctypes.byref(passed),
            _address(hinted),
            ctypes.c_uint64(NODES),
            _address(found),
            _address(record),
        )
        return int(found[0]), int(found[1]), tuple(record.tolist())

    return run


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
