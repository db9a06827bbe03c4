"""The search of `colorpair` in plain Python: a state copied at every node, no backjumping."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from backends.colorpair.board import Board
from backends.colorpair.choice import choose
from backends.colorpair.rules import ContradictionError, propagate, require
from backends.colorpair.state import State
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.kernels.layout import MASK, STEP
from dovetail.models.options.edges import EdgeOptions
from dovetail.random_stream import RandomStream


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
