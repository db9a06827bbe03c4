"""Knuth's exact-cover text, the input of his programs DLX1, DLX2, DLX3, XCC and MCC.

    | A comment; so is every line that begins with a bar. Blank lines say nothing.
    A B 2:3|C | X Y
    A B X:red Y:red
    A C X:blue

The first line that says something names the items, the primary ones before the bar that
stands alone. `low:high|C` has to be covered low to high times, `n|C` exactly n times, `C`
once. Every further line is an option: the items in it, a secondary one perhaps with a
colour. Colours that are all whole numbers from 1 up, without leading zeros, are taken as
these numbers; otherwise they are words, numbered from 1 in the order in which they appear.
An option without a primary item is passed over, as those programs do: it has no number.

Source: D. E. Knuth, the programs DLX1, DLX2 and DLX3 ("Inputting the matrix"), and The Art
of Computer Programming, volume 4B, section 7.2.2.1. The programs take names of at most eight
characters, bounds of at most seven digits and colours of one character.

Three comments of our own say what the text has no place for:

    | name i7: "row 0: 1"          item i7 is called that: a JSON string
    | colour a: 10                 colour a is number 10
    | symmetry 1: 3 2 1 0          option 0 goes to 3, 1 to 2, …

Names of other than one to eight printable ASCII characters, and those with `|` or `:`, are
written so; colours beyond 9 are letters, or digits that are left, and where there are more
than these 61 marks all colours are decimals. Option numbers begin with 0, as in solutions;
symmetry lines of the same number continue one another, and the identity is left out.
"""

from __future__ import annotations

from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format


class Knuth(Format):
    """Knuth's text; reader and writer are imported when they are used."""

    name = "knuth"
    summary = "exact cover: input of Knuth's DLX programs"
    suffixes = (".dlx", ".xcc", ".mcc", ".xc")
    begins = r"\|"
    puzzle_type = CoverProblem

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        from dovetail.puzzles.formats.knuth.reader import read_knuth

        return Document([read_knuth(file)])

    def write(self, document: Document) -> str:
        from dovetail.puzzles.formats.knuth.writer import write_knuth

        return write_knuth(*document.puzzles)
