"""Puzzles for the page: taken from the catalogue, a file or a drawing, described and explained."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath

from dovetail.errors import DovetailError, PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.harness.explanation.puzzle import explain, puzzle_sizes
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle, symmetry_of
from dovetail.models.partial_board import max_score
from dovetail.models.request import Symmetry
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.boards import BOARD_FORMATS
from dovetail.puzzles.formats.registry import format_of_file, format_to_write, puzzle_formats
from dovetail.puzzles.formats.solutions.registry import solution_formats
from dovetail.reports.describe_puzzle import headline
from dovetail.reports.explanation import content_rows, sizes_text, solving_rows
from dovetail.reports.pictures.board import tile_drawing
from dovetail.reports.pictures.drawing import Drawing, svg_element
from dovetail.reports.pictures.page import fragment
from dovetail.reports.pictures.partial_board import SUFFIXES
from dovetail.reports.pictures.puzzle import puzzle_drawing, whole_drawing
from dovetail.reports.pictures.writing import PICTURES
from dovetail.reports.solution_file import solutions_writer
from dovetail.ui.catalogue import puzzle_class
from dovetail.ui.drawings import drawing_of, read_drawing
from dovetail.ui.lattices import title_of
from dovetail.ui.requests import Fields, RequestError, check_keys, text
from dovetail.ui.solvers import improver_rows, solver_rows
from dovetail.ui.workspace import StoredPuzzle

SOURCES = ("name", "file", "drawing")
FILE_KEYS = ("name", "base64")
MAX_FILE_NAME = 200
MAX_PUZZLES_OF_A_FILE = 50
MAX_PICTURE = 2_000_000  # characters
MAX_TILES = 1_024
MAX_REMEMBERED = 20  # puzzles described: some take seconds


def puzzles_in(fields: Fields) -> list[tuple[Puzzle, TextFile | None]]:
    """The puzzles that a request names, and the file that each comes from if it does.

    Raises `RequestError` for a request of another shape, and `DovetailError` for a name, file or
    drawing that is no puzzle.
    """
    check_keys(fields, SOURCES)
    if len(fields) != 1:
        raise RequestError(f"expected one of {', '.join(SOURCES)}")
    if "name" in fields:
        return [(catalogue_puzzle(text("name", fields["name"])), None)]
    if "drawing" in fields:
        return [(read_drawing(fields["drawing"]).puzzle(), None)]
    file = _file(fields["file"])
    puzzles = format_of_file(file).read(file)
    if len(puzzles) > MAX_PUZZLES_OF_A_FILE:
        raise RequestError(
            f"{len(puzzles)} puzzles; expected a file of at most {MAX_PUZZLES_OF_A_FILE}", "file"
        )
    return [(puzzle, file) for puzzle in puzzles]


def puzzle_row(stored: StoredPuzzle) -> Fields:
    """A puzzle in a list."""
    puzzle = stored.puzzle
    return {
        "id": stored.identity,
        "name": puzzle.name,
        "kind": puzzle_class(puzzle),
        "digest": puzzle.digest,
    }


@lru_cache(maxsize=MAX_REMEMBERED)
def puzzle_fields(stored: StoredPuzzle) -> Fields:
    """What the page shows of a puzzle before it is searched, all but its explanation."""
    puzzle = stored.puzzle
    lowered = lower(puzzle)
    sizes = puzzle_sizes(puzzle, lowered.options.option_count)
    lattice = puzzle.lattice if isinstance(puzzle, PackingPuzzle) else None
    return puzzle_row(stored) | {
        "lattice": None if lattice is None else lattice.name,
        "lattice_title": None if lattice is None else title_of(lattice),
        "dimensions": 2 if lattice is None else lattice.dimension,
        "three_d": lattice is not None and lattice.dimension == 3,
        "editable": drawing_of(puzzle) is not None,
        "summary": [headline(puzzle), sizes_text(sizes)],
        "explanation": None,
        "picture": _picture(puzzle),
        "solvers": solver_rows(lowered),
        "improvers": improver_rows(puzzle) if isinstance(puzzle, EdgePuzzle) else [],
        "symmetries": list(map(str, Symmetry)),
        "default_symmetry": symmetry_of(puzzle),
        "formats": {
            "puzzle": puzzle_suffixes(puzzle),
            "solutions": solution_suffixes(stored),
            "boards": [*BOARD_FORMATS, *SUFFIXES] if isinstance(puzzle, EdgePuzzle) else [],
        },
        "board": _board(puzzle) if isinstance(puzzle, EdgePuzzle) else None,
    }


@lru_cache(maxsize=MAX_REMEMBERED)
def explanation_fields(stored: StoredPuzzle) -> dict[str, list[list[str]]]:
    """What `dovetail explain` shows of a puzzle: rows of a label and a text, by their headings.

    That takes seconds for some.
    """
    explained = explain(stored.puzzle)
    sections: dict[str, list[list[str]]] = {}
    section = sections.setdefault("puzzle", [])
    for row in (*content_rows(explained), *solving_rows(explained)):
        if row.text:
            section.append([row.label.strip(), row.text])
        else:
            section = sections.setdefault(row.label, [])
    return sections


def puzzle_text(stored: StoredPuzzle, suffix: str) -> str:
    """The puzzle as a file with a suffix; raises `DovetailError` for one that cannot hold it."""
    name = file_name(stored.puzzle.name, text("format", suffix))
    return format_to_write(Path(name), stored.puzzle).text(stored.puzzle)


def puzzle_suffixes(puzzle: Puzzle) -> list[str]:
    """The suffixes of the formats that can hold a puzzle; those of solvers come last.

    Whether one holds it as a cover problem is not tried: that would take its time.
    """
    found = list[str]()
    for one in puzzle_formats().values():
        with suppress(DovetailError):
            if isinstance(puzzle, one.writes):
                one.text(puzzle)
            elif one.writes is not CoverProblem:
                continue
            found.append(one.suffixes[0])
    return list(dict.fromkeys(found))


def solution_suffixes(stored: StoredPuzzle) -> list[str]:
    """The suffixes of the files that solutions of a puzzle can be written into."""
    found = list[str]()
    for suffix in (*solution_formats(), *PICTURES):
        with suppress(DovetailError):
            solutions_writer(Path(f"solutions{suffix}"), stored.puzzle, stored.source)
            found.append(suffix)
    return found


def file_name(name: str, suffix: str) -> str:
    """The name of a file to download: letters, digits and dashes of `name`, and a suffix.

    Raises `RequestError` for what is no suffix.
    """
    if not suffix.startswith(".") or not suffix[1:].replace(".", "").isalnum():
        raise RequestError(
            f"format is {shorten(suffix)!r}; expected a suffix such as .svg", "format"
        )
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
    return f"{kept[:80].strip('-') or 'puzzle'}{suffix}"


def _file(value: object) -> TextFile:
    """The file that a request contains: its name, and its content in base 64."""
    if not isinstance(value, dict):
        raise RequestError("file is no object; expected one with name and base64", "file")
    check_keys(value, FILE_KEYS, "file")
    name = PurePath(text("file.name", value.get("name"))).name
    if not name or len(name) > MAX_FILE_NAME or "\0" in name:
        raise RequestError(f"file.name: expected 1 to {MAX_FILE_NAME} characters", "file.name")
    try:
        data = base64.b64decode(text("file.base64", value.get("base64")), validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("file.base64 is not base 64", "file.base64") from None
    return TextFile(Path(name), data)


def _picture(puzzle: Puzzle) -> str | None:
    """The picture of a puzzle, None for one that has none, or too large a one.

    Of a board it is without the tiles.
    """
    draw = whole_drawing if isinstance(puzzle, EdgePuzzle) else puzzle_drawing
    try:
        made = picture_text(draw(puzzle))
    except PuzzleError:
        return None
    return made if len(made) <= MAX_PICTURE else None


def picture_text(drawing: Drawing) -> str:
    """A drawing as SVG for the page, which has the style."""
    return fragment(svg_element(drawing))


def _board(puzzle: EdgePuzzle) -> Fields:
    """The size, the tiles and the hints of a board."""
    return {
        "width": puzzle.width,
        "height": puzzle.height,
        "signed": puzzle.signed,
        "edges": max_score(puzzle),
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
