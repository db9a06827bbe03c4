"""Text in colours: the words stay the same."""

from __future__ import annotations

import re

import pytest
from rich.color import ColorSystem

from dovetail.api import solve
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.puzzles.loading import load
from dovetail.reports.describe.puzzle import describe_puzzle
from dovetail.reports.pictures.colours import DARK, GREY
from dovetail.reports.pictures.text import PLAIN, Paint, painted_solution, painted_writer
from reports.pictures.puzzles import SIGNED, SIGNED_SOLUTION, SMALL, SMALL_SOLUTION, solved

COLOURS = Paint(ColorSystem.TRUECOLOR)


def words(text: str) -> str:
    """Without the codes of colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def backgrounds(text: str) -> list[tuple[str, str]]:
    """What is on which background, in order."""
    found = re.findall(r"\x1b\[38;2;7;8;10;48;2;([0-9;]+)m(.*?)\x1b\[0m", text, re.DOTALL)
    return [(word, background) for background, word in found]


def codes(text: str) -> dict[str, str]:
    """Return the code of the background of each label."""
    found = re.findall(r"\x1b\[[0-9;]*?;((?:48;[25];[0-9;]+)|4\d|10\d)m([^\s\x1b]+)", text)
    return {label: code for code, label in found}


def test_labels() -> None:
    """A label and the space between two that are alike have its colour; others have none."""
    painted = COLOURS.labels("A A B,A .", {"A": 0, "B": GREY})
    first, grey = ";".join(map(str, bytes.fromhex(DARK["piece-0"][1:]))), "109;115;125"
    assert backgrounds(painted) == [
        *(("A", first), (" ", first), ("A", first)),
        ("B", grey),
        ("A", first),
    ]
    assert words(painted) == "A A B,A ."


@pytest.mark.parametrize("name", OWN)
def test_on_other_lattices(name: str) -> None:
    """Each cell on the colour of its piece at its place in text, what is no cell faint."""
    lattice = lattice_named(name)
    home = lattice.fundamental_cells[0]
    one, *_, other = lattice.neighbours(home)
    pieces = (Piece("A", (home, one)), Piece("B", (other,)))
    puzzle = PackingPuzzle(name, lattice, (home, one, other), pieces)
    solution = PackingSolution(tuple((piece.name, piece.cells) for piece in pieces))
    painted = painted_solution(puzzle, solution, COLOURS)
    assert words(painted) == solution_text(puzzle, solution)
    letters = [(word, colour) for word, colour in backgrounds(painted) if word.strip()]
    assert sorted(word for word, _ in letters) == ["A", "A", "B"]
    assert len(set(letters)) == 2
    assert painted.count("\x1b[2m*") == words(painted).count("*")


@pytest.mark.parametrize("name", ["pentominoes-6x10", "queens-6"])
def test_the_words_stay(name: str) -> None:
    """Of solutions and of descriptions."""
    puzzle = load(name)
    solution = next(solve(puzzle))
    painted = painted_solution(puzzle, solution, COLOURS)
    assert words(painted) == solution_text(puzzle, solution)
    assert (painted != words(painted)) == (name != "queens-6")
    assert painted_solution(puzzle, solution, PLAIN) == words(painted)
    assert words(describe_puzzle(puzzle, COLOURS)) == describe_puzzle(puzzle)


@pytest.mark.parametrize(
    "name",
    ["pentominoes-6x10", "hexominoes-parallelogram-15x14", "tetris-cube"],
)
def test_twelve_pieces_differ_in_what_a_terminal_shows(name: str) -> None:
    """In the codes that it gets, of 16 colours too; a piece has the same in all solutions."""
    puzzle, solutions = solved(name, 10)
    for system in ColorSystem:
        seen = dict[str, set[str]]()
        for solution in solutions:
            for label, code in codes(painted_solution(puzzle, solution, Paint(system))).items():
                seen.setdefault(label, set()).add(code)
        assert all(len(its) == 1 for its in seen.values())
        first = [seen[piece.name].pop() for piece in puzzle.pieces]
        assert len(set(first[:12])) == 12 == len(set(first)), system


@pytest.mark.parametrize(
    ("puzzle", "solution", "shown"),
    [
        (SMALL, SMALL_SOLUTION, ["A", "A", "A", "B", "wall"]),
        (SIGNED, SIGNED_SOLUTION, ["0", "/0", "1", "/0"]),
    ],
)
def test_what_has_a_colour(puzzle: Puzzle, solution: Solution, shown: list[str]) -> None:
    """Pieces and fixed ones; of tiles the halves at either side."""
    painted = painted_writer(puzzle, COLOURS).one(1, solution)
    found = backgrounds(painted)
    assert [word.strip() for word, _ in found if word.strip()] == shown
    assert painted.endswith("\n\n")


def test_the_sides_of_an_edge_are_alike() -> None:
    """The right of one tile and the left of the next; the frame is grey."""
    (_, left), (_, right), (_, next_left), (_, end) = backgrounds(
        painted_solution(SIGNED, SIGNED_SOLUTION, COLOURS)
    )
    assert (right == next_left, left == end, left == "109;115;125") == (True, True, True)
