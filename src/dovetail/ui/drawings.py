"""Drawn puzzles: the page's representation of a puzzle, and facts for unfinished drawings.

A drawing is an object with `name`, `lattice`, `region` (cells), and optionally `optional` cells,
`fixed` pieces ({name, cells}) and `pieces` ({name, cells, count, motions}). A cell is a list of
whole numbers. A count is a number, or a list of the smallest and the largest number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dovetail.errors import PuzzleError, shorten
from dovetail.harness.explanation import ParityFacts, parity_facts
from dovetail.models.impossibility.packing import why_impossible
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.sub_problem import region_parts
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable
from dovetail.puzzles.formats.registry import format_named
from dovetail.reports.describe.explanation import parity_rows
from dovetail.ui.requests import Fields, RequestError, check_keys, text, whole_number
from dovetail.ui.sheets import (
    EDITABLE,
    MAX_CELLS,
    MOTION_WORDS,
    motion_word,
    motion_words,
    on_sheet,
    picture_of_piece,
)

KEYS = ("name", "lattice", "region", "optional", "fixed", "pieces")
PIECE_KEYS = ("name", "cells", "count", "motions")
FIXED_KEYS = ("name", "cells")
MAX_PIECES, MAX_PIECE_CELLS, MAX_NAME, MAX_COUNT = 300, 256, 100, 10_000
# Maximum product of two numbers: cells of the region, and cells of the pieces in all orientations.
MAX_WORK = 1_500_000
UNNAMED = "drawing"
NOT_EXAMINED = "There are too many placements to examine. A solver may still rule the puzzle out."
LARGEST = 1_000  # largest absolute value of a coordinate
NO_FACTS: Fields = {
    "cells": 0,
    "optional": 0,
    "fixed": 0,
    "volume": [0, 0],
    "parts": [],
    "parity": [],
    "hints": [],
    "ruled_out": [],
    "errors": [],
}


@dataclass(frozen=True)
class Drawing:
    """A parsed drawing: the parts of a puzzle, which need not form a puzzle yet."""

    name: str
    lattice: Lattice
    region: Cells
    optional: Cells
    fixed: tuple[FixedPiece, ...]
    pieces: tuple[Piece, ...]

    def puzzle(self) -> PackingPuzzle:
        """Return the puzzle; raise `PuzzleError` if the parts do not fit together."""
        return PackingPuzzle(
            self.name, self.lattice, self.region, self.pieces, self.fixed, self.optional
        )

    def bare(self) -> PackingPuzzle:
        """Return the region with only the fixed pieces; raise `PuzzleError` if these do not fit."""
        taken = {cell for piece in self.fixed for cell in piece.cells}
        optional = tuple(cell for cell in self.region if cell not in taken)
        return PackingPuzzle(self.name, self.lattice, self.region, (), self.fixed, optional)


def read_drawing(fields: object) -> Drawing:
    """Parse a drawing; raise `RequestError` with the path of the first wrong value."""
    drawn = _object(fields, KEYS, "")
    lattice = _lattice(drawn.get("lattice"))
    drawing = Drawing(
        _name(drawn.get("name", UNNAMED), "name"),
        lattice,
        _cells(lattice, drawn.get("region", []), "region", MAX_CELLS),
        _cells(lattice, drawn.get("optional", []), "optional", MAX_CELLS),
        tuple(
            FixedPiece(_name(entry.get("name"), f"{path}.name"), _piece_cells(lattice, entry, path))
            for path, entry in _objects(drawn.get("fixed", []), FIXED_KEYS, "fixed")
        ),
        tuple(
            _piece(lattice, entry, path)
            for path, entry in _objects(drawn.get("pieces", []), PIECE_KEYS, "pieces")
        ),
    )
    _check_names(drawing)
    return drawing


def drawing_text(fields: object) -> str:
    """Return the content of a TOML file of a drawing.

    Raises `RequestError` for an invalid drawing, and `PuzzleError` if it is not a puzzle.
    """
    return format_named("toml").text(read_drawing(fields).puzzle())


def drawing_facts(fields: object) -> Fields:
    """Return facts about a possibly unfinished drawing: sizes, parity, proofs of impossibility.

    If the drawing is not a puzzle, `errors` has the reasons, each with its path. Nothing is
    searched.
    """
    try:
        drawing = read_drawing(fields)
    except RequestError as error:
        return NO_FACTS | {"errors": [{"path": error.path, "message": str(error)}]}
    volume = [
        sum(count * len(piece.cells) for piece, count in zip(drawing.pieces, counts, strict=True))
        for counts in zip(*((p.min_count, p.max_count) for p in drawing.pieces), strict=True)
    ]
    facts = NO_FACTS | {"volume": volume or [0, 0], "optional": len(drawing.optional)}
    if not drawing.region:
        return facts
    try:
        bare = drawing.bare()
    except PuzzleError as error:
        return facts | {"errors": [{"path": "fixed", "message": str(error)}]}
    placements = bounded_placements(bare)
    facts |= {
        "cells": len(bare.open_cells),
        "fixed": len(bare.region) - len(bare.open_cells),
        "parts": [part.volume for part in region_parts(placements)],
        "parity": _sentences(parity_facts(placements)),
    }
    outside = set(drawing.optional) - set(bare.open_cells)
    if outside:
        message = f"optional cell {min(outside)} is not an open cell of the region"
        return facts | {"errors": [{"path": "optional", "message": message}]}
    if drawing.pieces:
        return facts | _proofs(drawing)
    return facts | {"hints": [_to_be_covered(facts["cells"], facts["optional"])]}


def drawing_of(puzzle: Puzzle) -> Fields | None:
    """Return a puzzle as a `drawing`, moved onto a `sheet`; None if it cannot be drawn."""
    if not isinstance(puzzle, PackingPuzzle) or puzzle.lattice.name not in EDITABLE:
        return None
    if (
        puzzle.markings
        or puzzle.colours
        or not puzzle.interchangeable
        or len(puzzle.region) > MAX_CELLS
    ):
        return None
    if len(puzzle.pieces) > MAX_PIECES or any(p.placements is not None for p in puzzle.pieces):
        return None
    lattice, fixed = puzzle.lattice, (piece.cells for piece in puzzle.fixed)
    found = on_sheet(lattice, puzzle.region, puzzle.optional, *fixed)
    if found is None:
        return None
    sheet, (region, optional, *fixed_cells) = found
    drawing = {
        "name": puzzle.name,
        "lattice": lattice.name,
        "region": region,
        "optional": optional,
        "fixed": [
            {"name": piece.name, "cells": cells}
            for piece, cells in zip(puzzle.fixed, fixed_cells, strict=True)
        ],
        "pieces": [
            {
                "name": piece.name,
                "cells": piece.cells,
                # A region of `MAX_CELLS` cells has no room for more copies.
                "count": [piece.min_count, min(piece.max_count, MAX_COUNT)],
                "motions": motion_word(lattice, piece.motions),
            }
            for piece in puzzle.pieces
        ],
    }
    try:
        read_drawing(json.loads(json.dumps(drawing)))
    except RequestError:  # a name or a piece is beyond a limit of the page
        return None
    return {"drawing": drawing, "sheet": sheet._asdict()}


def piece_alone(lattice_name: str, fields: Mapping[str, Any]) -> Fields:
    """Return the picture of a piece with `cells`, and the cells moved onto the smallest `sheet`.

    `number` decides the colour and pattern. `sheet` and `cells` are None if no sheet is large
    enough. `normal` are the cells in standard position, which TOML draws. Raises `RequestError` for
    an invalid piece.
    """
    lattice = _lattice(lattice_name)
    cells = _cells(lattice, fields.get("cells", []), "cells", MAX_PIECE_CELLS)
    if not cells:
        raise RequestError("cells: expected at least one cell", "cells")
    number = whole_number("number", fields.get("number", 0), 0, MAX_PIECES)
    sheet, (moved,) = on_sheet(lattice, cells) or (None, (None,))
    return {
        "picture": picture_of_piece(lattice, "piece", cells, number),
        "sheet": None if sheet is None else sheet._asdict(),
        "cells": moved,
        "normal": lattice.normalise(cells),
    }


def _to_be_covered(cells: int, optional: int) -> str:
    number = f"{cells - optional:,} to {cells:,}" if optional else f"{cells:,}"
    return f"There are no pieces yet to cover {number} {'cell' if cells == 1 else 'cells'}."


def _proofs(drawing: Drawing) -> Fields:
    """Return the parities of a complete puzzle, and the proof that it has no solution, if any.

    An error of the puzzle counts as a proof. A puzzle that is too large gets the hint
    `NOT_EXAMINED` instead.
    """
    try:
        puzzle = drawing.puzzle()
    except PuzzleError as error:  # only unsuitable volumes can be the reason here
        return {"ruled_out": [str(error)]}
    turned = zip(puzzle.pieces, puzzle.orientations, strict=True)
    work = len(puzzle.region) * sum(len(piece.cells) * len(ways) for piece, ways in turned)
    if work > MAX_WORK:
        return {"hints": [NOT_EXAMINED]}
    placements = bounded_placements(puzzle)
    impossible = why_impossible(placements)
    return {
        "parity": _sentences(parity_facts(placements)),
        "ruled_out": [] if impossible is None else [impossible],
    }


def _sentences(facts: ParityFacts) -> list[str]:
    """Return the parity of the region, then the parities of the pieces by classes."""
    first, *others = parity_rows(facts)
    return [f"parity {first.text}", *(f"parity {row.label.strip()}: {row.text}" for row in others)]


def _object(value: object, valid: Iterable[str], path: str) -> Mapping[str, Any]:
    """Return `value` if it is an object with `valid` keys; else raise `RequestError`."""
    if not isinstance(value, dict):
        raise RequestError(f"{path or 'drawing'}: expected an object", path)
    check_keys(value, valid, path)
    return value


def _list(value: object, path: str, max_count: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > max_count:
        raise RequestError(f"{path}: expected a list of at most {max_count:,} entries", path)
    return value


def _objects(
    value: object, valid: Iterable[str], path: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each object of a list, with its path."""
    for number, entry in enumerate(_list(value, path, MAX_PIECES)):
        place = f"{path}[{number}]"
        yield place, _object(entry, valid, place)


