"""Drawn puzzles: the page's representation of a puzzle, and facts for unfinished drawings.

A drawing is an object with `name`, `lattice`, `region` (cells), and optionally `optional` cells,
`fixed` pieces ({name, cells}) and `pieces` ({name, cells, count, motions}). A cell is a list of
whole numbers. A count is a number, or a list of the smallest and the largest number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from operator import sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, shorten
from dovetail.harness.explanation import ParityFacts, parity_facts
from dovetail.models.impossibility.packing import why_impossible
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.placements import bounded_placements
from dovetail.models.sub_problem import region_parts
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import corner_of
from dovetail.printable import is_printable
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.piece_sets import PIECE_SETS, piece_set, set_lattice, set_motions
from dovetail.reports.describe.explanation import parity_rows
from dovetail.reports.pictures.drawing import MARGIN, fragment, svg_element
from dovetail.reports.pictures.geometry import SIDE, layers
from dovetail.reports.pictures.packing import piece_drawing
from dovetail.reports.viewer.data import solid_rows
from dovetail.ui.requests import Fields, RequestError, check_keys, text, whole_number

MOTION_WORDS = {Motions.FREE: "mirror", Motions.ONE_SIDED: "rotations", Motions.FIXED: "none"}
DIRECTIONS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
ASIDE = 2.0  # weight of a sideways distance relative to a forward distance
NEAREST = 1e-6


def cells_fields(lattice: Lattice, region: Cells) -> Fields:
    """Return polygons and layers of the cells of a region, in its order, and their neighbours.

    Lengths are in units of the drawing. `neighbours` has, for each arrow key and cell, the number
    of the cell that the key leads to within the layer, or None. In space there are also the
    `solid_fields`. Raises `PuzzleError` if the lattice has no pictures.
    """
    laid = layers(lattice, region)
    planes = sorted(set(laid.layer.values()), key=lambda plane: plane[::-1])
    numbers = {plane: index for index, plane in enumerate(planes)}
    polygons = [laid.polygons[cell] for cell in region]
    in_layer = [numbers[laid.layer[cell]] for cell in region]
    return solid_fields(lattice, region) | {
        "cells": [
            {
                "cell": cell,
                "polygon": [[round(SIDE * x, 2), round(SIDE * y, 2)] for x, y in polygon],
                "layer": layer,
            }
            for cell, polygon, layer in zip(region, polygons, in_layer, strict=True)
        ],
        "neighbours": _neighbours(polygons, np.array(in_layer)),
        "view_box": [
            -MARGIN,
            -MARGIN,
            *(SIDE * size + 2 * MARGIN for size in (laid.width, laid.height)),
        ],
        "titles": [[title, SIDE * x, SIDE * (y + 0.7)] for title, (x, y) in laid.titles],
    }


def solid_fields(lattice: Lattice, region: Cells) -> Fields:
    """Return the `solids` and `places` of cells in space, as from `solid_rows`; else nothing."""
    if lattice.dimension != 3:
        return {}
    return dict(zip(("solids", "places"), solid_rows(lattice, region), strict=True))


@cache
def piece_sets(lattice: Lattice) -> list[Fields]:
    """Return the catalogue's sets of pieces on a lattice, with a picture of each piece."""
    return [
        {
            "set": name,
            "motions": motion_word(lattice, set_motions(name)),
            "pieces": [
                {
                    "name": piece,
                    "cells": lattice.normalise(cells),
                    "picture": picture_of_piece(lattice, piece, cells, number),
                }
                for number, (piece, cells) in enumerate(piece_set(name).items())
            ],
        }
        for name in PIECE_SETS
        if set_lattice(name).name == lattice.name
    ]


def motion_word(lattice: Lattice, motions: Motions) -> str:
    """Return the page's word for the motions of a piece.

    On a lattice without flips, free pieces have the word of one-sided pieces.
    """
    if motions is Motions.FREE and not lattice.flips:
        return MOTION_WORDS[Motions.ONE_SIDED]
    return MOTION_WORDS[motions]


def motion_words(lattice: Lattice) -> list[str]:
    """Return all results of `motion_word` for a lattice, the usual motion first."""
    return list(dict.fromkeys(motion_word(lattice, motions) for motions in MOTION_WORDS))


def picture_of_piece(lattice: Lattice, name: str, cells: Cells, number: int) -> str | None:
    """Return the picture of a single piece; None if the lattice has no pictures."""
    try:
        return fragment(svg_element(piece_drawing(lattice, Piece(name, cells), number)))
    except PuzzleError:
        return None


