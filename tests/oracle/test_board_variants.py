"""Boards without a frame, with holes, of tiles that are fixed, flippable or in copies."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dovetail
from dovetail.backends.registry import backend_named, not_installed
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import VARIANTS, EdgePuzzle, Hint
from dovetail.models.boards.partial_board import PartialBoard, max_score, verified_score
from dovetail.models.outcome import Status
from dovetail.models.solution import EdgeSolution
from dovetail.models.task import as_cover, lower
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.registry import board_format, format_named, read_solutions
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.puzzles.statements import board
from dovetail.reports.pictures.board import board_drawing
from dovetail.reports.pictures.text import PLAIN, painted_solution
from oracle.answers import counted, listed
from oracle.brute_force import boards, labelled_boards, unique_boards
from oracle.strategies import board_variants, with_hints

FAST = ("dlx", "bitset", "zdd", "rows", "domains", "colorpair")
SLOW = ("cpsat", "sat", "clingo", "choco", "constraint", "xcover")


def takes(backend: str, puzzle: EdgePuzzle) -> bool:
    """Whether a solver supports the variants of a board."""
    match backend:
        case "colorpair":
            return not puzzle.variants
        case "rows":  # no tile in copies that has to be used
            return not puzzle.counts or not any(least for least, _ in puzzle.copies)
        case "choco" | "constraint":
            return not puzzle.counts
        case "xcover":  # no tiles in copies, and none that look alike
            return not puzzle.counts and len({*map(puzzle.look, puzzle.tiles)}) == len(puzzle.tiles)
        case _:
            return True


def check(puzzle: EdgePuzzle, backends: tuple[str, ...]) -> None:
    """Compare the counts of all backends that take a board; the others refuse it."""
    every, unique = len(boards(puzzle)), None if puzzle.hints else unique_boards(puzzle)
    for backend in filter(installed, backends):
        result = counted(puzzle, backend)
        assert (result.status != Status.SKIPPED) == takes(backend, puzzle), (backend, result.reason)
        if result.status != Status.SKIPPED:
            assert result.count == every, backend
            for symmetry in ("unique", "mirror") if unique is not None else ():
                assert counted(puzzle, backend, symmetry).count == unique, backend


def installed(backend: str) -> bool:
    return not_installed(backend_named(backend)) is None


@given(st.data(), board_variants())
@settings(max_examples=12)
def test_every_variant_is_counted_by_all_fast_solvers(
    data: st.DataObject, puzzle: EdgePuzzle
) -> None:
    check(puzzle, FAST)
    solution = data.draw(st.sampled_from(sorted(labelled_boards(puzzle))))
    places = data.draw(st.sets(st.integers(0, len(solution) - 1), min_size=1, max_size=2))
    check(with_hints(puzzle, solution, places), FAST)


@given(board_variants())
@settings(max_examples=8)
def test_variants_round_trip(puzzle: EdgePuzzle) -> None:
    """As text, JSON and TOML, and their solutions as text; pictures and scores take them."""
    for name in ("edges", "json", "edges-toml"):
        text = format_named(name).text(puzzle)
        again = format_named(name).read(TextFile(Path("variant.txt"), text.encode())).puzzles[0]
        assert again.digest == puzzle.digest, text
    _, found = listed(puzzle)
    for options in list(found)[:3]:
        solution = lower(puzzle).solution(options)
        assert isinstance(solution, EdgeSolution)
        assert solution_error(puzzle, solution) is None
        laid = PartialBoard(solution.cells)
        assert verified_score(puzzle, laid) == max_score(puzzle)
        assert board_drawing(puzzle, solution, "a board").shapes
        assert painted_solution(puzzle, solution, PLAIN) == solution_text(puzzle, solution)
        file = TextFile(Path("solution.txt"), solution_text(puzzle, solution).encode())
        ((_, read),) = read_solutions(file, puzzle)
        assert read == solution


def test_a_signed_board_with_a_negative_frame_round_trips() -> None:
    puzzle = board("signed frame=-1 2 1\n-1 1 -1 -1\n-1 -1 -1 -1")
    assert counted(puzzle).count == len(boards(puzzle)) == 2
    for name in ("edges", "json", "edges-toml"):
        file = TextFile(Path("variant.txt"), format_named(name).text(puzzle).encode())
        assert format_named(name).read(file).puzzles[0].digest == puzzle.digest


FOUR_TILES = "2 2\n1 2 3 4\n2 3 4 2\n3 1 1 4\n4 4 2 1"  # cases/unbounded-2x2.txt
KINDS = {
    # Counts of cases/unbounded-2x2-turning.xcc and cases/unbounded-2x2-fixed.xcc.
    f"unbounded {FOUR_TILES}": (12, 3),
    f"unbounded fixed {FOUR_TILES}": (2, 2),
    f"unbounded flippable {FOUR_TILES}": (288, 36),
    # Two horizontal colours and a vertical one that alternates: K. Culik's Wang tiles in small.
    "unbounded fixed counts=0-99 3 2\n1 1 2 1\n2 2 1 2": (2, 2),
    # Each column alternates as one of two; unplaceable tiles may be left out.
    "counts=0-9,0-9,0-9,0-9,0-4,0-1 2 2\n0 1 1 0\n0 0 1 1\n1 0 0 1\n1 1 0 0\n5 5 5 5\n0 2 2 0": (
        1,
        1,
    ),
    # Tab 1 matches the blanks 2 and 3, and 9 matches all.
    "unbounded matches=1-2,1-3,1-9,2-9,3-9,9-9 2 2\n1 9 2 3\n1 1 2 3\n9 3 3 1\n2 1 2 1": (416, 104),
    # Three cells around a hole, whose sides lie on the frame.
    "holes=1.1 2 2\n0 1 0 0\n0 0 1 1\n1 0 0 0": (1, 1),
    "frame=1 2 2\n1 1 1 1\n1 1 1 2\n1 2 1 1\n2 1 1 1": (0, 0),
    # Drive Ya Nuts has one solution: https://www.jaapsch.net/puzzles/circus.htm.
    "unbounded lattice=hexagonal region=hexagon-2\n1 2 3 4 5 6\n1 4 3 6 5 2\n1 4 6 2 3 5\n"
    "1 6 2 4 5 3\n1 6 4 2 5 3\n1 6 5 3 2 4\n1 6 5 4 3 2": (6, 1),
    "unbounded lattice=triangular region=triangle-2\n1 1 2\n1 2 2\n1 1 1\n2 2 2": (12, 4),
    "unbounded flippable lattice=triangular region=hexagon-1" + "\n1 2 3" * 6: (66, 13),
    "frame=1 lattice=triangular region=triangle-3\n1 1 1\n1 1 1\n1 1 2\n1 1 2\n1 1 2\n"
    "1 2 2\n1 2 2\n1 2 2\n2 2 2": (18, 6),
}


def test_every_variant_has_a_board() -> None:
    assert {key for text in KINDS for key in board(text).variants} == {*VARIANTS}


@pytest.mark.parametrize("text", KINDS, ids=lambda text: text.splitlines()[0])
def test_a_small_board_of_each_kind(text: str) -> None:
    """Every solver that takes it counts as brute force does."""
    puzzle = board(text)
    assert (len(boards(puzzle)), unique_boards(puzzle)) == KINDS[text]
    check(puzzle, FAST + SLOW)


@pytest.mark.parametrize("text", KINDS, ids=lambda text: text.splitlines()[0])
def test_a_cover_problem_of_each_kind_has_the_symmetries(text: str) -> None:
    cover = as_cover(board(text))
    assert (counted(cover).count, counted(cover, symmetry="unique").count) == KINDS[text]


def test_a_hint_for_a_tile_that_looks_like_tiles_in_more_copies() -> None:
    """The hinted copies have to be used, and are in the solution."""
    hints = Hint(0, 0, 2, 0), Hint(1, 0, 2, 0)
    same = ((1, 1, 1, 1),) * 3

    def pair(*counts: tuple[int, int]) -> EdgePuzzle:
        return EdgePuzzle("pair", 2, 1, same, hints, unbounded=True, counts=counts)

    (solution,) = dovetail.solve(pair((0, 2)))
    assert isinstance(solution, EdgeSolution)
    assert solution.cells == (((2, 0), (2, 0)),)
    with pytest.raises(PuzzleError, match="tile 2 has 2 hints; expected at most 1"):
        pair((0, 1))
    with pytest.raises(PuzzleError, match="the counts allow 3 to 5 tiles"):
        pair((1, 1), (0, 2), (0, 2))


def test_a_match_of_a_colour_that_no_tile_shows() -> None:
    puzzle = board("2 2 2 2", width=1, height=1, unbounded=True, matches=[(0, 1)])
    check(puzzle, FAST)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"counts": ((0, 2**63),)}, "largest from 1 to 999,999,999"),
        ({"width": 20_000, "height": 20_000, "counts": ((0, 9),)}, "at most 2,000,000 cells"),
        ({"tiles": (), "counts": ((0, 9),)}, "the board has no tiles"),
        ({"counts": ((0, 9),), "matches": ((1, -1),)}, "colours -1 to 1; valid: 0 to 1,000"),
        (
            {"counts": ((0, 9),), "unbounded": False, "signed": True, "frame": -(2**31)},
            "colours -2147483648 to -2147483648; valid: -1,000,000,000 to 1,000,000,000",
        ),
    ],
)
def test_sizes_are_bounded(values: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"width": 2, "height": 2, "tiles": ((1, 1, 1, 1),), "unbounded": True}
    with pytest.raises(PuzzleError, match=message):
        EdgePuzzle("Wang", **{**given, **values})


@pytest.mark.slow
def test_macmahons_squares() -> None:
    """24 squares with one colour on the frame: 8 x 13,328 boards (cases/macmahon-24.txt)."""
    looks = {min(t[n:] + t[:n] for n in range(4)) for t in product(range(3), repeat=4)}
    puzzle = board(sorted(looks), width=6, height=4, frame=0)
    assert counted(puzzle).count == 106_624


def test_rows_refuses_an_order_with_too_many_known_neighbours() -> None:
    """Six that are not filled just before; in order of rows there are three."""
    puzzle = board(
        "unbounded counts=0-99 lattice=hexagonal region=hexagon-3\n1 1 1 1 1 1\n2 2 2 2 2 2"
    )
    assert counted(puzzle, "rows").count == counted(puzzle).count == 2
    box = [(x, y) for y in range(5) for x in range(5) if (x, y) != (2, 2)]
    order = [f"{x}.{y}" for x, y in [*box, (2, 2)]]
    refused = counted(puzzle, "rows", config={"order": order})
    assert refused.status == Status.SKIPPED
    reason = "order fills a cell after 6 neighbours, not counting the previous cell; the limit is 5"
    assert reason in str(refused.reason)


@pytest.mark.slow
def test_macmahons_triangles() -> None:
    """24 triangles of four colours, one of them on the frame; dlx counts the same in 650 s."""
    looks = {min(t[n:] + t[:n] for n in range(3)) for t in product(range(4), repeat=3)}
    puzzle = board(sorted(looks), lattice="triangular", region="hexagon-2", frame=0)
    assert counted(puzzle, "bitset").count == 11_853_792


@pytest.mark.parametrize("lattice", ["hexagonal", "triangular"])
def test_boards_of_quarter_turns_are_of_squares(lattice: str) -> None:
    tile = (1,) * (6 if lattice == "hexagonal" else 3)
    puzzle = EdgePuzzle("x", 1, 1, (tile,), unbounded=True, lattice=lattice)
    with pytest.raises(PuzzleError, match=VARIANTS["lattice"]):
        board_format(Path("board.json")).write_boards(puzzle, [PartialBoard((((0, 2),),))])
    file = TextFile(Path("board.json"), b'{"board": [2]}')
    with pytest.raises(PuzzleError, match=VARIANTS["lattice"]):
        list(read_solutions(file, puzzle))


@pytest.mark.parametrize("name", list(VARIANTS))
def test_other_formats_refuse(name: str) -> None:
    values: dict[str, Any] = {
        "frame": 1,
        "matches": ((1, 2),),
        "counts": ((0, 1),),
        "holes": ((0, 1),),
        "lattice": "hexagonal",
    }
    tile = (1,) * (6 if name == "lattice" else 4)
    puzzle = EdgePuzzle("x", 1, 1 + (name == "holes"), (tile,), **{name: values.get(name, True)})
    for other in ("csv", "eternity2", "eternity2-viewer", "viewer"):
        with pytest.raises(PuzzleError, match=VARIANTS[name]):
            format_named(other).text(puzzle)
