"""Parts of a search with edge domains: what is left of its tree, and how to begin there.

A record has the candidates of the cell branched on that are still to be tried; the record of the
next level has the one that was put there. Which cell is branched on depends on failures elsewhere:
a part therefore takes the cells of its options, and goes on with no failures counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.kernels import layout
from dovetail.backends.domains.kernels.layout import Stack, Tables, Words
from dovetail.errors import ConfigError
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.sub_problem import SubProblem


def parts_left(tables: Tables, words: Words, stack: Stack) -> tuple[SubProblem, ...]:
    """Return what is left of a tree, in the order of the search."""
    if not stack.state[layout.BEGUN]:
        return (SubProblem(),)
    taken: list[int] = []
    parts: list[SubProblem] = []
    for level in range(int(stack.state[layout.DEPTH])):
        cell = int(stack.branch[level])
        if level:
            before = int(stack.branch[level - 1])
            taken += _options(tables, words, stack, level, before).tolist()
        untried = tuple(_options(tables, words, stack, level, cell).tolist())
        parts = [SubProblem(tuple(taken), untried), *parts] if untried else parts
    return tuple(parts)


def keep_branches(tables: Tables, words: Words, stack: Stack, options: Sequence[int]) -> None:
    """Branch on the cell of some options, which are all to be tried there.

    Raises `ConfigError` where they are no candidates of one cell that has several.
    """
    level, cell_bits = int(stack.state[layout.DEPTH]) - 1, len(words.domain) * WORD_BITS
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
