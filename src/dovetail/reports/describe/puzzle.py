"""Puzzles in words and text pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle, Tile, canonical_turn, class_of_tile
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OPTIONAL, OUTSIDE, draw_to_be_read
from dovetail.printable import printable
from dovetail.reports.pictures.colours import GREY, PIECES, paint_numbers
from dovetail.reports.pictures.text import PLAIN, Paint

MAX_OPTIONS_SHOWN = 12
# Bounds of a short description, and the kinds of puzzles in it.
MAX_CELLS_DRAWN, MAX_LINES, MAX_WIDTH = 200, 12, 160
KINDS: dict[type, str] = {
    PackingPuzzle: "packing",
    EdgePuzzle: "edge matching",
    CoverProblem: "exact cover",
}


def describe_puzzle(puzzle: Puzzle, paint: Paint = PLAIN) -> str:
    """Return the description of a puzzle: its pieces, tiles or options, with pictures."""
    match puzzle:
        case PackingPuzzle():
            return _describe_packing(puzzle, paint)
        case EdgePuzzle():
            return _describe_edges(puzzle, paint)
        case CoverProblem():
            return _describe_cover(puzzle)


def short_description(puzzle: Puzzle) -> str:
    """Return the name, kind and sizes of a puzzle, with a region that has holes or labels."""
    kind = KINDS[type(puzzle)]
    lines = [f"{shorten(printable(puzzle.name))}: {kind}, {in_words(puzzle)}"]
    if isinstance(puzzle, PackingPuzzle) and len(puzzle.region) <= MAX_CELLS_DRAWN:
        region = _region(puzzle)
        drawn = (region or "").splitlines()
        if region and len(drawn) <= MAX_LINES and not set(region) <= set(". ,\n"):
            lines += drawn
    return "\n".join(shorten(line, MAX_WIDTH) for line in lines)


def headline(puzzle: Puzzle) -> str:
    """Return the name and the description of a puzzle on a single line."""
    return f"{puzzle.name}: {in_words(puzzle)}, digest {puzzle.digest}"


def in_words(puzzle: Puzzle) -> str:
    """Return the description of a puzzle on a single line, without the name."""
    match puzzle:
        case PackingPuzzle():
            return (
                f"{how_many(len(puzzle.pieces), 'kind of piece', 'kinds of piece')}, "
                f"{how_many(len(puzzle.open_cells), 'open cell')} {puzzle.lattice.phrase}"
            )
        case EdgePuzzle():
            colours = {abs(colour) for tile in puzzle.tiles for colour in tile}
            signed = ", signed colours" if puzzle.signed else ""
            return (
                f"{puzzle.width} wide, {puzzle.height} high, "
                f"{how_many(len(colours), 'colour')} including the frame's, "
                f"{how_many(len(puzzle.hints), 'hint')}{signed}"
            )
        case CoverProblem():
            return (
                f"{puzzle.primary_count} primary and "
                f"{how_many(puzzle.item_count - puzzle.primary_count, 'secondary item')}, "
                f"{how_many(puzzle.option_count, 'option')}, "
                f"{how_many(len(puzzle.symmetries), 'symmetry', 'symmetries')}"
            )


def piece_title(piece: Piece) -> str:
    """Return the name, size and motions of a piece, and how often it is used."""
    fewest, most = piece.min_count, piece.max_count
    title = f"{piece.name}: {how_many(len(piece.cells), 'cell')}, {piece.motions}"
    if (fewest, most) != (1, 1):
        title += f", used {fewest if fewest == most else f'{fewest} to {most}'} times"
    if piece.placements is not None:
        title += f", only in {how_many(len(piece.placements), 'listed place')}"
    return title


def _describe_packing(puzzle: PackingPuzzle, paint: Paint) -> str:
    lines = [printable(headline(puzzle))]
    if puzzle.optional:
        cells = how_many(len(puzzle.optional), "cell")
        lines.append(f"{cells} may stay empty (marked {OPTIONAL})")
    region = _region(puzzle)
    if region is None:
        lines.append(f"within {_extent(puzzle.region)} along x, y, …")
    else:
        greyed = {printable(piece.name): GREY for piece in puzzle.fixed}
        lines += ["", paint.labels(region, greyed)]
    # On other lattices the places of cells matter, and spaces are not read.
    blank = " " if isinstance(puzzle.lattice, SquareLattice) else OPEN
    for number, piece in enumerate(puzzle.pieces):
        lines += ["", printable(piece_title(piece))]
        drawing = _picture(puzzle.lattice, dict.fromkeys(piece.cells, "#"), piece.cells)
        if drawing is None:
            lines.append(" ".join(map(str, piece.cells)))
        else:
            drawing = paint.labels(drawing, {"#": number % PIECES})
            lines.append(drawing.replace(OUTSIDE, blank))
    return "\n".join(lines)


def _region(puzzle: PackingPuzzle) -> str | None:
    """Return the region with its fixed pieces, as `_picture` does."""
    labels = dict.fromkeys(puzzle.optional, OPTIONAL)
    for fixed in puzzle.fixed:
        labels |= dict.fromkeys(fixed.cells, printable(fixed.name))
    return _picture(puzzle.lattice, labels, puzzle.region)


def _picture(lattice: Lattice, labels: Mapping[Cell, str], cells: Cells) -> str | None:
    """Return cells as layered text that can be read again; None if it cannot show the lattice."""
    try:
        return draw_to_be_read(lattice, labels, cells)
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
    head = printable(headline(puzzle)), "", "tile: top right bottom left"
    return "\n".join([*head, *_tile_lines(puzzle, paint), *hints])


def _tile_lines(puzzle: EdgePuzzle, paint: Paint) -> Iterator[str]:
    """Yield each tile with its class and the first tile that it is identical to."""
    width = max(len(str(colour)) for tile in puzzle.tiles for colour in tile)
    first: dict[Tile, int] = {}
    paints = paint_numbers(puzzle)
    for number, tile in enumerate(puzzle.tiles):
        twin = first.setdefault(canonical_turn(tile), number)
        sides = " ".join(
            paint.word(str(colour).rjust(width), paints[abs(colour)]) for colour in tile
        )
        same = f", identical to {twin}" if twin != number else ""
        yield f"{number:4}: {sides}  {class_of_tile(tile)}{same}"


def _describe_cover(puzzle: CoverProblem) -> str:
    lines = [printable(headline(puzzle)), ""]
    for option in range(min(MAX_OPTIONS_SHOWN, puzzle.option_count)):
        name = f" ({puzzle.option_names[option]})" if puzzle.option_names else ""
        members = (m if isinstance(m, str) else f"{m[0]}={m[1]}" for m in puzzle.members(option))
        lines.append(printable(f"option {option}{name}: {'; '.join(members)}"))
    if puzzle.option_count > MAX_OPTIONS_SHOWN:
        lines.append(f"… and {puzzle.option_count - MAX_OPTIONS_SHOWN} more")
    return "\n".join(lines)
