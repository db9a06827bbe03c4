"""What `colorpair` counts of colours, and all that it keeps of a state as plain data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from backends.colorpair.board import ZonedPair, ring_sides
from backends.colorpair.state import State
from dovetail.models.frame import frame_of


@dataclass(frozen=True)
class Shared:
    """Sides of a colour on tiles left, those of them that are demanded, and the tiles left.

    `tiles` has those with the colour or its mate.
    """

    sides: int
    demanded: int
    tiles: int


@dataclass(frozen=True)
class Ring:
    """Tiles left by the colour of the sides where the ring goes on and where it comes from.

    The cells of the ring that demand the colour there are distinguished likewise. Tiles by type,
    each as often as there are copies; cells by number.
    """

    outgoing: list[int]
    incoming: list[int]
    demanded_outgoing: list[int]
    demanded_incoming: list[int]


@dataclass(frozen=True)
class Tally:
    """All of it: `known` and `shared` and `ring` by number of the cell or colour."""

    demand: dict[ZonedPair, list[int]]
    offer: dict[ZonedPair, int]
    known: dict[int, dict[int, int]]
    shared: dict[int, Shared]
    ring: dict[int, Ring]


def tally(state: State) -> Tally:
    """What an incremental search has to know of a state: no pair is kept that has a count of 0."""
    return Tally(
        state.demand(),
        {pair: len(tiles) for pair, tiles in state.offer().items()},
        {cell: state.known(cell) for cell in state.open_cells()},
        shared(state),
        ring(state),
    )


def shared(state: State) -> dict[int, Shared]:
    """By every colour but the frame's."""
    board, tiles = state.board, [state.board.sides[kind] for kind in state.tiles_left()]
    sides = Counter(colour for tile in tiles for colour in tile)
    demanded = Counter(
        colour for cell in state.open_cells() for colour in state.known(cell).values()
    )
    return {
        colour: Shared(
            sides[colour],
            demanded[colour],
            sum(colour in tile or mate in tile for tile in tiles),
        )
        for colour, mate in enumerate(board.mate)
        if colour
    }


def ring(state: State) -> dict[int, Ring]:
    """By every colour but the frame's; on a board of one row or column there is no ring."""
    counted = {colour: Ring([], [], [], []) for colour in range(1, len(state.board.mate))}
    if not state.board.has_ring:
        return counted
    for kind in state.tiles_left():
        sides = state.board.sides[kind]
        at_ring = ring_sides(frame_of(sides))
        if at_ring is not None:
            outgoing, incoming = at_ring
            counted[sides[outgoing]].outgoing.append(kind)
            counted[sides[incoming]].incoming.append(kind)
    for cell in state.open_cells():
        at_ring, known = ring_sides(state.board.frames[cell]), state.known(cell)
        if at_ring is not None:
            outgoing, incoming = at_ring
            if outgoing in known:
                counted[known[outgoing]].demanded_outgoing.append(cell)
            if incoming in known:
                counted[known[incoming]].demanded_incoming.append(cell)
    return counted
