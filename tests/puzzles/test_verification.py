"""Solutions from any source, figures of publications included, checked against the puzzle."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dovetail
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, PackingSolution
from dovetail.models.text_drawing import OPEN, OUTSIDE
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.layered_text import read_picture
from dovetail.puzzles.formats.registry import read_solutions
from dovetail.puzzles.loading import load
from dovetail.puzzles.piece_sets import piece_set
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.verification import (
    named_by_shape,
    verify_file,
    verify_solutions,
)

ROW = dovetail.PackingPuzzle(
    name="a row",
    lattice=dovetail.SquareLattice(2),
    region=((0, 0), (1, 0), (2, 0)),
    pieces=(dovetail.Piece("I", ((0, 0),)), dovetail.Piece("L", ((0, 0), (1, 0)))),
)
GOOD = PackingSolution((("I", ((0, 0),)), ("L", ((1, 0), (2, 0)))))
OTHER_NAMES = PackingSolution((("a", ((0, 0),)), ("b", ((1, 0), (2, 0)))))
BAD = PackingSolution((("I", ((1, 0),)), ("L", ((1, 0), (2, 0)))))


def test_wrong_solutions_are_numbered_with_their_reasons() -> None:
    found = verify_solutions(ROW, [GOOD, BAD, GOOD])
    assert (found.total, found.distinct, found.valid) == (3, 2, False)
    (wrong,) = found.wrong
    assert (wrong.number, wrong.line) == (2, None)
    assert wrong.reason == "cell (0, 0) is empty"


def test_the_order_within_a_solution_makes_no_other_solution() -> None:
    reversed_ = tuple((name, cells[::-1]) for name, cells in reversed(GOOD.placed))
    found = verify_solutions(ROW, [GOOD, PackingSolution(reversed_)])
    assert (found.total, found.distinct, found.valid) == (2, 1, True)
    queens = next(dovetail.solve("queens-6"))
    assert isinstance(queens, CoverSolution)
    found = dovetail.verify("queens-6", [queens, CoverSolution(queens.options[::-1])])
    assert (found.total, found.distinct, found.valid) == (2, 1, True)


def test_solutions_with_other_names_are_valid_by_shape() -> None:
    (wrong,) = verify_solutions(ROW, [OTHER_NAMES]).wrong
    assert "by-shape" in wrong.reason
    assert dovetail.verify(ROW, OTHER_NAMES, by_shape=True).valid
    assert not dovetail.verify(ROW, BAD, by_shape=True).valid
    with pytest.raises(dovetail.ConfigError, match="queens-6 has no pieces"):
        dovetail.verify("queens-6", [], by_shape=True)


def test_solutions_with_other_names_are_not_distinct_by_shape() -> None:
    found = verify_solutions(ROW, [GOOD, OTHER_NAMES], by_shape=True)
    assert (found.total, found.distinct, found.valid) == (2, 1, True)
    monomers = dovetail.PackingPuzzle(
        name="two equal pieces",
        lattice=dovetail.SquareLattice(2),
        region=((0, 0), (1, 0)),
        pieces=tuple(dovetail.Piece(name, ((0, 0),)) for name in "AB"),
    )
    swapped = list(dovetail.solve(monomers, symmetry="all", labelled=True))
    assert verify_solutions(monomers, swapped).distinct == 2
    assert verify_solutions(monomers, swapped, by_shape=True).distinct == 1


PLANE = SquareLattice(2)
WIDTH = 5
# Upright dominoes side by side: every one of them can lie in every column.
COLUMNS: tuple[Cells, ...] = tuple(((x, 0), (x, 1)) for x in range(WIDTH))


def laid(columns: tuple[Cells, ...] = COLUMNS) -> PackingSolution:
    """Return dominoes under names of their own."""
    return PackingSolution(tuple((f"?{n}", cells) for n, cells in enumerate(columns)))


def dominoes(*pieces: Piece) -> PackingPuzzle:
    """Return a row of columns to be filled by `pieces`."""
    return PackingPuzzle("columns", PLANE, box(WIDTH, 2), pieces)


def names(solution: PackingSolution) -> list[str]:
    """Return the names in the order of the columns."""
    return [name for name, _ in solution.placed]


@given(st.lists(st.sets(st.integers(0, WIDTH - 1), min_size=1), min_size=WIDTH, max_size=WIDTH))
def test_pieces_with_listed_places_are_matched_if_possible(chosen: list[set[int]]) -> None:
    puzzle = dominoes(
        *(
            Piece(str(n), COLUMNS[0], placements=tuple(COLUMNS[x] for x in columns))
            for n, columns in enumerate(chosen)
        )
    )
    ways = any(
        all(x in chosen[n] for x, n in enumerate(order)) for order in permutations(range(WIDTH))
    )
    try:
        solution = named_by_shape(puzzle, laid())
    except PuzzleError:
        assert not ways
    else:
        assert ways
        assert solution_error(puzzle, solution) is None


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        (laid((COLUMNS[1],)), "may not be placed there"),
        (PackingSolution((("Q" * 999, ((0, 0),)),)), "does not match the shape of any piece"),
    ],
)
def test_a_piece_that_fits_no_shape_is_named(solution: PackingSolution, message: str) -> None:
    puzzle = PackingPuzzle(
        "one of them",
        PLANE,
        box(WIDTH, 2),
        (Piece("A", COLUMNS[0], placements=COLUMNS[:1]),),
        optional=box(WIDTH, 2),
    )
    with pytest.raises(PuzzleError, match=message) as caught:
        named_by_shape(puzzle, solution)
    assert len(str(caught.value)) < 200


FOLDER = Path(__file__).resolve().parents[3] / "shared" / "papers" / "figures"
needs_figures = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the figures are not at {FOLDER}")

# 11 pieces are drawn with a symbol for black and one for white cells.
TWO_SYMBOLS = dict(zip("shckouyw&$%", "SHCKOUYW745", strict=True))

SOLUTIONS = {
    "heptominoes-33x23-three-holes-solution": "heptominoes-33x23",
    "hexominoes-box-in-a-diamond-solution": "hexominoes-box-in-a-diamond",
    "hexominoes-rifle-solution": "hexominoes-rifle",
    "one-sided-pentominoes-30x3-solution": "one-sided-pentominoes-3x30",
    "tetris-cube-solution-1": "tetris-cube",
}


def packing(name: str) -> PackingPuzzle:
    """Return a packing puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


