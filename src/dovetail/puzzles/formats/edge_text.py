"""Edge-matching text: `W H`, then W·H lines `top right bottom left`, 0 being the frame.

Blank lines and what follows a `#` are passed over.
"""

from __future__ import annotations

from dovetail.errors import FormatError, PuzzleError, shorten
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.puzzles.formats.text_file import TextFile

MOST_SIDE = 256


def read_edge_text(file: TextFile) -> EdgePuzzle:
    """The puzzle in `file`, named after it. Raises `FormatError` at the first mistake."""
    content = list(file.content())
    header_line, header = content[0]
    words = header.split()
    if len(words) != 2:
        raise file.error(f"{shorten(header)!r}; expected two numbers: width height", header_line)
    width, height = (file.integer(word, header_line, "the size") for word in words)
    if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
        raise file.error(
            f"a board of {width} x {height}; expected sides of 1 to {MOST_SIDE}", header_line
        )
    tiles: list[Tile] = []
    for line, text in content[1:]:
        words = text.split()
        if len(words) != 4:
            raise file.error(f"{len(words)} numbers; expected four: top right bottom left", line)
        if len(tiles) == width * height:
            raise file.error(
                f"a tile too many; expected {width} · {height} = {width * height} tiles", line
            )
        sides = [file.integer(word, line, "a colour") for word in words]
        if min(sides) < 0:
            raise file.error(f"colour {min(sides)}; expected 0 (the frame) or more", line)
        tiles.append((sides[0], sides[1], sides[2], sides[3]))
    if len(tiles) < width * height:
        raise file.error(
            f"the file ends after {len(tiles)} tiles; "
            f"expected {width} · {height} = {width * height}",
            len(file.lines),
        )
    try:
        return EdgePuzzle(file.path.stem, width, height, tuple(tiles))
    except PuzzleError as error:
        raise FormatError(str(error), file.path, header_line) from None
