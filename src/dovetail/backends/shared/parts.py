"""Beginning a search at a part of its tree, by replaying the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.errors import ConfigError
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem

REPLAYED_WORK = 1_000_000


def replay(search: Search, part: SubProblem, keep: Callable[[Sequence[int]], None]) -> None:
    """Take the options that a part begins with, in a search that has not begun.

    `keep` leaves only some options to be tried where the search is about to branch, and raises
    `ConfigError` where it has others. The search then has made a node for each option taken, and
    the way back up has no branches left.
    """
    if replay_until_found(search, part, keep) is not None:
        raise ConfigError("sub-problem: no search goes on below a solution")


def replay_until_found(
    search: Search, part: SubProblem, keep: Callable[[Sequence[int]], None]
) -> SubProblem | None:
    """Take the options that a part begins with, see `replay`, until the search finds something.

    Returns the part below what it has found; None where that has all options taken and none is
    untried, or where nothing is found.
    """
    branches: list[tuple[int, ...]] = [(option,) for option in part.taken]
    branches += [] if part.untried is None else [part.untried]
    for number, options in enumerate(branches):
        if _finds_before_node(search, min(number, 1)):
            return SubProblem(part.taken[number:], part.untried)
        keep(options)
    if part.untried is None and part.taken:
        _finds_before_node(search, 1)
    return None


def numbered_within(part: SubProblem, options: NDArray[np.integer]) -> SubProblem:
    """Return a part by the numbers of some options, given in ascending order.

    Raises `ConfigError` for one that is not among them.
    """
    named = np.array([*part.taken, *(part.untried or ())], dtype=np.int64)
    found = np.searchsorted(options, named)
    if not np.isin(named, options).all():
        raise ConfigError("sub-problem: a taken option excludes another one")
    numbers = found.tolist()
    taken, untried = numbers[: len(part.taken)], numbers[len(part.taken) :]
    return SubProblem(tuple(taken), None if part.untried is None else tuple(untried))


def _finds_before_node(search: Search, nodes: int) -> bool:
    """Make so many nodes, and go on until another one would be made.

    Returns whether the search has found something before that; it stops there, and at its end.
    """
    status: Status | None = None
    found = search.count
    while status is None and search.count == found:
        made = search.counters.nodes or 0
        status = search.advance(Budget(work=REPLAYED_WORK, nodes=nodes))
        nodes -= (search.counters.nodes or 0) - made
    return search.count != found
