"""The records of the kernel at every node of a search, beside what the board alone tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import xor

import numpy as np
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.colorpair.board import HOPELESS, Board, ZonedPair
from backends.colorpair.state import State
from backends.colorpair.strategies import tasks_and_configs
from backends.colorpair.tallies import Ring, tally
from dovetail.backends.base import Budget
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.search import ColorPairSearch
from dovetail.backends.colorpair.tables import ColorPairSizes, PairNumbers, ZoneTiles
from dovetail.backends.registry import backend_named
from dovetail.backends.shared.tiles import zoned_board
from dovetail.kernels.layout import LEVEL
from dovetail.models.board_geometry import SIDES
from dovetail.models.frame import class_of_frame
from dovetail.models.outcome import Status
from dovetail.models.task import Task

MAX_NODES = 25
WORD_BITS = 64
FIELD = 2**21


class Records:
    """What lies in the memory of a search."""

    def __init__(self, task: Task, config: ColorPairConfig) -> None:
        assert task.edges is not None
        zoned = zoned_board(task)
        self.config, self.search = config, ColorPairSearch(zoned, config)
        self.pairs = PairNumbers(zoned, opposites=config.opposite)
        self.kinds = [class_of_frame(zoned.frames[zone.cells[0]]) for zone in zoned.zones]
        self._board = Board(task.edges, opposite=config.opposite)
        self._memory, self._tables = self.search._state, self.search._tables
        self._zoned = zoned
        self._types = ZoneTiles(zoned, ColorPairSizes.of(zoned), self.pairs).types
        self._orientation_of = {
            int(option): (cell, orientation)
            for cell, row in enumerate(zoned.orientations.option)
            for orientation, option in enumerate(row)
            if option >= 0
        }

    def at(self, name: np.uint64, words: int, level: int) -> NDArray[np.uint64]:
        """A part of the record of a level."""
        header = self._tables.words
        begin = int(header[layout.RECORDS] + header[layout.RECORD_WORDS] * np.uint64(level))
        begin += int(header[name])
        return self._memory[begin : begin + words]

    def members(self, name: np.uint64, level: int) -> set[int]:
        """A set of cells."""
        cells = len(self._board.option)
        words = self.at(name, -(-(cells + 2) // WORD_BITS), level)
        return {cell for cell in range(cells) if words[cell // 64] >> np.uint64(cell % 64) & 1}

    def state(self, level: int) -> State:
        """What lies where at a level."""
        begin = int(self._tables.words[layout.PLACE])
        laid, cells = dict[int, int](), len(self._board.option)
        for cell in set(range(cells)) - self.members(layout.OPEN, level):
            laid[cell] = self._orientation(cell, int(self._memory[begin + cell]))
        return State(self._board, laid)

    @property
    def depth(self) -> int:
        return int(self._memory[LEVEL])

    def tiles_left(self, level: int) -> Counter[int]:
        """How many there are of each type."""
        words = self.at(layout.TILES_LEFT, len(self._types) // WORD_BITS, level)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return Counter(t for t, bit in zip(self._types, bits, strict=True) if bit and t is not None)

    def offer(self, pair: int, level: int) -> int:
        """How many tiles are left that have a pair."""
        header, words = self._tables.words, ColorPairSizes.of(self._zoned).tiles
        begin = int(header[layout.PAIR_ROWS]) + pair * (1 + words)
        zone, has = int(header[begin]), header[begin + 1 : begin + 1 + words]
        left = self.at(layout.TILES_LEFT, zone + words, level)[zone:]
        return int(np.bitwise_count(has & left).sum())

    def decided(self, level: int) -> tuple[int, int]:
        """The cell of a decision and the orientation that was put."""
        cell = int(self._part(layout.BRANCH)[level - 1])
        return cell, self._orientation(cell, int(self._part(layout.PLACE)[cell]))

    def conflicts(self, level: int) -> set[int]:
        """The levels that have made candidates of a node fail."""
        words = ColorPairSizes.of(self._zoned).cells
        its = self._part(layout.CONFLICTS)[level * words : (level + 1) * words]
        return {bit for bit in range(words * 64) if its[bit // 64] >> np.uint64(bit % 64) & 1}

    def candidates(self, level: int) -> set[int]:
        """The orientations that have not been tried at a node."""
        cell, words = int(self._part(layout.BRANCH)[level]), ColorPairSizes.of(self._zoned).domain
        its = self._part(layout.CANDIDATES)[level * words : (level + 1) * words]
        places = np.flatnonzero(np.unpackbits(its.view(np.uint8), bitorder="little"))
        return {self._orientation(cell, place) for place in places.tolist()}

    def branched_on(self, level: int) -> int:
        """The cell of a node."""
        return int(self._part(layout.BRANCH)[level])

    def orientation(self, option: int) -> tuple[int, int]:
        """The cell and the orientation of an option."""
        return self._orientation_of[option]

    def _part(self, name: np.uint64) -> NDArray[np.uint64]:
        """Memory from the begin of a part on."""
        return self._memory[int(self._tables.words[name]) :]

    def _orientation(self, cell: int, place: int) -> int:
        return self._orientation_of[int(self._tables.option[cell, place])][1]

    def number(self, pair: ZonedPair) -> int:
        """A pair's."""
        kind, (order, first, second) = pair
        zone, colours = self.kinds.index(kind), len(self._board.mate)
        if pair[1] == HOPELESS:
            return self.pairs.none - len(self.kinds) + zone
        return int(self.pairs.of_codes(zone, order, colours)[first + 1, second + 1])


