"""How many boards there are up to turns, on plain tuples: without options or permutations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import factorial, prod

from dovetail.models.edges import EdgePuzzle, Tile, canonical_turn, turned
from oracle.brute_force import Board, LabelledBoard

Laid = Mapping[tuple[int, int], tuple[int, Tile]]  # a mark and the sides shown, by column and row
ALIKE = 0  # the mark of tiles that are not distinguished


def labellings(puzzle: EdgePuzzle) -> int:
    """How many ways there are to label the tiles of one board: those in hints have their place."""
    named = {hint.tile for hint in puzzle.hints}
    free = (tile for number, tile in enumerate(puzzle.tiles) if number not in named)
    return prod(factorial(copies) for copies in Counter(map(canonical_turn, free)).values())


def allowed_turns(puzzle: EdgePuzzle, *, labelled: bool) -> list[int]:
    """By how many quarter turns the board and its hints may be turned, 0 first.

    Hints must come to lie where hints are: distinguished by their tiles only if `labelled`.
    """
    hinted = {
        (h.x, h.y): (h.tile if labelled else ALIKE, turned(puzzle.tiles[h.tile], h.rotation))
        for h in puzzle.hints
    }
    square = puzzle.width == puzzle.height
    return [
        turns
        for turns in range(4)
        if (square or turns % 2 == 0)
        and turned_clockwise(hinted, puzzle.width, puzzle.height, turns) == hinted
    ]


def classes(puzzle: EdgePuzzle, found: Iterable[Board]) -> int:
    """How many of all boards, identical tiles interchangeable, differ under the allowed turns."""
    turns = allowed_turns(puzzle, labelled=False)
    return _classes(puzzle, {tuple((ALIKE, sides) for sides in board) for board in found}, turns)


def turned_clockwise(
    laid: Laid, width: int, height: int, quarter_turns: int
) -> dict[tuple[int, int], tuple[int, Tile]]:
    """What lies where when a board of width x height has been turned."""
    now = dict(laid)
    for _ in range(quarter_turns):
        now = {
            (y, width - 1 - x): (mark, turned(sides, 3)) for (x, y), (mark, sides) in now.items()
        }
        width, height = height, width
    return now


def _classes(puzzle: EdgePuzzle, found: set[LabelledBoard], turns: list[int]) -> int:
    cells = [(x, y) for x in range(puzzle.width) for y in range(puzzle.height)]
    canonical = set()
    for board in found:
        images = []
        for each in turns:
            laid = dict(zip(cells, board, strict=True))
            image = turned_clockwise(laid, puzzle.width, puzzle.height, each)
            images.append(tuple(image[cell] for cell in cells))
        assert found.issuperset(images)
        canonical.add(min(images))
    return len(canonical)
