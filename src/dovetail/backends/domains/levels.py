"""Levels of a search with edge domains: what is left to be tried, and how to begin there.

A record has the candidates of the cell branched on that are still to be tried; the record of the
next level has the one that was put there. Which cell is branched on depends on failures elsewhere:
a part therefore takes the cells of its options, and goes on with no failures counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.kernels.layout import Stack, Tables, Words
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError
from dovetail.kernels.word_size import WORD_BITS


def levels(tables: Tables, words: Words, stack: Stack) -> Iterator[Level]:
    """Yield the levels of a search."""
    if not stack.state[PHASE]:
        yield NOT_BRANCHED
    depth = int(stack.state[LEVEL])
    for level in range(depth):
        cell, taken = int(stack.branch[level]), None
        if level + 1 < depth:
            taken = int(_options(tables, words, stack, level + 1, cell)[0])
        yield Level(taken, [_options(tables, words, stack, level, cell).tolist()])


def untried_count(tables: Tables, words: Words, stack: Stack, level: int) -> int:
    """Return how many candidates of the cell of a level are still to be tried."""
    domain = _domain(tables, words, stack, level, int(stack.branch[level]))
    return int(np.bitwise_count(domain).sum())


def keep_branches(tables: Tables, words: Words, stack: Stack, options: Sequence[int]) -> None:
    """Branch on the cell of some options, which are all to be tried there.

    Raises `ConfigError` where they are no candidates of one cell that has several.
    """
    level, cell_bits = int(stack.state[LEVEL]) - 1, len(words.domain) * WORD_BITS
    numbers = np.flatnonzero(np.isin(tables.option, options))
    cells = np.unique(numbers // cell_bits)
    if level < 0 or len(numbers) != len(options) or len(cells) != 1:
        raise ConfigError("sub-problem: domains does not branch on its options there")
    cell, record = int(cells[0]), stack.records.reshape(-1, int(words.record))[level]
    candidates = np.isin(options, _options(tables, words, stack, level, cell)).all()
    if not candidates or not int(record[cell // WORD_BITS]) >> cell % WORD_BITS & 1:
        raise ConfigError("sub-problem: domains does not branch on its options there")
    domain = _domain(tables, words, stack, level, cell)
    domain[:] = 0
    for bit in (numbers % cell_bits).tolist():
        domain[bit // WORD_BITS] |= np.uint64(1 << bit % WORD_BITS)
    stack.branch[level], stack.candidate_count[level] = cell, len(options)


def _options(
    tables: Tables, words: Words, stack: Stack, level: int, cell: int
) -> NDArray[np.int32]:
    """The options that a cell can still take by the record of a level, in the order of trying."""
    domain = _domain(tables, words, stack, level, cell)
    bits = np.flatnonzero(np.unpackbits(domain.view(np.uint8), bitorder="little"))
    options: NDArray[np.int32] = tables.option[cell * len(words.domain) * WORD_BITS + bits]
    return options


def _domain(
    tables: Tables, words: Words, stack: Stack, level: int, cell: int
) -> NDArray[np.uint64]:
    """The words of a cell's domain in the record of a level."""
    begin = int(tables.domains_at) + cell * len(words.domain)
    record: NDArray[np.uint64] = stack.records.reshape(-1, int(words.record))[level]
    return record[begin : begin + len(words.domain)]
