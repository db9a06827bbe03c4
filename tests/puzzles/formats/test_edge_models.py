"""Boolean models of boards with variables for the colours of edges."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, reject, settings

from dovetail.api import count
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.formulations.registry import BOOLEANS, Supported
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.loading import load
from dovetail.puzzles.verification import verify_file
from oracle.brute_force import covers
from oracle.strategies import laid_boards
from puzzles.formats.test_solver_input import (
    MODELS,
    NAMES,
    chosen_options,
    minizinc,
    needs_minizinc,
)
from puzzles.formats.test_solver_output import sat

EDGE_MODELS = ("4-edges", "edge-variables")
# One has twins among its tiles, one is no square.
BOARDS = ["edges-3-b3i2-1", "edges-4-b3i3-1", "edges-5-b4i4-1", "edges-3x4-b3i2-1"]
LARGEST = 18  # variables of a file whose assignments are all tried

each_model = pytest.mark.parametrize("model", EDGE_MODELS)
each_board = pytest.mark.parametrize("board", BOARDS)


def text_of(name: str, puzzle: Puzzle, model: str) -> str:
    """Return a file with a model."""
    chosen = format_named(name)
    return chosen.text(puzzle, formulation=model)


@each_model
@pytest.mark.parametrize("name", MODELS)
@given(puzzle=laid_boards([(1, 1), (2, 1), (1, 3), (2, 2)]))
@settings(max_examples=15, deadline=None)
def test_every_model_is_a_board_and_every_board_one_model(
    name: str, model: str, puzzle: EdgePuzzle
) -> None:
    """By brute force; boards are signed, have hints, or have twins."""
    options = lower(puzzle).options
    if Supported(*BOOLEANS).build(model, options).variable_count > LARGEST:
        reject()
    models = MODELS[name](text_of(name, puzzle, model))
    assert chosen_options(models, options.option_count) == sorted(covers(options.cover))


@each_model
@each_board
def test_a_sat_solver_finds_as_many_models_as_boards(
    tmp_path: Path, board: str, model: str
) -> None:
    """All variables count, and each model is verified as a board."""
    solvers = pytest.importorskip("pysat.solvers", reason="python-sat is not installed")
    puzzle = load(board)
    lines = text_of("dimacs", puzzle, model).splitlines()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines if line[0] not in "cp"]
    with solvers.Solver(name="glucose4", bootstrap_with=clauses) as solver:
        found = [[literal > 0 for literal in one] for one in solver.enum_models()]
    path = tmp_path / "printed.txt"
    path.write_text("".join(map(sat, found)))
    verified = verify_file(puzzle, TextFile(path))
    assert verified.valid
    assert verified.distinct == len(found) == count(puzzle, symmetry="all").count


@needs_minizinc
@each_model
@pytest.mark.parametrize("board", BOARDS[:2])
def test_gecode_lists_each_board_once(tmp_path: Path, board: str, model: str) -> None:
    puzzle, path, printed = load(board), tmp_path / "board.mzn", tmp_path / "printed.txt"
    path.write_text(text_of("minizinc", puzzle, model))
    printed.write_text(minizinc(path))
    verified = verify_file(puzzle, TextFile(printed))
    assert verified.valid
    assert verified.total == verified.distinct == count(puzzle, symmetry="all").count


@pytest.mark.parametrize("name", NAMES)
def test_comments_have_the_meaning_of_variables(name: str) -> None:
    puzzle = load("edges-2-2-1")
    text = text_of(name, puzzle, "edge-variables")
    cover = format_named(name).text(puzzle)
    about = [line for line in cover.splitlines() if "option 3 is" in line]
    assert about == [line for line in text.splitlines() if "option 3 is" in line]
    named = {"dimacs": "variable 14", "opb": "x14"}.get(name, "y[1]")
    if name == "minizinc":
        assert "0|1,0 is z0" in text
    else:
        assert f"edge colour 0|1,0:1 is {named}" in text


@pytest.mark.parametrize("name", NAMES)
def test_puzzles_without_edges_have_no_such_model(name: str) -> None:
    with pytest.raises(
        PuzzleError, match="formulation 4-edges supports edge-matching puzzles only"
    ):
        text_of(name, load("queens-4"), "4-edges")


def test_a_board_with_a_cell_that_no_tile_fits_has_no_model(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text("1 2\n0 1 0 0\n0 2 0 0\n")
    puzzle = load(path)
    assert count(puzzle, symmetry="all").count == 0
    for name, models in MODELS.items():
        for model in EDGE_MODELS:
            assert models(text_of(name, puzzle, model)) == []