def _lattice(value: object) -> Lattice:
    return lattice_named(text("lattice", value, EDITABLE))


def _name(value: object, path: str) -> str:
    name = text(path, value)
    if not name or len(name) > MAX_NAME or not is_printable(name):
        raise RequestError(
            f"{path} is {shorten(name)!a}; expected 1 to {MAX_NAME} printable characters", path
        )
    return name


def _cells(lattice: Lattice, value: object, path: str, max_count: int) -> Cells:
    """Return the distinct cells in a list, in its order; raise `RequestError` for another value."""
    found = dict[Cell, None]()
    for number, cell in enumerate(_list(value, path, max_count)):
        place = f"{path}[{number}]"
        whole = isinstance(cell, list) and all(type(number) is int for number in cell)
        if not whole or len(cell) != len(lattice.axes) or max(map(abs, cell)) > LARGEST:
            axes = ", ".join(lattice.axes)
            raise RequestError(f"{place}: expected a cell as [{axes}], up to ±{LARGEST}", place)
        if not lattice.is_cell(tuple(cell)):
            raise RequestError(f"{place}: not a cell {lattice.phrase}", place)
        found[tuple(cell)] = None
    return tuple(found)


def _piece_cells(lattice: Lattice, fields: Mapping[str, Any], path: str) -> Cells:
    cells = _cells(lattice, fields.get("cells", []), f"{path}.cells", MAX_PIECE_CELLS)
    if not cells:
        raise RequestError(f"{path}.cells: expected at least one cell", f"{path}.cells")
    return cells


