"""What can be put into a cell: sets of tiles turned, as tuples of uint64 words.

Bit t of plane p is the p-th orientation of tile t in the cells with some frame; a plane has as many
words as a set of the tiles of a zone. The lengths of the tuples are part of their types, so that
loops over them are unrolled.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.layout import (
    ALLOWED,
    COLOURS,
    FITS,
    FREE,
    KNOWN,
    TWINS,
)
from dovetail.backends.colorpair.kernels.pairs import FOUR_SIDES, ONE, ZERO, code_at, row_of
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.words import loaded


@kernel(inline=True)
def matching(tables, memory, at, cell, domain):
    """Orientations that a cell may take and that show what is known; their tiles may be used up."""
    row, codes = row_of(tables, cell), memory[at + tables[KNOWN] + cell]
    words, stride = np.uint64(len(domain)), tables[COLOURS] + ONE
    domain = loaded(domain, tables, tables[row + ALLOWED])
    for side in range(FOUR_SIDES):
        fits = tables[row + FITS] + (side * stride + code_at(codes, side)) * words
        for k in range(len(domain)):
            domain = tuple_setitem(domain, k, domain[k] & tables[fits + np.uint64(k)])
    return domain


@kernel(inline=True)
def candidates_of(tables, memory, at, cell, domain, tiles):
    """Those of tiles left; of twins, only the first."""
    domain, row = matching(tables, memory, at, cell, domain), row_of(tables, cell)
    free = at + tables[row + FREE]
    for k in range(len(domain)):
        left = memory[free + np.uint64(k % len(tiles))]
        domain = tuple_setitem(domain, k, domain[k] & left)
    return without_twins(tables, row, domain, tiles)


@kernel(inline=True)
def without_twins(tables, row, domain, tiles):
    """A domain of a cell less the tiles that follow a twin in it."""
    passed_on = ZERO
    for k in range(len(domain)):
        w = np.uint64(k % len(tiles))
        followed = domain[k] & tables[tables[row + TWINS] + w]
        before = passed_on if w else ZERO
        domain = tuple_setitem(domain, k, domain[k] & ~((followed << ONE) | before))
        passed_on = followed >> np.uint64(63)
    return domain
