"""Formulations of packing with a boolean for each piece and cell, or with integers instead.

| formulation | variables | constraints of a piece |
|---|---|---|
| `table` | the piece in each cell; a boolean for each piece and cell | a table of its booleans |
| `regular` | the same | an automaton over its booleans |
| `regular-cells` | the piece in each cell | an automaton over all cells |
| `element` | as `table`, and the placement of each piece | the placement selects the booleans |
| `all-different` | the placement of each piece, the cell of each square | the cells differ |

A crossing place, which at most one placement may take, counts as a cell that may stay empty. Copies
of a piece are ordered by their placements, so that exchanging copies gives no other solution.

Source of `regular`: M. Z. Lagerkvist and G. Pesant, "Modeling irregular shape placement problems
with regular constraints", 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.models.formulations.model import (
    AllDifferent,
    ConstraintModel,
    ElementConstraint,
    IntegerRegular,
    Linear,
    OptionKey,
    Regular,
    TableConstraint,
)
from dovetail.models.options.packing import PackingOptions
from dovetail.printable import printable

NO_PIECE = 0
Transition = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Copy:
    """A copy of a piece."""

    name: str
    shape: int  # number of the piece's shape
    options: list[int]  # options that place a copy of this shape
    # 1 for each place that an option takes, else 0; shape (options, places).
    taken: NDArray[np.int64]

    @property
    def option_of_word(self) -> dict[tuple[int, ...], int]:
        """Option of each row of `taken`."""
        return dict(zip(self.words, self.options, strict=True))

    @property
    def words(self) -> list[tuple[int, ...]]:
        """Rows of `taken`."""
        return list(map(tuple, self.taken.tolist()))


class PieceTables:
    """The places of a packing puzzle (cells and crossing places), and the copies of its pieces.

    The first `required` places have to be filled; the others may stay empty.
    """

    def __init__(self, options: PackingOptions) -> None:
        cover, shapes = options.cover, options.placements.shapes
        self.required = cover.primary_count - len(shapes)
        items = [*range(self.required), *range(cover.primary_count, cover.item_count)]
        self.names = [printable(cover.item_names[item]) for item in items]
        place = np.full(cover.item_count, len(items))
        place[items] = np.arange(len(items))
        taken = np.zeros((cover.option_count, len(items) + 1), dtype=np.int64)
        taken[cover.option_of_member, place[cover.item]] = 1
        rows = [np.flatnonzero(options.placements.shape == s) for s in range(len(shapes))]
        self.copies = [
            Copy(printable(shape.name), number, rows[number].tolist(), taken[rows[number], :-1])
            for number, shape in enumerate(shapes)
            for _ in range(shape.max_count)
        ]


class CopyGrid:
    """Model with a boolean for each copy and place, and an integer for each required place.

    The integer is the number of the copy in the place.
    """

    def __init__(self, options: PackingOptions) -> None:
        self.places = PieceTables(options)
        self.model = ConstraintModel()
        copies, names = self.places.copies, self.places.names
        self.rows = [
            self.model.booleans(f"{copy.name} at {name}" for name in names) for copy in copies
        ]
        self.model.keys = [
            OptionKey(row, copy.option_of_word, value=1)
            for copy, row in zip(copies, self.rows, strict=True)
        ]
        cells = []
        for number, name in enumerate(names):
            its = [row[number] for row in self.rows]
            if number < self.places.required:
                cells.append(self.model.channel(its, range(len(copies)), name))
            else:
                self.model.bound(name, its, 0, 1)
                cells += its  # no integer determines these booleans
        self.model.decisions["cells"] = cells


def table_model(options: PackingOptions) -> ConstraintModel:
    """Return the model with a table of the places that each piece takes."""
    grid = CopyGrid(options)
    model, copies = grid.model, grid.places.copies
    shapes = [copy.shape for copy in copies]
    index = []
    for copy, row in zip(copies, grid.rows, strict=True):
        if shapes.count(copy.shape) > 1:
            index.append(_placement(model, copy))
            numbered = np.column_stack([np.arange(len(copy.options)), copy.taken])
            model.constraints.append(TableConstraint([index[-1], *row], numbered))
        else:
            index.append(0)
            model.constraints.append(TableConstraint(row, copy.taken))
    _order(model, copies, index)
    return model


def regular_model(options: PackingOptions) -> ConstraintModel:
    """Return the model with an automaton for each piece over its booleans."""
    grid = CopyGrid(options)
    for copy, row in zip(grid.places.copies, grid.rows, strict=True):
        if not copy.options:
            _placement(grid.model, copy)  # a variable without values: there is no solution
            continue
        transitions, final = automaton_of(copy.words)
        grid.model.constraints.append(Regular(row, transitions, [final]))
    return grid.model


def regular_cells_model(options: PackingOptions) -> ConstraintModel:
    """Return the model with a variable for the piece in each cell, and an automaton per piece."""
    places = PieceTables(options)
    copies = places.copies
    model = ConstraintModel()
    for number, name in enumerate(places.names):
        users = [n for n, copy in enumerate(copies, start=1) if copy.taken[:, number].any()]
        model.variable(users if number < places.required else [NO_PIECE, *users], name)
    variables = list(range(1, len(places.names) + 1))
    model.decisions["cells"] = variables
    model.keys = [
        OptionKey(variables, copy.option_of_word, value=number)
        for number, copy in enumerate(copies, start=1)
    ]
    for number, copy in enumerate(copies, start=1):
        if not copy.options:
            _placement(model, copy)  # a variable without values: there is no solution
            continue
        transitions, final = automaton_of(copy.words)
        values = range(NO_PIECE, len(copies) + 1)
        spelled = [
            (state, value, following)
            for state, taken, following in transitions
            for value in ([number] if taken else [v for v in values if v != number])
        ]
        model.constraints.append(IntegerRegular(variables, spelled, [final]))
    return model


def element_model(options: PackingOptions) -> ConstraintModel:
    """Return the model in which the placement of a piece selects the places that it takes."""
    grid = CopyGrid(options)
    model, copies = grid.model, grid.places.copies
    index = [_placement(model, copy) for copy in copies]
    for copy, row, placement in zip(copies, grid.rows, index, strict=True):
        for column, boolean in zip(copy.taken.T.tolist(), row, strict=True):
            model.constraints.append(ElementConstraint(placement, column, boolean))
    _order(model, copies, index)
    model.decisions["pieces"] = index
    return model


def all_different_model(options: PackingOptions) -> ConstraintModel:
    """Return the model in which all squares of all pieces lie in different cells."""
    copies = PieceTables(options).copies
    model = ConstraintModel()
    index = [_placement(model, copy) for copy in copies]
    squares = []
    for copy, placement in zip(copies, index, strict=True):
        if not copy.options:
            continue  # the placement has no value: there is no solution
        cells = np.nonzero(copy.taken)[1].reshape(len(copy.options), -1)
        for number, column in enumerate(cells.T.tolist(), start=1):
            square = model.variable(sorted(set(column)), f"{copy.name}, square {number}")
            model.constraints.append(ElementConstraint(placement, column, square))
            squares.append(square)
    model.constraints.append(AllDifferent(squares))
    _order(model, copies, index)
    model.keys = [
        OptionKey.by_number(placement, copy.options)
        for copy, placement in zip(copies, index, strict=True)
    ]
    model.decisions = {"pieces": index, "cells": squares}
    model.usual = ("pieces",)
    return model


def _placement(model: ConstraintModel, copy: Copy) -> int:
    """Add a variable for the index of the option that a copy takes; return its number."""
    return model.variable(range(len(copy.options)), copy.name)


def _order(model: ConstraintModel, copies: Sequence[Copy], index: Sequence[int]) -> None:
    """Require that the placements of equal copies ascend."""
    for (copy, first), (following, second) in pairwise(zip(copies, index, strict=True)):
        if copy.shape == following.shape:
            model.constraints.append(Linear([first, second], [1, -1], -1))


def automaton_of(words: Sequence[Sequence[int]]) -> tuple[list[Transition], int]:
    """Return the smallest automaton that accepts some words of equal length.

    Returns the transitions (state, symbol, next state) and the final state; state 0 is initial. Two
    prefixes lead to the same state exactly if the same rests complete them to words, so that no
    automaton has fewer states. There must be at least one word.
    """
    length = len(words[0])
    prefixes = [[0] * len(words)]  # by length: the number of the prefix of each word
    for place in range(length):
        numbers: dict[tuple[int, int], int] = {}
        keys = [(prefix, word[place]) for prefix, word in zip(prefixes[-1], words, strict=True)]
        prefixes.append([numbers.setdefault(key, len(numbers)) for key in keys])
    states: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    after = dict.fromkeys(prefixes[-1], 0)  # state after each prefix, the longest first
    for place in range(length - 1, -1, -1):
        rests: dict[int, set[tuple[int, int]]] = {}
        for word, prefix, longer in zip(words, prefixes[place], prefixes[place + 1], strict=True):
            rests.setdefault(prefix, set()).add((word[place], after[longer]))
        after = {
            prefix: states.setdefault(tuple(sorted(its)), len(states))
            for prefix, its in rests.items()
        }
    initial = len(states) - 1
    transitions = [
        (initial - state, symbol, initial - following)
        for rests_of_state, state in states.items()
        for symbol, following in rests_of_state
    ]
    return transitions, initial