def _piece(lattice: Lattice, fields: Mapping[str, Any], path: str) -> Piece:
    low, high = _count(fields.get("count", 1), f"{path}.count")
    words = motion_words(lattice)
    word = text(f"{path}.motions", fields.get("motions", "rotations"), words)
    # In space, two keys of `MOTION_WORDS` may have this word; the first is the default of puzzles.
    motions = next(motion for motion in MOTION_WORDS if motion_word(lattice, motion) == word)
    name = _name(fields.get("name"), f"{path}.name")
    return Piece(name, _piece_cells(lattice, fields, path), low, high, motions)


def _count(value: object, path: str) -> tuple[int, int]:
    """Return the smallest and the largest number of copies; raise `RequestError` if invalid."""
    bounds = value if isinstance(value, list) else [value, value]
    if len(bounds) != 2:
        raise RequestError(f"{path}: expected a number, or a list of two numbers", path)
    low = whole_number(path, bounds[0], 0, MAX_COUNT)
    return low, whole_number(path, bounds[1], max(low, 1), MAX_COUNT)


def _check_names(drawing: Drawing) -> None:
    """Raise `RequestError` if two pieces have the same name."""
    seen = set[str]()
    pieces = [(f"pieces[{n}]", piece.name) for n, piece in enumerate(drawing.pieces)]
    pieces += [(f"fixed[{n}]", piece.name) for n, piece in enumerate(drawing.fixed)]
    for path, name in pieces:
        if name in seen:
            raise RequestError(f"two pieces are called {shorten(name)}", f"{path}.name")
        seen.add(name)
