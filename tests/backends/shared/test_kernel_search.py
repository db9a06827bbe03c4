"""Parts of a search from the levels of its stack, and the buffer of its solutions."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.backends.base import Budget
from dovetail.backends.bitset.search import BitsetSearch
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.kernel_search import (
    NOT_BRANCHED,
    KernelSearch,
    Level,
    SolutionBuffer,
    buffer_rows,
    numbered_within,
    parts_below,
)
from dovetail.errors import ConfigError
from dovetail.kernels.layout import BUFFERED, OWN
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.cover_classics import queens


def test_parts_are_in_the_order_of_the_search() -> None:
    """Leave the deepest options first; a level may have made placements before it enters them."""
    levels = [Level(4, [(5, 6)]), Level(1, [(2,), ()], placed=(9,)), Level(None, [None])]
    assert parts_below(levels) == (
        SubProblem((4, 1)),
        SubProblem((4, 9)),
        SubProblem((4,), (2,)),
        SubProblem((), (5, 6)),
    )


def test_a_search_that_has_not_begun_is_one_part() -> None:
    """Leave the whole problem before the first branching, and nothing at the end."""
    assert parts_below([NOT_BRANCHED]) == (SubProblem(()),)
    assert parts_below([Level(None, [()])]) == ()


def test_options_have_the_numbers_of_a_selection() -> None:
    """Number options by their places in a selection; refuse an option that is not in it."""
    selection = np.array([3, 7, 8, 20])
    assert numbered_within(SubProblem((7,), (3, 20)), selection) == SubProblem((1,), (0, 3))
    with pytest.raises(ConfigError, match="a taken option excludes another one"):
        numbered_within(SubProblem((7,), (4,)), selection)


@pytest.mark.parametrize("kind", [DlxSearch, BitsetSearch])
def test_a_search_begins_within_a_part(kind: type[DlxSearch] | type[BitsetSearch]) -> None:
    """Count nothing of the way to a part; refuse a part below a solution."""
    problem = queens(6)
    whole: KernelSearch = kind(problem, 6)
    whole.advance(Budget(10**6, nodes=20))
    found, made = whole.count, whole.nodes
    parts = whole.remaining()
    assert parts
    for part in parts:
        search: KernelSearch = kind(problem, 6)
        search.begin_within(part)
        assert (search.count, search.nodes) == (0, 0)
        search.advance(Budget(10**6))
        found, made = found + search.count, made + search.nodes
    reference: KernelSearch = kind(problem, 6)
    reference.advance(Budget(10**6))
    assert (found, made) == (reference.count, reference.nodes)
    solution = tuple(reference.take()[0].tolist())
    with pytest.raises(ConfigError, match="no search goes on below a solution"):
        kind(problem, 6).begin_within(SubProblem((*solution, solution[0])))


@pytest.mark.parametrize(
    ("placements", "rows"), [(0, 4096), (1, 4096), (1024, 4096), (1025, 4092), (2**23, 1)]
)
def test_rows(placements: int, rows: int) -> None:
    """Many small solutions or a few large ones, at least one."""
    assert buffer_rows(placements) == rows


def test_filled_and_taken() -> None:
    """Rows are filled up to the last that a budget allows, and what is taken stays as it was."""
    state = np.zeros(OWN, dtype=np.uint64)
    buffer = SolutionBuffer(2**20, np.int32, state)
    rows = buffer.open_for(Budget(work=1))
    assert rows is not None
    assert rows.shape == (4, 2**20)
    rows[0] = 7
    state[BUFFERED] = 1
    fewer = buffer.open_for(Budget(work=1, solutions=2))
    assert fewer is not None
    assert len(fewer) == 3
    state[BUFFERED] = 4
    assert buffer.open_for(Budget(work=1)) is None
    state[BUFFERED] = 1
    taken = buffer.take()
    rows[0] = 8
    assert (taken.shape, np.unique(taken).tolist()) == ((1, 2**20), [7])
    assert not state.any()
    assert len(buffer.take()) == 0
