"""The search of `colorpair` in plain Python: a state copied at every node, no backjumping.

A state is plain data, from which all that the rules need is computed anew. Orientations, types and
colours have the numbers of `tile_orientations`. A type of which no option is left has no sides
here, as if its tiles did not exist.

Source: Benoist and Bourreau (ColorPair). What is laid and what fails does not depend on the order
in which cells, pairs and colours are visited, save that without the contradiction rule a tile may
be the only one for two cells: then the first cell gets it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isqrt
from typing import TypeVar

from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.shared.tiles import NO_OPTION, tile_orientations
from dovetail.kernels.layout import MASK, STEP
from dovetail.models.boards.edges import BORDER, Tile, TileClass, class_of_frame, frame_of
from dovetail.models.boards.geometry import EAST, NORTH, SIDES, Frame, opposite
from dovetail.models.options.edges import EdgeOptions
from dovetail.random_stream import RandomStream

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


def shared(state: State) -> dict[int, Shared]:
    """By every colour but the frame's."""
    board, tiles = state.board, [state.board.sides[kind] for kind in state.tiles_left()]
    sides = Counter(colour for tile in tiles for colour in tile)
    demanded = Counter(
        colour for cell in state.open_cells() for colour in state.known(cell).values()
    )
    return {
        colour: Shared(
            sides[colour], demanded[colour], sum(colour in tile or mate in tile for tile in tiles)
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


PATTERNS = ("four", "three", "surrounded", "two-surrounded")


@dataclass(frozen=True)
class Choice:
    """The cell to branch on, and what to try there in this order."""

    cell: int
    orientations: list[int]


def choose(state: State, config: ColorPairConfig, random: RandomStream) -> Choice:
    """An open cell; of those of a pattern the one with the fewest candidates, the first of them.

    Only the candidates of a cell that was chosen for a pair are ordered by probability.
    """
    for pattern in PATTERNS:
        cells = cells_of(state, pattern) if pattern in config.patterns else []
        if cells:
            cell = min(cells, key=lambda cell: (len(state.candidates(cell)), cell))
            return Choice(cell, state.candidates(cell))
    urgent = urgent_pair(state, config.choice)
    cells = state.demand()[urgent]
    cell = cells[random.below(len(cells)) if len(cells) > 1 else 0]
    candidates = state.candidates(cell)
    if config.value_order == "probability":
        urgency = Urgency(state.demand(), state.offer(), state.board.pairs_of_type)
        types = state.board.type_of
        candidates.sort(key=lambda one: -urgency.probability(types[one], urgent))
    return Choice(cell, candidates)


def cells_of(state: State, pattern: str) -> list[int]:
    """The open cells of a pattern, by number."""
    known = {cell: len(state.known(cell)) for cell in state.open_cells()}
    near = {
        cell: [one for _, one in state.board.geometry.neighbours(cell) if known.get(one, 0) >= 2]
        for cell in known
    }
    match pattern:
        case "four":
            return [cell for cell in known if known[cell] == 4]
        case "three":
            return [cell for cell in known if known[cell] >= 3]
        case "surrounded":
            return [cell for cell in known if known[cell] == 2 and near[cell]]
        case _:
            between = (cell for cell in known if known[cell] == 1 and len(near[cell]) >= 2)
            return sorted({one for cell in between for one in near[cell]})


def urgent_pair(state: State, choice: str) -> ZonedPair:
    """The demanded pair of the least score, the first that is met going through the cells."""
    demand = state.demand()
    urgency = Urgency(demand, state.offer(), state.board.pairs_of_type)
    return min(demand, key=lambda pair: urgency.score(choice, pair))


@dataclass(frozen=True)
class Urgency:
    """Scores of demanded pairs, from the cells and the tiles of all pairs of a state."""

    demand: Mapping[ZonedPair, Sequence[int]]
    offer: Mapping[ZonedPair, Sequence[int]]
    pairs_of_type: Mapping[int, Sequence[ZonedPair]]

    def score(self, choice: str, pair: ZonedPair) -> float:
        """The less, the more urgent."""
        offer, demand = len(self.offer[pair]), len(self.demand[pair])
        match choice:
            case "min-offer":
                return float(offer)
            case "min-expected-offer":
                return self.expected_offer(pair)
            case "min-expected-gap":
                return self.expected_offer(pair) - demand
            case "min-expected-ratio":
                return self.expected_offer(pair) / demand
            case "max-expected-filtering":
                return self.expected_offer(pair) - offer
        raise AssertionError(choice)

    def expected_offer(self, pair: ZonedPair) -> float:
        """The sum over the tiles that offer a pair of their chances not to be used for others."""
        expected = 0.0
        for kind in self.offer[pair]:
            expected += self.probability(kind, pair)
        return expected

    def probability(self, kind: int, pair: ZonedPair) -> float:
        """The product over the other demanded pairs of a tile of their chances not to use it."""
        probability = 1.0
        for other in self.pairs_of_type[kind]:
            if other != pair and other in self.demand:
                probability *= self.chance(other)
        return probability

    def chance(self, pair: ZonedPair) -> float:
        """That a tile with a pair is not used for it."""
        offer, demand = len(self.offer[pair]), len(self.demand[pair])
        return 1.0 - demand / offer if offer > demand else 0.0


class Twin:
    """Counts nodes by open cells, and lists solutions in the order found.

    A solution is its options by number of the cell.
    """

    def __init__(self, options: EdgeOptions, config: ColorPairConfig) -> None:
        self.config, self.random = config, RandomStream(config.seed)
        self.path: list[int] = []
        self.board = Board(options, opposite=config.opposite)
        self.fits = Counter[int]()
        self.solutions: list[tuple[int, ...]] = []
        state = State(self.board)
        try:
            self.begin(state)
        except ContradictionError:
            return
        self.branch(state)

    def begin(self, state: State) -> None:
        """Lay what has no choice before anything is tried."""
        require(self.board.is_balanced)
        for cell, orientations in enumerate(self.board.orientations_in_order):
            if len(orientations) == 1:
                require(orientations == state.candidates(cell))
                state.laid[cell] = orientations[0]
        self.settle(state)

    def settle(self, state: State) -> None:
        """Lay what follows, from the rules and from trying."""
        propagate(state, self.config)
        if self.config.shaving != "none":
            shave(state, self.config)

    def branch(self, state: State) -> None:
        """Try all that the chosen cell can have."""
        open_cells = state.open_cells()
        if not open_cells:
            laid = (state.laid[cell] for cell in range(len(self.board.option)))
            found = (self.board.option[cell][orientation] for cell, orientation in enumerate(laid))
            self.solutions.append(tuple(found))
            return
        choice = choose(state, self.config, self.random_here())
        for branch, orientation in enumerate(choice.orientations):
            self.fits[len(open_cells)] += 1
            below = state.copy()
            below.laid[choice.cell] = orientation
            try:
                self.settle(below)
            except ContradictionError:
                continue
            self.path.append(branch)
            self.branch(below)
            self.path.pop()

    def random_here(self) -> RandomStream:
        """Return the random stream for the choice of a cell."""
        return self.random


class DescentsTwin(Twin):
    """The tree of descents: the random cell of a node depends on the branches before it."""

    def random_here(self) -> RandomStream:
        state = self.config.seed
        for branch in self.path:
            state = RandomStream((state + branch + 1 - STEP) & MASK).word()
        return RandomStream(state)


def shave(state: State, config: ColorPairConfig) -> None:
    """Lay what cells with few candidates have left when all of these were tried, over and over."""
    follows = True
    while follows:
        follows = False
        for cell in state.open_cells():
            if cell not in state.laid and shave_cell(state, config, cell):
                follows = True


def shave_cell(state: State, config: ColorPairConfig, cell: int) -> bool:
    """Whether one candidate alone survived and was laid, with all that follows."""
    candidates = state.candidates(cell)
    require(bool(candidates))
    if config.shaving != "all" and len(candidates) > int(config.shaving):
        return False
    tried = (survivor(state, config, cell, orientation) for orientation in candidates)
    survivors = list(islice((after for after in tried if after is not None), 2))
    require(bool(survivors))
    if len(survivors) == 1:
        state.laid = survivors[0].laid
    return len(survivors) == 1


def survivor(state: State, config: ColorPairConfig, cell: int, orientation: int) -> State | None:
    """What comes of an orientation in a cell; None for a contradiction."""
    after = state.copy()
    after.laid[cell] = orientation
    try:
        propagate(after, config)
    except ContradictionError:
        return None
    return after
