"""The block of words that a search is in while a board's own code makes its nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dovetail.backends.rows.kernels import layout

# The head of the block of words that a search is in: the nodes that are left, the depth, where the
# rows for solutions are, how many there are and how many of them are filled, the solutions found.
UNSPENT, DEPTH, SOLUTIONS, CAPACITY, BUFFERED, FOUND = range(6)
HEAD_SIZE = 6

# What a cell's function returns: all is tried; fewer nodes are left than the word reached has
# candidates; the rows for solutions are filled.
DONE, SPENT, FULL = range(3)

FRAME_SIZE = 1 << int(layout.FRAME_BITS)


@dataclass(frozen=True)
class Block:
    """Where the parts of a search's block lie: behind the head `free`, `fits`, `frames`, `ends`.

    `ends` has, by depth, the word of `free` behind those whose candidates are to be tried.
    """

    words: int
    cells: int

    @property
    def free(self) -> int:
        return HEAD_SIZE

    @property
    def fits(self) -> int:
        return self.free + self.words

    @property
    def frames(self) -> int:
        return self.fits + self.cells

    @property
    def ends(self) -> int:
        return self.frames + self.cells * FRAME_SIZE

    @property
    def size(self) -> int:
        return self.ends + self.cells

    def frame(self, depth: int, entry: np.uint64) -> int:
        """The place of an entry of a frame, which `layout` numbers."""
        return self.frames + depth * FRAME_SIZE + int(entry)
