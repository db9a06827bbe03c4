"""Ways to misread a cover problem, by which a wrong answer is explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dovetail.harness.contract.brute_force import covers
from dovetail.models.cover import MAX_COVERED, CoverProblem


def without_secondary_items(cover: CoverProblem) -> CoverProblem:
    """Return the same primary items and options."""
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
    """Require that secondary items are covered exactly once, too."""
    more = np.ones(cover.item_count - cover.primary_count, dtype=np.int32)
    return replace(
        without_colours(cover),
        lower=np.concatenate([cover.lower, more]),
        upper=np.concatenate([cover.upper, more]),
    )


def without_colours(cover: CoverProblem) -> CoverProblem:
    """Allow each coloured item once only."""
    return replace(cover, colour=np.zeros_like(cover.colour))


def covered_once(cover: CoverProblem) -> CoverProblem:
    """Require that every primary item is covered exactly once."""
    ones = np.ones_like(cover.lower)
    return replace(cover, lower=ones, upper=ones)


def without_lower_bounds(cover: CoverProblem) -> CoverProblem:
    """Allow that primary items are left out."""
    return replace(cover, lower=np.zeros_like(cover.lower))


def without_upper_bounds(cover: CoverProblem) -> CoverProblem:
    """Allow that primary items are covered any number of times."""
    return replace(cover, upper=np.full_like(cover.upper, MAX_COVERED))


Misreading = Callable[[CoverProblem], CoverProblem]

# What a backend seems to do that finds the solutions of the problem misread so.
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
    """Return what a backend seems to do that finds these solutions.

    None where they are right, wrong in another way, or wrong as in several of these ways.
    """
    if found == covers(problem):
        return None
    # without bounds the problems that have none would be too large for brute force
    known = OF_ITEMS if problem.unit_bounds else {**OF_ITEMS, **OF_BOUNDS}
    named = [name for name, misread in known.items() if covers(misread(problem)) == found]
    return named[0] if len(named) == 1 else None
