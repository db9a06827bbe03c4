"""Puzzles in words and text pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dovetail.errors import PuzzleError, how_many, span
from dovetail.models.boards.edges import EdgePuzzle, Tile, class_of_tile
from dovetail.models.boards.geometry import SIDE_NAMES, SQUARE
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.colours import Colouring, colour_of
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OPTIONAL, draw_to_be_read
from dovetail.printable import printable
from dovetail.reports.pictures.colours import GREY, paint_numbers
from dovetail.reports.pictures.text import PLAIN, Paint

MAX_OPTIONS_SHOWN = 12


def describe_puzzle(puzzle: Puzzle, paint: Paint = PLAIN) -> str:
    """Return the description of a puzzle: its pieces, tiles or options, with pictures."""
    match puzzle:
        case PackingPuzzle():
            return _describe_packing(puzzle, paint)
        case EdgePuzzle():
            return _describe_edges(puzzle, paint)
        case CoverProblem():
            return _describe_cover(puzzle)


def headline(puzzle: Puzzle) -> str:
    """Return the name, the sizes and the digest of a puzzle on a single line."""
    return f"{puzzle.name}: {puzzle.sizes}, digest {puzzle.digest}"


def _describe_packing(puzzle: PackingPuzzle, paint: Paint) -> str:
    lines = [printable(headline(puzzle))]
    if puzzle.optional:
        cells = how_many(len(puzzle.optional), "cell")
        lines.append(f"{cells} may stay empty (marked {OPTIONAL})")
    region = puzzle.drawing()
    if region is None:
        lines.append(f"within {_extent(puzzle.region)} along x, y, …")
    else:
        greyed = {printable(piece.name): GREY for piece in puzzle.fixed}
        lines += ["", paint.labels(region, greyed)]
    if puzzle.colours:
        shown = _picture(puzzle.lattice, colour_of(puzzle.colours), puzzle.region)
        lines += ["", "colours", *([shown] if shown else _listed(puzzle.colours))]
    # Places outside a piece are blank on square lattices only. On other lattices, the position of a
    # cell in its line matters, and the readers of files skip spaces.
    blank = " " if isinstance(puzzle.lattice, SquareLattice) else OPEN
    for number, piece in enumerate(puzzle.pieces):
        lines += ["", printable(piece.title)]
        labels = colour_of(piece.colours) or dict.fromkeys(piece.cells, "#")
        drawing = _picture(puzzle.lattice, labels, piece.cells)
        if drawing is None and piece.colours:
            lines += _listed(piece.colours)
        elif drawing is None:
            lines.append(" ".join(map(str, piece.cells)))
        else:
            numbers = dict.fromkeys(map(printable, labels.values()), number)
            lines.append(paint.labels(drawing, numbers, outside=blank))
    return "\n".join(lines)


def _listed(colours: Colouring) -> list[str]:
    """Return a line for each colour with its cells."""
    return [printable(f"{name}: {' '.join(map(str, cells))}") for name, cells in colours]


def _picture(lattice: Lattice, labels: Mapping[Cell, str], cells: Cells) -> str | None:
    """Return cells as layered text that can be read again; None if text cannot show the lattice."""
    try:
        return draw_to_be_read(lattice, {cell: printable(labels[cell]) for cell in labels}, cells)
    except PuzzleError:
        return None


def _extent(cells: Cells) -> str:
    """Return the lengths of the bounding box of cells."""
    axes = zip(*cells, strict=True)
    return " x ".join(str(max(along) - min(along) + 1) for along in axes)


def _describe_edges(puzzle: EdgePuzzle, paint: Paint) -> str:
    hints = (
        f"hint: tile {hint.tile} with rotation {hint.rotation} at ({hint.x}, {hint.y})"
        for hint in puzzle.hints
    )
    names = SIDE_NAMES[puzzle.lattice]
    sides = " ".join(names) if puzzle.lattice != "hexagonal" else f"{', '.join(names)}"
    head = printable(headline(puzzle)), "", f"tile: {sides}"
    return "\n".join([*head, *_tile_lines(puzzle, paint), *hints])


def _tile_lines(puzzle: EdgePuzzle, paint: Paint) -> Iterator[str]:
    """Yield a line for each tile: its colours, and its class, copies and first identical tile.

    The class is left out for lattices other than squares and for boards without a plain frame.
    """
    width = max(len(str(colour)) for tile in puzzle.tiles for colour in tile)
    first: dict[Tile, int] = {}
    paints = paint_numbers(puzzle)
    for number, tile in enumerate(puzzle.tiles):
        twin = first.setdefault(puzzle.look(tile), number)
        sides = " ".join(paint.word(str(colour).rjust(width), paints[colour]) for colour in tile)
        same = f", identical to {twin}" if twin != number else ""
        plain = puzzle.has_plain_frame and puzzle.lattice == SQUARE
        kind = f"  {class_of_tile(tile)}" if plain else ""
        if puzzle.counts:
            copies = span(*puzzle.counts[number])
            kind += f"  {copies} {'copy' if copies == '1' else 'copies'}"
        yield f"{number:4}: {sides}{kind}{same}"


def _describe_cover(puzzle: CoverProblem) -> str:
    lines = [printable(headline(puzzle)), ""]
    for option in range(min(MAX_OPTIONS_SHOWN, puzzle.option_count)):
        name = f" ({puzzle.option_names[option]})" if puzzle.option_names else ""
        members = (m if isinstance(m, str) else f"{m[0]}={m[1]}" for m in puzzle.members(option))
        lines.append(printable(f"option {option}{name}: {'; '.join(members)}"))
    if puzzle.option_count > MAX_OPTIONS_SHOWN:
        lines.append(f"… and {puzzle.option_count - MAX_OPTIONS_SHOWN} more")
    return "\n".join(lines)
