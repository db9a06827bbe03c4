"""Proofs from tiles, colours and hints that an edge-matching puzzle has no solution.

Tiles fit cells by their sides on the frame. All other sides pair up across edges: sides at edges
that end at the frame among themselves, and so do the others (`models.frame`).
"""

from __future__ import annotations

from collections import Counter

from dovetail.errors import how_many
from dovetail.models.edges import (
    EdgePuzzle,
    Place,
    TileClass,
    cells_by_class,
    class_of_tile,
    colours_facing,
    sides_facing,
    tiles_by_class,
)
from dovetail.models.impossibility.hints import why_hints_impossible


def why_impossible(puzzle: EdgePuzzle) -> str | None:
    """Return a short proof, with the numbers, that there is no board; None if unknown.

    Variants of plain tiles in a frame are not examined.
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
    return f"there are {given} tiles; a {_size(puzzle)} board has {wanted} cells"


def _unpaired_colour(puzzle: EdgePuzzle) -> str | None:
    """Test that sides pair up: even numbers per colour or, if signed, equal numbers per sign."""
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
    """Test that inner tiles have partners for the inward sides of border tiles."""
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
    """Test that each side of a tile has another tile to match: its neighbours are distinct."""
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
