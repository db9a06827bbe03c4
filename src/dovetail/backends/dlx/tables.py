"""The linked matrix of a cover problem, as arrays.

Nodes are numbered: first the headers of the items' columns, then the options one after
another, each as a run of nodes, one per member, followed by a spacer. A node's four entries
in `links` are the nodes above and below it in its column (`UP`, `DOWN`), its item (`ITEM`),
and the spacer behind its run (`SPACER`); a spacer's `UP` is the first node of its run, so that
a walk around an option is a step to the next node, and from the last to the first. Where
`links` refers to a node, it is by the offset of its entries: four times its number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.dlx.kernels.layout import DOWN, ENTRIES, ITEM, SPACER, UP
from dovetail.models.cover import CoverProblem


@dataclass(frozen=True, eq=False)
class Links:
    """| array | shape | dtype | meaning |
    |---|---|---|---|
    | `links` | (4 · nodes,) | uint32 | entries UP, DOWN, ITEM, SPACER of each node |
    | `colour` | (nodes,) | uint32 | the colour of a node, 0 for none |
    | `option` | (nodes,) | int32 | the option of a node, −1 on headers and spacers |
    | `choices` | (items,) | int32 | ways to go on with an item: see below |
    | `capacity` | (items,) | uint32 | how many more options the item can take |
    | `slack` | (items,) | uint32 | upper − lower bound |
    | `once` | (items,) | uint8 | 1 for an item to be covered exactly once |
    | `painted` | (items,) | uint32 | 1 + the level that gave a secondary item its colour, or 0 |
    | `bit` | (items,) | uint64 | bit i % 64 for a primary item i, 0 for a secondary one |
    | `active` | (words,) | uint64 | bit i % 64 of word i // 64: primary item i is open |

    With `size` options left in its column and `need = max(0, capacity − slack)` still needed,
    an item has `choices = size + 1 − need`: take the first, or leave it out and take the
    second, …; at most size − need can be left out. For an item to be covered exactly once
    that is `size`. Not positive: it can no longer be covered.
    """

    links: NDArray[np.uint32]
    colour: NDArray[np.uint32]
    option: NDArray[np.int32]
    choices: NDArray[np.int32]
    capacity: NDArray[np.uint32]
    slack: NDArray[np.uint32]
    once: NDArray[np.uint8]
    painted: NDArray[np.uint32]
    bit: NDArray[np.uint64]
    active: NDArray[np.uint64]


def build_links(cover: CoverProblem) -> Links:
    """Lay out the options of `cover` in their order."""
    items, options, primary = cover.item_count, cover.option_count, cover.primary_count
    node = items + np.arange(len(cover.item)) + cover.option_of_member
    spacer = items + cover.start[1:] + np.arange(options)
    node_count = items + len(cover.item) + options

    links = np.zeros((node_count, ENTRIES), dtype=np.uint32)
    links[:items, ITEM] = np.arange(items)
    links[node, ITEM] = cover.item
    links[node, SPACER] = ENTRIES * spacer[cover.option_of_member]
    links[spacer, UP] = ENTRIES * (items + cover.start[:-1] + np.arange(options))
    _link_columns(links, np.concatenate([np.arange(items), cover.item]), node, items)
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
    return Links(
        links=links.ravel(),
        colour=colour,
        option=option,
        choices=(size + 1 - lower).astype(np.int32),
        capacity=upper.astype(np.uint32),
        slack=(upper - lower).astype(np.uint32),
        once=((lower == 1) & (upper == 1)).astype(np.uint8),
        painted=np.zeros(items, dtype=np.uint32),
        bit=bit,
        active=active,
    )


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
    # numpy sorts numbers of 16 bits by their digits, several times faster
    keys = column.astype(np.uint16) if items <= 2**16 else column
    order = np.argsort(keys, kind="stable")
    nodes, column = nodes[order], column[order]
    last_of_column = np.append(column[1:] != column[:-1], True)
    following = np.append(nodes[1:], 0)
    following[last_of_column] = column[last_of_column]  # back to the header
    links[nodes, DOWN] = ENTRIES * following
    links[following, UP] = ENTRIES * nodes
