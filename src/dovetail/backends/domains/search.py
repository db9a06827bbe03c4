"""A search by `domains`: the arrays of the kernel, and the levels of its stack.

The record of a level has the untried candidates of the cell branched on. The record of the next
level has the candidate that was put into the cell. The choice of the cell depends on failures
elsewhere. The search of a part therefore begins by branching on the cells of the part's options. It
starts without counted failures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.domains.config import DomainsConfig
from dovetail.backends.domains.kernels import layout
from dovetail.backends.domains.kernels.layout import (
    DomainsRules,
    DomainsScratch,
    DomainsStack,
    DomainsWords,
)
from dovetail.backends.domains.tables import DomainsSizes, build_tables
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, KernelSearch, Level
from dovetail.backends.shared.tiles import ZonedBoard
from dovetail.errors import ConfigError
from dovetail.kernels.bits import bits_of, members_of, zeros
from dovetail.kernels.layout import LEVEL, PHASE, WORD_BITS, WORK

WORK_PER_WORD = 2  # steps of `Budget.work` for a word of a revised domain
MAX_BYTES = 2**29
MAX_WORDS = 256  # words of a domain; compiling the kernel for this number takes half a minute


class DomainsSearch(KernelSearch):
    """A search of a board. A row of `take` has the option of each cell, in the order of zones."""

    native = MappingProxyType({"forced": layout.FORCED, "revisions": WORK})

    def __init__(self, board: ZonedBoard, config: DomainsConfig) -> None:
        from dovetail.backends.domains.kernels.search import search

        self._kernel = search
        sizes, cells = DomainsSizes.of(board), len(board.frames)
        self._tables, self._root = build_tables(board, sizes)
        self._records = np.zeros((cells + 1, len(self._root)), dtype=np.uint64)
        self._words = DomainsWords(
            cells=np.uint64(sizes.cells),
            record=np.uint64(len(self._root)),
            domain=zeros(sizes.domain),
            types=zeros(sizes.types),
            colours=zeros(sizes.colours),
            lanes=zeros(sizes.lanes),
        )
        by_level = np.zeros((3, cells + 1), dtype=np.uint64)
        self._stack = DomainsStack(
            records=self._records.reshape(-1),
            branch=by_level[0],
            candidate_count=by_level[1],
            weight=np.zeros(cells, dtype=np.uint64),
            fits=by_level[2],
            state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
            scratch=DomainsScratch(
                queue=np.zeros(sizes.cells, dtype=np.uint64),
                seen=np.zeros(sizes.lanes, dtype=np.uint64),
                at_least=np.zeros((layout.MAX_COPIES + 1) * sizes.types, dtype=np.uint64),
            ),
        )
        self._rules = DomainsRules(
            choice=np.uint64(layout.PER_EDGE if config.choice == "per-edge" else layout.FEWEST),
            single_place=config.single_place,
            lazy_colours=np.uint64(config.lazy_colours),
            lazy_candidates=np.uint64(config.lazy_candidates),
        )
        super().__init__(self._stack.state, cells, cells, self._stack.fits[:0:-1])

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        if not self._state[PHASE]:  # a second propagation would remove more than the first
            self._records[0] = self._root
        revisions = max(1, work // (WORK_PER_WORD * len(self._words.domain)))
        return self._kernel(
            self._tables,
            self._words,
            self._stack,
            solutions,
            self._rules,
            self._guide,
            np.uint64(nodes),
            self._state[WORK] + np.uint64(revisions),
        )

    def take_failures(self, other: DomainsSearch) -> None:
        """Copy the failure counts of another search of the board, before this search begins."""
        self._stack.weight[:] = other._stack.weight

    def _levels(self) -> Iterator[Level]:
        if not self._state[PHASE]:
            yield NOT_BRANCHED
        depth = int(self._state[LEVEL])
        for level, cell in enumerate(self._stack.branch[:depth].tolist()):
            taken = int(self._options(level + 1, cell)[0]) if level + 1 < depth else None
            yield Level(taken, [self._options(level, cell).tolist()])

    def _branches(self) -> list[tuple[int, int]] | None:
        if not self._state[PHASE]:
            return None
        cells = self._stack.branch[: int(self._state[LEVEL])].tolist()
        untried = [len(self._options(level, cell)) for level, cell in enumerate(cells)]
        return list(zip(self._stack.candidate_count.astype(int).tolist(), untried, strict=False))

    def _keep(self, options: Sequence[int]) -> None:
        level, bits = int(self._state[LEVEL]) - 1, len(self._words.domain) * WORD_BITS
        numbers = np.flatnonzero(np.isin(self._tables.option, options))
        cells = np.unique(numbers // bits)
        if level < 0 or len(numbers) != len(options) or len(cells) != 1:
            raise ConfigError("sub-problem: domains does not branch on these options")
        cell = int(cells[0])
        is_open = int(self._records[level, cell // WORD_BITS]) >> cell % WORD_BITS & 1
        if not is_open or not np.isin(options, self._options(level, cell)).all():
            raise ConfigError("sub-problem: domains does not branch on these options")
        kept = np.isin(np.arange(bits), numbers % bits)
        self._domain(level, cell)[:] = bits_of(kept, len(self._words.domain))
        self._stack.branch[level], self._stack.candidate_count[level] = cell, len(options)

    def _options(self, level: int, cell: int) -> NDArray[np.int32]:
        """Return the options in a cell's domain on a level, in the order in which they are tried.

        For the cell branched on, these are the untried options.
        """
        begin = cell * len(self._words.domain) * WORD_BITS
        options: NDArray[np.int32] = self._tables.option[
            begin + members_of(self._domain(level, cell))
        ]
        return options

    def _domain(self, level: int, cell: int) -> NDArray[np.uint64]:
        """Return a view of the domain of a cell in the record of a level."""
        begin = int(self._tables.domains_at) + cell * len(self._words.domain)
        return self._records[level, begin : begin + len(self._words.domain)]


def too_large(board: ZonedBoard) -> str | None:
    """Return why a board is too large for the kernel or for memory, or None."""
    sizes = DomainsSizes.of(board)
    if sizes.domain > MAX_WORDS:
        return f"its domains take {sizes.domain:,} words of bits; the limit is {MAX_WORDS}"
    needed = 8 * sizes.record(board) * (len(board.frames) + 1)
    return memory_refusal("its records", needed, MAX_BYTES) or memory_refusal(
        "its tables", 8 * sizes.tables(board), MAX_BYTES
    )
