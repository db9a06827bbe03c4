"""Polycube definition files, read and written.

    # comment
    D:xDim=4:yDim=2:zDim=1[:oneSide]
    C:name=A:type=M:layout=0 0 0, 1 0 0            # a piece that moves
    C:name=B:type=S:layout=0 0 0, 0 1 0            # one that is fixed there
    L                                              # pieces as drawn
    . C C . D
    . . . . D
    ~L
    L:stationary=*                                 # what is outside the region, as drawn
    . . . .
    . . . *
    ~L
    ~D

The format is that of Busche's solver polycube (polycube-busche, "Software"). A file may hold
several puzzles. A box with zDim=1 whose pieces are all flat is a puzzle in the plane, its
pieces free, or one-sided with `oneSide`; solids turn the same way with it and without.

A drawing is layered text, in which every label but `.` is a piece that moves and may be drawn
anywhere. Labels named after `stationary=`, white space between them, are pieces fixed where
they are drawn; such a drawing has the size of the box. A stationary piece called `*` is no
piece: its cells are outside the region. A drawing without one may be ragged, as in files that
people have written: its lines need not be equally long.
"""

from __future__ import annotations

from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format


class Polycube(Format):
    """Polycube definition files; reader and writer are imported when they are used."""

    name = "polycube"
    summary = "packing: definition file of Busche's polycube"
    suffixes = (".def", ".txt")
    begins = r"[DCL]\s*:|L$|~"
    first_line = "D:"
    several = True
    puzzle_type = PackingPuzzle

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        from dovetail.puzzles.formats.polycube.reader import read_polycube

        return Document(read_polycube(file))

    def write(self, document: Document) -> str:
        from dovetail.puzzles.formats.polycube.writer import write_polycube

        return write_polycube(document.puzzles)
