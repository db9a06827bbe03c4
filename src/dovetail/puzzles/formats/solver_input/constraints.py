"""A cover problem as constraints on its options, as the formats of solvers write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.printable import printable


@dataclass(frozen=True)
class BoundedItem:
    """A primary item: `lower` to `upper` of its options are chosen.

    Both bounds lie within 0 and the number of options, except for a `lower` that cannot be met.
    """

    name: str
    options: list[int]
    lower: int
    upper: int

    @property
    def is_trivial(self) -> bool:
        """Whether every choice of options obeys the bounds."""
        return self.lower == 0 and self.upper == len(self.options)

    @property
    def is_impossible(self) -> bool:
        """Whether no choice of options obeys the bounds."""
        return self.lower > len(self.options)


@dataclass(frozen=True)
class ColouredItem:
    """A secondary item: options of at most one class are chosen.

    A class is the options that give the item one colour, or one option that gives it none.
    """

    name: str
    classes: list[list[int]]


def bounded_items(problem: CoverProblem) -> Iterator[BoundedItem]:
    """Yield the primary items that rule out some choice of options."""
    for number, members in enumerate(_members_by_item(problem)[: problem.primary_count]):
        options = problem.option_of_member[members].tolist()
        lower, upper = int(problem.lower[number]), int(problem.upper[number])
        item = BoundedItem(
            printable(problem.item_names[number]), options, lower, min(upper, len(options))
        )
        if not item.is_trivial:
            yield item


def coloured_items(problem: CoverProblem) -> Iterator[ColouredItem]:
    """Yield the secondary items that rule out some choice of options."""
    first = problem.primary_count
    for number, members in enumerate(_members_by_item(problem)[first:], start=first):
        by_colour: dict[int, list[int]] = {}
        classes = list[list[int]]()
        options, colours = problem.option_of_member[members], problem.colour[members]
        for option, colour in zip(options.tolist(), colours.tolist(), strict=True):
            if colour == UNCOLOURED:
                classes.append([option])
            else:
                by_colour.setdefault(colour, []).append(option)
        classes += by_colour.values()
        if len(classes) > 1:
            yield ColouredItem(printable(problem.item_names[number]), classes)


def option_text(problem: CoverProblem, option: int) -> str:
    """Return the items of an option, with their colours, in one printable line."""
    words = (
        member if isinstance(member, str) else f"{member[0]}:{member[1]}"
        for member in problem.members(option)
    )
    return printable(" ".join(words))


def _members_by_item(problem: CoverProblem) -> list[np.ndarray]:
    """The members of each item, in the order of their options."""
    order = np.argsort(problem.item, kind="stable")
    ends = np.searchsorted(problem.item[order], np.arange(problem.item_count + 1))
    return [order[first:end] for first, end in pairwise(ends.tolist())]
