"""Choosing the cell to branch on."""

import numpy as np

from dovetail.backends.domains.kernels.domain import (
    ONE,
    SIX,
    ZERO,
)
from dovetail.backends.domains.kernels.layout import PER_EDGE
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.words import loaded, size

TWO = np.uint64(2)
MAX_PARTS = 9.0


@kernel
def choose(words, records, at, domains_at, sides_at, edge_at, weight, choice):
    """The cell of the record at `at` that has the least score, and how many candidates it has.

    The score is the number of candidates, by `PER_EDGE` divided by 1 + 2 · the number of edges of
    the cell that have several colours left: what is learnt at such a cell goes to more places.
    Ties go to the cell that has lost its last candidate most often, then to the first.
    No candidates: every cell is down to one. The arguments are those of `search`.
    """
    cell_words, domain, colours = words.cells, words.domain, words.colours
    domain_words = np.uint64(len(domain))
    chosen, lowest, heaviest, candidates = ZERO, np.inf, ZERO, ZERO
    for word in range(cell_words):
        rest = records[at + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            count = size(loaded(domain, records, at + domains_at + cell * domain_words))
            if float(count) > lowest * MAX_PARTS:
                continue  # its edges need not be looked at
            parts = ONE
            if choice == PER_EDGE:
                for m in range(sides_at[cell], sides_at[cell + ONE]):
                    several = size(loaded(colours, records, at + edge_at[m])) > ONE
                    parts += TWO if several else ZERO
            score = float(count) / float(parts)
            if score < lowest or (score == lowest and weight[cell] > heaviest):
                chosen, lowest, heaviest, candidates = cell, score, weight[cell], count
    return chosen, candidates
