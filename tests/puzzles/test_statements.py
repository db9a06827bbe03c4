"""Puzzles stated in Python are those of the files with the same keys."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings

import dovetail
from dovetail import board, cover, packing
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.puzzles.formats.edge_documents import EdgeJson
from dovetail.puzzles.formats.json_documents import EdgeObject
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import PuzzleTable
from oracle.strategies import edge_puzzles, packing_puzzles
from puzzles.formats.test_toml import CORNER, EXAMPLES, read

PACKING: Any = packing
BOARD: Any = board
COVER: Any = cover
SQUARE = "0 1 1 0\n0 0 1 1\n1 1 0 0\n1 0 0 1"


def test_every_key_of_a_file_is_an_argument() -> None:
    assert inspect.signature(packing).parameters.keys() == PuzzleTable.model_fields.keys()
    assert inspect.signature(board).parameters.keys() == EdgeObject.model_fields.keys()


def test_the_examples_of_the_documentation() -> None:
    """On squares and on every other lattice that has an example."""
    examples = [e.replace("\n    ", "\n").strip() for e in EXAMPLES if 'region = """' in e]
    assert len(examples) > 7
    for text in [CORNER, *examples]:
        puzzle = packing(**tomllib.loads(text))
        assert puzzle.digest == read(text).digest
        assert puzzle.name == tomllib.loads(text).get("name", "packing")


@settings(max_examples=30)
@given(packing_puzzles())
def test_any_packing_by_the_keys_of_its_file(puzzle: PackingPuzzle) -> None:
    assert packing(**tomllib.loads(TomlPuzzle().write_puzzle(puzzle))) == puzzle


@settings(max_examples=30)
@given(edge_puzzles())
def test_any_board_by_the_keys_of_its_file(puzzle: dovetail.EdgePuzzle) -> None:
    assert board(**json.loads(EdgeJson().write_puzzle(puzzle))) == puzzle
    rows = "\n".join(" ".join(map(str, tile)) for tile in puzzle.tiles)
    size: Any = {"width": puzzle.width, "height": puzzle.height, "signed": puzzle.signed}
    assert board(rows, **size, hints=puzzle.hints, name=puzzle.name) == puzzle


def test_pieces_and_fixed_pieces_by_name() -> None:
    """A drawing, cells, or the keys of a piece; drawings may be indented."""
    puzzle = packing(
        """
        . . . .
        . . . *
        """,
        {"V": "##\n#.", "I": [(0, 0)], "D": {"like": "dominoes:I2", "count": [0, 2]}},
        fixed={"F": [(0, 0)]},
        piece=[{"name": "M", "shape": "#"}],
        only=["I1"],
        sets=["monominoes"],
    )
    counts = {piece.name: (len(piece.cells), piece.max_count) for piece in puzzle.pieces}
    assert counts == {"I1": (1, 1), "V": (3, 1), "I": (1, 1), "D": (2, 2), "M": (1, 1)}
    assert puzzle.fixed == (dovetail.FixedPiece("F", ((0, 0),)),)
    assert len(puzzle.region) == 7


def test_tiles_may_be_any_edge_matching_text() -> None:
    text = "2 2  # the size\n" + "".join(f"{n} {t}\n" for n, t in enumerate(SQUARE.splitlines()))
    assert board(text) == board(SQUARE)
    assert board("signed " + text.replace("1 1 0 0", "-1 -1 0 0")).signed
    assert board(SQUARE.replace("1 1 0 0", "-1 -1 0 0"), signed=True).tiles[2] == (-1, -1, 0, 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (partial(PACKING, "..\n..."), "region: line 2: 3 cells in a row; expected 2 as in"),
        (partial(PACKING, "..", sets=["soma"]), "sets: the set soma has 3 dimen"),
        (partial(PACKING, "..", {"I": "##"}, piece=3), "piece is 3; expected a list"),
        (partial(BOARD, "2 2\n" + SQUARE, holes=3), "holes is 3; expected a list"),
        (partial(BOARD, SQUARE[:-2]), "tiles:4: 3 numbers; expected four: top right bottom left"),
        (partial(BOARD, SQUARE, width=3), "4 tiles; expected a multiple of 3"),
        (partial(COVER, ["a", 5], []), "primary has 5; expected names, or (name, lower, upper)"),
        (partial(COVER, ["a"], ["a"]), "option 0 is the text 'a'; expected a list"),
        (partial(COVER, [("a", -(2**40), 1)], []), "item a has a bound beyond 2,147,483,647"),
    ],
)
def test_an_error_names_the_argument(wrong: Callable[[], object], message: str) -> None:
    """And the piece and the line of a drawing, with the valid values."""
    with pytest.raises(dovetail.PuzzleError, match=re.escape(message)):
        wrong()
