"""Pydantic models of the objects in JSON files of puzzles, boards and solutions.

Formats import this module when they read a file, since importing pydantic takes time.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    FailFast,
    Field,
    ValidationInfo,
    model_validator,
)

from dovetail.errors import PuzzleError, how_many
from dovetail.files.validation import Name, Strict, check_json, whole
from dovetail.models.boards.edges import LARGEST_COLOUR, VARIANTS, EdgePuzzle, Hint
from dovetail.models.boards.geometry import SIDE_NAMES, SQUARE, board_region
from dovetail.plain_data import Flag
from dovetail.puzzles.formats.edge_documents import MAX_TILES

LARGEST_NUMBER = 999_999_999


def as_bounds(value: object) -> object:
    """Return a number of copies as minimum and maximum; return any other value as it is."""
    return [value, value] if isinstance(value, int) else value


def check_sides(colours: list[int], info: ValidationInfo) -> list[int]:
    """Return the colours of a tile; raise `ValueError` unless there is one colour per side."""
    names = SIDE_NAMES[info.data.get("lattice", SQUARE)]
    if len(colours) != len(names):
        found = how_many(len(colours), "colour")
        raise ValueError(f"{found}; expected {len(names)}: {', '.join(names)}")
    return colours


Natural = Annotated[int, whole(0, LARGEST_NUMBER)]
Number = Annotated[int, whole(-LARGEST_NUMBER, LARGEST_NUMBER)]
Side = Annotated[int, whole(1, MAX_TILES)]
Turns = Annotated[int, whole(0, 3)]
Colour = Annotated[int, whole(0, LARGEST_COLOUR)]
SignedColour = Annotated[int, whole(-LARGEST_COLOUR, LARGEST_COLOUR)]
TWO = Field(min_length=2, max_length=2, description="two numbers")
BOUNDS = Field(min_length=2, max_length=2, description="a number, or [minimum, maximum]")
Copies = Annotated[list[Natural], BeforeValidator(as_bounds), BOUNDS]
LIST = Field(max_length=MAX_TILES)
FOUR = Field(min_length=4, max_length=4, description="four colours: [top, right, bottom, left]")
TILES = Field(max_length=MAX_TILES, description=f"a list of at most {MAX_TILES:,} tiles")
Tiles = Annotated[list[Annotated[list[Colour], FOUR]], TILES, FailFast()]
SIDES = AfterValidator(check_sides)
LatticeTiles = Annotated[list[Annotated[list[Colour], SIDES]], TILES, FailFast()]
SignedTiles = Annotated[list[Annotated[list[SignedColour], SIDES]], TILES, FailFast()]
BoardNumber = Annotated[
    Number, Field(description="a whole number: -1 for an empty cell, or 4 * tile + quarter turns")
]


class HintObject(Strict):
    """A hint of an edge-matching puzzle."""

    x: Natural
    y: Natural
    tile: Natural
    rotation: Annotated[int, whole(0, 11)]


class EdgeObject(Strict):
    """An edge-matching puzzle; `region` stands for `width`, `height` and `holes`."""

    name: Name = ""
    lattice: Literal["square", "hexagonal", "triangular"] = "square"
    region: str | None = None
    width: Side
    height: Side
    signed: Flag = False
    unbounded: Flag = False
    frame: Colour | None = None
    fixed: Flag = False
    flippable: Flag = False
    matches: Annotated[tuple[Annotated[list[Colour], TWO], ...], LIST] = ()
    counts: Annotated[tuple[Copies, ...], LIST] = ()
    holes: Annotated[tuple[Annotated[list[Natural], TWO], ...], LIST] = ()
    tiles: LatticeTiles
    hints: Annotated[tuple[HintObject, ...], Field(max_length=MAX_TILES), FailFast()] = ()

    @model_validator(mode="before")
    @classmethod
    def _with_size(cls, value: Any) -> Any:
        """Add the size and holes of the region, if the object has a region.

        Raises `PuzzleError` if the object has a size or holes, too.
        """
        lattice = value.get("lattice", SQUARE) if isinstance(value, dict) else None
        if not isinstance(lattice, str) or not isinstance(value.get("region"), str):
            return value
        for key in ("width", "height", "holes"):
            if key in value:
                raise PuzzleError(f"both region and {key} are given; expected one of them")
        return value | board_region(lattice, value["region"])._asdict()


class SignedEdgeObject(EdgeObject):
    """An edge-matching puzzle whose colours may be negative."""

    frame: SignedColour | None = None
    tiles: SignedTiles


def edge_puzzle(value: object, name: str) -> EdgePuzzle:
    """Return the puzzle of an `EdgeObject`, called `name` unless the object has a name.

    Raises `PuzzleError` for an invalid object, as `check_json` does, and for an invalid puzzle.
    """
    is_signed = isinstance(value, dict) and value.get("signed") is True
    return puzzle_of(check_json(value, SignedEdgeObject if is_signed else EdgeObject), name)


def puzzle_of(read: EdgeObject, name: str) -> EdgePuzzle:
    """Return the puzzle of a checked object, called `name` unless the object has a name."""
    name = read.name if "name" in read.model_fields_set else name
    tiles = tuple(map(tuple, read.tiles))
    hints = tuple(Hint(hint.x, hint.y, hint.tile, hint.rotation) for hint in read.hints)
    variants = {key: getattr(read, key) for key in VARIANTS}
    return EdgePuzzle(name, read.width, read.height, tiles, hints, read.signed, **variants)


class Eternity2Hint(BaseModel):
    """A hint of eternity2.dev."""

    pos: Natural
    piece: Natural
    rot: Turns


class Eternity2Object(BaseModel):
    """A puzzle of eternity2.dev."""

    id: Name = ""
    width: Side
    height: Side
    pieces: Tiles
    hints: Annotated[tuple[Eternity2Hint, ...], Field(max_length=MAX_TILES), FailFast()] = ()


class BoardObject(BaseModel):
    """A board of eternity2.dev."""

    board: Annotated[
        list[BoardNumber],
        Field(max_length=MAX_TILES, description="a list with a number for each cell"),
        FailFast(),
    ]


class PackingObject(BaseModel):
    """A solution of a packing puzzle: the cells of each piece."""

    placed: Annotated[list[tuple[str, list[Annotated[list[Number], FailFast()]]]], FailFast()]


class LaidObject(BaseModel):
    """A solution of an edge-matching puzzle: rows of cells, the bottom row first.

    A cell is a tile with its rotation, or None if it is a hole.
    """

    cells: Annotated[list[Annotated[list[tuple[Number, Number] | None], FailFast()]], FailFast()]


class CoverObject(BaseModel):
    """A solution of a cover problem: the numbers of its options."""

    options: Annotated[list[Number], FailFast()]
