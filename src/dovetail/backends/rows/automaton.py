"""The automaton of `rows`: from the colours on a cell's known sides to a row of the tables.

The colours are read one after another, the one towards the cell filled just before at the end,
so that all others are read once for all tiles that are tried there. Where no known side lies
that way a 0 is read. There are only the states that occur, which keeps the automaton small
however many colours there are and whichever sides are known; cells of one kind share theirs.
At state 0 and row 0 nothing fits; the last state leads to the last row, for the full board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.kinds import Kind
from dovetail.backends.rows.slots import Words


@dataclass(frozen=True)
class Part:
    """What a kind has of the states and the rows: the first of each, and the words of a row.

    A row is known by its first word; the rows of a kind lie side by side.
    """

    kind: Kind
    state: int
    row: int
    words: Words

    @property
    def start(self) -> int:
        """The state before any colour is read."""
        return self.state if len(self.kind.looks) else 0

    @property
    def next_state(self) -> int:
        """The first state behind its own."""
        return self.state + sum(self.kind.sizes[:-1])

    @property
    def next_row(self) -> int:
        """The first row behind its own."""
        return self.row + self.kind.sizes[-1] * self.words.count

    @property
    def row_of(self) -> NDArray[np.int64]:
        """The row that has each of the kind's looks."""
        return self.row + self.kind.agreeing[-1] * self.words.count


def parts_of(kinds: Sequence[Kind], words: Sequence[Words]) -> list[Part]:
    """States and rows for each kind, whose rows have the words beside it."""
    state, row = 1, max(each.count for each in words)  # behind state 0 and row 0
    parts = []
    for kind, each in zip(kinds, words, strict=True):
        parts.append(Part(kind, state, row, each))
        state, row = parts[-1].next_state, parts[-1].next_row
    return parts


def steps_of(parts: Sequence[Part], colours: int) -> NDArray[np.uint32]:
    """The automaton, shape (states, colours): the state that a colour leads to, in the end the row.

    A state is told by where its entries begin when the array is flat.
    """
    step = np.zeros((parts[-1].next_state + 1, colours), dtype=np.uint32)
    step[-1] = parts[-1].next_row
    for part in parts:
        begins = accumulate(part.kind.sizes[:-2], initial=part.state)
        agreeing = part.kind.agreeing[:-1]  # before the last colour is read
        states = [begin + number for begin, number in zip(begins, agreeing, strict=True)]
        leads_to = [*(state * colours for state in states[1:]), part.row_of]
        for state, colour, to in zip(states, part.kind.read, leads_to, strict=True):
            step[state, colour] = to
    return step
