"""The arrays of a search with edge domains, at its root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dovetail.backends.domains.kernels import layout
from dovetail.backends.domains.kernels.layout import Rules, Scratch, Stack, Tables, Words
from dovetail.backends.domains.tables import Sizes, build_tables
from dovetail.backends.shared.zoned_board import ZonedBoard

Choice = Literal["per-edge", "fewest"]


@dataclass(frozen=True, eq=False)
class SearchArrays:
    """What the kernels of `domains` take; the first record of the stack is that of the root."""

    tables: Tables
    words: Words
    stack: Stack
    scratch: Scratch
    rules: Rules


def search_arrays(
    board: ZonedBoard,
    choice: Choice,
    *,
    single_place: bool,
    lazy_colours: int,
    lazy_candidates: int,
) -> SearchArrays:
    """The arrays of a search that has not begun; settings as in `DomainsConfig`."""
    sizes, cells = Sizes.of(board), len(board.frames)
    tables, record = build_tables(board, sizes)
    records = np.zeros((cells + 1, len(record)), dtype=np.uint64)
    records[0] = record
    return SearchArrays(
        tables=tables,
        words=Words(
            cells=np.uint64(sizes.cells),
            record=np.uint64(len(record)),
            domain=_zeros(sizes.domain),
            types=_zeros(sizes.types),
            colours=_zeros(sizes.colours),
            lanes=_zeros(sizes.lanes),
        ),
        stack=Stack(
            records=records.reshape(-1),
            branch=np.zeros(cells + 1, dtype=np.uint64),
            candidate_count=np.zeros(cells + 1, dtype=np.uint64),
            weight=np.zeros(cells, dtype=np.uint64),
            fits=np.zeros(cells + 1, dtype=np.uint64),
            state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
        ),
        scratch=Scratch(
            queue=np.zeros(sizes.cells, dtype=np.uint64),
            seen=np.zeros(sizes.lanes, dtype=np.uint64),
            at_least=np.zeros((layout.MAX_COPIES + 1) * sizes.types, dtype=np.uint64),
        ),
        rules=Rules(
            choice=np.uint64(layout.PER_EDGE if choice == "per-edge" else layout.FEWEST),
            single_place=single_place,
            lazy_colours=np.uint64(lazy_colours),
            lazy_candidates=np.uint64(lazy_candidates),
        ),
    )


def _zeros(words: int) -> tuple[Any, ...]:
    return (np.uint64(0),) * words
