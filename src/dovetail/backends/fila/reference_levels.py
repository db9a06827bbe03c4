"""Levels of a search by the reference kernel: what is left to be tried, and how to begin there.

The kernel tests all images of a target before it places the first that fits, and counts the
attempts then. A row of the stack has the images that fit and are still to be placed: these are the
options untried. A search that begins with them tests no image of their target again, so that each
attempt is counted once, by the search that was cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.kernels import layout
from dovetail.backends.fila.kernels.layout import Stack
from dovetail.backends.fila.kernels.reference_layout import Lists
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError
from dovetail.kernels.lanes import LANES


def levels(kernel: Any, lists: Lists, stack: Stack) -> Iterator[Level]:
    """Yield the levels of a search; `kernel` is its module."""
    rows = _rows(stack)
    for level in range(int(stack.pieces), int(stack.state[LEVEL]), -1):
        groups = _groups(kernel, rows[level], int(rows[level, kernel.NEXT]))
        entries = [entry for where, fitting in groups for entry in _entries(where, fitting)]
        taken = int(lists.images[int(rows[level, kernel.AT])])
        yield Level(taken, [lists.images[entries].tolist()])
    if stack.state[PHASE] == layout.DESCEND:  # the next target has not been chosen
        yield NOT_BRANCHED


def keep_branches(
    kernel: Any, lists: Lists, stack: Stack, level: int, options: Sequence[int]
) -> None:
    """Leave only some images to be placed where `level` pieces remain.

    The kernel has placed the first image that fits there, and takes that back next. Raises
    `ConfigError` where the options are not all among the images that fit.
    """
    row, wanted = _rows(stack)[level], set(options)
    groups = []
    if int(stack.state[LEVEL]) == level - 1:
        groups = list(_groups(kernel, row, 0))
        first, fitting = groups[0]
        groups[0] = first, fitting | 1 << int(row[kernel.AT]) - _position(first)
    kept = []
    for where, fitting in groups:
        entries = [one for one in _entries(where, fitting) if int(lists.images[one]) in wanted]
        if entries:
            kept += [sum(1 << one - _position(where) for one in entries), where]
            wanted.difference_update(lists.images[entries].tolist())
    if wanted:
        raise ConfigError("sub-problem: fila does not branch on its options there")
    first_group = int(kernel.FITTING)
    row[first_group : first_group + len(kept)] = kept
    row[kernel.NEXT], row[kernel.GROUPS] = 0, len(kept)
    stack.state[PHASE] = layout.RETURN


def _rows(stack: Stack) -> NDArray[np.uint64]:
    """The stack by pieces remaining."""
    return stack.rows.reshape(int(stack.pieces) + 1, -1)


def _groups(kernel: Any, row: NDArray[np.uint64], begin: int) -> Iterator[tuple[int, int]]:
    """The groups of images from one on: where a group is, and which of it are to be placed."""
    for group in range(begin, int(row[kernel.GROUPS]), int(kernel.GROUP_SIZE)):
        yield int(row[int(kernel.WHERE) + group]), int(row[int(kernel.FITTING) + group])


def _entries(where: int, fitting: int) -> list[int]:
    """The entries of the lists that some images of a group are."""
    return [_position(where) + lane for lane in range(LANES) if fitting >> lane & 1]


def _position(where: int) -> int:
    """The entry of the lists that a group begins with; the shape is above it."""
    return where & 0xFFFF_FFFF
