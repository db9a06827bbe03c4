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

The type of the grid is 0 for cubes, 1 for triangular prisms, 2 for spheres, 3 for rhombic cells and
4 for tetra-octa cells. The lattices define which positions are cells. The positions of a shape are
listed with x fastest, then y, then z: `#` is filled, `+` is variable (in a result: may stay empty)
and `_` is empty. The number of a colour may follow `#` and `+`.

Every problem is a puzzle, and is read when it is accessed, so that an invalid problem does not
affect the others. Pieces are free: they may be turned, but not reflected. A piece without a name is
called S1, S2, … after its shape, and unprintable characters in names become blanks. Colours
restrict where a piece may lie (`grids.Colouring`); the allowed places become listed placements. A
piece on the same cells is the same placement, whatever colour lies on each cell. Shapes with
different numbers are different pieces. `reader.assembly_count` reads the number of assemblies.
Groups, weights and separations are about taking assemblies apart. A problem is refused if a
`PackingPuzzle` cannot express which assemblies the problem allows: if a piece has variable cells,
or if a limit on holes excludes assemblies.

An assembly has an entry for each piece of the problem, and for each copy up to the piece's maximum
count: `x y z t`, or `x` for a copy that is not used. The number t is a rotation of the grid about
an origin; rhombic and tetra-octa cells have the rotations of cubes, about the middle of blocks. The
hotspot of the shape (hx, hy, hz, or else its position 0 0 0) lies at x y z of the grid of the
result. If several rotations give the same cells, the smallest number is written. Copies are in the
order of t, x, y, z, as in BurrTools. Spheres have 120 rotations, which map touching spheres to
every place where they can lie. The spheres of a scattered piece may fit in places to which no
rotation maps them, so the places of such a piece are listed.

A separation says how an assembly comes apart:

    <separation>
     <pieces count="2">0 2</pieces>
     <state><dx>1 4</dx><dy>0 0</dy><dz>2 2</dz></state>
     <state><dx>1 5</dx><dy>0 0</dy><dz>2 2</dz></state>
     <state><dx>1 5</dx><dy>0 0</dy><dz>2 30002</dz></state>
     <separation type="removed">…</separation>
     <separation type="left">…</separation>
    </separation>

The pieces are given by the numbers, from 0, of their entries in the assembly; entries of unused
copies are counted, too. A state has the
positions of the pieces' hotspots, in the order of the pieces. The first state of the whole assembly
is the assembly itself, and each further state is the result of a move. A piece has left if one of
its coordinates is beyond 10,000; BurrTools adds 30,000. The separations of the two parts begin at
the last state but one. A part that is a single piece, or whose pieces may stay together, has no
element.

Source: A. Röver, BurrTools 0.6: the description of the format in puzzle.cpp; reading, writing and
turning in voxel.cpp, voxel_1.cpp to voxel_4.cpp, problem.cpp and assembly.cpp; the tables of
rotations in rotmatrix.inc; disassembly.cpp, and BurrTools' examples. The rules for cubes and prisms
in `grids` agree with all entries of the tables. Only this source was compared: no file solved by
BurrTools was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, UnboundedWriter, solutions_text


class BurrTools(Format):
    """BurrTools files of puzzles and their solutions; the XML parser is imported when needed."""

    name = "burrtools"
    summary = "packing: BurrTools file, of cubes, prisms, spheres and other cells"
    suffixes = (".xmpuzzle",)
    begins = r"<(?!instance\b)"  # `instance` is XCSP3
    first_line = "<"
    puzzle_type = PackingPuzzle
    holds_solutions = extends = True

    def read_puzzles(self, file: TextFile) -> Sequence[PackingPuzzle]:
        from dovetail.puzzles.formats.burrtools.reader import ProblemReader

        return ProblemReader(file)

    def read_solutions(self, file: TextFile, puzzle: Puzzle) -> Iterator[tuple[int, Solution]]:
        from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of

        if isinstance(puzzle, PackingPuzzle):
            return read_solutions_of(puzzle, file)
        return super().read_solutions(file, puzzle)

    def write_puzzle(self, puzzle: PackingPuzzle) -> str:
        from dovetail.puzzles.formats.burrtools.writer import file_writer

        return solutions_text(file_writer(puzzle), ())

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        from dovetail.puzzles.formats.burrtools.solutions import write_back
        from dovetail.puzzles.formats.burrtools.writer import file_writer

        if not isinstance(puzzle, PackingPuzzle):
            raise PuzzleError(
                f"BurrTools files support packing puzzles only; {puzzle.name} is not one"
            )
        return file_writer(puzzle) if source is None else write_back(source, puzzle)
