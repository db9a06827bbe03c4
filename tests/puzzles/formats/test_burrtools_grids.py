"""BurrTools' files of every grid, against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import cos, floor, pi, sin
from pathlib import Path

import numpy as np
import pytest

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cell
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.burrtools import grids as burrtools_grids
from dovetail.puzzles.formats.burrtools.grids import grids
from dovetail.puzzles.formats.burrtools.reader import ProblemReader
from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of
from dovetail.puzzles.formats.registry import solution_writer
from dovetail.puzzles.loading import load
from lattices.grown import grown
from oracle.answers import counted
from puzzles.formats.assembly_oracle import AssemblyOracle, file_of, read_burrtools, write_burrtools

FOLDER = Path(__file__).parent / "xmpuzzles"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
# How many assemblies each problem has, and how many up to rotation, as BurrTools tells them apart.
COUNTS = {
    "cubes-coloured": [(12, 6), (32, 16)],
    "cubes-slab": [(336, 168), (140, 74)],
    "prisms-hexagon": [(6, 1), (1, 1)],
    "prisms-triangle": [(9, 9), (16, 16), (4, 4)],
    "rhombic-bipyramid": [(4, 4), (1, 1)],
    "rhombic-cube": [(1, 1), (8, 1)],
    "spheres-octahedron": [(40, 20), (8, 4)],
    "spheres-pyramid": [(24, 2), (0, 0)],
    "tetra-octa-bar": [(15, 15), (46, 46)],
    "tetra-octa-cube": [(4, 1), (1, 1)],
}
# Where colours lie on the same cells in several ways, which count once here.
COLOURLESS_COUNTS = {
    ("cubes-coloured", 0): (12, 6),
    ("cubes-coloured", 1): (16, 8),
    ("prisms-triangle", 0): (4, 4),
    ("prisms-triangle", 1): (2, 2),
    ("prisms-triangle", 2): (4, 4),
    ("spheres-octahedron", 0): (24, 12),
}
each_file = pytest.mark.parametrize("name", TEXTS)
each_grid = pytest.mark.parametrize("kind", grids())


def packings(puzzle: PackingPuzzle) -> list[PackingSolution]:
    """Return all solutions."""
    return [s for s in solve(puzzle, "dlx", symmetry="all") if isinstance(s, PackingSolution)]


def content(solution: PackingSolution) -> list[tuple[str, tuple[Cell, ...]]]:
    """Return a solution without the order of pieces and cells."""
    return sorted((name, tuple(sorted(cells))) for name, cells in solution.placed)


@each_file
def test_counts_are_those_of_brute_force(name: str) -> None:
    """The oracle knows where cells lie, and no lattice."""
    file = file_of(TEXTS[name])
    found = []
    problems = ProblemReader(file)
    for n in range(len(problems)):
        oracle, puzzle = AssemblyOracle(problems.problem(n)), problems[n]
        found.append((len(oracle.assemblies), oracle.up_to_rotation()))
        counts = tuple(counted(puzzle, "dlx", one).count for one in ("all", "unique"))
        assert counts == COLOURLESS_COUNTS.get((name, n), found[-1])
        assert puzzle.assembled is not None
        assert bool(puzzle.assembled.doubts) == ((name, n) in COLOURLESS_COUNTS)
    assert found == COUNTS[name]


@each_file
def test_puzzles_without_listed_placements_are_written_as_new_files(name: str) -> None:
    for puzzle in read_burrtools(file_of(TEXTS[name])):
        solutions = packings(puzzle)[:5]
        if any(piece.placements is not None for piece in puzzle.pieces):
            with pytest.raises(PuzzleError, match="do not support listed placements"):
                write_burrtools(puzzle, solutions)
            continue
        written = write_burrtools(puzzle, solutions)
        file = file_of(written)
        (read,) = read_burrtools(file)
        assert read.digest == puzzle.digest
        again = [solution for _, solution in read_solutions_of(read, file)]
        assert list(map(content, again)) == list(map(content, solutions))
        assert all(solution_error(puzzle, solution) is None for solution in again)
        assert write_burrtools(read, again) == written.replace(puzzle.name, "burr")


@each_file
def test_writing_back_changes_only_the_solutions(name: str) -> None:
    """Names and comments in Latin-1 stay."""
    data = TEXTS[name].encode("latin-1")
    source = TextFile(Path("burr.xmpuzzle"), data)
    puzzle = read_burrtools(source)[-1]
    solutions = packings(puzzle)
    text = solutions_text(solution_writer(".xmpuzzle", puzzle, source), solutions)
    again = file_of(text, source.encoding)
    read = [solution for _, solution in read_solutions_of(puzzle, again)]
    assert list(map(content, read)) == list(map(content, solutions))
    assert all(solution_error(puzzle, solution) is None for solution in read)
    begin, end = text.rindex("   <solutions>"), text.rindex("  </problem>")
    assert text[:begin] + text[end:] == TEXTS[name]
    assert "gemacht für Übungen" in again.text


def test_prisms_turn_by_sixths_about_z_and_over_about_y() -> None:
    """The oracle turns the centres of triangles."""
    height = 3**0.5 / 2

    def placed(position: Cell, number: int) -> Cell:
        x, y, z = position
        across, up = (x + 1) / 2, height * (y + (2 / 3 if (x + y) % 2 else 1 / 3))
        if number >= 6:
            across, z = -across, -z
        angle = pi / 3 * (number % 6)
        right = cos(angle) * across - sin(angle) * up
        above = sin(angle) * across + cos(angle) * up
        return round(2 * right - 1), floor(above / height + 1e-9), z

    for number, position in product(range(12), product(range(-2, 3), repeat=3)):
        turned = grids()["1"].turned((position,), (3, -1, 2), number)
        assert turned == ((placed(position, number),), placed((3, -1, 2), number))


@each_grid
@pytest.mark.parametrize("seed", [1])
def test_rotations_give_every_orientation_of_a_connected_piece(kind: str, seed: int) -> None:
    grid = grids()[kind]
    (piece,) = grown(grid.lattice, seed, pieces=1, size=4)
    found = set()
    for number in range(grid.rotations):
        turned = grid.turned(grid.positions(piece), (seed, 7, -2), number)
        if turned is not None:
            found.add(grid.lattice.normalise(grid.cells(turned[0])))
    assert found == set(grid.lattice.orientations(piece, reflections=False))


SCATTERED = """\
<puzzle version="2"><gridType type="2"/><shapes>
<voxel x="3" y="3" z="4" type="0">#_________________________#___#_____</voxel>
<voxel x="5" y="5" z="5" type="0">RESULT</voxel>
</shapes><problems><problem><shapes><shape id="0"/></shapes><result id="1"/></problem></problems>
</puzzle>
"""


def test_scattered_spheres_lie_only_where_rotations_carry_them() -> None:
    box = [cell for cell in product(range(5), repeat=3) if sum(cell) % 2 == 0]
    states = "".join("_+"[cell in box] for cell in product(range(5), repeat=3))
    (puzzle,) = read_burrtools(file_of(SCATTERED.replace("RESULT", states)))
    (piece,), lattice = puzzle.pieces, puzzle.lattice
    turns = grids()["2"].matrices
    turned = [(turn @ np.transpose(piece.cells)).T for turn in turns]
    homes = [one // 3 - one[0] // 3 for one in turned if not (one % 3).any()]
    places = {frozenset(map(tuple, (home + at).tolist())) for home in homes for at in np.array(box)}
    inside = {place for place in places if place <= set(box)}
    assert len(lattice.orientations(piece.cells, reflections=False)) == 48
    assert len({lattice.normalise(tuple(place)) for place in places}) == 24
    assert set(map(frozenset, piece.placements or ())) == inside
    assert counted(puzzle, "dlx", "all").count == len(inside)
    classes = {
        min(tuple(sorted(map(tuple, (c - 2) @ turn))) for turn in turns[~(turns % 3).any((1, 2))])
        for c in (np.array(sorted(place)) for place in inside)
    }
    assert counted(puzzle, "dlx", "unique").count == len(classes)
    assert piece.placements is not None
    again = write_burrtools(puzzle, packings(puzzle)[:3])
    assert read_burrtools(file_of(again))[0].digest == puzzle.digest
    for placements in (None, piece.placements[1:]):
        other = replace(puzzle, pieces=(replace(piece, placements=placements),))
        with pytest.raises(PuzzleError, match=r"scattered|listed placements"):
            write_burrtools(other)
    empty = SCATTERED.replace("RESULT", "_" * 125)
    with pytest.raises(FormatError, match=":4: the region has no cells"):
        read_burrtools(file_of(empty))


def test_puzzles_and_solutions_of_another_lattice_are_refused() -> None:
    hexagons = PackingPuzzle("h", lattice_named("hexagonal"), ((0, 0),), (Piece("A", ((0, 0),)),))
    with pytest.raises(PuzzleError, match=r"do not support cells of the hexagonal lattice; expec"):
        write_burrtools(hexagons)
    prisms = file_of(TEXTS["prisms-hexagon"])
    cubes = load("soma-cube")
    assert isinstance(cubes, PackingPuzzle)
    with pytest.raises(FormatError, match="of the triangular-prisms lattice; expected cells in 3"):
        list(read_solutions_of(cubes, prisms))
    with pytest.raises(PuzzleError, match="does not contain soma-cube"):
        solution_writer(".xmpuzzle", cubes, prisms)


BAD = [
    ("spheres-pyramid", "#__ _#_ __#", "##_ _#_ __#", "expected x + y + z to be even"),
    ("rhombic-cube", ">___ __# _#_<", ">#__ __# _#_<", "0, 1 and 2 in some order from the nearer"),
    ("tetra-octa-cube", 'name="corner">__#', 'name="corner">#_#', "the middle of a block of 3x3x3"),
    (
        "prisms-hexagon",
        'gridType type="1"',
        'gridType type="7"',
        "'7'; expected one of 0 (square-3",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), BAD, ids=[one[3] for one in BAD])
def test_a_wrong_position_or_grid_is_refused_with_its_line(
    name: str, old: str, new: str, message: str
) -> None:
    assert old in TEXTS[name]
    with pytest.raises(FormatError) as caught:
        read_burrtools(file_of(TEXTS[name].replace(old, new)))
    assert message in str(caught.value)
    line = TEXTS[name][: TEXTS[name].index(old)].count("\n") + 1
    shape = [n for n, text in enumerate(TEXTS[name].split("\n")[:line], 1) if "<voxel" in text]
    assert str(caught.value).startswith(f"burr.xmpuzzle:{shape[-1] if shape else line}:")


def test_too_many_coloured_places_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burrtools_grids, "MAX_STEPS", 100)
    message = r":11: problem 1: too many places of coloured pieces: \d+ steps .*; the limit is 100"
    with pytest.raises(FormatError, match=message):
        read_burrtools(file_of(TEXTS["prisms-triangle"]))