def _neighbours(
    polygons: Sequence[Any], in_layer: NDArray[np.int64]
) -> dict[str, list[int | None]]:
    """Return for each arrow key and cell the nearest cell of its layer in that direction.

    Sideways distances weigh more than forward distances. Cells more than 45° aside are not
    candidates.
    """
    middles = np.array([np.mean(polygon, axis=0) for polygon in polygons]) * (1, -1)
    return {
        key: [
            _nearest(middles - middle, in_layer == layer, direction)
            for middle, layer in zip(middles, in_layer, strict=True)
        ]
        for key, direction in DIRECTIONS.items()
    }


def _nearest(
    steps: NDArray[np.float64], same: NDArray[np.bool_], direction: tuple[float, float]
) -> int | None:
    """Return the number of the step with the least weight in a direction; None if there is none."""
    x, y = direction
    ahead, aside = steps @ (x, y), np.abs(steps @ (y, x))
    possible = same & (ahead > NEAREST) & (aside <= ahead + NEAREST)
    if not possible.any():
        return None
    cost = np.where(possible, ahead + ASIDE * aside, np.inf)
    return int(cost.argmin())


MAX_SIDE, MAX_LAYERS, MAX_CELLS = 60, 12, 2_000
DEFAULT_SIDE, DEFAULT_LAYERS = 8, 3
# Lattices with sheets, and the number of columns of a text picture for each cell.
EDITABLE = {
    "square-2": 1,
    "triangular": 1,
    "hexagonal": 2,
    "square-3": 1,
    "triangular-prisms": 1,
    "hexagonal-prisms": 2,
    "spheres": 2,
}


class Sheet(NamedTuple):
    """The sides of a sheet."""

    width: int
    height: int
    layers: int = 1


@cache
def lattice_rows() -> tuple[Fields, ...]:
    """Return a row for each lattice."""
    return tuple(
        {
            "name": name,
            "title": lattice.title,
            "dimensions": lattice.dimension,
            "editable": name in EDITABLE,
            "largest": _largest(lattice)._asdict(),
            "motions": motion_words(lattice),
        }
        for name in lattice_names()
        for lattice in [lattice_named(name)]
    )


def drawing_board(name: str, width: object, height: object, depth: object) -> Fields:
    """Return the `cells_fields` of a sheet of `width` x `height` cells in `depth` layers.

    Sizes may be texts of digits. Raises `RequestError` for a size above the limits and for a
    lattice without sheets.
    """
    if name not in EDITABLE:
        raise RequestError(f"lattice is {name!r}; valid: {', '.join(EDITABLE)}", "lattice")
    lattice = lattice_named(name)
    largest = _largest(lattice)
    sheet = Sheet(
        whole_number("width", width, 1, largest.width),
        whole_number("height", height, 1, largest.height),
        whole_number("layers", depth, 1, largest.layers) if lattice.dimension == 3 else 1,
    )
    if not _is_possible(lattice, sheet):
        raise RequestError(f"{prod(sheet):,} cells; expected at most {MAX_CELLS:,}", "width")
    sides = [range(sheet.width * EDITABLE[name]), range(sheet.height), range(sheet.layers)]
    places = product(*sides[: lattice.dimension])
    return cells_fields(lattice, tuple(sorted(filter(None, map(lattice.text_cell, places)))))


def on_sheet(lattice: Lattice, region: Cells, *parts: Cells) -> tuple[Sheet, list[Cells]] | None:
    """Return the smallest sheet that holds a region, and the region and its parts on that sheet.

    All are moved by the same translation. Returns None if no sheet is large enough.
    """
    places = tuple(map(lattice.text_place, region))
    corner, vector = corner_of(lattice, places)
    far = map(max, zip(*places, strict=True))
    width, *others = (last - first + 1 for first, last in zip(corner, far, strict=True))
    sheet = Sheet(-(-width // EDITABLE[lattice.name]), *others)
    if not _is_possible(lattice, sheet):
        return None
    groups = (region, *parts)
    return sheet, [tuple(tuple(map(sub, cell, vector)) for cell in one) for one in groups]


def _is_possible(lattice: Lattice, sheet: Sheet) -> bool:
    sides = zip(sheet, _largest(lattice), strict=True)
    return all(side <= largest for side, largest in sides) and prod(sheet) <= MAX_CELLS


def _largest(lattice: Lattice) -> Sheet:
    """Return the largest value of each side; the combination may be too large."""
    return Sheet(MAX_SIDE, MAX_SIDE, MAX_LAYERS if lattice.dimension == 3 else 1)


KEYS = ("name", "lattice", "region", "optional", "fixed", "pieces")
PIECE_KEYS = ("name", "cells", "count", "motions")
FIXED_KEYS = ("name", "cells")
MAX_PIECES, MAX_PIECE_CELLS, MAX_NAME, MAX_COUNT = 300, 256, 100, 10_000
# Cells of the region x cells of all orientations of the pieces.
MAX_WORK = 1_500_000
UNNAMED = "drawing"
NOT_EXAMINED = "Not examined: too many placements. A solver may still rule the puzzle out."
LARGEST = 1_000  # largest coordinate
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
            FixedPiece(_name(one.get("name"), f"{path}.name"), _piece_cells(lattice, one, path))
            for path, one in _objects(drawn.get("fixed", []), FIXED_KEYS, "fixed")
        ),
        tuple(
            _piece(lattice, one, path)
            for path, one in _objects(drawn.get("pieces", []), PIECE_KEYS, "pieces")
        ),
    )
    _check_names(drawing)
    return drawing


