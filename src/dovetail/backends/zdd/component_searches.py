"""The searches of the components of a problem, and the solutions that theirs make together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.memory_budget import MemoryBudget
from dovetail.backends.zdd.components import Component
from dovetail.backends.zdd.counting import Counting
from dovetail.backends.zdd.cover_states import CoverStates
from dovetail.backends.zdd.item_roles import item_roles
from dovetail.backends.zdd.kernels import layout
from dovetail.backends.zdd.memo_table import MemoTable
from dovetail.backends.zdd.ordered_options import NO_OPTION
from dovetail.backends.zdd.trials import Race, choices, item_orders


@dataclass(frozen=True, eq=False)
class SearchSettings:
    """How to search: the `choice` and `order` of items, or `auto`.

    All `tables` share the memory budget; with `keeps_all` no state may be forgotten.
    """

    choice: str
    order: str
    memory_budget: MemoryBudget
    tables: WeakSet[MemoTable]
    keeps_all: bool


@dataclass(frozen=True, eq=False)
class ComponentSearch:
    """The searches of one component, and the numbers of its options in the whole problem."""

    race: Race
    numbers: NDArray[np.int64]

    @property
    def best(self) -> Counting:
        return self.race.best

    def options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Options of the states as the problem's; −1 for those that leave an item uncovered."""
        of_states = np.append(self.best.states.option, np.int32(NO_OPTION))[rows]
        numbers = np.append(self.numbers, NO_OPTION).astype(np.int32)
        return numbers[of_states]


def component_search(
    component: Component, weight: NDArray[np.uint64], settings: SearchSettings
) -> ComponentSearch:
    """Return the race of all ways to search a component that the settings allow.

    `weight` says for each option of the whole problem how many solutions one with it stands for.
    """
    cover, roles = component.cover, item_roles(component.cover)
    ordered = [
        CoverStates(cover, roles, order, weight[component.numbers])
        for order in item_orders(cover, roles.branching, settings.order)
    ]
    running = [
        Counting(
            states,
            choice,
            settings.memory_budget,
            settings.tables,
            keeps_all=settings.keeps_all,
        )
        for choice in choices(settings.choice)
        for states in (ordered[:1] if choice == layout.FEWEST else ordered)
    ]
    return ComponentSearch(Race(running), component.numbers)


def solutions_numbered(
    searches: Sequence[ComponentSearch], numbers: Sequence[int]
) -> tuple[NDArray[np.int32], list[int]]:
    """Return the options of the solutions with some numbers, −1 behind them, and the images meant.

    The last component's numbers run fastest. Options of one component at most have images.
    """
    left, images, rows = [*numbers], [0] * len(numbers), []
    for search in reversed(searches):
        total = search.best.total
        own = [number % total for number in left]
        left = [number // total for number in left]
        known = {number: search.best.unrank(number) for number in {*own}}
        rows.append(search.options(np.stack([known[number][0] for number in own])))
        images = [image + known[number][1] for image, number in zip(images, own, strict=True)]
    return packed(np.concatenate(rows, axis=1)), images


def packed(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows of options without the columns that only −1 would fill; −1 stands behind."""
    behind = np.argsort(rows < 0, axis=1, kind="stable")
    longest = int((rows >= 0).sum(axis=1).max(initial=0))
    return np.take_along_axis(rows, behind, axis=1)[:, :longest]
