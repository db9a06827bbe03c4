"""Parts of a search, the buffer of its solutions, and the orientations of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.kernel_search import (
    NOT_BRANCHED,
    Level,
    SolutionBuffer,
    numbered_within,
    parts_below,
)
from dovetail.backends.shared.tiles import NO_OPTION, tile_orientations
from dovetail.errors import ConfigError
from dovetail.kernels.layout import BUFFERED, OWN
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.edges import edge_options
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.cover_classics import queens
from oracle.strategies import edge_puzzles


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


def test_no_search_begins_below_a_solution() -> None:
    """A part that has a solution already is refused."""
    search = DlxSearch(queens(6), 6)
    search.advance(Budget(10**6))
    solution = tuple(search.take()[0].tolist())
    with pytest.raises(ConfigError, match="no search goes on below a solution"):
        DlxSearch(queens(6), 6).begin_within(SubProblem((*solution, solution[0])))


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


@given(puzzle=edge_puzzles())
def test_every_option_has_its_orientation(puzzle: EdgePuzzle) -> None:
    """Type, sides and cell come back, and colours that face one another mate."""
    options = edge_options(puzzle)
    orientations = tile_orientations(options)
    sign = -1 if puzzle.signed else 1
    cells, numbers = np.nonzero(orientations.option != NO_OPTION)
    assert sorted(orientations.option[cells, numbers]) == list(range(options.option_count))
    colour = dict[int, int]()
    for cell, orientation in zip(cells, numbers, strict=True):
        option = orientations.option[cell, orientation]
        assert options.cell[option] == cell
        assert options.tile_type[option] == orientations.tile_type[orientation]
        for value, one in zip(options.sides[option], orientations.shown[orientation], strict=True):
            assert colour.setdefault(int(one), int(value)) == value
    assert colour.get(0, 0) == 0
    assert len(set(colour.values())) == len(colour)
    for one, value in colour.items():
        mate = int(orientations.mate[one])
        assert orientations.mate[mate] == one
        assert colour.get(mate, sign * value) == sign * value
    assert np.all(np.diff(orientations.tile_type) >= 0)
    assert orientations.copies.sum() == len(puzzle.tiles)
