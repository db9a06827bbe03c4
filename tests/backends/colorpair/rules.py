"""The rules of `colorpair` in plain Python, each gone through from the beginning.

Source: Benoist and Bourreau (ColorPair). What is laid and what fails does not depend on the order
in which cells, pairs and colours are gone through, save that without the contradiction rule one
tile may be the only one for two cells: then the first one gets it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import TypeVar

from backends.colorpair.board import ZonedPair
from backends.colorpair.state import State
from backends.colorpair.tallies import ring, shared
from dovetail.backends.colorpair.config import ColorPairConfig

Key = TypeVar("Key")


class ContradictionError(Exception):
    """Nothing can come of a state."""


def propagate(state: State, config: ColorPairConfig) -> None:
    """Lay what follows from what lies there; `ContradictionError` if a rule is broken."""
    follows = True
    while follows:
        apply_pairs(state, config)
        if config.shared_edges:
            check_shared_edges(state)
        if config.cycles:
            check_ring(state)
        follows = config.preemption and preempt(state, config)


def apply_pairs(state: State, config: ColorPairConfig) -> None:
    """Contradiction and instantiation, until nothing changes."""
    follows = True
    while follows:
        follows = settle(state, config, state.demand(), state.offer()) or (
            config.single_colours
            and settle(state, config, state.colour_demand(), state.colour_offer())
        )


def settle(
    state: State,
    config: ColorPairConfig,
    demand: Mapping[Key, Sequence[int]],
    offer: Mapping[Key, Sequence[int]],
) -> bool:
    """Compare the cells that demand each key with the tiles that offer it; whether one was laid."""
    if config.contradiction:
        for key, cells in demand.items():
            require(len(offer[key]) >= len(cells))
    return config.instantiation and any(
        lay_only_orientation(state, cells[0], offer[key][0])
        for key, cells in demand.items()
        if len(offer[key]) == len(cells) == 1
    )


def check_shared_edges(state: State) -> None:
    """Sides of a colour that no cell demands have to meet on edges between the tiles left.

    Each such edge has two of them, or one if the other side shows another colour.
    """
    for colour, count in shared(state).items():
        on_each = 2 if state.board.mate[colour] == colour else 1
        require(count.sides - count.demanded <= on_each * max_shared_edges(count.tiles))


def max_shared_edges(squares: int) -> int:
    """h(M): how many edges M unit squares can share at most."""
    root = isqrt(squares)
    more = squares - root**2
    return 2 * root * (root - 1) + 2 * more - (more > 0) - (more > root)


def check_ring(state: State) -> None:
    """Tiles that must follow one another round the board do not close a circle too early."""
    counted = ring(state)
    following = dict[int, int]()
    for colour, here in counted.items():
        beyond = counted[state.board.mate[colour]]
        demanded = here.demanded_outgoing or beyond.demanded_incoming
        if len(here.outgoing) == len(beyond.incoming) == 1 and not demanded:
            following[here.outgoing[0]] = beyond.incoming[0]
    ring_cells = sum(any(frame) for frame in state.board.frames)
    for first in following:
        tile, length = following[first], 1
        while tile != first and tile in following:
            tile, length = following[tile], length + 1
        require(tile != first or length >= ring_cells)


def preempt(state: State, config: ColorPairConfig) -> bool:
    """Tiles that one pair needs are lost to others; whether something was laid because of it.

    Only while no cell demands several pairs.
    """
    if any(len(state.known(cell)) > 2 for cell in state.open_cells()):
        return False
    demand, seized = state.demand(), seize(state, contradiction=config.contradiction)
    if not config.instantiation:
        return False
    alone = sorted((demand[pair], tiles) for pair, tiles in seized.items() if len(tiles) == 1)
    laid = [lay_only_orientation(state, cells[0], tiles[0]) for cells, tiles in alone]
    return any(laid)


def seize(state: State, *, contradiction: bool = True) -> dict[ZonedPair, list[int]]:
    """The tiles that a pair needs, by all pairs with no more of them than cells."""
    demand, offer = state.demand(), state.offer()
    seized: dict[ZonedPair, list[int]] = {}
    changes = True
    while changes:
        changes = False
        for pair, cells in demand.items():
            if pair in seized:
                continue
            lost = {kind for tiles in seized.values() for kind in tiles}
            available = [kind for kind in offer[pair] if kind not in lost]
            require(len(available) >= len(cells) or not contradiction)
            if len(available) == len(cells):
                seized[pair] = available
                changes = True
    return seized


def lay_only_orientation(state: State, cell: int, kind: int) -> bool:
    """Lay a tile in the only cell left to it if one turn fits; whether it was laid."""
    orientations = [
        orientation
        for orientation in state.candidates(cell)
        if state.board.type_of[orientation] == kind
    ]
    require(bool(orientations))
    if len(orientations) == 1:
        state.laid[cell] = orientations[0]
    return len(orientations) == 1


def require(holds: bool) -> None:
    """Raise `ContradictionError` if something does not hold."""
    if not holds:
        raise ContradictionError
