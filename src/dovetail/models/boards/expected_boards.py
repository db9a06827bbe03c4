"""Expected numbers of partial boards of an edge-matching puzzle, by the order of filling.

Source: B. Owen's model (2008). The number of ways to lay the tiles, with corner tiles in corners
and border tiles on the border, is multiplied by the chance that all sides that meet would agree if
colours were dealt to the sides at random. Sides at edges that end at the frame are dealt
separately, since each of these edges joins a left and a right side. Identical tiles are
distinguished, except with `identical_once`, which is not in the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, isfinite, lgamma, log

import numpy as np
from numpy.typing import NDArray

from dovetail.models.boards.edges import BORDER, EdgePuzzle, Tile, canonical_turn, turned
from dovetail.models.boards.geometry import SIDES, Position

Logs = NDArray[np.float64]
# The model does not describe boards with more than `FEW_HINTS` hints if they are also on more than
# the share `MAX_HINTED` of the tiles: hints come from a solution, so that the tiles beside hinted
# tiles match more often than by chance.
FEW_HINTS, MAX_HINTED = 4, 0.1
LARGEST_LOG = 700.0  # natural logarithm of about the largest float


def expected_boards(
    puzzle: EdgePuzzle, order: Sequence[Position], *, identical_once: bool = False
) -> list[float] | None:
    """Return the expected number of partial boards after each cell of `order` is filled.

    Returns None for puzzles that the model does not describe: signed puzzles, variants of plain
    tiles in a frame, boards with a single row or column, tiles that do not fill border and corners,
    and boards with many hints. With `identical_once`, boards that look the same count once.
    """
    filling = filling_of(puzzle, order, identical_once=identical_once)
    return None if filling is None else [exp(min(LARGEST_LOG, x)) for x in filling.logs()]


def filling_of(
    puzzle: EdgePuzzle,
    order: Sequence[Position],
    *,
    hints_first: bool = False,
    identical_once: bool = False,
) -> Filling | None:
    """Return the model of filling a board in an order; None if it does not describe the puzzle.

    With `hints_first`, the hinted tiles lie on the board from the beginning. Then any number of
    hints is allowed, and `order` may leave out their cells. `expected_boards` lists the puzzles
    that the model does not describe, and explains `identical_once`.
    """
    tiles = Counter(tile.count(BORDER) for tile in puzzle.tiles)
    rim = 2 * (puzzle.width + puzzle.height) - 4
    if (
        puzzle.signed
        or puzzle.variants
        or min(puzzle.width, puzzle.height) < 2
        or (tiles[2], tiles[1]) != (4, rim - 4)
        or (not hints_first and _has_many_hints(puzzle))
    ):
        return None
    ways = _ways_to_lay(puzzle, identical_once=identical_once)
    return Filling(puzzle, tuple(_steps(puzzle, order, ways, hints_first=hints_first)))


def _has_many_hints(puzzle: EdgePuzzle) -> bool:
    return len(puzzle.hints) > max(FEW_HINTS, MAX_HINTED * len(puzzle.tiles))


@dataclass(frozen=True)
class Step:
    """State of the model after a cell is filled; edges between two hinted tiles do not count."""

    ways: float
    """Natural logarithm of the number of ways to lay the tiles so far, matching or not."""
    on_frame: int
    """Number of edges between the tiles so far that end at the frame."""
    inside: int
    """Number of other edges between the tiles so far."""
    new_inside: int
    """Number of `inside` edges that the cell adds."""


@dataclass(frozen=True)
class Filling:
    """Model of a board that is filled in steps."""

    puzzle: EdgePuzzle
    steps: tuple[Step, ...]

    def logs(self, allowed: Sequence[int] | None = None) -> Logs:
        """Return the logarithm of the expected number of boards after each step, shape (steps,).

        After step s, up to `allowed[s]` inside edges may mismatch, at most 1 of them added by each
        step. By default all edges match.
        """
        ways, on_frame, inside, new_inside = map(np.array, zip(*self._rows, strict=True))
        arrangements = _arrangements(new_inside, allowed or [0] * len(self.steps))
        chances = [self._agree_inside_but(missed)[inside] for missed in range(len(arrangements))]
        chance = np.logaddexp.reduce(arrangements + np.array(chances), axis=0)
        expected: Logs = ways + self._agree_on_frame[on_frame] + chance
        return expected

    @cached_property
    def _rows(self) -> list[tuple[float, int, int, int]]:
        return [(step.ways, step.on_frame, step.inside, step.new_inside) for step in self.steps]

    @cached_property
    def _agree_on_frame(self) -> Logs:
        return _agree_on_frame(_sides(self.puzzle)[0], max(step.on_frame for step in self.steps))

    @cached_property
    def _agree_inside(self) -> list[Logs]:
        """Results of `_agree_inside_but` by the number of mismatches, computed when needed."""
        return [_agree_inside(_sides(self.puzzle)[1], max(step.inside for step in self.steps))]

    def _agree_inside_but(self, missed: int) -> Logs:
        """Return logarithms of the chance that of 0, 1, … edges only the last `missed` mismatch."""
        while len(self._agree_inside) <= missed:
            but_one = self._agree_inside[-1]
            some = but_one[1:] < but_one[:-1]  # if equal, a mismatch has chance 0
            all_but_one, all_agree = but_one[:-1][some], but_one[1:][some]
            both = np.full(len(but_one), -inf)
            both[1:][some] = all_but_one + np.log1p(-np.exp(all_agree - all_but_one))
            self._agree_inside.append(both)
        return self._agree_inside[missed]


def _arrangements(places: NDArray[np.int64], allowed: Sequence[int]) -> Logs:
    """Return logarithms of the numbers of ways to place mismatches, shape (rows, steps).

    Step s may add one mismatch at any of its `places[s]` new edges, up to `allowed[s]` in total.
    Row m is for m mismatches in all steps so far, with m from 0 to max(allowed).
    """
    ways = np.full((max(allowed, default=0) + 1, len(places)), -inf)
    now = np.full(len(ways), -inf)
    now[0] = 0.0
    for step, (count, bound) in enumerate(zip(places.tolist(), allowed, strict=True)):
        if count and bound:
            more = np.logaddexp(now[1 : bound + 1], now[:bound] + log(count))
            now[1 : bound + 1] = more
        ways[:, step] = now
    return ways


def _ways_to_lay(puzzle: EdgePuzzle, *, identical_once: bool) -> list[list[float]]:
    """Return logarithms of the ways to lay 0, 1, … tiles, for inner, border and corner tiles.

    Hinted tiles are left out.
    """
    hinted = {hint.tile for hint in puzzle.hints}
    free = [tile for number, tile in enumerate(puzzle.tiles) if number not in hinted]
    kinds = [[tile for tile in free if tile.count(BORDER) == sides] for sides in (0, 1, 2)]
    if identical_once:
        return [_distinct_ways(tiles).tolist() for tiles in kinds]
    turns = (log(4), 0.0, 0.0)
    return [
        [_permutations(len(tiles), k) + k * turn for k in range(len(tiles) + 1)]
        for tiles, turn in zip(kinds, turns, strict=True)
    ]


def _distinct_ways(tiles: Sequence[Tile]) -> Logs:
    """Return logarithms of the ways to lay 0, 1, … tiles; exchanging equal tiles is no new way."""
    copies = Counter(map(canonical_turn, tiles))
    by_type = []
    for tile, count in copies.items():
        orientations = (
            1 if BORDER in tile else len({turned(tile, rotation) for rotation in range(4)})
        )
        by_type.append([k * log(orientations) for k in range(count + 1)])
    return _ways(by_type, len(tiles))


def _steps(
    puzzle: EdgePuzzle,
    order: Sequence[Position],
    ways: Sequence[Sequence[float]],
    *,
    hints_first: bool,
) -> Iterator[Step]:
    hinted = puzzle.hinted
    placed, joins, done = Counter[int](), Counter[bool](), set[Position]()
    if hints_first:
        for cell in hinted:
            joins.update(_joins(puzzle, cell, done))
            done.add(cell)
    for cell in order:
        new = Counter[bool]()
        if cell not in done:
            new.update(_joins(puzzle, cell, done))
            placed[sum(puzzle.geometry.frame_at(cell))] += cell not in hinted
        done.add(cell)
        joins.update(new)
        laid = sum(its_ways[placed[kind]] for kind, its_ways in enumerate(ways))
        yield Step(laid, joins[True], joins[False], new[False])


def _joins(puzzle: EdgePuzzle, cell: Position, done: set[Position]) -> Iterator[bool]:
    """Yield for each edge between a cell and the cells `done` whether the edge ends at the frame.

    Edges between two hinted tiles are left out, since they match with certainty.
    """
    frame, hinted = puzzle.geometry.frame_at(cell), puzzle.hinted
    for side in SIDES:
        other = puzzle.geometry.beyond(cell, side)
        if other in done and not (cell in hinted and other in hinted):
            along = (SIDES[side - 1], SIDES[side - 3])
            there = puzzle.geometry.frame_at(other)
            yield any(frame[end] and there[end] for end in along)


def _sides(puzzle: EdgePuzzle) -> tuple[list[int], list[int]]:
    """Return the number of sides of each colour, at edges that end at the frame and at others.

    At the frame, left and right sides are counted together. Sides between two hinted tiles are left
    out, since no other tile meets them.
    """
    frame, inner = Counter[int](), Counter[int]()
    hinted, beyond = puzzle.hinted, puzzle.geometry.beyond
    hint_of = {hint.tile: hint for hint in puzzle.hints}
    for number, unturned in enumerate(puzzle.tiles):
        hint = hint_of.get(number)
        tile = unturned if hint is None else puzzle.hint_sides(hint)
        for side in SIDES:
            if tile[side] != BORDER and (hint is None or beyond(hint.position, side) not in hinted):
                beside = BORDER in (tile[side - 1], tile[(side + 1) % 4])
                (frame if beside else inner)[tile[side]] += 1
    return list(frame.values()), list(inner.values())


def _agree_on_frame(sides: Sequence[int], joins: int) -> Logs:
    """Return logarithms of the chance that left and right sides agree at all of 0, 1, … edges."""
    halves = [count // 2 for count in sides]
    ways = _ways(([2 * _permutations(half, k) for k in range(half + 1)] for half in halves), joins)
    return _among(ways, [2 * _permutations(sum(halves), joined) for joined in range(joins + 1)])


def _agree_inside(sides: Sequence[int], joins: int) -> Logs:
    """Return logarithms of the chance that both sides agree at all of 0, 1, … edges."""
    ways = _ways(
        ([_permutations(count, 2 * k) for k in range(count // 2 + 1)] for count in sides), joins
    )
    return _among(ways, [_permutations(sum(sides), 2 * joined) for joined in range(joins + 1)])


def _among(ways: Logs, in_all: Sequence[float]) -> Logs:
    """Return the logarithms of the shares of `ways` in `in_all`; −inf where there are no ways."""
    return np.array(
        [
            mine - whole if isfinite(whole) else -inf
            for mine, whole in zip(ways, in_all, strict=True)
        ]
    )


def _ways(by_colour: Iterable[Sequence[float]], joins: int) -> Logs:
    """Return logarithms of the ways to deal colours to 0, 1, … edges (or tile types to cells).

    `by_colour`: for each colour, the logarithms of the ways to deal it to 0, 1, … ordered edges.
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
    """Return the logarithm of n! / (n − k)!; −inf for k > n."""
    return lgamma(n + 1) - lgamma(n - k + 1) if k <= n else -inf
