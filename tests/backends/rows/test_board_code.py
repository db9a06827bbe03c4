"""The code of a board beside the kernel: the same nodes, solutions and frames, slice by slice."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.rows.test_against_twin import configs, tasks
from dovetail.backends.base import Budget
from dovetail.backends.rows import board_code, search
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.search import RowsSearch
from dovetail.jit import bounds_check
from dovetail.kernels.layout import LEVEL
from dovetail.machine_code import board, start
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board

pytestmark = pytest.mark.skipif(
    bounds_check(), reason="a board's code has no checked indices, so that there is none"
)
KEPT = [int(entry) for entry in (layout.ENTRY, layout.SLOT, layout.LEFT, layout.STATE, layout.BACK)]


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of any length begin by the code."""
    monkeypatch.setattr(search, "MIN_NODES", 1)
    monkeypatch.setattr(board_code, "CELL_NODES_BEFORE", 0)


def prepared(task: Task, config: RowsConfig, *, by_code: bool) -> RowsSearch:
    """A search by the kernel, or by the board's code."""
    made = RowsBackend().prepare(task, config)
    if by_code:
        made.compile_code()
    else:
        made._code = board_code.BoardCode(made._board, config.identical_tiles)
        made._code.made = lambda nodes: None  # type: ignore[method-assign]
    return made


def assert_same_state(one: RowsSearch, other: RowsSearch) -> None:
    """What a search has found, and where it is."""
    assert one.counters == other.counters
    assert one.count == other.count
    assert one.take().tolist() == other.take().tolist()
    assert one.progress() == other.progress()
    assert one.remaining() == other.remaining()
    levels = int(one._stack.state[LEVEL]) + 1
    assert np.array_equal(one._frames[:levels, KEPT], other._frames[:levels, KEPT])
    assert np.array_equal(one._free[:levels], other._free[:levels])


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_random_boards(data: st.DataObject) -> None:
    """In slices of any number of nodes and solutions."""
    task = data.draw(tasks())
    assert isinstance(task.puzzle, EdgePuzzle)
    config = data.draw(configs(task.puzzle))
    by_code, by_kernel = (prepared(task, config, by_code=each) for each in (True, False))
    assume(by_code._code.is_compiled)
    slices = st.tuples(st.sampled_from([1, 3, 20, 500]), st.sampled_from([None, None, 1, 2]))
    for work, solutions in data.draw(st.lists(slices, max_size=12)):
        budget = Budget(work=work, solutions=solutions)
        assert by_code.advance(budget) == by_kernel.advance(budget)
        assert_same_state(by_code, by_kernel)
    while (status := by_code.advance(Budget(work=1000))) is None:
        assert by_kernel.advance(Budget(work=1000)) is None
        assert_same_state(by_code, by_kernel)
    assert by_kernel.advance(Budget(work=1000)) == status
    assert_same_state(by_code, by_kernel)


@pytest.mark.parametrize(
    ("colours", "order", "max_nodes"), [(22, "bottom-up", 10**7), (6, "spiral", 15_000)]
)
def test_candidates_in_several_words(colours: int, order: str, max_nodes: int) -> None:
    """81 inner tiles: to the end of the tree, or its first nodes, and within all parts left."""
    puzzle = random_board(11, 11, colours, seed=1)
    task, config = build_task(puzzle, Request(Symmetry.ALL)), RowsConfig((order,))
    by_code, by_kernel = (prepared(task, config, by_code=each) for each in (True, False))
    assert by_code._code.is_compiled
    parts: tuple[SubProblem, ...] = ()
    for slices in count(1):
        budget = Budget(work=97 * slices, solutions=3)
        status = by_code.advance(budget)
        assert by_kernel.advance(budget) == status
        assert_same_state(by_code, by_kernel)
        if status is not None or by_code.nodes > max_nodes:
            break
        parts = by_code.remaining() or ()
    assert len(parts) > 1
    for part in parts:
        within = [prepared(task, config, by_code=each) for each in (True, False)]
        for one in within:
            one.begin_within(part)
            one.advance(Budget(work=20_000))
        assert_same_state(*within)


def test_it_takes_over() -> None:
    """A search begins by the kernel, goes on by the code, and makes a node limit to the node."""
    task = build_task(random_board(6, 6, 3, seed=5), Request(Symmetry.ALL))
    config = RowsConfig()
    made, by_kernel = RowsBackend().prepare(task, config), prepared(task, config, by_code=False)
    assert not made._code.is_compiled
    made.advance(Budget(work=1000))
    made.compile_code()
    assert made._code.is_compiled
    made.advance(Budget(work=10**6, nodes=99_000))
    by_kernel.advance(Budget(work=10**6, nodes=100_000))
    assert made.nodes == 100_000
    assert_same_state(made, by_kernel)


def test_boards_compiled_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each board gets its own functions, although the other thread loads code in between."""
    loader = start._engine()
    one, *others = (
        build_task(random_board(2, 3, 2, seed=seed), Request(Symmetry.ALL)) for seed in (1, 2)
    )
    finalize, compiled, addresses = loader.finalize_object, start.compiled, list[int]()

    def finalized() -> None:
        finalize()
        if others:
            prepared(others.pop(), RowsConfig(), by_code=True)

    def loaded(text: str, symbol: str) -> int:
        addresses.append(compiled(text, symbol))
        return addresses[-1]

    monkeypatch.setattr(loader, "finalize_object", finalized)
    monkeypatch.setattr(board, "compiled", loaded)
    assert prepared(one, RowsConfig(), by_code=True)._code.is_compiled
    assert len(set(addresses)) == 2


@pytest.mark.parametrize(
    ("task", "config"),
    [
        (build_task(random_board(11, 11, 1, seed=1), Request(Symmetry.ALL)), RowsConfig()),
        (
            build_task(random_board(3, 3, 1, seed=1), Request(Symmetry.ALL)),
            RowsConfig(identical_tiles="each"),
        ),
    ],
)
def test_boards_without_code(task: Task, config: RowsConfig) -> None:
    """Copies of a tile in two words, and copies whose order matters."""
    assert not prepared(task, config, by_code=True)._code.is_compiled