def check(records: Records, level: int) -> None:
    """Every word of a record that says something of the board."""
    state = records.state(level)
    expected = tally(state)
    cells, colours = len(state.board.option), len(state.board.mate)
    known = records.at(layout.KNOWN, cells, level).tolist()
    for cell, sides in expected.known.items():
        assert known[cell] == sum(
            (sides[side] + 1) << (16 * side) for side in SIDES if side in sides
        )
    for name, min_known in ((layout.SURROUNDED, 2), (layout.THREE_KNOWN, 3), (layout.ALL_KNOWN, 4)):
        members = {cell for cell, sides in expected.known.items() if len(sides) >= min_known}
        assert records.members(name, level) == members
    demands = records.at(layout.DEMANDS, records.pairs.none, level).tolist()
    demanded = {records.number(pair): cells for pair, cells in expected.demand.items()}
    assert demands == [
        (len(demanded.get(number, [])) << 32) | reduce(xor, demanded.get(number, []), 0)
        for number in range(records.pairs.none)
    ]
    assert records.tiles_left(level) == Counter(state.tiles_left())
    offers = {records.number(pair): count for pair, count in expected.offer.items()}
    assert [records.offer(number, level) for number in range(records.pairs.none)] == [
        offers.get(number, 0) for number in range(records.pairs.none)
    ]
    left = records.at(layout.EDGES_LEFT, colours, level).tolist()
    for colour, shared in expected.shared.items():
        fields = (left[colour] % FIELD, left[colour] // FIELD % FIELD, left[colour] // FIELD**2)
        assert fields == (shared.sides, shared.demanded, shared.tiles)
    check_single_colours(records, level)
    on_ring = records.at(layout.RING_LEFT, colours, level).tolist()
    none = Ring([], [], [], [])
    for colour in expected.ring:
        mate = expected.ring.get(state.board.mate[colour], none)
        ring = expected.ring[colour]
        demanded_on_ring = len(ring.demanded_outgoing) + len(mate.demanded_incoming)
        assert on_ring[colour] == (
            len(ring.outgoing) + len(mate.incoming) * FIELD + demanded_on_ring * FIELD**2
        )


def check_single_colours(records: Records, level: int) -> None:
    """Edges of each colour in each zone, offered and demanded, and the cells that demand them."""
    state = records.state(level)
    if not records.config.single_colours:
        return
    demand, offer = state.colour_demand(), state.colour_offer()
    colours = len(state.board.mate)
    left = records.at(layout.COLOURS_LEFT, len(records.kinds) * colours, level).tolist()
    for number, (kind, colour) in enumerate(product(records.kinds, range(colours))):
        cells = demand.get((kind, colour), [])
        edges = len(offer[kind, colour]) + len(cells) * FIELD
        assert left[number] == edges + reduce(xor, cells, 0) * FIELD**2


@given(tasks_and_configs())
@settings(max_examples=8)
def test_at_every_node(case: tuple[Task, ColorPairConfig]) -> None:
    """Whatever was put, taken back, tried or jumped over; those above a node now and then."""
    task, config = case
    records = Records(task, config)
    for node in range(MAX_NODES):
        if records.search.advance(Budget(work=10**6, nodes=1)) == Status.EXHAUSTED:
            return
        records.search.take()
        for level in range(0 if node % 12 == 11 else records.depth, records.depth + 1):
            check(records, level)


@given(tasks_and_configs())
@settings(max_examples=15)
def test_conflicts(case: tuple[Task, ColorPairConfig]) -> None:
    """No solution is lost that the levels in the conflicts of a node allow.

    If one agrees with their decisions and has not been found, then the orientation that it has in
    the cell of the node has not been refuted: it is still to be tried, or under way.
    """
    task, config = case
    records = Records(task, replace(config, backjumping=True))
    wanted = {frozenset(row) for row in all_solutions(task)}
    for _ in range(MAX_NODES):
        status = records.search.advance(Budget(work=10**6, nodes=1))
        wanted -= {frozenset(row) for row in records.search.take().tolist()}
        if status == Status.EXHAUSTED:
            assert not wanted
            return
        for level in range(records.depth + 1):
            decided = {records.decided(each) for each in records.conflicts(level)}
            cell, left = records.branched_on(level), records.candidates(level)
            if level < records.depth:
                left.add(records.decided(level + 1)[1])
            for solution in wanted:
                orientations = set(map(records.orientation, solution))
                if decided <= orientations:
                    assert dict(orientations)[cell] in left


def all_solutions(task: Task) -> list[list[int]]:
    """What `rows` finds."""
    backend = backend_named("rows")
    search, found = backend.prepare(task, backend.config_type()), list[list[int]]()
    while search.advance(Budget(work=10**6)) is None:
        found += search.take().tolist()
    return [*found, *search.take().tolist()]
