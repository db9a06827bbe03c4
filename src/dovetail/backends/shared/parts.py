"""Beginning a search at a part of its tree, by replaying the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dovetail.backends.base import Budget, Search
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem

REPLAYED_WORK = 1_000_000


def replay(search: Search, part: SubProblem, keep: Callable[[Sequence[int]], None]) -> None:
    """Take the options that a part begins with, in a search that has not begun.

    `keep` leaves only some options to be tried where the search is about to branch, and raises
    `ConfigError` where it has others. The search then has made a node for each option taken, and
    the way back up has no branches left.
    """
    branches: list[tuple[int, ...]] = [(option,) for option in part.taken]
    branches += [] if part.untried is None else [part.untried]
    for number, options in enumerate(branches):
        _advance_to_node(search, 0 if number == 0 else 1)
        keep(options)
    if part.untried is None and part.taken:
        _advance_to_node(search, 1)


def _advance_to_node(search: Search, nodes: int) -> None:
    """Make so many nodes, and go on until another one would be made, or the search has ended."""
    status: Status | None = None
    while status is None:
        made = search.counters.nodes or 0
        status = search.advance(Budget(work=REPLAYED_WORK, nodes=nodes))
        nodes -= (search.counters.nodes or 0) - made
