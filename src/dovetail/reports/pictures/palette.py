"""The colours of pictures: seven for pieces, and those of paper and lines, light and dark.

The seven were sought by computer: the least difference between two of them is as large as can
be, seen with usual eyes and with deuteranopia, protanopia and tritanopia (simulated after
Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
deficiency", IEEE Transactions on Visualization and Computer Graphics 15, 2009), none as dark that
black letters on it would be hard to read, and all of different lightness.
"""

from __future__ import annotations

from dataclasses import dataclass

PIECES = 7  # colours for pieces
GREY = -1  # in place of their numbers: what is fixed, and the frame of a board


@dataclass(frozen=True)
class PieceColours:
    """`PIECES` colours for pieces, one for what is `fixed`, and that of the `letter` on them."""

    letter: str
    fixed: str
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Palette(PieceColours):
    """Colours as CSS writes them.

    `border` is between pieces, `letter` on them; `blank` fills cells that nothing covers, `grid`
    is between them, `fixed` fills what cannot be moved, `plate` is around numbers on tiles, and
    `mismatch` marks edges that do not match.
    """

    paper: str
    ink: str
    faint: str
    border: str
    blank: str
    grid: str
    plate: str
    mismatch: str


LIGHT = Palette(
    paper="#ffffff",
    ink="#1b1d21",
    faint="#5c626c",
    border="#1b1d21",
    letter="#0b0c0e",
    blank="#f4f5f7",
    grid="#c3c8cf",
    fixed="#b9bdc4",
    plate="#ffffff",
    mismatch="#d40000",
    pieces=("#f6e56b", "#6986e7", "#d5a893", "#8ff2e8", "#cb5a86", "#89bdf7", "#8da118"),
)
DARK = Palette(
    paper="#16181c",
    ink="#e8eaed",
    faint="#a3a9b3",
    border="#07080a",
    letter="#07080a",
    blank="#24272d",
    grid="#454b55",
    fixed="#6d737d",
    plate="#d5d8de",
    mismatch="#ff4d42",
    pieces=("#efc469", "#7a69c3", "#2addd1", "#a75b16", "#73aaed", "#ce738c", "#a0a309"),
)
PRINTED = LIGHT
# By their names in rich, each close to the piece colour of DARK with the same number. The nearest
# ones would not do: two of DARK's have the same. Hues differ: some terminals ignore brightness.
SIXTEEN = PieceColours(
    letter="black",
    fixed="bright_black",
    pieces=(
        "bright_yellow",
        "bright_blue",
        "bright_cyan",
        "bright_red",
        "white",
        "bright_magenta",
        "bright_green",
    ),
)
