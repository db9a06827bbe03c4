"""Sub-problems: branches of a search tree, given by the options on their paths."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.arrays import connected_parts
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.packings.placements import Placements

UNUSED = -1


@dataclass(frozen=True)
class SubProblem:
    """The solutions with all options of `taken` and, unless `untried` is None, one of `untried`.

    With `trial`, the solutions that this trial finds; the other fields then have their defaults.
    Options are numbered as in the lowered puzzle, before reductions.
    """

    taken: tuple[int, ...] = ()
    untried: tuple[int, ...] | None = None
    """Options of an item that is covered exactly once. The item's other options have been tried,
    are excluded by symmetry, or belong to other sub-problems."""
    cut_from: str | None = None
    """Name of the backend whose search left this part; None for a sub-problem of no search. A
    search of the part continues that search: it takes the options of `taken` in the same order,
    counts no node for these options, and visits the same further nodes."""
    least_images: bool = False
    """True if only the solutions that are the least of their images count."""
    trial: int | None = None
    """Number of a trial of the plan, from 0; None for a part of the puzzle."""

    def renumbered(self, numbers: NDArray[np.integer]) -> SubProblem:
        """Return the sub-problem with option `numbers[p]` in place of each option p."""
        untried = None if self.untried is None else _picked(numbers, self.untried)
        return replace(self, taken=_picked(numbers, self.taken), untried=untried)

    def kept(self, cover: CoverProblem) -> NDArray[np.bool_]:
        """Return a mask of the options of `cover` that the sub-problem leaves, shape (options,).

        `cover` is the whole problem. Every solution that consists of remaining options contains all
        of `taken`, since each taken option has an item that needs all its remaining options. Raises
        `ConfigError` for options that do not exist, are repeated or exclude each other, for an
        empty `untried`, for a taken option without such an item, and for untried options that share
        no item that is covered exactly once.
        """
        self._check_numbers(cover.option_count)
        kept = self._beside_taken(cover)
        if self.untried is not None:
            item = self._branching_item(cover, kept)
            others = np.zeros(cover.option_count, dtype=bool)
            others[cover.option_of_member[cover.item == item]] = True
            others[list(self.untried)] = False
            kept &= ~others
        self._check_held(cover, kept)
        return kept

    def _beside_taken(self, cover: CoverProblem) -> NDArray[np.bool_]:
        """Return a mask of the options that are taken or compatible with the taken options."""
        taken = np.isin(cover.option_of_member, self.taken)
        primary = cover.primary_count
        used = np.bincount(cover.item[taken], minlength=cover.item_count)
        colour = np.full(cover.item_count, UNUSED, dtype=np.int64)
        colour[cover.item[taken]] = cover.colour[taken]
        excludes = (colour == UNCOLOURED) | (colour == UNUSED)  # items without a colour to share
        full = np.concatenate([used[:primary] >= cover.upper, (used > 0)[primary:]])
        same = ~excludes[cover.item] & (cover.colour == colour[cover.item])
        barred = full[cover.item] & ~(same & (cover.item >= primary))
        overfull = used[:primary] > cover.upper
        clashing = barred & taken & (cover.item >= primary) & (used[cover.item] > 1)
        if overfull.any() or clashing.any():
            raise ConfigError("sub-problem: the taken options exclude one another")
        kept = np.ones(cover.option_count, dtype=bool)
        kept[cover.option_of_member[barred]] = False
        kept[list(self.taken)] = True
        return kept

    def _branching_item(self, cover: CoverProblem, kept: NDArray[np.bool_]) -> int:
        """Return the item that has to be covered by one of the untried options."""
        assert self.untried is not None
        if not kept[list(self.untried)].all():
            raise ConfigError("sub-problem: a taken option excludes an untried one")
        members = np.isin(cover.option_of_member, self.untried)
        shared = np.bincount(cover.item[members], minlength=cover.item_count) == len(self.untried)
        primary = cover.primary_count
        shared = shared[:primary] & (cover.lower == 1) & (cover.upper == 1)
        if not shared.any():
            raise ConfigError(
                "sub-problem: the untried options share no item that is covered exactly once"
            )
        return int(np.flatnonzero(shared)[0])

    def _check_numbers(self, option_count: int) -> None:
        numbers = (*self.taken, *(self.untried or ()))
        if self.untried == ():
            raise ConfigError("sub-problem: no option is untried; expected one or more, or None")
        for number in numbers:
            if not 0 <= number < option_count:
                expected = f"expected 0 to {option_count - 1}" if option_count else "there are none"
                raise ConfigError(f"sub-problem: there is no option {number}; {expected}")
        if len(set(numbers)) != len(numbers):
            raise ConfigError("sub-problem: an option is named twice; expected each once")

    def _check_held(self, cover: CoverProblem, kept: NDArray[np.bool_]) -> None:
        """Raise `ConfigError` for a taken option without an item that needs all its options."""
        left = np.bincount(cover.item[kept[cover.option_of_member]], minlength=cover.item_count)
        needed = np.zeros(cover.item_count, dtype=bool)
        needed[: cover.primary_count] = left[: cover.primary_count] <= cover.lower
        held = np.zeros(cover.option_count, dtype=bool)
        held[cover.option_of_member[needed[cover.item]]] = True
        for option in self.taken:
            if not held[option]:
                raise ConfigError(
                    f"sub-problem: option {option} cannot be enforced: none of its items "
                    "needs all its remaining options"
                )


def _picked(numbers: NDArray[np.integer], options: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(numbers[option]) for option in options)


@dataclass(frozen=True)
class Part:
    """A connected part of the open cells."""

    volume: int
    empty: int
    """Number of cells of the part that may stay empty."""


def region_parts(placements: Placements) -> list[Part]:
    """Return the connected parts of the open cells, ordered by their first cell."""
    neighbours, optional = placements.neighbours.tolist(), placements.optional.tolist()
    return [
        Part(len(part), sum(optional[cell] for cell in part))
        for part in connected_parts(range(placements.cell_count), neighbours)
    ]
