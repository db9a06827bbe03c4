"""What lies where on a board; all that the rules of `colorpair` go by is computed from it anew."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from backends.colorpair.board import HOPELESS, Board, ZonedColour, ZonedPair, pairs
from dovetail.models.board_geometry import SIDES, opposite
from dovetail.models.edges import BORDER


@dataclass
class State:
    """`laid` has the orientation in every cell that is filled; the other cells are open."""

    board: Board
    laid: dict[int, int] = field(default_factory=dict)

    def copy(self) -> State:
        """A state of its own."""
        return State(self.board, dict(self.laid))

    def open_cells(self) -> list[int]:
        """By number."""
        return [cell for cell in range(len(self.board.option)) if cell not in self.laid]

    def tiles_left(self) -> list[int]:
        """The type of every tile that does not lie on the board, ascending."""
        used = Counter(self.board.type_of[orientation] for orientation in self.laid.values())
        copies = self.board.copies
        return [kind for kind in self.board.sides for _ in range(copies[kind] - used[kind])]

    def known(self, cell: int) -> dict[int, int]:
        """The colours that a tile in an open cell must show, by the sides that have such."""
        beyond = dict(self.board.geometry.neighbours(cell))
        colours = {}
        for side in SIDES:
            if side not in beyond:
                colours[side] = BORDER
            elif beyond[side] in self.laid:
                shown = self.board.shown[self.laid[beyond[side]]]
                colours[side] = self.board.mate[shown[opposite(side)]]
        return colours

    def pairs(self, cell: int) -> list[ZonedPair]:
        """What an open cell demands."""
        here = pairs(self.known(cell), opposite=self.board.opposite)
        zone = self.board.zone_of_cell[cell]
        offered = [(zone, pair) in self.board.known_pairs for pair in here]
        zoned = ((zone, pair if has else HOPELESS) for pair, has in zip(here, offered, strict=True))
        return list(dict.fromkeys(zoned))

    def candidates(self, cell: int) -> list[int]:
        """The orientations that can be laid in an open cell, in the order of trying."""
        known, left = self.known(cell).items(), set(self.tiles_left())
        return [
            orientation
            for orientation in self.board.orientations_in_order[cell]
            if self.board.type_of[orientation] in left
            and all(self.board.shown[orientation][side] == colour for side, colour in known)
        ]

    def demand(self) -> dict[ZonedPair, list[int]]:
        """The cells that demand a pair, by number, each once.

        Only pairs that are demanded, in the order in which going through the cells meets them.
        """
        cells = defaultdict[ZonedPair, list[int]](list)
        for cell in self.open_cells():
            for pair in self.pairs(cell):
                cells[pair].append(cell)
        return dict(cells)

    def offer(self) -> defaultdict[ZonedPair, list[int]]:
        """The types of the tiles left that have a pair, each as often as there are copies."""
        tiles = defaultdict[ZonedPair, list[int]](list)
        for kind in self.tiles_left():
            for pair in self.board.pairs_of_type[kind]:
                tiles[pair].append(kind)
        return tiles

    def colour_demand(self) -> dict[ZonedColour, list[int]]:
        """The cells that demand a colour, each as often as it has sides that must show it."""
        cells = defaultdict[ZonedColour, list[int]](list)
        for cell in self.open_cells():
            for colour in self.known(cell).values():
                cells[self.board.zone_of_cell[cell], colour].append(cell)
        return dict(cells)

    def colour_offer(self) -> defaultdict[ZonedColour, list[int]]:
        """The types of the tiles left that show a colour, each as often as it has such sides."""
        tiles = defaultdict[ZonedColour, list[int]](list)
        for kind in self.tiles_left():
            for colour in self.board.sides[kind]:
                tiles[self.board.zone_of_type[kind], colour].append(kind)
        return tiles
