"""The automaton of `rows`: from the colours on a cell's known sides to a row of the tables.

The colours are read one after another, the one towards the cell filled just before at the end,
so that all others are read once for all tiles that are tried there. Where no known side lies
that way a 0 is read. There are only the states that occur, which keeps the automaton small
however many colours there are and whichever sides are known; cells of one context share theirs.
At state 0 and row 0 nothing fits; the last state leads to the last row, for the full board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.contexts import Context
from dovetail.backends.rows.slots import WordRange


@dataclass(frozen=True)
class Section:
    """What a context has of the states and the rows: the first of each, and the words of a row.

    A row is known by its first word; the rows of a context lie side by side.
    """

    context: Context
    state: int
    row: int
    words: WordRange

    @property
    def start(self) -> int:
        """The state before any colour is read."""
        return self.state if len(self.context.orientations) else 0

    @property
    def next_state(self) -> int:
        """The first state behind its own."""
        return self.state + sum(self.context.sizes[:-1])

    @property
    def next_row(self) -> int:
        """The first row behind its own."""
        return self.row + self.context.sizes[-1] * self.words.count

    @property
    def row_of(self) -> NDArray[np.int64]:
        """The row that has each of the context's orientations."""
        return self.row + self.context.agreeing[-1] * self.words.count


def sections_of(contexts: Sequence[Context], words: Sequence[WordRange]) -> list[Section]:
    """States and rows for each context, whose rows have the words beside it."""
    state, row = 1, max(each.count for each in words)  # behind state 0 and row 0
    sections = []
    for context, each in zip(contexts, words, strict=True):
        sections.append(Section(context, state, row, each))
        state, row = sections[-1].next_state, sections[-1].next_row
    return sections


def steps_of(sections: Sequence[Section], colours: int) -> NDArray[np.uint32]:
    """The automaton, shape (states, colours): the state that a colour leads to, in the end the row.

    A state is numbered by where its entries begin when the array is flat.
    """
    step = np.zeros((sections[-1].next_state + 1, colours), dtype=np.uint32)
    step[-1] = sections[-1].next_row
    for section in sections:
        begins = accumulate(section.context.sizes[:-2], initial=section.state)
        agreeing = section.context.agreeing[:-1]  # before the last colour is read
        states = [begin + number for begin, number in zip(begins, agreeing, strict=True)]
        leads_to = [*(state * colours for state in states[1:]), section.row_of]
        for state, colour, to in zip(states, section.context.read, leads_to, strict=True):
            step[state, colour] = to
    return step
