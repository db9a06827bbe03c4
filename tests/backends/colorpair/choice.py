"""Which cell `colorpair` branches on: the first pattern that occurs, or the most urgent pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backends.colorpair.board import ZonedPair
from backends.colorpair.state import State
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.random_stream import RandomStream

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
