"""BurrTools' xmpuzzle files on the cubic grid, and the solutions in them.

    <puzzle version="2"><gridType type="0"/><colors/>
     <shapes>
      <voxel x="2" y="2" z="1" type="0" name="V">###_</voxel>
      <voxel x="2" y="2" z="1" type="0">###+</voxel>
     </shapes>
     <problems>
      <problem state="0">
       <shapes><shape id="0" min="1" max="2"/></shapes><result id="1"/><bitmap/>
       <solutions><solution><assembly>0 0 0 0 x</assembly></solution></solutions>
      </problem>
     </problems>
    </puzzle>

Files are often compressed; here they are text already. A shape's cells are listed with x
fastest, then y, then z: `#` filled, `+` variable (of a result: it may stay empty), `_` empty,
a colour number behind the first two. Every problem is a puzzle: its pieces are free, which
in space means turned and not reflected. A piece without a name is called S1, S2, … after its
shape; what cannot be printed in a name is a blank. Groups, weights and what is said of taking
the puzzle apart are passed over. What would change the set of assemblies and has no place in
a `PackingPuzzle` is refused: other grids, variable cells of pieces, colours that keep pieces
from places, a limit on holes.

An assembly has, for each piece of the problem and each copy up to its largest number, `x y z
t`, or `x` for a copy that is left out. Transformation t = 4a + b first turns b quarters about
the x axis (y towards z), and then, a = 0 to 3, a quarters about the y axis (x towards z), or
a quarter about the z axis, a = 4: x towards y, a = 5: y towards x. The shape's hotspot (hx,
hy, hz; else its cell 0 0 0) comes to lie at x y z of the result's grid; that is where a cell
c goes to turned(c - hotspot) + (x, y, z). Of the transformations that give the same cells the
least is written, and copies in the order of t, x, y, z, as BurrTools does.

Source: A. Röver, BurrTools 0.6: the description of the format in puzzle.cpp, what voxel.cpp,
problem.cpp and assembly.cpp load and save, and for transformations the table of matrices
rotmatrix.inc of the cubic grid, which the rule above gives entry for entry, and createSpace
in assembly.cpp. This was read there; no file that BurrTools solved was at hand to compare.
"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.formats.base import PuzzleFormat


class BurrTools(PuzzleFormat[PackingPuzzle]):
    """BurrTools files; the parser of XML is imported when one is read."""

    name = "burrtools"
    summary = "packing: BurrTools file on the cubic grid"
    suffixes = (".xmpuzzle",)
    begins = r"<(?!instance\b)"  # that is XCSP3
    first_line = "<"
    writes = PackingPuzzle

    def read(self, file: TextFile) -> tuple[PackingPuzzle, ...]:
        from dovetail.puzzles.formats.burrtools.reader import read_burrtools

        return read_burrtools(file)

    def write(self, puzzles: Sequence[PackingPuzzle]) -> str:
        from dovetail.puzzles.formats.burrtools.writer import write_burrtools

        (puzzle,) = puzzles
        return write_burrtools(puzzle)