def figure(name: str) -> TextFile:
    """Return a figure."""
    return TextFile(FOLDER / f"{name}.txt")


def labels_of(file: TextFile) -> dict[Cell, str]:
    """Return the labels of the cells in a picture, without the cells outside the region."""
    picture = read_picture([line for line in file.lines if line.strip()])
    return {cell: label for cell, label in picture.labels.items() if label != OUTSIDE}


@needs_figures
@pytest.mark.parametrize("name", SOLUTIONS)
def test_figures_of_solutions_are_valid(name: str) -> None:
    puzzle = packing(SOLUTIONS[name])
    fold = TWO_SYMBOLS if "box-in-a-diamond" in name else {}
    ((_, solution),) = read_solutions(figure(name), puzzle, fold)
    assert isinstance(solution, PackingSolution)
    assert solution_error(puzzle, named_by_shape(puzzle, solution)) is None
    # The names of the heptominoes are their publication's alone.
    assert (solution_error(puzzle, solution) is None) == (puzzle.name != "heptominoes-33x23")


@needs_figures
def test_the_hexominoes_are_those_of_the_figure() -> None:
    drawn: dict[str, set[tuple[int, ...]]] = {}
    labels = labels_of(figure("hexominoes-35-pieces"))
    for cell, name in labels.items():
        assert name != OPEN
        drawn.setdefault(name, set()).add(cell[:2])
    assert drawn == {name: set(cells) for name, cells in piece_set("hexominoes").items()}


def test_wrong_solutions_of_a_file_have_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "found.txt"
    path.write_text("I L L\n\nL I L\n")
    (wrong,) = verify_file(ROW, TextFile(path)).wrong
    assert (wrong.number, wrong.line) == (2, 3)
