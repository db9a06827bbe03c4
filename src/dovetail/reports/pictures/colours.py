"""Colours of pictures: the palette, its CSS, and the colours of pieces and tiles.

The twelve colours of pieces were optimised by `viewer/palette.py`: the least difference between two
colours is as large as possible for normal vision and for deuteranopia, protanopia and tritanopia
(simulated after Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of
color vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15, 2009). Black
letters have a contrast of at least 4.5 to each colour. The least differences in Oklab, times 100:

    normal vision                  14.2 (light), 13.4 (dark)
    deuteranopia and protanopia    10.0 (light),  9.9 (dark)
    tritanopia                      9.4 (light),  9.3 (dark)

Piece number k of a puzzle, from 0, has colour k mod 12 and pattern (k div 12) mod 4 in every view.
The patterns are none, lines, dots and dashes. Copies of a piece look alike; borders separate them.
If a puzzle has a single kind of piece, or if the puzzle of a solution is not known, each placed
piece has a colour other than those of its neighbours where possible.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files

from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution

PIECES = 12  # number of colours of pieces
PATTERNS = 4  # number of patterns of pieces, including no pattern
MOTIFS = 8  # number of motifs of tiles
GREY = -1  # number of the colour of fixed pieces and of the frame of a board

# CSS variables with their values in light and dark mode, and the name of a colour in rich for
# terminals with 16 colours. The names are all different, and black letters are readable on each.
# `letter` is for names on pieces, `paper` for the background, `ink` for other texts, `faint` for
# titles and captions, `border` for lines between pieces, `fixed` for fixed pieces, `blank` for
# uncovered cells, `grid` for lines between cells, `plate` for the outline of numbers on tiles, and
# `mismatch` for edges that do not match.
_COLOURS = {
    "picture-letter": ("#0b0c0e", "#07080a", "black"),
    "picture-fixed": ("#b9bdc4", "#6d737d", "bright_black"),
    "picture-paper": ("#ffffff", "#16181c", ""),
    "picture-ink": ("#1b1d21", "#e8eaed", ""),
    "picture-faint": ("#5c626c", "#a3a9b3", ""),
    "picture-border": ("#1b1d21", "#07080a", ""),
    "picture-blank": ("#f4f5f7", "#24272d", ""),
    "picture-grid": ("#c3c8cf", "#454b55", ""),
    "picture-plate": ("#ffffff", "#d5d8de", ""),
    "picture-mismatch": ("#d40000", "#ff4d42", ""),
    "piece-0": ("#98ffb2", "#12e7e4", "bright_cyan"),
    "piece-1": ("#9a4ffb", "#9f45ff", "bright_magenta"),
    "piece-2": ("#ff111c", "#ff041c", "bright_red"),
    "piece-3": ("#008e30", "#a5e200", "bright_green"),
    "piece-4": ("#ff54cd", "#d428b6", "magenta"),
    "piece-5": ("#ffa400", "#ffb6a1", "bright_white"),
    "piece-6": ("#ffec00", "#b7b14a", "bright_yellow"),
    "piece-7": ("#ac628d", "#ea7eba", "white"),
    "piece-8": ("#00db82", "#018c1c", "green"),
    "piece-9": ("#689eff", "#79bcff", "cyan"),
    "piece-10": ("#ffaeff", "#9988ff", "bright_blue"),
    "piece-11": ("#8da07d", "#ac8377", "yellow"),
}
LIGHT = {name: light for name, (light, _, _) in _COLOURS.items()}
DARK = {name: dark for name, (_, dark, _) in _COLOURS.items()}
SIXTEEN = {name: sixteen for name, (*_, sixteen) in _COLOURS.items() if sixteen}


@cache
def picture_style() -> str:
    """Return the CSS of all classes of pictures and of the variables they use.

    Scripts read the numbers of colours and patterns from variables. Each use of a variable comes
    after the same property with the light colour, for programs that ignore variables in SVG.
    """
    rules = files("dovetail.reports.pictures").joinpath("pictures.css").read_text(encoding="utf-8")
    pieces = "".join(
        f".picture .piece-{number} {{ fill: var(--piece-{number}); }}\n"
        f".picture .stick.piece-{number} {{ fill: none; stroke: var(--piece-{number}); }}\n"
        f".key .piece-{number} {{ background-color: var(--piece-{number}); }}\n"
        for number in range(PIECES)
    )
    with_fallback = re.sub(
        r"([\w-]+): var\(--([\w-]+)\);",
        lambda match: f"{match[1]}: {LIGHT[match[2]]}; {match[0]}",
        rules + pieces,
    )
    light, dark = (
        f":root {{ {' '.join(f'--{name}: {value};' for name, value in colours.items())} }}"
        for colours in (LIGHT, DARK)
    )
    counts = f":root {{ --piece-colours: {PIECES}; --piece-patterns: {PATTERNS}; }}"
    return (
        f"{counts}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n"
        f"@media print {{ {light} }}\n{with_fallback}"
    )


def paint_numbers(puzzle: EdgePuzzle) -> dict[int, int]:
    """Return the number of the paint of each colour of tiles, and grey for the frame.

    Two colours that match each other have the same paint. From the 13th colour on, paints are
    shared. Up to 96 colours differ in paint or motif.
    """
    return {colour: number % PIECES for colour, number in _numbered(puzzle).items()} | {
        colour: GREY for colour in (puzzle.frame_colour,) if colour is not None
    }


def motif_numbers(puzzle: EdgePuzzle) -> dict[int, int]:
    """Return the number of the motif of each colour of tiles; the frame has none."""
    return {
        colour: (number + number // PIECES) % MOTIFS for colour, number in _numbered(puzzle).items()
    }


def _numbered(puzzle: EdgePuzzle) -> dict[int, int]:
    shown = {colour for tile in puzzle.tiles for colour in tile} - {puzzle.frame_colour}
    numbers = {
        colour: number
        for number, colour in enumerate(sorted(set(map(puzzle.representative, shown))))
    }
    return {colour: numbers[puzzle.representative(colour)] for colour in shown}


def piece_numbers(solution: PackingSolution, names: Sequence[str], lattice: Lattice) -> list[int]:
    """Return the number of each placed piece: its index among the different `names` of all pieces.

    With fewer than two different names, the numbers are colours, and a piece has a colour other
    than those of its neighbours where possible.
    """
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    if len(places) > 1:
        return [places[name] for name, _ in solution.placed]
    chosen = list[int]()
    for near in touching([cells for _, cells in solution.placed], lattice):
        beside = {chosen[other] for other in near if other < len(chosen)}
        chosen.append(spread_colour(chosen, beside))
    return chosen


def spread_colour(chosen: Sequence[int], beside: Collection[int]) -> int:
    """Return the colour for the next piece: not in `beside` if possible, and rare in `chosen`."""
    return min(range(PIECES), key=lambda colour: (colour in beside, chosen.count(colour), colour))


def placed_numbers(puzzle: PackingPuzzle, solution: PackingSolution) -> list[int]:
    """Return the number of each placed piece; the number stands for its colour and pattern."""
    return piece_numbers(solution, [piece.name for piece in puzzle.pieces], puzzle.lattice)


def piece_style(number: int) -> str:
    """Return the CSS classes for the colour and the pattern of the piece with this number."""
    pattern = number // PIECES % PATTERNS
    return f"piece-{number % PIECES}" + (f" pattern-{pattern}" if pattern else "")


def touching(shapes: Sequence[Cells], lattice: Lattice) -> list[set[int]]:
    """Return for each shape the numbers of the other shapes that have a neighbouring cell."""
    owner = {cell: number for number, cells in enumerate(shapes) for cell in cells}
    near: list[set[int]] = []
    for number, cells in enumerate(shapes):
        around = (other for cell in cells for other in lattice.neighbours(cell))
        near.append({owner[cell] for cell in around if cell in owner} - {number})
    return near
