"""Objects in JSON files of puzzles, boards and solutions, as pydantic models.

Formats import this module, and with it pydantic, when they read a file.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, FailFast, Field

from dovetail.files.validation import Name, Strict
from dovetail.models.edges import LARGEST_COLOUR

MAX_TILES = 250_000
LARGEST_NUMBER = 999_999_999

Natural = Annotated[int, Field(strict=True, ge=0, le=LARGEST_NUMBER)]
Number = Annotated[int, Field(strict=True, ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Side = Annotated[int, Field(strict=True, ge=1, le=MAX_TILES)]
Turns = Annotated[int, Field(strict=True, ge=0, le=3)]
Colour = Annotated[int, Field(strict=True, ge=-LARGEST_COLOUR, le=LARGEST_COLOUR)]
FourColours = Annotated[list[Colour], Field(min_length=4, max_length=4)]
Tiles = Annotated[list[FourColours], Field(max_length=MAX_TILES), FailFast()]


class HintObject(Strict):
    """A hint of an edge-matching puzzle."""

    x: Natural
    y: Natural
    tile: Natural
    rotation: Turns


class EdgeObject(Strict):
    """An edge-matching puzzle."""

    name: Name = ""
    width: Side
    height: Side
    signed: Annotated[bool, Field(strict=True)] = False
    tiles: Tiles
    hints: Annotated[tuple[HintObject, ...], Field(max_length=MAX_TILES), FailFast()] = ()


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

    board: Annotated[list[Number], Field(max_length=MAX_TILES), FailFast()]


class PackingObject(BaseModel):
    """A solution of a packing puzzle: the cells of each piece."""

    placed: Annotated[list[tuple[str, list[Annotated[list[Number], FailFast()]]]], FailFast()]


class LaidObject(BaseModel):
    """A solution of an edge-matching puzzle: tile and rotation by cell, the bottom row first."""

    cells: Annotated[list[Annotated[list[tuple[Number, Number]], FailFast()]], FailFast()]


class CoverObject(BaseModel):
    """A solution of a cover problem."""

    options: Annotated[list[Number], FailFast()]
