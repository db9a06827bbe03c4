"""Separations in xmpuzzle files: read as they were written, and refused if they are changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from disassembly.twin import random_assembly
from dovetail.disassembly.assemblies import PlacedCells, PuzzleAssemblies
from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Outcome, PlanTable, Separation
from dovetail.disassembly.search import BatchResults, TakingApart
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.disassembling import (
    TakenApart,
    separations_writer,
    stored_separations,
)
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.burrtools.writer import file_writer
from dovetail.puzzles.formats.registry import read_puzzles


def puzzle_of(assembly: Assembly) -> PackingPuzzle:
    """Return the puzzle whose pieces are those of an assembly, with one more, of two copies."""
    pieces = [
        Piece(name, assembly.lattice.normalise(cells), weight=weight, groups=groups)
        for name, cells, weight, groups in zip(
            assembly.names, assembly.cells, assembly.weights, assembly.groups, strict=True
        )
    ]
    unused = Piece("unused", pieces[0].cells, 0, 2)
    region = tuple(sorted(cell for cells in assembly.cells for cell in cells))
    return PackingPuzzle(
        "random", assembly.lattice, region, (unused, *pieces), interchangeable=False
    )


def taken_apart(puzzle: PackingPuzzle, assembly: Assembly, plan: Separation | None) -> TakenApart:
    """Return an assembly with its plan."""
    placed = tuple(zip(assembly.names, assembly.cells, strict=True))
    reader = PuzzleAssemblies(puzzle, PlacedCells(puzzle.lattice))
    batch = reader.of_solutions([PackingSolution(placed, puzzle.lattice)])
    plans = PlanTable.of([plan], directions_of(puzzle.lattice).vectors)
    return TakenApart(1, BatchResults(batch, plans, [Outcome.APART], [0], {}), 0)


def written(puzzle: PackingPuzzle, taken: TakenApart) -> str:
    """Return a BurrTools file of a puzzle and one assembly."""
    return solutions_text(separations_writer(puzzle, None, [taken]), [taken.solution])


def read(path: Path, puzzle: PackingPuzzle) -> TakenApart:
    """Return the assembly that is stored in a file."""
    (found,) = stored_separations(puzzle, TextFile(path))
    return found


@pytest.mark.parametrize("name", ["square-3", "triangular-prisms", "rhombic"])
def test_separations_are_read_as_they_were_written(name: str, tmp_path: Path) -> None:
    lattice, path = lattice_named(name), tmp_path / "random.xmpuzzle"
    searches, tested = TakingApart(lattice), 0
    for seed in range(16):
        assembly = random_assembly(lattice, 3 + seed % 4, 12 + seed, seed)
        (found,) = searches.all([assembly])
        if found.plan is None:
            continue
        puzzle = puzzle_of(assembly)
        taken = taken_apart(puzzle, assembly, found.plan)
        try:
            path.write_text(written(puzzle, taken))
        except PuzzleError:  # scattered spheres
            assert name == "spheres"
            continue
        again = read(path, puzzle)
        assert (again.disassembly.plan, again.assembly) == (found.plan, taken.assembly)
        tested += 1
    assert tested >= 3


@pytest.fixture
def taken() -> tuple[PackingPuzzle, TakenApart]:
    """Return three cubes side by side, a group and a weight, and how they come apart."""
    cubes = tuple(((x, 0, 0),) for x in range(3))
    groups = (((1, 1),), ((1, 1), (2, 1)), ())
    assembly = Assembly(lattice_named("square-3"), ("a", "b", "c"), cubes, (1, 1, 7), groups)
    (found,) = TakingApart(assembly.lattice).all([assembly])
    puzzle = puzzle_of(assembly)
    return puzzle, taken_apart(puzzle, assembly, found.plan)


def test_weights_and_groups_are_written(
    taken: tuple[PackingPuzzle, TakenApart], tmp_path: Path
) -> None:
    path = tmp_path / "three.xmpuzzle"
    path.write_text(written(*taken))
    puzzle = read_puzzles(TextFile(path))[0]
    assert isinstance(puzzle, PackingPuzzle)
    known = [(piece.weight, piece.groups) for piece in taken[0].pieces]
    assert [(piece.weight, piece.groups) for piece in puzzle.pieces] == known


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('<pieces count="3">2 3 4<', '<pieces count="3">2 2 4<', "each once"),
        ("<dx>0 1 2</dx>", "<dx>0 1 3</dx>", "does not begin where its pieces are"),
        ("-30000 -29999", "-20000 -19999", None),
    ],
)
def test_changed_separations_are_refused(
    taken: tuple[PackingPuzzle, TakenApart],
    tmp_path: Path,
    before: str,
    after: str,
    message: str | None,
) -> None:
    path, text = tmp_path / "three.xmpuzzle", written(*taken)
    assert before in text, text
    path.write_text(text.replace(before, after, 1))
    if message is None:
        assert read(path, taken[0]).outcome == Outcome.APART
    else:
        with pytest.raises(FormatError, match=message):
            read(path, taken[0])


def test_separations_of_no_pieces_and_deep_separations_are_refused(
    taken: tuple[PackingPuzzle, TakenApart], tmp_path: Path
) -> None:
    """A part is smaller than the part before: a file cannot nest them without end."""
    path, text = tmp_path / "three.xmpuzzle", written(*taken)
    begin, end = text.index("<separation>"), text.index("</solution>")
    separation = text[begin:end].rstrip()
    for _ in range(3):
        inner = separation.replace("<separation>", '<separation type="left">', 1)
        separation = separation.replace("</separation>", f"{inner}</separation>", 1)
    path.write_text(text[:begin] + separation + text[end:])
    with pytest.raises(FormatError, match="number of pieces is 3; expected at most 1"):
        read(path, taken[0])
    one = Piece("a", ((0, 0, 0),), 0, 1)
    puzzle = PackingPuzzle("one", lattice_named("square-3"), one.cells, (one,), optional=one.cells)
    text = solutions_text(file_writer(puzzle), [PackingSolution((), puzzle.lattice)])
    path.write_text(text.replace("</solution>", "<separation><pieces/></separation></solution>"))
    with pytest.raises(FormatError, match="expected the numbers of pieces"):
        read(path, puzzle)
