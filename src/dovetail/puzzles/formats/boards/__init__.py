"""Boards that need not be solutions, in files: cells may be empty, and edges may not match.

| suffix | module | what it looks like |
|---|---|---|
| `.json` | `board_doc` | the `BoardDoc` of eternity2.dev |
| `.url` | `viewer` | the URL of the viewer e2.bucas.name that shows the board |
| `.e2.url` | `viewer` | that of the viewer of eternity2.dev, with the puzzle's hints |
| `.txt` | `text` | rows of `tile/rotation`, `-` for an empty cell |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dovetail.errors import unknown_name
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, board_error
from dovetail.puzzles.formats.base import suffix_among
from dovetail.puzzles.formats.boards import board_doc, text, viewer


@dataclass(frozen=True)
class BoardFormat:
    """Reads a board of a puzzle from a file, `FormatError` at the first mistake; writes one."""

    read: Callable[[TextFile, EdgePuzzle], PartialBoard]
    write: Callable[[EdgePuzzle, PartialBoard], str]


BOARD_FORMATS: Mapping[str, BoardFormat] = {
    ".json": BoardFormat(board_doc.read_board_doc, board_doc.write_board_doc),
    ".url": BoardFormat(viewer.read_board_url, viewer.write_board_url),
    ".e2.url": BoardFormat(viewer.read_board_url, viewer.write_eternity2_board_url),
    ".txt": BoardFormat(text.read_board_text, text.write_board_text),
}


def read_board(file: TextFile, puzzle: EdgePuzzle) -> PartialBoard:
    """The board of `puzzle` in a file, by its suffix.

    Raises `ConfigError` for an unknown suffix and `FormatError` for what is no board of it.
    """
    board = board_format(file.path).read(file, puzzle)
    error = board_error(puzzle, board)
    if error is not None:
        raise file.error(f"not a board of {puzzle.name}: {error}")
    return board


def board_format(path: Path, *also: str) -> BoardFormat:
    """The format of a file by its suffix; `ConfigError` lists the valid ones, and those `also`."""
    suffix = suffix_among(path, BOARD_FORMATS)
    if suffix not in BOARD_FORMATS:
        raise unknown_name("suffix of a board", suffix, [*BOARD_FORMATS, *also])
    return BOARD_FORMATS[suffix]
