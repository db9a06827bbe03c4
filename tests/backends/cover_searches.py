"""Searches for bare cover problems, run to their ends."""

from __future__ import annotations

from typing import TypeVar

from dovetail.backends.base import Budget
from dovetail.backends.bitset.search import BitsetSearch
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.outcome import Status

SEARCHES = (DlxSearch, BitsetSearch)
CoverSearch = type[DlxSearch] | type[BitsetSearch]
Search = TypeVar("Search", bound=DlxSearch | BitsetSearch)


def searched(search: Search, work: int = 10**7) -> tuple[Search, list[list[int]]]:
    """A search run to its end, `work` at a time, and its solutions in order."""
    solutions, status = list[list[int]](), None
    while status is None:
        status = search.advance(Budget(work))
        solutions += [[o for o in row if o >= 0] for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    return search, solutions
