"""A board as text: rows of `tile/rotation`, the top row first, `-` for an empty cell.

A rotation is quarter turns anticlockwise; lines that begin with `#` are comments.
"""

from __future__ import annotations

import re

from dovetail.errors import shorten
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import Laid, PartialBoard

EMPTY = "-"

_WORD = re.compile(r"([0-9]{1,9})/([0-3])")


def read_board_text(file: TextFile, puzzle: EdgePuzzle) -> PartialBoard:
    """The board in `file`; raises `FormatError` at the first mistake."""
    rows = []
    for line, content in file.content():
        words = content.split()
        if len(words) != puzzle.width:
            raise file.error(f"{len(words)} cells; expected {puzzle.width}", line)
        rows.append(tuple(_laid(file, line, word) for word in words))
    if len(rows) != puzzle.height:
        raise file.error(f"{len(rows)} rows of cells; expected {puzzle.height}")
    return PartialBoard(tuple(reversed(rows)))


def write_board_text(_puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """A line for each row of `board`."""
    return f"{board}\n"


def _laid(file: TextFile, line: int, word: str) -> Laid | None:
    if word == EMPTY:
        return None
    found = _WORD.fullmatch(word)
    if found is None:
        raise file.error(f"{shorten(word)!r}; expected tile/rotation or {EMPTY}", line)
    return int(found[1]), int(found[2])
