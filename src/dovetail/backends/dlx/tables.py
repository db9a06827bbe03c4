"""The linked matrix of a cover problem, as arrays.

The first nodes are the headers of the items' columns. The options follow in the order of their last
items, then of their first items: in a packing puzzle by piece, then by cell. Options that
contradict each other lie close together then, in whatever order they are tried. Each option is a
run of nodes, one for each member, followed by a spacer. A node has four entries in `links`: the
nodes above and below it in its column (`UP`, `DOWN`), its item (`ITEM`), and the spacer after its
run (`SPACER`). The entry `UP` of a spacer is the first node of its run, so that a walk around an
option goes from node to node and at the spacer back to the first. `links` refers to a node by the
offset of its entries: four times the number of the node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.dlx.kernels.layout import DOWN, ENTRIES, ITEM, SPACER, UP, DlxLinks
from dovetail.models.cover import CoverProblem


def build_links(
    cover: CoverProblem, member_order: NDArray[np.int64] | None = None
) -> tuple[DlxLinks, NDArray[np.int32]]:
    """Return the linked matrix of a cover problem, and the first row of `choices`.

    `member_order` is a permutation of the members: their order in the columns. By default the
    columns have the order of the options.
    """
    items, options, primary = cover.item_count, cover.option_count, cover.primary_count
    first, sizes = cover.start[:-1], np.diff(cover.start)
    laid_out = np.lexsort((cover.item[first], cover.item[cover.start[1:] - 1]))
    begin = np.empty(options, dtype=np.int64)
    begin[laid_out] = items + np.cumsum(sizes[laid_out] + 1) - sizes[laid_out] - 1
    node = np.arange(len(cover.item)) + (begin - first)[cover.option_of_member]
    spacer = begin + sizes
    node_count = items + len(cover.item) + options

    links = np.zeros((node_count, ENTRIES), dtype=np.uint32)
    links[:items, ITEM] = np.arange(items)
    links[node, ITEM] = cover.item
    links[node, SPACER] = ENTRIES * spacer[cover.option_of_member]
    links[spacer, UP] = ENTRIES * begin
    column, linked = cover.item, node
    if member_order is not None:
        column, linked = column[member_order], node[member_order]
    _link_columns(links, np.concatenate([np.arange(items), column]), linked, items)
    colour = np.zeros(node_count, dtype=np.uint32)
    colour[node] = cover.colour
    option = np.full(node_count, -1, dtype=np.int32)
    option[node] = cover.option_of_member

    size = np.bincount(cover.item, minlength=items)
    lower, upper = np.zeros(items, dtype=np.int64), np.ones(items, dtype=np.int64)
    lower[:primary], upper[:primary] = cover.lower, cover.upper
    bit = np.uint64(1) << (np.arange(items, dtype=np.uint64) % np.uint64(64))
    bit[primary:] = 0
    active = np.zeros(max(1, -(-items // 64)), dtype=np.uint64)
    np.bitwise_or.at(active, np.arange(items) // 64, bit)
    matrix = DlxLinks(
        links=links.ravel(),
        colour=colour,
        option=option,
        capacity=upper.astype(np.uint32),
        slack=(upper - lower).astype(np.uint32),
        once=((lower == 1) & (upper == 1)).astype(np.uint8),
        painted=np.zeros(items, dtype=np.uint32),
        bit=bit,
        active=active,
    )
    return matrix, (size + 1 - lower).astype(np.int32)


def _link_columns(
    links: NDArray[np.uint32],
    column: NDArray[np.int64],
    node: NDArray[np.int64],
    items: int,
) -> None:
    """Link each header and the nodes of its column, in order, into a circle."""
    nodes = np.concatenate([np.arange(items), node])
    if len(nodes) == 0:
        return
    # for 16-bit numbers, numpy uses a radix sort, which is several times faster
    keys = column.astype(np.uint16) if items <= 2**16 else column
    order = np.argsort(keys, kind="stable")
    nodes, column = nodes[order], column[order]
    last_of_column = np.append(column[1:] != column[:-1], True)
    following = np.append(nodes[1:], 0)
    following[last_of_column] = column[last_of_column]  # back to the header
    links[nodes, DOWN] = ENTRIES * following
    links[following, UP] = ENTRIES * nodes
