"""Levels of a search by `rows`: what is left to be tried there, and how to begin there.

A frame has the candidates of its cell that are still to be tried in one word; those in the words
behind it are looked up by the tiles below. A part is of one word, so that the kernel can be kept
within it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import Stack
from dovetail.backends.rows.tables import BoardTables, OrderedBoard
from dovetail.backends.shared.kernel_search import Level
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.errors import ConfigError
from dovetail.kernels.word_size import WORD_BITS

FRAME_SIZE, PLAN_SIZE = 1 << int(layout.FRAME_BITS), 1 << int(layout.PLAN_BITS)


@dataclass(frozen=True)
class Candidates:
    """Candidates of a cell in one word of `free`: the word, the row they come from, their bits."""

    word: int
    row: int
    bits: tuple[int, ...]


def levels(board: OrderedBoard, tables: BoardTables, stack: Stack) -> Iterator[Level]:
    """Yield the levels of a search."""
    frames, free = stack.frames.reshape(-1, FRAME_SIZE), tables.free.copy()
    last = int(stack.state[LEVEL])
    for depth in range(last + 1):
        candidates = _untried(tables, frames[depth], depth, free)
        taken = None
        if depth < last:
            taken = _option(board, tables, depth, int(frames[depth, layout.ENTRY]))
        yield Level(taken, [_options(board, tables, depth, one) for one in candidates])
        if depth < last:
            tables.put_down(free, int(frames[depth, layout.SLOT]))


def branches(board: OrderedBoard, tables: BoardTables, stack: Stack) -> Iterator[tuple[int, int]]:
    """Yield how many candidates each level has, and how many of them are untried."""
    frames, free = stack.frames.reshape(-1, FRAME_SIZE), tables.free.copy()
    last = int(stack.state[LEVEL])
    for depth, frame in enumerate(frames[: last + 1]):
        words = board.section_at[depth].words
        passed = int(frame[layout.AT]) - words.first  # words of this cell
        row = int(frame[layout.ROW]) - passed
        free_here = free[words.first : words.first + words.count]
        fitting = tables.tables.masks[row : row + words.count] & free_here
        yield _ones(fitting), _ones(fitting[passed + 1 :]) + _ones(frame[layout.LEFT])
        if depth < last:
            tables.put_down(free, int(frame[layout.SLOT]))


def keep_branches(
    board: OrderedBoard, tables: BoardTables, stack: Stack, options: Sequence[int]
) -> None:
    """Leave only some options to be tried in the cell that the search is about to fill.

    Changes the plan of the `tables`. Raises `ConfigError` where the cell has not all of them among
    the candidates of one word.
    """
    depth = int(stack.state[LEVEL])
    frame = stack.frames.reshape(-1, FRAME_SIZE)[depth]
    plan = tables.tables.plan.reshape(-1, PLAN_SIZE)[depth]
    for one in _untried(tables, frame, depth, stack.free):
        numbers = _options(board, tables, depth, one)
        if set(options) <= set(numbers):
            bits = [bit for bit, number in zip(one.bits, numbers, strict=True) if number in options]
            frame[layout.LEFT] = sum(1 << bit for bit in bits)
            frame[layout.ROW], frame[layout.AT] = one.row, one.word
            frame[layout.BEFORE] = stack.free[one.word]
            plan[layout.WORDS] = one.word - int(plan[layout.WORD]) + 1
            return
    raise ConfigError("sub-problem: rows does not branch on its options there")


def _untried(
    tables: BoardTables, frame: NDArray[np.uint64], depth: int, free: NDArray[np.uint64]
) -> Iterator[Candidates]:
    """The candidates of a frame that have not been put down, word by word in their order."""
    plan = tables.tables.plan.reshape(-1, PLAN_SIZE)[depth]
    end = int(plan[layout.WORD]) + int(plan[layout.WORDS])
    word, row, left = (int(frame[entry]) for entry in (layout.AT, layout.ROW, layout.LEFT))
    while True:
        bits = tuple(bit for bit in range(WORD_BITS) if left >> bit & 1)
        if bits:
            yield Candidates(word, row, bits)
        word, row = word + 1, row + 1
        if word >= end:
            return
        left = int(tables.tables.masks[row] & free[word])


def _options(
    board: OrderedBoard, tables: BoardTables, depth: int, candidates: Candidates
) -> list[int]:
    entries = (candidates.row * WORD_BITS + bit for bit in candidates.bits)
    return [_option(board, tables, depth, entry) for entry in entries]


def _option(board: OrderedBoard, tables: BoardTables, depth: int, entry: int) -> int:
    """The option that an entry of `shows` is in the cell of a depth."""
    return int(board.orientations.option[board.cells[depth], tables.orientation[entry]])


def _ones(words: NDArray[np.uint64]) -> int:
    return int(np.bitwise_count(words).sum())
