"""Puzzles of the page: sources, files, pictures, descriptions and explanations."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath

from dovetail.errors import DovetailError, PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.harness.explanation import explain, puzzle_sizes
from dovetail.harness.parameters import by_convention
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.geometry import SQUARE
from dovetail.models.boards.partial_board import max_score
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import BOARD_REDUCTIONS, PACKING_REDUCTIONS, Request, Symmetry
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import (
    board_formats,
    format_to_write,
    puzzle_formats,
    read_puzzles,
    solution_formats,
)
from dovetail.reports.describe.explanation import content_rows, sizes_text, solving_rows
from dovetail.reports.describe.solutions import solutions_writer
from dovetail.reports.pictures.board import tile_drawing
from dovetail.reports.pictures.drawing import SvgDrawing, fragment, svg_element
from dovetail.reports.pictures.picture import (
    PICTURES,
    puzzle_drawing,
    puzzle_legend,
    puzzles_picture,
    whole_drawing,
)
from dovetail.reports.printing import SOLIDS
from dovetail.reports.printing.solids import copies, packing_of_prisms, pieces_file
from dovetail.reports.viewer.pieces import has_pieces_page, pieces_page
from dovetail.ui.boards import board_drawing_of, copies_of_tiles, read_board_drawing
from dovetail.ui.drawings import drawing_of, read_drawing
from dovetail.ui.requests import Fields, RequestError, check_keys, check_size, text
from dovetail.ui.solvers import improver_rows, puzzle_class, solver_rows
from dovetail.ui.workspace import StoredPuzzle

MAX_PICTURE = 2_000_000  # maximum number of characters
MAX_TILES = 1_024
# Suffixes in the order in which they are offered; other suffixes follow.
MOST_USED = (".svg", ".html", ".stl", ".xmpuzzle", ".toml", ".edges.toml", ".url", ".txt", ".json")


def picture_text(drawing: SvgDrawing) -> str:
    """Return a drawing as SVG without a style sheet, which the page has."""
    return fragment(svg_element(drawing))


def puzzle_picture(puzzle: Puzzle) -> str | None:
    """Return the picture of a puzzle; None for a puzzle without pictures or a too large picture.

    The picture of a board shows only the tiles of hints.
    """
    draw = whole_drawing if isinstance(puzzle, EdgePuzzle) else puzzle_drawing
    try:
        picture = picture_text(draw(puzzle))
    except PuzzleError:
        return None
    return picture if len(picture) <= MAX_PICTURE else None


def pieces_viewer(stored: StoredPuzzle) -> str:
    """Return the page that shows the pieces of a puzzle in three dimensions.

    Raises `RequestError` (status 404) for a puzzle that has no such page.
    """
    puzzle = stored.puzzle
    if not isinstance(puzzle, PackingPuzzle) or not has_pieces_page(puzzle):
        raise RequestError(f"the pieces of {puzzle.name} cannot be turned here", status=404)
    return pieces_page(puzzle)


def board_fields(puzzle: EdgePuzzle) -> Fields:
    """Return the size, at most `MAX_TILES` tiles, the hints and other properties of a board."""
    return {
        "width": puzzle.width,
        "height": puzzle.height,
        "edges": max_score(puzzle),
        "editable": board_drawing_of(puzzle) is not None,
        "square": puzzle.lattice == SQUARE,
        "playable": puzzle.lattice == SQUARE and len(puzzle.tiles) <= MAX_TILES,
        "turns": len(puzzle.turns),
        "copies": copies_of_tiles(puzzle),
        "holes": puzzle.holes,
        "tile_count": len(puzzle.tiles),
        "tiles": list(_tiles(puzzle)),
        "hints": [
            {"tile": hint.tile, "rotation": hint.rotation, "x": hint.x, "y": hint.y}
            for hint in puzzle.hints
        ],
    }


def _tiles(puzzle: EdgePuzzle) -> Iterator[Fields]:
    for number, tile in enumerate(puzzle.tiles[:MAX_TILES]):
        yield {
            "number": number,
            "picture": picture_text(tile_drawing(puzzle, number)),
            "words": " ".join(map(str, tile)),
        }


def puzzle_content(stored: StoredPuzzle, suffix: str) -> str | bytes:
    """Return the puzzle as a file in the format, picture or solids that a suffix stands for.

    Raises `DovetailError` if the format cannot hold the puzzle.
    """
    if suffix in PICTURES:
        return puzzles_picture(suffix, [stored.puzzle])
    if suffix in SOLIDS:
        return pieces_file(suffix, stored.puzzle, {})
    name = file_name(stored.puzzle.name, text("format", suffix))
    return format_to_write(Path(name), stored.puzzle).text(stored.puzzle)


def puzzle_suffixes(puzzle: Puzzle) -> list[str]:
    """Return the suffixes of the pictures, formats and solids of a puzzle, most used first.

    Formats that may hold the puzzle as a cover problem are included without a test, which would
    take long.
    """
    found = list[str]()
    for file_format in puzzle_formats().values():
        with suppress(DovetailError):
            if file_format.is_for(puzzle):
                file_format.text(puzzle)
            elif file_format.puzzle_type is not CoverProblem:
                continue
            found.append(file_format.suffixes[0])
    for suffix in PICTURES:
        with suppress(DovetailError):
            puzzles_picture(suffix, [puzzle])
            found.append(suffix)
    with suppress(DovetailError):
        copies(packing_of_prisms(puzzle))
        found += SOLIDS
    return most_used_first(found)


def solution_suffixes(stored: StoredPuzzle) -> list[str]:
    """Return the suffixes of the files that can hold solutions of a puzzle."""
    found = list[str]()
    for suffix in (*solution_formats(), *PICTURES):
        with suppress(DovetailError):
            solutions_writer(Path(f"solutions{suffix}"), stored.puzzle, stored.source)
            found.append(suffix)
    return most_used_first(found)


def most_used_first(suffixes: Iterable[str]) -> list[str]:
    """Return distinct suffixes: first those in the order of `MOST_USED`, then others as given."""
    found = dict.fromkeys(suffixes)
    return sorted(found, key=lambda suffix: (*MOST_USED, suffix).index(suffix))


def file_name(name: str, suffix: str) -> str:
    """Return a file name for a download, from `name` and a suffix.

    Uses at most 80 characters of `name`. Dashes replace characters other than ASCII letters, digits
    and underscores. Raises `RequestError` for an invalid suffix.
    """
    if not suffix.startswith(".") or not suffix[1:].replace(".", "").isalnum():
        raise RequestError(
            f"format is {shorten(suffix)!r}; expected a suffix such as .svg", "format"
        )
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
    return f"{kept[:80].strip('-') or 'puzzle'}{suffix}"


SOURCES = ("name", "file", "drawing", "board")
FILE_KEYS = ("name", "base64")
MAX_FILE_NAME = 200
MAX_PUZZLES_OF_A_FILE = 50


def puzzles_in(fields: Fields) -> list[tuple[Puzzle, TextFile | None]]:
    """Return the puzzles that a request names, each with its file or None.

    Raises `RequestError` for an invalid request, and `DovetailError` for a name, file or drawing
    that is not a puzzle.
    """
    check_keys(fields, SOURCES)
    if len(fields) != 1:
        raise RequestError(f"expected one of {', '.join(SOURCES)}")
    if "name" in fields:
        return [(catalogue_puzzle(text("name", fields["name"])), None)]
    if "drawing" in fields:
        return [(read_drawing(fields["drawing"]).puzzle(), None)]
    if "board" in fields:
        return [(read_board_drawing(fields["board"]).puzzle(), None)]
    file = uploaded_file(fields["file"])
    puzzles = read_puzzles(file)
    if len(puzzles) > MAX_PUZZLES_OF_A_FILE:
        raise RequestError(
            f"the file has {len(puzzles)} puzzles; expected at most {MAX_PUZZLES_OF_A_FILE}", "file"
        )
    return [(puzzle, file) for puzzle in puzzles]


def uploaded_file(value: object) -> TextFile:
    """Return the file that a request contains as a name and a content in base 64.

    Raises `RequestError` with the path of an invalid value, and `FormatError` for a file that is
    not text or is too large.
    """
    if not isinstance(value, dict):
        raise RequestError("file: expected an object with name and base64", "file")
    check_keys(value, FILE_KEYS, "file")
    name = PurePath(text("file.name", value.get("name"))).name
    if not name or len(name) > MAX_FILE_NAME or "\0" in name:
        raise RequestError(f"file.name: expected 1 to {MAX_FILE_NAME} characters", "file.name")
    try:
        data = base64.b64decode(text("file.base64", value.get("base64")), validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("file.base64: expected base 64", "file.base64") from None
    return TextFile(Path(name), data)


MAX_REMEMBERED = 20  # maximum number of cached descriptions, some of which take seconds


def puzzle_row(stored: StoredPuzzle) -> Fields:
    """Return the row of a puzzle in the page's list."""
    puzzle = stored.puzzle
    return {
        "id": stored.identity,
        "name": puzzle.name,
        "kind": puzzle_class(puzzle),
    }


