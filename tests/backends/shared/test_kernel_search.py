"""Parts of a search, the buffer of its solutions, and the orientations of tiles."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level, numbered_within, parts_below
from dovetail.errors import ConfigError
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
    with pytest.raises(ConfigError, match="a taken option excludes another of its options"):
        numbered_within(SubProblem((7,), (4,)), selection)


def test_no_search_begins_below_a_solution() -> None:
    """A part that has a solution already is refused."""
    search = DlxSearch(queens(6), 6)
    search.advance(Budget(10**6))
    solution = tuple(search.take()[0].tolist())
    with pytest.raises(ConfigError, match="no search goes on below a solution"):
        DlxSearch(queens(6), 6).begin_within(SubProblem((*solution, solution[0])))
