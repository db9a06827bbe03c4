"""What never changes while `colorpair` searches: cells, orientations, tile types, pairs of colours.

Orientations, types and colours have the numbers of `backends.tile_orientations`. A type of which no
option is left has no sides here, as if its tiles did not exist.
"""

from __future__ import annotations

from collections.abc import Mapping

from dovetail.backends.shared.tiles import NO_OPTION, tile_orientations
from dovetail.models.board_geometry import SIDES, Frame
from dovetail.models.edges import BORDER, EAST, NORTH, Tile
from dovetail.models.frame import TileClass, class_of_frame, frame_of
from dovetail.models.options.edges import EdgeOptions

Pair = tuple[str, int, int]
HOPELESS: Pair = ("hopeless", 0, 0)  # any pair that no tile of a zone has
ZonedPair = tuple[TileClass, Pair]
ZonedColour = tuple[TileClass, int]
RingSides = tuple[int, int]  # outgoing, incoming


class Board:
    """The options of a puzzle, by cell and orientation, and what follows from them."""

    def __init__(self, options: EdgeOptions, *, opposite: bool = True) -> None:
        orientations = tile_orientations(options)
        self.opposite = opposite
        self.geometry = options.puzzle.geometry
        self.option: list[list[int]] = orientations.option.tolist()
        self.shown: list[Tile] = list(map(tuple, orientations.shown.tolist()))
        self.type_of: list[int] = orientations.tile_type.tolist()
        self.mate: list[int] = orientations.mate.tolist()
        self.copies: list[int] = orientations.copies.tolist()
        self.frames = list(map(self.geometry.frame_at, self.geometry.positions))
        self.zone_of_cell = list(map(class_of_frame, self.frames))
        self.colours = {BORDER: BORDER}  # the number of every colour
        for here in self.option:
            for orientation, option in enumerate(here):
                if option != NO_OPTION:
                    values = options.sides[option].tolist()
                    self.colours.update(zip(values, self.shown[orientation], strict=True))
        self.sides = {kind: self.shown[self.type_of.index(kind)] for kind in self.type_of}
        self.zone_of_type = {
            kind: class_of_frame(frame_of(sides)) for kind, sides in self.sides.items()
        }
        self.pairs_of_type = {
            kind: [
                (self.zone_of_type[kind], pair)
                for pair in pairs(dict(enumerate(sides)), opposite=opposite)
            ]
            for kind, sides in self.sides.items()
        }
        self.known_pairs = {pair for its in self.pairs_of_type.values() for pair in its}
        self.orientations_in_order = [self._in_order(cell) for cell in range(len(self.option))]

    def _in_order(self, cell: int) -> list[int]:
        """Orientations that a cell may have: of every type the first turn that fits its frame, …"""
        turns: dict[int, list[int]] = {}
        for orientation, shown in enumerate(self.shown):
            if frame_of(shown) == self.frames[cell]:
                turns.setdefault(self.type_of[orientation], []).append(orientation)
        ranked = sorted(
            (rank, kind, orientation)
            for kind, its in turns.items()
            for rank, orientation in enumerate(its)
        )
        return [
            orientation
            for _, _, orientation in ranked
            if self.option[cell][orientation] != NO_OPTION
        ]

    @property
    def is_balanced(self) -> bool:
        """Whether every zone has as many tiles as cells."""
        tiles = [self.zone_of_type[kind] for kind in self.sides for _ in range(self.copies[kind])]
        return sorted(tiles) == sorted(self.zone_of_cell)

    @property
    def has_ring(self) -> bool:
        """Whether the outer cells go round the board."""
        return min(self.geometry.width, self.geometry.height) > 1


def ring_sides(frame: Frame) -> RingSides | None:
    """The sides on which the ring of outer cells goes on, clockwise, and comes from.

    Of a cell or tile with these sides on the frame; None for inner ones.
    """
    for side in SIDES:
        if frame[side] and not frame[side - 1]:
            outgoing = side + 2 if frame[(side + 1) % 4] else side + 1
            return outgoing % 4, (side + 3) % 4
    return None


def pairs(colours: Mapping[int, int], *, opposite: bool) -> list[Pair]:
    """The pairs of colours of the sides that are given, each once.

    Sequence pairs read clockwise, from north on; opposite ones have no order.
    """
    found: list[Pair] = []
    for side in SIDES:
        following = (side + 1) % 4
        if side in colours and following in colours:
            found.append(("sequence", colours[side], colours[following]))
    for side in (NORTH, EAST) if opposite else ():
        if side in colours and side + 2 in colours:
            less, more = sorted((colours[side], colours[side + 2]))
            found.append(("opposite", less, more))
    return list(dict.fromkeys(found))
