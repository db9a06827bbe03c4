"""Drawings: boards to draw on, what is known of a drawing, and the puzzle it becomes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.registry import lattice_named
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.statements import packing
from dovetail.ui import drawings
from dovetail.ui.drawings import (
    drawing_facts,
    drawing_of,
    drawing_text,
    piece_alone,
    read_drawing,
)
from dovetail.ui.requests import Fields, RequestError
from dovetail.ui.sheets import EDITABLE, drawing_board, piece_sets
from ui.served import BOARD, SIX

RECTANGLE = [[x, y] for x in range(3) for y in range(2)]
L3 = {"name": "L", "cells": [[0, 0], [0, 1], [1, 0]], "count": 2}


def drawn(**parts: object) -> Fields:
    """A rectangle of 2x3, which two pieces fill, or something else in place of its parts."""
    return {"name": "d", "lattice": "square-2", "region": RECTANGLE, "pieces": [L3]} | parts


@pytest.mark.parametrize("name", EDITABLE)
def test_a_board_to_draw_on(name: str) -> None:
    """Cells are the lattice's; keys go to another cell of the layer and nowhere from its edge."""
    board = drawing_board(name, "4", 3, "2")
    cells = board["cells"]
    layers = 2 if lattice_named(name).dimension == 3 else 1
    assert len(cells) == 12 * layers
    assert all(lattice_named(name).is_cell(tuple(one["cell"])) for one in cells)
    for key, targets in board["neighbours"].items():
        moved = [(here, there) for here, there in enumerate(targets) if there is not None]
        assert 0 < len(moved) < len(cells)
        for here, there in moved:
            assert cells[here]["layer"] == cells[there]["layer"]
            (x, y), (to_x, to_y) = (middle(cells[one]["polygon"]) for one in (here, there))
            ahead = {"up": y - to_y, "down": to_y - y, "left": x - to_x, "right": to_x - x}
            assert ahead[key] > 0


def middle(polygon: list[list[float]]) -> tuple[float, float]:
    """The mean of the corners; y points downward."""
    x, y = (sum(axis) / len(polygon) for axis in zip(*polygon, strict=True))
    return x, y


def test_sets_are_whole_and_say_how_their_pieces_move() -> None:
    """Also large ones; nobody turns a cube over."""
    sets = {one["set"]: one for one in piece_sets(lattice_named("square-2"))}
    assert len(sets["one-sided-heptominoes"]["pieces"]) == 196
    assert sets["one-sided-heptominoes"]["motions"] == "rotations"
    assert sets["heptominoes"]["motions"] == "mirror"
    assert {one["motions"] for one in piece_sets(lattice_named("square-3"))} == {"rotations"}


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        (SIX, (6, 5, 1)),
        ("soma-cube", (3, 3, 3)),
        ("hexiamonds-6x6", (17, 6, 1)),
        ("tetrahexes-4x7", (8, 4, 1)),
    ],
)
def test_a_puzzle_that_is_drawn_is_the_same(name: str, sides: tuple[int, ...]) -> None:
    """From a puzzle to a drawing on a sheet and back, and to the file that the command reads."""
    puzzle = catalogue_puzzle(name)
    found = json.loads(json.dumps(drawing_of(puzzle)))
    drawing = found["drawing"]
    assert tuple(found["sheet"].values()) == sides
    assert cells_on(drawing["lattice"], found["sheet"]) >= set(map(tuple, drawing["region"]))
    assert read_drawing(drawing).puzzle().digest == puzzle.digest
    file = TextFile(Path("d.toml"), drawing_text(drawing).encode())
    (read,) = format_named("toml").read(file).puzzles
    assert read.digest == puzzle.digest


def cells_on(lattice: str, sides: dict[str, int]) -> set[tuple[int, ...]]:
    """The cells of a sheet."""
    board = drawing_board(lattice, sides["width"], sides["height"], sides["layers"])
    return {tuple(one["cell"]) for one in board["cells"]}


@pytest.mark.parametrize("vector", [(7, -3)])
@pytest.mark.parametrize("name", ["square-2", "triangular", "hexagonal"])
def test_pieces_fit_on_sheets_from_wherever_they_lie(name: str, vector: tuple[int, int]) -> None:
    """A translation carries them there, and the sheet has no empty row or column."""
    lattice = lattice_named(name)
    x, y = vector
    piece = [[x + cell[0], y + cell[1], *cell[2:]] for cell in lattice.fundamental_cells]
    piece += [[x + cell[0] - 2, y + cell[1] + 3, *cell[2:]] for cell in lattice.fundamental_cells]
    found = piece_alone(name, {"cells": piece})
    assert set(found["cells"]) <= cells_on(name, found["sheet"])
    moves = [tuple(map(int.__sub__, *pair)) for pair in zip(found["cells"], piece, strict=True)]
    assert len(set(moves)) == 1
    assert found["sheet"]["height"] == 4
    assert found["picture"].startswith("<svg")


