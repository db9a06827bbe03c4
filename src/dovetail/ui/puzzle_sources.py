"""Sources of puzzles: a name of the catalogue, an uploaded file, or a drawing."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path, PurePath

from dovetail.files.text_file import TextFile
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import read_puzzles
from dovetail.ui.drawings import read_drawing
from dovetail.ui.requests import Fields, RequestError, check_keys, text

SOURCES = ("name", "file", "drawing")
FILE_KEYS = ("name", "base64")
MAX_FILE_NAME = 200
MAX_PUZZLES_OF_A_FILE = 50


def puzzles_in(fields: Fields) -> list[tuple[Puzzle, TextFile | None]]:
    """Return the puzzles that a request names, each with its file or None.

    Raises `RequestError` for an invalid request, and `DovetailError` for a name, file or drawing
    that is not a puzzle.
    """
    check_keys(fields, SOURCES)
    if len(fields) != 1:
        raise RequestError(f"expected one of {', '.join(SOURCES)}")
    if "name" in fields:
        return [(catalogue_puzzle(text("name", fields["name"])), None)]
    if "drawing" in fields:
        return [(read_drawing(fields["drawing"]).puzzle(), None)]
    file = _file(fields["file"])
    puzzles = read_puzzles(file)
    if len(puzzles) > MAX_PUZZLES_OF_A_FILE:
        raise RequestError(
            f"{len(puzzles)} puzzles; expected a file of at most {MAX_PUZZLES_OF_A_FILE}", "file"
        )
    return [(puzzle, file) for puzzle in puzzles]


def _file(value: object) -> TextFile:
    """Return the file that a request contains as a name and a content in base 64."""
    if not isinstance(value, dict):
        raise RequestError("file is no object; expected one with name and base64", "file")
    check_keys(value, FILE_KEYS, "file")
    name = PurePath(text("file.name", value.get("name"))).name
    if not name or len(name) > MAX_FILE_NAME or "\0" in name:
        raise RequestError(f"file.name: expected 1 to {MAX_FILE_NAME} characters", "file.name")
    try:
        data = base64.b64decode(text("file.base64", value.get("base64")), validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("file.base64 is not base 64", "file.base64") from None
    return TextFile(Path(name), data)
