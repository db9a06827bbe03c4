"""How many partial boards an edge-matching puzzle is expected to have, in an order of filling.

Source: B. Owen's model (2008): all ways to lay tiles, corners in corners, border tiles on the
border, times the chance that the sides which meet agree if the colours were dealt to the sides at
random. Sides on the frame are dealt apart: a left side there meets a right one. Hints and tiles
that look the same are not considered. Within a factor of 2 of what searches make on most boards,
further off where tiles repeat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, inf, isfinite, lgamma, log

import numpy as np
from numpy.typing import NDArray

from dovetail.models.board_geometry import SIDES, Position, beyond
from dovetail.models.edges import BORDER, EdgePuzzle

Logs = NDArray[np.float64]


def expected_nodes(puzzle: EdgePuzzle, order: Sequence[Position]) -> float | None:
    """Return the sum of the partial boards expected after each step of `order`, (x, y) each.

    None for puzzles that the model does not describe: signed ones, boards one cell wide, and tiles
    that do not fill border and corners.
    """
    steps = expected_boards(puzzle, order)
    return None if steps is None else sum(steps)


def expected_boards(puzzle: EdgePuzzle, order: Sequence[Position]) -> list[float] | None:
    """Return how many partial boards are expected after each step, or None as `expected_nodes`."""
    geometry, width, height = puzzle.geometry, puzzle.width, puzzle.height
    tiles = Counter(tile.count(BORDER) for tile in puzzle.tiles)
    rim = 2 * (width + height) - 4
    if puzzle.signed or min(width, height) < 2 or (tiles[2], tiles[1]) != (4, rim - 4):
        return None
    on_frame, inside = _sides(puzzle)
    agree_on_frame = _agree_on_frame(on_frame, rim)
    agree_inside = _agree_inside(inside, 2 * width * height - width - height - rim)
    placed, joins, found = Counter[int](), Counter[bool](), list[float]()
    done = set[Position]()
    for cell in order:
        frame = geometry.frame_at(cell)
        placed[sum(frame)] += 1
        for side in SIDES:
            other = beyond(cell, side)
            if other in done:
                along = (SIDES[side - 1], SIDES[side - 3])
                there = geometry.frame_at(other)
                joins[any(frame[one] and there[one] for one in along)] += 1
        done.add(cell)
        ways = sum(_permutations(tiles[kind], placed[kind]) for kind in (0, 1, 2))
        chance = agree_on_frame[joins[True]] + agree_inside[joins[False]]
        found.append(exp(min(700.0, ways + placed[0] * log(4) + chance)))
    return found


def _sides(puzzle: EdgePuzzle) -> tuple[list[int], list[int]]:
    """How many sides each colour has on the frame, left and right ones together, and inside."""
    frame, inner = Counter[int](), Counter[int]()
    for tile in puzzle.tiles:
        for side in SIDES:
            if tile[side] != BORDER:
                beside = BORDER in (tile[side - 1], tile[(side + 1) % 4])
                (frame if beside else inner)[tile[side]] += 1
    return list(frame.values()), list(inner.values())


def _agree_on_frame(sides: Sequence[int], joins: int) -> Logs:
    """Logarithms of the chance that 0, 1, … joins of a left and a right side agree."""
    halves = [count // 2 for count in sides]
    ways = _ways(([2 * _permutations(half, k) for k in range(half + 1)] for half in halves), joins)
    return _among(ways, [2 * _permutations(sum(halves), joined) for joined in range(joins + 1)])


def _agree_inside(sides: Sequence[int], joins: int) -> Logs:
    """Logarithms of the chance that 0, 1, … joins of any two sides agree."""
    ways = _ways(
        ([_permutations(count, 2 * k) for k in range(count // 2 + 1)] for count in sides), joins
    )
    return _among(ways, [_permutations(sum(sides), 2 * joined) for joined in range(joins + 1)])


def _among(ways: Logs, in_all: Sequence[float]) -> Logs:
    """The share of ways that agree: none where there are too few sides for any."""
    return np.array(
        [
            mine - whole if isfinite(whole) else -inf
            for mine, whole in zip(ways, in_all, strict=True)
        ]
    )


def _ways(by_colour: Iterable[Sequence[float]], joins: int) -> Logs:
    """Logarithms of the ways to deal colours to 0, 1, … joins.

    `by_colour` has those of each colour alone, by how many joins it gets.
    """
    ways = np.full(joins + 1, -inf)
    ways[0] = 0.0
    for of_colour in by_colour:
        longer = np.full(joins + 1, -inf)
        for k, more in enumerate(of_colour[: joins + 1]):
            longer[k:] = np.logaddexp(longer[k:], ways[: joins + 1 - k] + more - lgamma(k + 1))
        ways = longer
    found: Logs = ways + np.array([lgamma(joined + 1) for joined in range(joins + 1)])
    return found


def _permutations(n: int, k: int) -> float:
    """The logarithm of n! / (n − k)!."""
    return lgamma(n + 1) - lgamma(n - k + 1) if k <= n else -inf
