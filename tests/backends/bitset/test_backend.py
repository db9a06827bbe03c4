"""What `bitset` takes and refuses, and the piece that it would restrict."""

from __future__ import annotations

import pytest

from dovetail.backends.bitset import backend
from dovetail.backends.bitset.backend import Bitset, BitsetConfig
from dovetail.backends.bitset.tables import MAX_BYTES, stack_too_large, too_large
from dovetail.models.cover import cover_problem
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box


def refusal(puzzle: Puzzle, **request: object) -> str | None:
    """Why a puzzle is refused."""
    return Bitset().refuses(build_task(puzzle, Request(**request)), BitsetConfig())  # type: ignore[arg-type]


def symmetry_breaking(
    puzzle: Puzzle, symmetry: str = "unique", *, break_symmetry: bool = True
) -> str | None:
    """The reduction that is asked for."""
    task = build_task(puzzle, Request(Symmetry(symmetry)))
    found = Bitset().symmetry_breaking(task, BitsetConfig(break_symmetry))
    return None if found is None else str(found)


def test_a_table_that_would_not_fit() -> None:
    """A 16x16 board is refused before anything is built, with the number and the bytes."""
    board = random_board(16, 16, 17, 1, 5)
    options = build_task(board, Request()).options.option_count
    size = 8 * options * -(-options // 64)
    assert size > MAX_BYTES
    assert refusal(board) == (
        f"its table of compatible options would take {size:,} bytes for {options:,} "
        f"options; the limit is {MAX_BYTES:,}"
    )


def test_the_largest_table() -> None:
    """The limit is kept exactly."""
    largest = 92_672  # 64 · 1,448, as many words for each
    assert 8 * largest * 1448 <= MAX_BYTES < 8 * (largest + 1) * 1449
    assert too_large(largest) is None
    assert too_large(largest + 1) is not None


def test_a_stack_that_would_not_fit() -> None:
    """Levels and lanes of counted items: a problem may have few options and be too deep."""
    items = [(f"p{i}", 0, 1) for i in range(12_000)]
    problem = cover_problem("deep", items, [["p0"]])
    message = stack_too_large(problem, None)
    assert message is not None
    assert message.startswith("its stack would take 2,30")
    assert refusal(problem) == message
    assert stack_too_large(queens(20), None) is None


@pytest.mark.parametrize("symmetry", ["all", "unique", "mirror"])
def test_pieces_of_packings_are_probed(symmetry: str) -> None:
    """Whatever is counted: symmetry expansion restores it."""
    assert symmetry_breaking(load("pentominoes-6x10"), symmetry) == "probe"
    assert symmetry_breaking(load("soma-cube"), symmetry) == "probe"
    assert symmetry_breaking(load("soma-cube"), symmetry, break_symmetry=False) is None


def test_too_large_to_be_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The filter chooses the piece where a search for each would take much memory."""
    monkeypatch.setattr(backend, "MAX_PROBED", 2056)
    assert symmetry_breaking(load("pentominoes-6x10")) == "probe"
    monkeypatch.setattr(backend, "MAX_PROBED", 2055)
    assert symmetry_breaking(load("pentominoes-6x10")) == "redundancy"
    task = build_task(load("pentominoes-6x10"), Request())
    assert Bitset().tree_estimator(task, BitsetConfig(), 0, 1) is None


def test_a_tile_of_a_board() -> None:
    """A square board and an oblong one have turns; tiles that are all alike are not restricted."""
    assert symmetry_breaking(random_board(4, 4, 3, seed=1)) == "redundancy"
    assert symmetry_breaking(random_board(3, 2, 3, seed=1)) == "redundancy"
    assert symmetry_breaking(random_board(2, 2, 1, seed=1)) is None


def test_nothing_to_break() -> None:
    """No symmetry, no piece that is used once, or no pieces."""
    plane = SquareLattice(2)
    stairs = ((0, 0), (1, 0), (2, 0), (0, 1))
    fixed = Piece("A", stairs, motions=Motions.FIXED)
    assert symmetry_breaking(PackingPuzzle("lone", plane, stairs, (fixed,))) is None
    domino = Piece("A", ((0, 0), (1, 0)), min_count=2, max_count=2)
    assert symmetry_breaking(PackingPuzzle("square", plane, box(2, 2), (domino,))) is None
    assert symmetry_breaking(queens(6)) is None
