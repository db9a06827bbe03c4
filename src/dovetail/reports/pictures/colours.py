"""Colours of pictures: the palette, its CSS, and the colours of pieces and tiles.

The seven colours of pieces were optimised by computer: the least difference between two colours is
as large as possible for usual eyes and for deuteranopia, protanopia and tritanopia (simulated after
Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
deficiency", IEEE Transactions on Visualization and Computer Graphics 15, 2009). Black letters are
easy to read on each colour, and all differ in lightness.

Neighbouring pieces differ in colour, by graph colouring: the node beside most colours comes first
(D. Brélaz, "New methods to color the vertices of a graph", Communications of the ACM 22, 1979). It
gets its preferred colour, or else the colour used least so far. If a node has no colour left, the
last choice is taken back, up to a number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution

PIECES = 7  # colours for pieces
MOTIFS = 8  # motifs of the colours of tiles
GREY = -1  # number of the colour of fixed pieces and of the frame of a board
MAX_STEPS = 20_000

# CSS variables with their values, light and dark, and a name in rich for terminals of 16 colours.
# The names are close to the dark colours, but differ in hue: some terminals ignore brightness, and
# the nearest name of two dark colours is the same. `letter` is on pieces, `border` between them;
# `blank` fills cells that nothing covers, `grid` is between them, `fixed` fills fixed pieces,
# `plate` is around numbers on tiles, and `mismatch` marks edges that do not match.
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
    "piece-0": ("#f6e56b", "#efc469", "bright_yellow"),
    "piece-1": ("#6986e7", "#7a69c3", "bright_blue"),
    "piece-2": ("#d5a893", "#2addd1", "bright_cyan"),
    "piece-3": ("#8ff2e8", "#a75b16", "bright_red"),
    "piece-4": ("#cb5a86", "#73aaed", "white"),
    "piece-5": ("#89bdf7", "#ce738c", "bright_magenta"),
    "piece-6": ("#8da118", "#a0a309", "bright_green"),
}
LIGHT = {name: light for name, (light, _, _) in _COLOURS.items()}
DARK = {name: dark for name, (_, dark, _) in _COLOURS.items()}
SIXTEEN = {name: sixteen for name, (*_, sixteen) in _COLOURS.items() if sixteen}

Neighbours = Sequence[Collection[int]]


@cache
def picture_style() -> str:
    """Return the CSS of all classes of pictures and of the variables they use.

    Each use of a variable follows its light colour, for programs that draw SVG without variables.
    """
    rules = files("dovetail.reports.pictures").joinpath("pictures.css").read_text(encoding="utf-8")
    pieces = "".join(
        f".picture .piece-{number} {{ fill: var(--piece-{number}); }}\n"
        f".picture .stick.piece-{number} {{ fill: none; stroke: var(--piece-{number}); }}\n"
        for number in range(PIECES)
    )
    with_fallback = re.sub(
        r"([\w-]+): var\(--([\w-]+)\);",
        lambda found: f"{found[1]}: {LIGHT[found[2]]}; {found[0]}",
        rules + pieces,
    )
    light, dark = (
        f":root {{ {' '.join(f'--{name}: {value};' for name, value in colours.items())} }}"
        for colours in (LIGHT, DARK)
    )
    return (
        f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n"
        f"@media print {{ {light} }}\n{with_fallback}"
    )


def paint_numbers(puzzle: EdgePuzzle) -> dict[int, int]:
    """Return the number of the paint of each colour of tiles, and grey for the frame.

    A colour and its mate have the same paint. More than seven colours share paints, and differ in
    their motifs up to 56.
    """
    return {colour: number % PIECES for colour, number in _numbered(puzzle).items()} | {
        colour: GREY for colour in (puzzle.frame_colour,) if colour is not None
    }


def motif_numbers(puzzle: EdgePuzzle) -> dict[int, int]:
    """Return the number of the motif of each colour of tiles; the frame has none."""
    return {colour: number % MOTIFS for colour, number in _numbered(puzzle).items()}


def _numbered(puzzle: EdgePuzzle) -> dict[int, int]:
    shown = {colour for tile in puzzle.tiles for colour in tile} - {puzzle.frame_colour}
    numbers = {
        colour: number
        for number, colour in enumerate(sorted(set(map(puzzle.representative, shown))))
    }
    return {colour: numbers[puzzle.representative(colour)] for colour in shown}


class GalleryColours:
    """Colours of pieces in several pictures of a puzzle: a piece keeps its colour.

    In the first picture neighbours differ. In a later picture two pieces of the same colour may
    touch, since seven colours do not suffice for all pairs of pieces that meet somewhere.
    """

    def __init__(
        self, lattice: Lattice, names: Sequence[str], several: Collection[str] = ()
    ) -> None:
        """Prepare the colours for the `names` of all pieces; without names, colours are spread.

        Copies of a piece of `several` cannot be distinguished: their colours are chosen anew for
        each picture.
        """
        self._lattice, self._several = lattice, several
        self._preferred = {name: number % PIECES for number, name in enumerate(names)}
        self._kept = dict[str, int]()

    def of(self, solution: PackingSolution) -> list[int]:
        """Return a colour number below `PIECES` for each placed piece.

        A piece without a colour gets the colour of its place among the pieces where possible, and
        another colour than its neighbours.
        """
        near = touching([cells for _, cells in solution.placed], self._lattice)
        names = [name for name, _ in solution.placed]
        given = {n: self._kept[name] for n, name in enumerate(names) if name in self._kept}
        preferred = [self._preferred.get(name, -1) for name in names]
        colours = colour_numbers(near, PIECES, preferred, given)
        for name, colour in zip(names, colours, strict=True):
            if name not in self._several:
                self._kept[name] = colour
        return colours


def gallery_colours(puzzle: PackingPuzzle) -> GalleryColours:
    """Return the colours for pictures of the solutions of a puzzle."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    return GalleryColours(puzzle.lattice, [piece.name for piece in puzzle.pieces], several)


