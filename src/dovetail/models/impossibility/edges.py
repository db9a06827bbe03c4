"""Proofs from tiles, colours and hints that an edge-matching puzzle has no solution.

The sides on the frame determine which cells a tile fits. All other sides pair up across edges.
Sides at edges that end at the frame pair up with each other, and so do sides at the other edges
(`models.boards.edges.Place`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from dovetail.errors import how_many
from dovetail.models.boards.edges import (
    BORDER,
    EdgePuzzle,
    Hint,
    Place,
    Tile,
    TileClass,
    cells_by_class,
    class_of_tile,
    colours_facing,
    sides_facing,
    tiles_by_class,
    turned,
)
from dovetail.models.boards.geometry import EAST, NORTH, SIDES, Position, opposite


def why_impossible(puzzle: EdgePuzzle) -> str | None:
    """Return a short proof, with the numbers, that there is no solution; None if unknown.

    Puzzles with variants are not examined.
    """
    if puzzle.variants:
        return None
    tests = (
        _wrong_numbers,
        _unpaired_colour,
        _too_few_inner_sides,
        _too_few_partners,
        why_hints_impossible,
    )
    return next((reason for test in tests if (reason := test(puzzle)) is not None), None)


def _wrong_numbers(puzzle: EdgePuzzle) -> str | None:
    cells, tiles = cells_by_class(puzzle), tiles_by_class(puzzle)
    wrong = [tile_class for tile_class in cells if tiles[tile_class] != cells[tile_class]]
    if not wrong:
        return None
    given, wanted = (
        " and ".join(f"{of[tile_class]} {tile_class}" for tile_class in wrong)
        for of in (tiles, cells)
    )
    return f"tiles: {given}; a {_size(puzzle)} board needs {wanted}"


def _unpaired_colour(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that the sides of a colour cannot pair up, or None.

    The number of sides has to be even or, in a signed puzzle, equal for both signs.
    """
    for place in Place:
        sides = sides_facing(puzzle, place)
        for colour, number in sides.items():
            shown = f"colours: on edges {place}, tiles show {colour} on {_sides(number)}"
            if puzzle.signed and number != sides[-colour]:
                return f"{shown} and {-colour} on {sides[-colour]}; expected equal numbers"
            if not puzzle.signed and number % 2:
                return f"{shown}; expected an even number"
    return None


def _too_few_inner_sides(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that inner tiles do not match all inward sides of border tiles, or None."""
    if min(puzzle.width, puzzle.height) < 3:
        return None
    sides = {tile_class: Counter[int]() for tile_class in TileClass}
    for tile in puzzle.tiles:
        sides[class_of_tile(tile)].update(colours_facing(tile, Place.AWAY))
    for colour, inward in sorted(sides[TileClass.BORDER].items()):
        matching = puzzle.mate(colour)
        inner = sides[TileClass.INNER][matching]
        if inward > inner:
            return (
                f"colours: border tiles show {colour} inward on {_sides(inward)}, "
                f"but inner tiles show {matching} on {inner}"
            )
    return None


def _too_few_partners(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that a tile cannot match enough other tiles, or None.

    Each inner side of a tile needs a different tile as its neighbour.
    """
    for place in Place:
        shown = [Counter(colours_facing(tile, place)) for tile in puzzle.tiles]
        tiles = Counter(colour for its in shown for colour in its)
        for number, its in enumerate(shown):
            for colour, sides in its.items():
                matching = puzzle.mate(colour)
                others = tiles[matching] - (matching in its)
                if sides > others:
                    return (
                        f"colours: tile {number} shows {colour} on {_sides(sides)} of edges "
                        f"{place}, but {how_many(others, 'other tile')} "
                        f"{'shows' if others == 1 else 'show'} {matching} on such edges"
                    )
    return None


def _sides(number: int) -> str:
    return how_many(number, "side")


def _size(puzzle: EdgePuzzle) -> str:
    return f"{puzzle.width} x {puzzle.height}"


def why_hints_impossible(puzzle: EdgePuzzle) -> str | None:
    """Return a short reason why no board keeps all hints; None if unknown."""
    tests = (_against_the_frame, _at_odds, _unfillable_beside)
    return next((reason for test in tests if (reason := test(puzzle)) is not None), None)


def _against_the_frame(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that the frame's colour is missing or misplaced in a hint, or None."""
    for position, hint in puzzle.hinted.items():
        for side, colour in enumerate(puzzle.hint_sides(hint)):
            on_board = puzzle.geometry.beyond(position, side) in puzzle.geometry
            if on_board == (colour == BORDER):
                return (
                    f"hints: {_conflict(hint)} shows {colour} "
                    f"{'off' if on_board else 'on'} the frame"
                )
    return None


def _at_odds(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that two adjacent hints do not match, or None."""
    hinted = puzzle.hinted
    for position, hint in hinted.items():
        for side in (NORTH, EAST):
            other = hinted.get(puzzle.geometry.beyond(position, side))
            if other is None:
                continue
            colour, faced = puzzle.hint_sides(hint)[side], puzzle.hint_sides(other)[opposite(side)]
            if faced != puzzle.mate(colour):
                return (
                    f"hints: {_conflict(hint)} and {_conflict(other)} show {colour} and {faced} "
                    f"on the {'signed ' if puzzle.signed else ''}edge between them"
                )
    return None


def _unfillable_beside(puzzle: EdgePuzzle) -> str | None:
    """Return a proof that no unused tile fits some cell beside hints, or None."""
    hinted = puzzle.hinted
    used = {hint.tile for hint in puzzle.hints}
    left = {tile for number, tile in enumerate(puzzle.tiles) if number not in used}
    orientations = {turned(tile, rotation) for tile in left for rotation in range(4)}
    near = {puzzle.geometry.beyond(position, side) for position in hinted for side in SIDES}
    possible: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for position in sorted(near - hinted.keys()):
        if position not in puzzle.geometry:
            continue
        required = _required(puzzle, position)
        sides, colours = tuple(required), tuple(required.values())
        if sides not in possible:
            possible[sides] = set(_shown_on(sides, orientations))
        if colours not in possible[sides]:
            return f"hints: no remaining tile fits at {position} next to the hinted tiles"
    return None


def _required(puzzle: EdgePuzzle, position: Position) -> dict[int, int]:
    """Return the colours that a cell must show towards the frame and hinted tiles, by side."""
    required, hinted = {}, puzzle.hinted
    for side in SIDES:
        neighbour = puzzle.geometry.beyond(position, side)
        if neighbour not in puzzle.geometry:
            required[side] = BORDER
        elif neighbour in hinted:
            required[side] = puzzle.mate(puzzle.hint_sides(hinted[neighbour])[opposite(side)])
    return required


def _shown_on(sides: tuple[int, ...], orientations: Collection[Tile]) -> Iterator[tuple[int, ...]]:
    """Yield the colours on `sides` of each orientation that shows `BORDER` on no other side."""
    others = [side for side in SIDES if side not in sides]
    for orientation in orientations:
        if all(orientation[side] != BORDER for side in others):
            yield tuple(orientation[side] for side in sides)


def _conflict(hint: Hint) -> str:
    return f"tile {hint.tile} with rotation {hint.rotation} at ({hint.x}, {hint.y})"