@pytest.mark.parametrize("name", EDITABLE)
def test_a_piece_in_standard_position_is_saved_as_a_drawing(name: str) -> None:
    """Wherever it was drawn on the sheet."""
    cells = [one["cell"] for one in drawing_board(name, 4, 4, 3)["cells"]][-3:]
    normal = piece_alone(name, {"cells": json.loads(json.dumps(cells[::-1]))})["normal"]
    piece = {"name": "A", "cells": [list(cell) for cell in normal]}
    text = drawing_text({"lattice": name, "region": list(map(list, cells)), "pieces": [piece]})
    assert text.count('shape = """') == 1
    assert "cells =" not in text


def test_cells_in_space_have_solids() -> None:
    """Of cubes, all of them translates of the first."""
    board = drawing_board("square-3", 3, 2, 2)
    ((corners, faces),) = board["solids"]
    assert (len(corners), len(faces)) == (8, 6)
    first = [0, 0, 1, 0]  # the first corner of a cube is at its back
    moved = [list(map(int.__sub__, place, first)) for place in board["places"]]
    assert moved == [[0, *one["cell"]] for one in board["cells"]]
    assert "solids" not in drawing_board("hexagonal", 3, 2, 1)


def test_what_cannot_be_drawn_is_no_drawing() -> None:
    """Boards, other lattices, regions that no sheet holds."""
    for name in (BOARD, "queens-8", "pentominoes-4d-2x2x3x11", "tetrasticks-6x6"):
        assert drawing_of(catalogue_puzzle(name)) is None
    long = drawn(
        region=[[x, y] for x in range(61) for y in range(2)], pieces=[L3 | {"count": [0, 99]}]
    )
    assert drawing_of(read_drawing(long).puzzle()) is None


def test_a_puzzle_beyond_the_limits_of_drawings_is_not_editable() -> None:
    assert drawing_of(catalogue_puzzle("squares-32x33")) is None  # its pieces have up to 324 cells
    puzzle = packing(box=[2, 2], pieces={"A": {"shape": "##", "count": [0, 1_000_000]}})
    found = drawing_of(puzzle)
    assert found is not None
    assert read_drawing(json.loads(json.dumps(found["drawing"]))).pieces[0].max_count == 10_000


def test_parity_and_volumes_rule_out() -> None:
    """Two corners of one colour are missing: dominoes cannot fill what is left."""
    region = [[x, y] for x in range(4) for y in range(4) if (x, y) not in ((0, 0), (3, 3))]
    domino = {"name": "I", "cells": [[0, 0], [1, 0]], "count": 7}
    (reason,) = drawing_facts(drawn(region=region, pieces=[domino]))["ruled_out"]
    assert reason.startswith("parity: ")


def test_too_much_to_be_examined_at_once_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise silence would look like a proof that nothing is wrong."""
    monkeypatch.setattr(drawings, "MAX_WORK", 1)
    (hint,) = drawing_facts(drawn())["hints"]
    assert hint.startswith("There are too many placements to examine.")


@pytest.mark.parametrize(
    ("parts", "path", "message"),
    [
        ({"lattice": "rhombic"}, "lattice", "valid: square-2"),
        ({"region": [[0, 0]] * 2_001}, "region", "at most 2,000"),
        ({"pieces": [L3, L3]}, "pieces[1].name", "two pieces"),
        ({"pieces": [L3 | {"count": [2, 1]}]}, "pieces[0].count", "from 2"),
    ],
)
def test_mistakes_have_paths(parts: Fields, path: str, message: str) -> None:
    """The page can show each where it is; a drawing that is not read becomes no puzzle."""
    (error,) = drawing_facts(drawn(**parts))["errors"]
    assert (error["path"], message in error["message"]) == (path, True)
    with pytest.raises((RequestError, PuzzleError)):
        read_drawing(drawn(**parts)).puzzle()


@pytest.mark.parametrize("sizes", [("61", 1, 1), (0, 1, 1), ("x", 1, 1), (40, 40, 12), (1, 1, 99)])
def test_boards_are_bounded(sizes: tuple[object, object, object]) -> None:
    """In each direction and in all."""
    with pytest.raises(RequestError, match="expected"):
        drawing_board("square-3", *sizes)
