"""Files of pieces and of assemblies for 3-D printers: binary STL, and 3MF with names and colours.

STL follows the StereoLithography Interface Specification of 3D Systems (1989). 3MF follows the core
specification 1.3 of the 3MF Consortium.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import NamedTuple
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Config, setting
from dovetail.backends.config import build_config
from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter
from dovetail.reports.elements import element
from dovetail.reports.pictures.colours import GREY, LIGHT, PIECES, placed_numbers
from dovetail.reports.pictures.picture import WholeFileWriter
from dovetail.reports.printing import BYTES
from dovetail.reports.printing.mesh import require_prisms, solid_mesh

APART = 5.0  # distance between pieces side by side, in millimetres
MAX_COPIES = 1_000  # pieces or tiles to make
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MODEL = "3D/3dmodel.model"
MODEL_LINK = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
MODEL_TYPE = "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"
LINKS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
DIGITS = 4  # decimals of millimetres in 3MF


@dataclass(frozen=True)
class SolidsConfig(Config):
    """Measures of printed solids, in millimetres."""

    cell: float = setting(15.0, "side and height of a cell", above=0, most=1_000)
    gap: float = setting(0.2, "distance between neighbouring pieces in an assembly", least=0)
    bevel: float = setting(0.5, "width of the bevel on outer edges", least=0)
    bed: float = setting(200.0, "length of a row of pieces side by side", above=0)
    explode: float = setting(
        0.0, "how far pieces move from the middle, as a share of their distance from it", least=0
    )


class PrintedSolid(NamedTuple):
    """The surface of a piece with its places."""

    name: str
    # CSS colour.
    colour: str
    # Result of `solid_mesh`.
    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    # Translations of the points, each of shape (3,).
    places: Sequence[NDArray[np.float64]]


def copies(puzzle: PackingPuzzle) -> list[int]:
    """Return the number of copies of each piece to make, at least 1.

    Each number is as large as the puzzle allows and the open cells have room for. Raises
    `PuzzleError` for more than `MAX_COPIES` copies of all pieces.
    """
    room = len(puzzle.open_cells)
    counts = [max(1, min(piece.max_count, room // len(piece.cells))) for piece in puzzle.pieces]
    if sum(counts) > MAX_COPIES:
        raise PuzzleError(f"{puzzle.name} has more than {MAX_COPIES:,} pieces to make")
    return counts


def shelves(
    sizes: Iterable[tuple[float, float]], across: float, down: float, between: float
) -> Iterator[tuple[int, float, float]]:
    """Yield the page number, from 0, and the corner of each rectangle of `sizes`.

    Rectangles are in rows from the corner (0, 0) of a page of `across` × `down`, with the distance
    `between`. A rectangle may be larger than a page.
    """
    page, x, y, deepest = 0, 0.0, 0.0, 0.0
    for width, depth in sizes:
        if x > 0 and x + width > across:
            x, y, deepest = 0.0, y + deepest + between, 0.0
        if y > 0 and y + depth > down:
            page, x, y, deepest = page + 1, 0.0, 0.0, 0.0
        yield page, x, y
        x, deepest = x + width + between, max(deepest, depth)


def pieces_file(suffix: str, puzzle: Puzzle, values: Mapping[str, str]) -> bytes:
    """Return the bytes of a file of all pieces of a puzzle, side by side; `suffix` is in `SOLIDS`.

    Raises `PuzzleError` for a puzzle without solid pieces, and `ConfigError` for a wrong setting.
    """
    config = build_config(SolidsConfig, values, suffix)
    packing = packing_of_prisms(puzzle)
    counts = copies(packing)
    parts = [(piece.name, piece.cells, number) for number, piece in enumerate(packing.pieces)]
    solids = _solids(packing, parts, config)
    spans = [np.ptp(solid.points, axis=0).tolist() for solid in solids]
    sizes = [span[:2] for span, count in zip(spans, counts, strict=True) for _ in range(count)]
    corners = (np.array((x, y, 0)) for _, x, y in shelves(sizes, config.bed, inf, APART))
    placed = [
        solid._replace(places=[corner - solid.points.min(axis=0) for corner in islice(corners, n)])
        for solid, n in zip(solids, counts, strict=True)
    ]
    return _written(suffix, placed)


def assembly_writer(
    suffix: str, puzzle: Puzzle, values: Mapping[str, str] | None = None
) -> SolutionWriter:
    """Return a writer of the first solution; its text is the bytes of the file, decoded by `BYTES`.

    Raises errors as `pieces_file` does.
    """
    config = build_config(SolidsConfig, values or {}, suffix)
    packing = packing_of_prisms(puzzle)
    # Raises an error for unusable measures before the search.
    _solids(packing, [("", packing.region[:1], GREY)], config)

    def text(_: Puzzle, solutions: Sequence[PackingSolution], __: int) -> str:
        colours = placed_numbers(packing, solutions[0])
        parts = [(piece.name, piece.cells, GREY) for piece in packing.fixed]
        for (name, cells), colour in zip(solutions[0].placed, colours, strict=True):
            parts.append((name, cells, colour))
        solids = _solids(packing, parts, config)
        middles = np.array([solid.points.mean(axis=0) for solid in solids])
        steps = config.explode * (middles - middles.mean(axis=0))
        lowest = [solid.points.min(axis=0) for solid in solids] + steps
        places = steps - lowest.min(axis=0)
        solids = [solid._replace(places=[at]) for solid, at in zip(solids, places, strict=True)]
        return _written(suffix, solids).decode(BYTES)

    return WholeFileWriter(puzzle, 1, text)


def packing_of_prisms(puzzle: Puzzle) -> PackingPuzzle:
    """Return the puzzle if its pieces can be printed; raise `PuzzleError` otherwise."""
    if not isinstance(puzzle, PackingPuzzle):
        raise PuzzleError(f"{puzzle.name} has no solid pieces; STL and 3MF are for packing puzzles")
    require_prisms(puzzle.lattice)
    return puzzle


def _solids(
    puzzle: PackingPuzzle, parts: Sequence[tuple[str, Cells, int]], config: SolidsConfig
) -> list[PrintedSolid]:
    """Return the solids of `parts`, which are names, cells and colour numbers, without places.

    Raises `PuzzleError` if there are no parts.
    """
    if not parts:
        raise PuzzleError(f"{puzzle.name} has no piece to make")
    solids = []
    for name, cells, number in parts:
        colour = LIGHT["picture-fixed" if number == GREY else f"piece-{number % PIECES}"]
        mesh = solid_mesh(puzzle.lattice, cells, config.cell, config.gap, config.bevel)
        solids.append(PrintedSolid(name, colour, *mesh, []))
    return solids


def _written(suffix: str, solids: Sequence[PrintedSolid]) -> bytes:
    return _stl(solids) if suffix == ".stl" else _three_mf(solids)


def _stl(solids: Sequence[PrintedSolid]) -> bytes:
    corners = np.concatenate(
        [(solid.points + at)[solid.triangles] for solid in solids for at in solid.places]
    )
    record = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]
    rows = np.zeros(len(corners), dtype=record)
    rows["corners"] = corners
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    rows["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    return b"dovetail, millimetres".ljust(80) + np.uint32(len(rows)).tobytes() + rows.tobytes()


def _three_mf(solids: Sequence[PrintedSolid]) -> bytes:
    objects = [
        element(
            "object",
            element(
                "mesh",
                element(
                    "vertices",
                    *(_row("vertex", "xyz", row) for row in points.round(DIGITS).tolist()),
                ),
                element(
                    "triangles",
                    *(_row("triangle", ("v1", "v2", "v3"), row) for row in triangles.tolist()),
                ),
            ),
            id=number,
            type="model",
            name=name,
            pid=1,
            pindex=number - 2,
        )
        for number, (name, _, points, triangles, _) in enumerate(solids, start=2)
    ]
    bases = (element("base", name=name, displaycolor=colour) for name, colour, *_ in solids)
    items = (
        element("item", objectid=number, transform=f"1 0 0 0 1 0 0 0 1 {' '.join(map(str, at))}")
        for number, solid in enumerate(solids, start=2)
        for at in np.round(solid.places, DIGITS).tolist()
    )
    model = element(
        "model",
        element("resources", element("basematerials", *bases, id=1), *objects),
        element("build", *items),
        unit="millimeter",
        xmlns=CORE,
    )
    types = element(
        "Types",
        element("Default", Extension="rels", ContentType=LINKS_TYPE),
        element("Default", Extension="model", ContentType=MODEL_TYPE),
        xmlns=f"{PACKAGE}/content-types",
    )
    link = element("Relationship", Target=f"/{MODEL}", Id="model", Type=MODEL_LINK)
    links = element("Relationships", link, xmlns=f"{PACKAGE}/relationships")
    data = io.BytesIO()
    with ZipFile(data, "w") as file:
        for name, root in (("[Content_Types].xml", types), ("_rels/.rels", links), (MODEL, model)):
            text = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
            file.writestr(ZipInfo(name), text, ZIP_DEFLATED)  # with a constant date
    return data.getvalue()


def _row(tag: str, names: Sequence[str], values: Sequence[object]) -> ElementTree.Element:
    return ElementTree.Element(tag, {n: str(v) for n, v in zip(names, values, strict=True)})
