'''Packing puzzles as dovetail's own TOML: for puzzles by hand.

    name = "a corner"
    region = """
    . . .
    W . *
    """

    [[piece]]
    name = "L"
    shape = """
    # #
    # .
    """

    [[piece]]
    like = "dominoes:I2"
    count = [0, 1]

Drawings are layered text. docs/puzzles/formats.md has every key, with examples.
'''

from __future__ import annotations

from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format


class TomlPuzzle(Format):
    """TOML files of puzzles; pydantic is imported when one is read."""

    name = "toml"
    summary = "packing: dovetail's TOML, easy to write by hand"
    suffixes = (".toml",)
    begins = r"[A-Za-z_\"'-]+\s*=|\["
    first_line = "key = value"
    puzzle_type = PackingPuzzle

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        from dovetail.puzzles.formats.toml_puzzle.reader import read_toml

        return Document(read_toml(file))

    def write(self, document: Document) -> str:
        from dovetail.puzzles.formats.toml_puzzle.writer import write_toml

        return write_toml(*document.puzzles)