def touching(shapes: Sequence[Cells], lattice: Lattice) -> list[set[int]]:
    """Return, for each shape, the numbers of the shapes that have a neighbouring cell."""
    owner = {cell: number for number, cells in enumerate(shapes) for cell in cells}
    near: list[set[int]] = []
    for number, cells in enumerate(shapes):
        around = (other for cell in cells for other in lattice.neighbours(cell))
        near.append({owner[cell] for cell in around if cell in owner} - {number})
    return near


def colour_numbers(
    neighbours: Neighbours,
    colours: int,
    preferred: Sequence[int] | None = None,
    given: Mapping[int, int] = MappingProxyType({}),
) -> list[int]:
    """Return a colour from 0 below `colours` for each node of a graph, deterministically.

    `neighbours` has the neighbours of every node, in both directions. Neighbours get different
    colours; if there are too few colours, or none are found within the steps, few are equal. Nodes
    have their `preferred` colours where possible; colours of nodes without a preference are spread
    evenly. Nodes with `given` colours keep them.
    """
    wanted = [-1] * len(neighbours) if preferred is None else preferred
    painting = _Painting(neighbours, colours, wanted, dict(given))
    if not painting.paint_apart():
        painting.chosen = dict(given)
        while (node := painting.next()) is not None:
            painting.chosen[node] = painting.ranked(node)[0]
    return [painting.chosen[node] for node in range(len(neighbours))]


@dataclass
class _Painting:
    neighbours: Neighbours
    colours: int
    wanted: Sequence[int]
    chosen: dict[int, int]

    def beside(self, node: int) -> list[int]:
        """Return the colours of the neighbours of a node."""
        chosen = self.chosen
        return [chosen[other] for other in self.neighbours[node] if other in chosen]

    def next(self) -> int | None:
        """Return the node to colour next; None if all have colours."""
        waiting = (node for node in range(len(self.neighbours)) if node not in self.chosen)
        return max(
            waiting,
            key=lambda node: (len({*self.beside(node)}), len(self.neighbours[node]), -node),
            default=None,
        )

    def ranked(self, node: int) -> list[int]:
        """Return all colours, the fewest neighbours first, then the most suitable for a node."""
        wanted, beside, used = self.wanted[node], self.beside(node), [*self.chosen.values()]
        return sorted(
            range(self.colours), key=lambda c: (beside.count(c), c != wanted, used.count(c), c)
        )

    def paint_apart(self) -> bool:
        """Colour all nodes without equal neighbours; return False if that took too many steps."""
        untried: list[tuple[int, list[int]]] = []
        for _ in range(MAX_STEPS):
            node = self.next()
            if node is None:
                return True
            beside = self.beside(node)
            untried.append((node, [c for c in self.ranked(node) if c not in beside][::-1]))
            while untried and not untried[-1][1]:
                untried.pop()
                if untried:
                    del self.chosen[untried[-1][0]]
            if not untried:
                return False
            node, left = untried[-1]
            self.chosen[node] = left.pop()
        return False
