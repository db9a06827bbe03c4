"""Levels of a search by dancing links: what is left to be tried there, and how to begin there.

The stack holds for each level the item branched on and the node of the option taken. The column of
an item that is covered exactly once stays as it was when the item was chosen, so that the options
still to be tried are those below that node. An item with other bounds removes its options one by
one; at such a level nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.backends.dlx.kernels import layout
from dovetail.backends.dlx.kernels.layout import DOWN, ENTRIES, Links, Stack
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError


def levels(matrix: Links, stack: Stack) -> Iterator[Level] | None:
    """Return the levels of a search; None where it cannot be cut."""
    last = int(stack.state[LEVEL])
    if stack.state[PHASE] != layout.DONE and not matrix.once[stack.level_item[:last]].all():
        return None
    return _levels(matrix, stack, last)


def _levels(matrix: Links, stack: Stack, last: int) -> Iterator[Level]:
    if stack.state[PHASE] == layout.DONE:
        return
    for item, taken in zip(stack.level_item[:last], stack.level_node[:last], strict=True):
        untried = [_option(matrix, node) for node in _below(matrix, int(item), int(taken))]
        yield Level(_option(matrix, int(taken)), [untried])
    if stack.state[PHASE] == layout.DESCEND:  # the option taken last has not been gone into
        yield NOT_BRANCHED


def keep_branches(matrix: Links, stack: Stack, options: Sequence[int]) -> None:
    """Leave only some options to be tried on the level that the search is about to branch on.

    Raises `ConfigError` where it branches on an item that does not have them all.
    """
    depth = int(stack.state[LEVEL]) - 1
    fresh = depth >= 0 and stack.state[PHASE] == layout.NEXT
    item = int(stack.level_item[depth]) if fresh else 0
    header = ENTRIES * item
    nodes = list(_below(matrix, item, header)) if fresh and matrix.once[item] else []
    kept = [node for node in nodes if _option(matrix, node) in set(options)]
    if len(kept) != len(options):
        raise ConfigError("sub-problem: dlx does not branch on its options there")
    for before, after in zip([header, *kept], [*kept, header], strict=True):
        matrix.links[before + DOWN] = after
    stack.level_width[depth] = len(kept)


def _below(matrix: Links, item: int, node: int) -> Iterator[int]:
    """The nodes of an item's column below one of them, or below its header."""
    header = ENTRIES * item
    following = int(matrix.links[node + DOWN])
    while following != header:
        yield following
        following = int(matrix.links[following + DOWN])


def _option(matrix: Links, node: int) -> int:
    return int(matrix.option[node // ENTRIES])
