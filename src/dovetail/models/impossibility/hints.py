"""Proofs from hints and their neighbours that no board keeps all hints."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dovetail.models.edges import (
    BORDER,
    EAST,
    NORTH,
    SIDES,
    EdgePuzzle,
    Hint,
    Position,
    Tile,
    beyond,
    opposite,
    turned,
)


def why_hints_impossible(puzzle: EdgePuzzle) -> str | None:
    """Return a short reason why no board keeps all hints; None if unknown."""
    tests = (_against_the_frame, _at_odds, _unfillable_beside)
    return next((reason for test in tests if (reason := test(puzzle)) is not None), None)


def _against_the_frame(puzzle: EdgePuzzle) -> str | None:
    """Test for a colour on the frame, or the frame's colour elsewhere."""
    for position, hint in _hinted(puzzle).items():
        for side, colour in enumerate(_shown(puzzle, hint)):
            on_board = beyond(position, side) in puzzle.geometry
            if on_board == (colour == BORDER):
                return (
                    f"hints: {_conflict(hint)} shows {colour} "
                    f"{'off' if on_board else 'on'} the frame"
                )
    return None


def _at_odds(puzzle: EdgePuzzle) -> str | None:
    """Test for two adjacent hints that do not match."""
    hinted = _hinted(puzzle)
    for position, hint in hinted.items():
        for side in (NORTH, EAST):
            other = hinted.get(beyond(position, side))
            if other is None:
                continue
            colour, faced = _shown(puzzle, hint)[side], _shown(puzzle, other)[opposite(side)]
            if faced != puzzle.mate(colour):
                return (
                    f"hints: {_conflict(hint)} and {_conflict(other)} show {colour} and {faced} "
                    f"on the {'signed ' if puzzle.signed else ''}edge between them"
                )
    return None


def _unfillable_beside(puzzle: EdgePuzzle) -> str | None:
    """Test for a cell beside hints that no unused tile fits."""
    hinted = _hinted(puzzle)
    used = {hint.tile for hint in puzzle.hints}
    left = {tile for number, tile in enumerate(puzzle.tiles) if number not in used}
    orientations = {turned(tile, rotation) for tile in left for rotation in range(4)}
    near = {beyond(position, side) for position in hinted for side in SIDES}
    possible: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for position in sorted(near - hinted.keys()):
        if position not in puzzle.geometry:
            continue
        required = _required(puzzle, hinted, position)
        sides, colours = tuple(required), tuple(required.values())
        if sides not in possible:
            possible[sides] = set(_shown_on(sides, orientations))
        if colours not in possible[sides]:
            return f"hints: no remaining tile fits at {position} next to the hinted tiles"
    return None


def _required(
    puzzle: EdgePuzzle, hinted: dict[Position, Hint], position: Position
) -> dict[int, int]:
    """Return the colours that a cell must show towards the frame and hinted tiles, by side."""
    required = {}
    for side in SIDES:
        neighbour = beyond(position, side)
        if neighbour not in puzzle.geometry:
            required[side] = BORDER
        elif neighbour in hinted:
            required[side] = puzzle.mate(_shown(puzzle, hinted[neighbour])[opposite(side)])
    return required


def _shown_on(sides: tuple[int, ...], orientations: Collection[Tile]) -> Iterator[tuple[int, ...]]:
    """Yield colours on some sides of each orientation without the frame's colour elsewhere."""
    others = [side for side in SIDES if side not in sides]
    for orientation in orientations:
        if all(orientation[side] != BORDER for side in others):
            yield tuple(orientation[side] for side in sides)


def _hinted(puzzle: EdgePuzzle) -> dict[Position, Hint]:
    return {(hint.x, hint.y): hint for hint in puzzle.hints}


def _shown(puzzle: EdgePuzzle, hint: Hint) -> Tile:
    return turned(puzzle.tiles[hint.tile], hint.rotation)


def _conflict(hint: Hint) -> str:
    return f"tile {hint.tile} with rotation {hint.rotation} at ({hint.x}, {hint.y})"
