"""Small cover problems by brute force, and the ways in which a backend can misread them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dovetail.models.cover import MAX_COVERED, UNCOLOURED, CoverProblem


def covers(problem: CoverProblem) -> set[tuple[int, ...]]:
    """Return the solutions of a small problem as tuples of their options in ascending order.

    This function shares neither code nor method with any backend. Each option in turn is left out
    of every partial solution or added to it. A partial solution is dropped if it covers an item too
    often or in two colours, or if it covers an item too seldom after the item's last option.
    """
    members = [
        dict(zip(problem.item[span].tolist(), problem.colour[span].tolist(), strict=True))
        for span in map(slice, problem.start[:-1], problem.start[1:])
    ]
    last_option = {item: option for option, items in enumerate(members) for item in items}

    def uses(chosen: tuple[int, ...], item: int) -> list[int]:
        return [members[option][item] for option in chosen if item in members[option]]

    def allowed(chosen: tuple[int, ...], item: int) -> bool:
        colours = uses(chosen, item)
        if item < problem.primary_count:
            return len(colours) <= int(problem.upper[item])
        return len(colours) < 2 or (UNCOLOURED not in colours and len(set(colours)) == 1)

    def covered(chosen: tuple[int, ...], item: int) -> bool:
        return item >= problem.primary_count or len(uses(chosen, item)) >= problem.lower[item]

    unused = set(range(problem.primary_count)) - last_option.keys()
    unsolvable = any(problem.lower[item] > 0 for item in unused)
    partial: set[tuple[int, ...]] = set() if unsolvable else {()}
    for option, items in enumerate(members):
        longer = {(*chosen, option) for chosen in partial}
        partial |= {chosen for chosen in longer if all(allowed(chosen, item) for item in items)}
        due = [item for item in items if last_option[item] == option]
        partial = {chosen for chosen in partial if all(covered(chosen, item) for item in due)}
    return partial


def without_secondary_items(cover: CoverProblem) -> CoverProblem:
    """Return the problem without its secondary items."""
    primary = cover.item < cover.primary_count
    sizes = np.bincount(cover.option_of_member[primary], minlength=cover.option_count)
    return replace(
        cover,
        item_names=cover.item_names[: cover.primary_count],
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        item=cover.item[primary],
        colour=cover.colour[primary],
    )


def all_primary(cover: CoverProblem) -> CoverProblem:
    """Return the problem in which secondary items must also be covered exactly once."""
    more = np.ones(cover.item_count - cover.primary_count, dtype=np.int32)
    return replace(
        without_colours(cover),
        lower=np.concatenate([cover.lower, more]),
        upper=np.concatenate([cover.upper, more]),
    )


def without_colours(cover: CoverProblem) -> CoverProblem:
    """Return the problem in which options can share no coloured item."""
    return replace(cover, colour=np.zeros_like(cover.colour))


def covered_once(cover: CoverProblem) -> CoverProblem:
    """Return the problem in which every primary item must be covered exactly once."""
    ones = np.ones_like(cover.lower)
    return replace(cover, lower=ones, upper=ones)


def without_lower_bounds(cover: CoverProblem) -> CoverProblem:
    """Return the problem in which primary items need not be covered."""
    return replace(cover, lower=np.zeros_like(cover.lower))


def without_upper_bounds(cover: CoverProblem) -> CoverProblem:
    """Return the problem in which primary items can be covered any number of times."""
    return replace(cover, upper=np.full_like(cover.upper, MAX_COVERED))


Misreading = Callable[[CoverProblem], CoverProblem]

# For each description of an error, the function that returns the problem solved instead.
OF_ITEMS: dict[str, Misreading] = {
    "ignore secondary items": without_secondary_items,
    "require that secondary items are covered": all_primary,
    "ignore colours": without_colours,
}
OF_BOUNDS: dict[str, Misreading] = {
    "ignore bounds and cover every primary item exactly once": covered_once,
    "ignore lower bounds": without_lower_bounds,
    "ignore upper bounds": without_upper_bounds,
}


def misreading(problem: CoverProblem, found: set[tuple[int, ...]]) -> str | None:
    """Describe the only misreading that has exactly these solutions.

    Returns None if the solutions are right, or if no misreading or several misreadings have them.
    """
    if found == covers(problem):
        return None
    # A problem whose bounds are all 1 would be too large for brute force without its bounds.
    known = OF_ITEMS if problem.unit_bounds else {**OF_ITEMS, **OF_BOUNDS}
    names = [name for name, misread in known.items() if covers(misread(problem)) == found]
    return names[0] if len(names) == 1 else None