@lru_cache(maxsize=MAX_REMEMBERED)
def puzzle_fields(stored: StoredPuzzle) -> Fields:
    """Return the description of a puzzle before a search, without its explanation.

    Raises `RequestError` if the puzzle is too large.
    """
    puzzle = stored.puzzle
    check_size(puzzle)
    lowered = lower(puzzle)
    sizes = puzzle_sizes(puzzle, lowered.options.option_count)
    counted = by_convention(Request(), puzzle)
    lattice = puzzle.lattice if isinstance(puzzle, PackingPuzzle) else None
    return puzzle_row(stored) | {
        "lattice": None if lattice is None else lattice.name,
        "three_d": lattice is not None and lattice.dimension == 3,
        "turned": isinstance(puzzle, PackingPuzzle) and has_pieces_page(puzzle),
        "editable": drawing_of(puzzle) is not None,
        "summary": [puzzle.sizes]
        + ([] if isinstance(puzzle, CoverProblem) else [sizes_text(sizes)]),
        "picture": puzzle_picture(puzzle),
        "legend": puzzle_legend(puzzle),
        "solvers": solver_rows(lowered),
        "improvers": improver_rows(puzzle) if isinstance(puzzle, EdgePuzzle) else [],
        "symmetries": list(map(str, Symmetry)),
        "default_symmetry": counted.symmetry,
        "default_labelled": counted.labelled,
        "may_be_labelled": not isinstance(puzzle, CoverProblem),
        "reductions": _reductions(puzzle),
        "formats": {
            "puzzle": puzzle_suffixes(puzzle),
            "solutions": solution_suffixes(stored),
            "boards": most_used_first([*board_formats(), *PICTURES])
            if isinstance(puzzle, EdgePuzzle)
            else [],
        },
        "board": board_fields(puzzle) if isinstance(puzzle, EdgePuzzle) else None,
    }


def _reductions(puzzle: Puzzle) -> list[str]:
    """Return the reductions without a parameter that apply to the placements of a puzzle."""
    match puzzle:
        case PackingPuzzle():
            return list(PACKING_REDUCTIONS)
        case EdgePuzzle():
            return list(BOARD_REDUCTIONS)
        case CoverProblem():
            return []


@lru_cache(maxsize=MAX_REMEMBERED)
def explanation_fields(stored: StoredPuzzle) -> list[Fields]:
    """Return the output of `dovetail explain`: sections with a `key`, a `title` and `rows`.

    A row is a label and a text. For some puzzles, explaining takes seconds. Raises `RequestError`
    if the puzzle is too large.
    """
    check_size(stored.puzzle)
    explained = explain(stored.puzzle)
    sections: list[Fields] = [{"key": "puzzle", "title": "puzzle", "rows": []}]
    for row in (*content_rows(explained), *solving_rows(explained)):
        if row.text:
            sections[-1]["rows"].append([row.label.strip(), row.text])
        else:
            sections.append({"key": row.key, "title": row.label, "rows": []})
    return sections