def drawing_text(fields: object) -> str:
    """Return the drawing as a TOML file; raise `RequestError` or `PuzzleError`."""
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
        for counts in zip(*((one.min_count, one.max_count) for one in drawing.pieces), strict=True)
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
    if len(puzzle.pieces) > MAX_PIECES or any(one.placements is not None for one in puzzle.pieces):
        return None
    lattice, fixed = puzzle.lattice, (one.cells for one in puzzle.fixed)
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
            {"name": one.name, "cells": cells}
            for one, cells in zip(puzzle.fixed, fixed_cells, strict=True)
        ],
        "pieces": [
            {
                "name": piece.name,
                "cells": piece.cells,
                "count": [piece.min_count, piece.max_count],
                "motions": motion_word(lattice, piece.motions),
            }
            for piece in puzzle.pieces
        ],
    }
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
    return f"No pieces so far: they have to cover {number} {'cell' if cells == 1 else 'cells'}."


def _proofs(drawing: Drawing) -> Fields:
    """Return the parities of a complete puzzle, and the proof that it has no solution, if any."""
    try:
        puzzle = drawing.puzzle()
    except PuzzleError as error:  # only the volumes can be wrong here
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
    """Return `value` as an object; its keys must be `valid`."""
    if not isinstance(value, dict):
        raise RequestError(f"{path or 'drawing'} is no object; expected one", path)
    check_keys(value, valid, path)
    return value


def _list(value: object, path: str, max_count: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > max_count:
        raise RequestError(f"{path}: expected a list of at most {max_count:,}", path)
    return value


def _objects(
    value: object, valid: Iterable[str], path: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each object of a list, with its path."""
    for number, one in enumerate(_list(value, path, MAX_PIECES)):
        place = f"{path}[{number}]"
        yield place, _object(one, valid, place)


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
    """Return distinct cells of a lattice, in the given order."""
    found = dict[Cell, None]()
    for number, one in enumerate(_list(value, path, max_count)):
        place = f"{path}[{number}]"
        whole = isinstance(one, list) and all(type(number) is int for number in one)
        if not whole or len(one) != len(lattice.axes) or max(map(abs, one)) > LARGEST:
            axes = ", ".join(lattice.axes)
            raise RequestError(f"{place}: expected a cell as [{axes}], up to ±{LARGEST}", place)
        if not lattice.is_cell(tuple(one)):
            raise RequestError(f"{place}: not a cell {lattice.phrase}", place)
        found[tuple(one)] = None
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
    # In space, two keys of `MOTION_WORDS` have this word; the first is the default of puzzles.
    motions = next(one for one in MOTION_WORDS if motion_word(lattice, one) == word)
    name = _name(fields.get("name"), f"{path}.name")
    return Piece(name, _piece_cells(lattice, fields, path), low, high, motions)


def _count(value: object, path: str) -> tuple[int, int]:
    """Return the smallest and the largest number of copies."""
    bounds = value if isinstance(value, list) else [value, value]
    if len(bounds) != 2:
        raise RequestError(f"{path}: expected a number, or the smallest and the largest", path)
    low = whole_number(path, bounds[0], 0, MAX_COUNT)
    return low, whole_number(path, bounds[1], max(low, 1), MAX_COUNT)


def _check_names(drawing: Drawing) -> None:
    """Raise `RequestError` if two pieces have the same name."""
    seen = set[str]()
    pieces = [(f"pieces[{n}]", one.name) for n, one in enumerate(drawing.pieces)]
    pieces += [(f"fixed[{n}]", one.name) for n, one in enumerate(drawing.fixed)]
    for path, name in pieces:
        if name in seen:
            raise RequestError(f"two pieces are called {shorten(name)}", f"{path}.name")
        seen.add(name)
