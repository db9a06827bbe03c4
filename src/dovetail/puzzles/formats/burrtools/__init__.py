"""BurrTools' xmpuzzle files on all five grids, and the solutions in them.

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

Files are often compressed; here they are text already. The type of the grid is 0 for cubes, 1 for
triangular prisms, 2 for spheres, 3 for rhombic and 4 for tetra-octa cells; which positions are
cells, the lattices say. A shape's positions are listed with x fastest, then y, then z: `#` filled,
`+` variable (of a result: it may stay empty), `_` empty, a colour number behind the first two.
Every problem is a puzzle: its pieces are free, which in space means turned and not reflected. A
piece without a name is called S1, S2, … after its shape; what cannot be printed in a name is a
blank. Colours keep pieces from places (`colours`), which become listed placements. Two ways to lay
a piece on the same cells are one placement, wherever its colours are. Shapes with different numbers
are different pieces; which assemblies count as one, `counting` says. Groups, weights and what is
said of taking the puzzle apart are passed over. What would change the set of assemblies and has no
place in a `PackingPuzzle` is refused: variable cells of pieces, a limit on holes. Problems are read
when they are asked for, so that an unfinished one spoils no other.

An assembly has, for each piece of the problem and each copy up to its largest number, `x y z t`,
or `x` for a copy that is left out. Transformation t is one of the grid's rotations, about some
origin: those of cubes for rhombic and tetra-octa cells, too, about the middle of blocks. The
shape's hotspot (hx, hy, hz; else its position 0 0 0) comes to lie at x y z of the result's grid.
Of the transformations that give the same cells the least is written, and copies in the order of t,
x, y, z, as BurrTools does. Spheres have 120 rotations, which carry touching spheres wherever they
can lie; the places of a scattered piece, which fits in ways that none of them makes, are listed.

Source: A. Röver, BurrTools 0.6: the description of the format in puzzle.cpp, what voxel.cpp,
voxel_1.cpp to voxel_4.cpp, problem.cpp and assembly.cpp load, save and turn, and for
transformations the tables rotmatrix.inc. That of cubes follows the rule in `grids` entry for entry,
and so does that of prisms. This was read there; no file that BurrTools solved was at hand to
compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, LazyPuzzles, UnboundedWriter


class BurrTools(Format):
    """BurrTools files of puzzles and their solutions; the XML parser is imported when needed."""

    name = "burrtools"
    summary = "packing: BurrTools file, of cubes, prisms, spheres and other cells"
    suffixes = (".xmpuzzle",)
    begins = r"<(?!instance\b)"  # that is XCSP3
    first_line = "<"
    puzzle_type = PackingPuzzle
    holds_solutions = extends = True

    def read_puzzles(self, file: TextFile) -> Sequence[PackingPuzzle]:
        from dovetail.puzzles.formats.burrtools.reader import ProblemReader

        problems = ProblemReader(file)
        return LazyPuzzles(file, len(problems), problems.puzzle)

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of

        if isinstance(puzzle, PackingPuzzle):
            return read_solutions_of(puzzle, file)
        return super().read_solutions(file, puzzle)

    def write_puzzles(self, puzzles: Sequence[PackingPuzzle]) -> str:
        from dovetail.puzzles.formats.burrtools.writer import write_burrtools

        (puzzle,) = puzzles
        return write_burrtools(puzzle)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        from dovetail.puzzles.formats.burrtools.solutions import write_back
        from dovetail.puzzles.formats.burrtools.writer import file_writer

        if not isinstance(puzzle, PackingPuzzle):
            raise PuzzleError(
                f"BurrTools files support packing puzzles only; {puzzle.name} is not one"
            )
        return file_writer(puzzle) if source is None else write_back(source, puzzle)
