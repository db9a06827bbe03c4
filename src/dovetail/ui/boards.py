"""Edge boards of the page: drawn boards, and positions of a player.

A drawn board is an object with `name`, `width`, `height` and `tiles`, row by row from the top left.
A tile is a list of four colours (north, east, south, west), with None for a side that is not
painted. With a `seed`, the tiles are turned and shuffled.

The `cells` of a position are as in `PartialBoard`: rows from the bottom, with [tile, rotation]
or None in each cell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeGuard

from dovetail.errors import how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.improvers.shared.board import board_arrays
from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, Tile, tiles_by_class, turned
from dovetail.models.boards.geometry import SIDES, SQUARE
from dovetail.models.boards.partial_board import (
    Objective,
    PartialBoard,
    board_error,
    max_score,
    mismatched_edges,
    score,
)
from dovetail.models.impossibility.edges import why_impossible
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable
from dovetail.puzzles.formats.registry import format_to_write, read_board
from dovetail.random_stream import RandomStream
from dovetail.reports.pictures.board import motif_path, side_path
from dovetail.reports.pictures.colours import motif_numbers, paint_numbers
from dovetail.reports.pictures.geometry import SIDE, square
from dovetail.ui.requests import Fields, RequestError, check_keys, text, whole_number

KEYS = ("name", "width", "height", "tiles", "seed")
IN_ORDER = attrgetter("x", "y")  # sort key of hints
MAX_SIDE, MAX_DRAWN_COLOURS, MAX_NAME, MAX_SEED = 20, 56, 100, 2**53


@cache
def drawing_colours() -> Fields:
    """Return the paths of a tile's sides, and the paint and motif of each colour.

    `colours` begins with colour 0, the frame, which has no motif. A motif has a path for each side.
    """
    tiles: tuple[Tile, ...] = tuple((n, n, n, n) for n in range(1, MAX_DRAWN_COLOURS + 1))
    every = EdgePuzzle("colours", len(tiles), 1, tiles)
    paints, motifs = paint_numbers(every), motif_numbers(every)
    return {
        "side": SIDE,
        "sides": [side_path(square(0, 0), side) for side in SIDES],
        "colours": [
            {"paint": "frame", "motif": None},
            *(
                {
                    "paint": f"piece-{paints[colour]}",
                    "motif": [motif_path(square(0, 0), side, motifs[colour]) for side in SIDES],
                }
                for colour in range(1, MAX_DRAWN_COLOURS + 1)
            ),
        ],
        "largest": MAX_SIDE,
    }


@dataclass(frozen=True)
class DrawnBoard:
    """A parsed drawing of a board, whose sides need not all be painted."""

    name: str
    width: int
    height: int
    tiles: tuple[tuple[int | None, ...], ...]
    seed: int | None

    @property
    def unpainted(self) -> int:
        """Number of sides without a colour."""
        return sum(colour is None for tile in self.tiles for colour in tile)

    def puzzle(self) -> EdgePuzzle:
        """Return the puzzle; raise `RequestError` if a side is not painted."""
        if self.unpainted:
            sides = how_many(self.unpainted, "side")
            raise RequestError(f"found {sides} without a colour; paint every side first", "tiles")
        tiles: list[Any] = list(self.tiles)
        if self.seed is not None:
            random = RandomStream(self.seed)
            order = [tiles.pop(random.below(len(tiles))) for _ in range(len(tiles))]
            tiles = [turned(tile, random.below(4)) for tile in order]
        return EdgePuzzle(self.name, self.width, self.height, tuple(tiles))


def read_board_drawing(fields: object) -> DrawnBoard:
    """Parse a drawn board; raise `RequestError` with the path of the first wrong value."""
    if not isinstance(fields, dict):
        raise RequestError("board: expected an object", "board")
    check_keys(fields, KEYS)
    name = text("name", fields.get("name", "my-board"))
    if not 0 < len(name) <= MAX_NAME or not is_printable(name):
        raise RequestError(f"name: expected 1 to {MAX_NAME} printable characters", "name")
    width, height = (
        whole_number(side, fields.get(side), 1, MAX_SIDE) for side in ("width", "height")
    )
    tiles, seed = fields.get("tiles"), fields.get("seed")
    if not isinstance(tiles, list) or len(tiles) != width * height:
        raise RequestError(f"tiles: expected {how_many(width * height, 'tile')} in a list", "tiles")
    return DrawnBoard(
        name,
        width,
        height,
        tuple(_drawn_tile(tile, f"tiles[{number}]") for number, tile in enumerate(tiles)),
        None if seed is None else whole_number("seed", seed, 0, MAX_SEED),
    )


def _drawn_tile(tile: object, path: str) -> tuple[int | None, ...]:
    if not isinstance(tile, list) or len(tile) != len(SIDES):
        raise RequestError(f"{path}: expected a list of 4 colours", path)
    return tuple(
        None if colour is None else whole_number(path, colour, BORDER, MAX_DRAWN_COLOURS)
        for colour in tile
    )


def board_facts(fields: object) -> Fields:
    """Return facts about a drawn board: `rows` of texts, and `ruled_out`, proofs of impossibility.

    If the board cannot be read, `errors` has the reason with the path of the wrong value.
    """
    try:
        drawn = read_board_drawing(fields)
    except RequestError as error:
        problem = {"path": error.path, "message": str(error)}
        return {"rows": [], "ruled_out": [], "errors": [problem]}
    sides = Counter(colour for tile in drawn.tiles for colour in tile if colour is not None)
    painted = f"{sides.total()} of {4 * len(drawn.tiles)}"
    colours = [f"{colour}: {sides[colour]}" for colour in sorted(sides) if colour != BORDER]
    rows = [["Sides painted", painted], ["Sides by colour", ", ".join(colours) or "–"]]
    if drawn.unpainted:
        return {"rows": rows, "ruled_out": [], "errors": []}
    puzzle = drawn.puzzle()
    by_class = tiles_by_class(puzzle).items()
    rows.append(["Tiles", ", ".join(f"{number} {of_class}" for of_class, number in by_class)])
    reason = why_impossible(puzzle)
    return {"rows": rows, "ruled_out": [] if reason is None else [reason], "errors": []}


def board_drawing_file(board: object, suffix: str) -> str:
    """Return the text of a file with `suffix` for a drawn board.

    Raises `DovetailError` for an unfinished board, an unknown suffix and an unsuitable format.
    """
    puzzle = read_board_drawing(board).puzzle()
    return format_to_write(Path(f"board{suffix}"), puzzle).text(puzzle)


def board_drawing_of(puzzle: EdgePuzzle) -> Fields | None:
    """Return a puzzle as a drawn board; None if the page cannot draw it."""
    colours = max(colour for tile in puzzle.tiles for colour in tile)
    if max(puzzle.width, puzzle.height) > MAX_SIDE or colours > MAX_DRAWN_COLOURS:
        return None
    if puzzle.variants or puzzle.signed or puzzle.hints or not 0 < len(puzzle.name) <= MAX_NAME:
        return None
    return {key: getattr(puzzle, key) for key in KEYS[:-1]}


def playable(puzzle: Puzzle) -> EdgePuzzle:
    """Return `puzzle` if it is a board of square tiles; else raise `RequestError` (status 404)."""
    if not isinstance(puzzle, EdgePuzzle) or puzzle.lattice != SQUARE:
        raise RequestError(f"{shorten(puzzle.name)} is not a board of square tiles", status=404)
    return puzzle


def read_cells(puzzle: EdgePuzzle, rows: object, path: str = "cells") -> PartialBoard:
    """Parse the cells of a position; raise `RequestError` with the path of the first wrong value.

    A tile in more cells than it has copies is an error, too. Frame and hints are not checked.
    """
    if not _are_rows(rows, puzzle.width, puzzle.height):
        size = f"{puzzle.height} rows of {puzzle.width} cells"
        raise RequestError(f"{path}: expected {size}", path)
    used, copies = Counter[int](), copies_of_tiles(puzzle)

    def laid(cell: object, x: int, y: int) -> tuple[int, int] | None:
        place = f"{path}[{y}][{x}]"
        if cell is None:
            return None
        if not isinstance(cell, list) or len(cell) != 2:
            raise RequestError(f"{place}: expected null or [tile, rotation]", place)
        if (x, y) not in puzzle.geometry:
            raise RequestError(f"{place} is a hole; expected null", place)
        tile = whole_number(place, cell[0], 0, len(puzzle.tiles) - 1)
        used[tile] += 1
        if used[tile] > copies[tile]:
            raise RequestError(f"{place}: tile {tile} lies in {used[tile]} cells", place)
        return tile, whole_number(place, cell[1], 0, len(puzzle.turns) - 1)

    return PartialBoard(
        tuple(tuple(laid(cell, x, y) for x, cell in enumerate(row)) for y, row in enumerate(rows))
    )


def copies_of_tiles(puzzle: EdgePuzzle) -> list[int]:
    """Return the maximum number of cells in which each tile may lie."""
    cells = len(puzzle.geometry.positions)
    return [min(cells, most) for _, most in puzzle.counts] or [1] * len(puzzle.tiles)


def _are_rows(rows: object, width: int, height: int) -> TypeGuard[list[list[object]]]:
    return (
        isinstance(rows, list)
        and len(rows) == height
        and all(isinstance(row, list) and len(row) == width for row in rows)
    )


def position_fields(puzzle: EdgePuzzle, board: PartialBoard) -> Fields:
    """Return the cells of a position, its score as text, its mismatches, and any broken rule."""
    matched = Objective.EDGES.result_text(score(puzzle, board), max_score(puzzle))
    placed, mismatched = len(board.laid), mismatched_edges(puzzle, board)
    tiles = how_many(len(puzzle.geometry.positions), "tile")
    return {
        "cells": board.cells,
        "score": f"{matched}, {placed} of {tiles} placed",
        "mismatched": mismatched,
        "problem": board_error(replace(puzzle, hints=()), board),
    }


def opened_position(puzzle: EdgePuzzle, file: TextFile) -> Fields:
    """Return `position_fields` of the first board in a file; raise `FormatError` if it has none.

    Frame and hints are not checked.
    """
    plain = replace(puzzle, hints=())
    free = replace(plain, frame=None, unbounded=True)
    return position_fields(puzzle, read_board(file, plain, free))


def with_locked(puzzle: EdgePuzzle, board: PartialBoard, places: object) -> EdgePuzzle:
    """Return the puzzle whose hints are the tiles of a position at `places`, a list of [x, y].

    Returns `puzzle` itself if it has these hints. Raises `RequestError` for a place without a tile.
    """
    if not isinstance(places, list):
        raise RequestError("locked: expected a list of [x, y]", "locked")
    hints = sorted((_hint(board, place, n) for n, place in enumerate(places)), key=IN_ORDER)
    if hints == sorted(puzzle.hints, key=IN_ORDER):
        return puzzle
    name = f"{puzzle.name}-{how_many(len(hints), 'hint').replace(' ', '-')}"
    return replace(puzzle, name=name, hints=tuple(hints))


def _hint(board: PartialBoard, place: object, number: int) -> Hint:
    path = f"locked[{number}]"
    if not isinstance(place, list) or len(place) != 2:
        raise RequestError(f"{path}: expected [x, y]", path)
    x = whole_number(path, place[0], 0, len(board.cells[0]) - 1)
    y = whole_number(path, place[1], 0, len(board.cells) - 1)
    laid = board.at((x, y))
    if laid is None:
        raise RequestError(f"{path}: no tile lies at ({x}, {y})", path)
    return Hint(x, y, *laid)


def start_of_race(puzzle: Puzzle, rows: object) -> PartialBoard:
    """Return the board that a race of improvers starts from.

    Raises `RequestError` for a position that breaks a rule of the puzzle, and `PuzzleError` for
    hints that contradict each other.
    """
    found = playable(puzzle)
    board_arrays(found)
    board = read_cells(found, rows, "start")
    error = board_error(found, board)
    if error is not None:
        raise RequestError(f"start: {error}", "start")
    return board
