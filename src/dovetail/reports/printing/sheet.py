"""Sheets of flat pieces or tiles to print in true size, as SVG pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from operator import le
from typing import Literal
from xml.etree import ElementTree

from dovetail.backends.base import Config, setting
from dovetail.backends.config import build_config
from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.reports.elements import element
from dovetail.reports.pictures.board import tile_drawing
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.pictures.drawing import Figure
from dovetail.reports.pictures.geometry import SIDE
from dovetail.reports.pictures.packing import piece_drawing
from dovetail.reports.pictures.picture import whole_drawing
from dovetail.reports.printing import SHEET
from dovetail.reports.printing.solids import MAX_COPIES, copies, shelves

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres
# Lengths in millimetres.
MARGIN, BETWEEN, CAPTION = 10.0, 4.0, 5.0
LINE, FONT = 0.3, 3.5  # width of outlines, font size
MAX_NAME = 40  # characters of a name

Place = tuple[float, float, Figure]


@dataclass(frozen=True)
class SheetConfig(Config):
    """Measures of a print sheet."""

    cell: float = setting(15.0, "side of a cell or tile, in millimetres", above=0, most=200)
    paper: Literal["a4", "letter"] = setting("a4", "size of a page")


def sheet_pages(puzzle: Puzzle, values: Mapping[str, str]) -> list[str]:
    """Return the text of SVG pages with all pieces or tiles.

    The region or board comes first if it fits on a page. Raises `PuzzleError` for a puzzle that is
    not flat or has more than `MAX_COPIES` pieces or tiles, and `ConfigError` for a wrong setting or
    for pieces that are larger than a page.
    """
    config = build_config(SheetConfig, values, SHEET)
    if isinstance(puzzle, CoverProblem) or (
        isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension > 2
    ):
        raise PuzzleError(f"{puzzle.name} has no flat pieces; a sheet shows flat pieces or tiles")
    scale, (width, height) = config.cell / SIDE, PAPERS[config.paper]
    room = width - 2 * MARGIN, height - 3 * MARGIN
    figures = _figures(puzzle)
    if not figures:
        raise PuzzleError(f"{puzzle.name} has no piece to make")
    # Captions do not become smaller with the cell.
    most = SIDE * min(
        min(room[0] / f.drawing.width, (room[1] - CAPTION) / f.drawing.height) for f in figures
    )
    if config.cell > most:
        raise ConfigError(
            f"{SHEET}: cell is {config.cell:g}; the largest piece needs a cell of at most "
            f"{floor(10 * most) / 10:g} mm on {config.paper}"
        )
    name = shorten(puzzle.name, MAX_NAME)
    region = Figure(whole_drawing(puzzle), name)
    if all(map(le, _size(region, scale), room)):
        figures.insert(0, region)
    pages = defaultdict[int, list[Place]](list)
    sizes = [_size(figure, scale) for figure in figures]
    for figure, (page, x, y) in zip(figures, shelves(sizes, *room, BETWEEN), strict=True):
        pages[page].append((MARGIN + x, MARGIN + y, figure))
    note = f"{name}, cell {config.cell:g} mm; print at 100 %"
    return [
        _page(places, config, f"{note}; page {number + 1} of {len(pages)}")
        for number, places in pages.items()
    ]


def _figures(puzzle: PackingPuzzle | EdgePuzzle) -> list[Figure]:
    """Return a figure for each copy of each piece or tile."""
    figures = list[Figure]()
    if isinstance(puzzle, EdgePuzzle):
        room = len(puzzle.geometry.positions)
        if sum(min(most, room) for _, most in puzzle.copies) > MAX_COPIES:
            raise PuzzleError(f"{puzzle.name} has more than {MAX_COPIES:,} tiles to make")
        for number, (_, most) in enumerate(puzzle.copies):
            figures += min(most, room) * [Figure(tile_drawing(puzzle, number), str(number))]
        return figures
    for number, (piece, count) in enumerate(zip(puzzle.pieces, copies(puzzle), strict=True)):
        drawing = piece_drawing(puzzle.lattice, piece, number)
        figures += count * [Figure(drawing, shorten(piece.name, MAX_NAME))]
    return figures


def _size(figure: Figure, scale: float) -> tuple[float, float]:
    """Return the width and height of a figure with its caption, in millimetres."""
    width, height = scale * figure.drawing.width, scale * figure.drawing.height
    return max(width, FONT * 0.65 * len(figure.caption)), height + CAPTION


def _page(places: Sequence[Place], config: SheetConfig, note: str) -> str:
    scale, (width, height) = config.cell / SIDE, PAPERS[config.paper]
    font = f"font-size:{FONT / scale:.3f}px"
    shapes = []
    for x, y, figure in places:
        below = figure.drawing.height + 0.8 * CAPTION / scale
        name = element("text", figure.caption, class_="caption", x=0, y=below, style=font)
        place = f"translate({x:.3f} {y:.3f}) scale({scale:.6f})"
        shapes.append(element("g", *figure.drawing.shapes, name, transform=place))
    foot = element(
        "text", note, class_="caption", x=MARGIN, y=height - MARGIN, style=f"font-size:{FONT}px"
    )
    size = f"@page {{ size: {width}mm {height}mm; margin: 0; }}\n"
    lines = f".picture :is(.piece, .fixed, .blank, .lines) {{ stroke-width: {LINE / scale:.3f}; }}"
    root = element(
        "svg",
        element("style", f"{size}{picture_style()}{lines}"),
        element("title", note),
        *shapes,
        foot,
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        width=f"{width}mm",
        height=f"{height}mm",
        viewBox=f"0 0 {width} {height}",
        style=f"width: {width}mm; height: {height}mm",
    )
    return ElementTree.tostring(root, encoding="unicode") + "\n"
