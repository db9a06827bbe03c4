"""The board of a FILA search: a tuple of uint64 words, one bit for each cell.

A tuple's length is part of its type, so that one source becomes one machine program for each
number of words, with the words in registers. Functions that change a board return another.
"""

import numpy as np

from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import disjoint_lanes, trailing_zeros

ZERO, ONE, THREE, SIX, EIGHT = (np.uint64(number) for number in (0, 1, 3, 6, 8))
LOW_SIX, ALL_LANES = np.uint64(63), np.uint64(255)
FULL_WORD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def first_open(board):
    """The open cell with the least number; there is one."""
    offset = ZERO
    for w in range(len(board)):
        if board[w] != FULL_WORD:
            return offset + trailing_zeros(~board[w])
        offset += ONE << SIX
    return offset


@kernel(inline=True)
def is_open(cell, board):
    """Whether a cell is open."""
    for w in range(len(board)):
        if np.uint64(w) == cell >> SIX:
            return (board[w] >> (cell & LOW_SIX)) & ONE == ZERO
    return False


@kernel(inline=True)
def complement(words):
    """All the other bits of a tuple of words."""
    for w in range(len(words)):
        words = tuple_setitem(words, w, ~words[w])
    return words


@kernel(inline=True)
def toggled(board, masks, at, stride):
    """The board with the cells of a mask placed, or taken back; words lie `stride` apart."""
    for w in range(len(board)):
        board = tuple_setitem(board, w, board[w] ^ masks[at + np.uint64(w) * stride])
    return board


@kernel(inline=True)
def toggled_bit(words, bit):
    """A tuple of words with one bit changed."""
    if len(words) == 1:
        return tuple_setitem(words, 0, words[0] ^ ONE << bit)
    for w in range(len(words)):
        if np.uint64(w) == bit >> SIX:
            words = tuple_setitem(words, w, words[w] ^ ONE << (bit & LOW_SIX))
    return words


@kernel(inline=True)
def state_of(cell, near, board):
    """The occupancy of eight cells near `cell`: bit j is set when the j-th of them is occupied.

    `near` has a block of eight masks of one bit for each cell: their first words, their second
    ones, and so on. A mask without a bit counts as an open cell.
    """
    at = (cell << THREE) * np.uint64(len(board))
    return disjoint_lanes(near, at, EIGHT, board) ^ ALL_LANES
