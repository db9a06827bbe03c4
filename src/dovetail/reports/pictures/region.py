"""Regions and boards without anything in them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from xml.etree.ElementTree import Element

from dovetail.errors import how_many
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.reports.elements import element
from dovetail.reports.pictures.drawing import SCALE, Drawing, svg_element
from dovetail.reports.pictures.layers import Layers, Polygon, layers
from dovetail.reports.pictures.oblique import lies_in_layers, oblique
from dovetail.reports.pictures.outline import SIDE, inner_lines, outline, square
from dovetail.reports.pictures.sticks import track

EDGES_SCALE = 1.5
NO_CELLS = Drawing(SIDE, SIDE, (), "a region without cells")


def region_svg(lattice: Lattice, cells: Cells) -> Element:
    """A region: its outline, and its cells as a faint grid; layers stand side by side.

    Solids that do not lie in layers are seen from outside.

    Raises `PuzzleError` where the lattice has no pictures. The page needs `picture_style`.
    """
    if not cells:
        return svg_element(NO_CELLS)
    title = f"a region of {how_many(len(cells), 'cell')}"
    if not lies_in_layers(lattice):
        return svg_element(Drawing(*oblique(lattice, [("", cells, "blank")]), title))
    laid = layers(lattice, cells)
    shapes = (*region_shapes(laid), *title_shapes(laid))
    size = laid.width * SIDE, laid.height * SIDE
    return svg_element(Drawing(*size, shapes, title, scale=scale_of(laid)))


def board_svg(width: int, height: int) -> Element:
    """An edge-matching board without tiles. The page needs `picture_style`."""
    squares = [square(x, y) for x, y in product(range(width), range(height))]
    title = f"a board, {width} wide and {height} high"
    return svg_element(Drawing(width * SIDE, height * SIDE, blank_shapes(squares), title))


def region_shapes(laid: Layers) -> tuple[Element, ...]:
    """A region without anything in it: its cells, or lines where they are edges."""
    if laid.sticks:
        return (track(laid.sticks.values()),)
    return blank_shapes(laid.polygons.values())


def scale_of(laid: Layers) -> float:
    """Pixels for a unit of a drawing: more where cells are edges, with names on thin lines."""
    return EDGES_SCALE if laid.sticks else SCALE


def blank_shapes(polygons: Collection[Polygon]) -> tuple[Element, ...]:
    """The path around `polygons`, and the one of the lines between them."""
    return (
        element("path", class_="blank", d=outline(polygons)),
        element("path", class_="lines", d=inner_lines(polygons)),
    )


def title_shapes(laid: Layers) -> list[Element]:
    """The titles of layers, above each."""
    return [
        element("text", title, class_="title", x=x * SIDE, y=(y + 0.7) * SIDE)
        for title, (x, y) in laid.titles
    ]
