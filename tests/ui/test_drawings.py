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
from dovetail.ui.drawings import drawing_facts, drawing_of, drawing_text, read_drawing
from dovetail.ui.lattices import EDITABLE, drawing_board, piece_sets
from dovetail.ui.requests import Fields, RequestError
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
    layers = 2 if name == "square-3" else 1
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


@pytest.mark.parametrize("sizes", [("41", 1, 1), (0, 1, 1), ("x", 1, 1), (40, 40, 12), (1, 1, 99)])
def test_boards_are_bounded(sizes: tuple[object, object, object]) -> None:
    """In each direction and in all."""
    with pytest.raises(RequestError, match="expected"):
        drawing_board("square-3", *sizes)


def test_sets_of_pieces_with_pictures() -> None:
    """Those of the lattice and no others."""
    found = {one["set"]: one["pieces"] for one in piece_sets(lattice_named("hexagonal"))}
    assert len(found["tetrahexes"]) == 7
    assert "pentominoes" not in found
    assert all(piece["picture"].startswith("<svg") for piece in found["tetrahexes"])


@pytest.mark.parametrize("name", [SIX, "soma-cube", "hexiamonds-6x6", "tetrahexes-4x7"])
def test_a_puzzle_that_is_drawn_is_the_same(name: str) -> None:
    """From a puzzle to a drawing and back, and to the file that the command reads."""
    puzzle = catalogue_puzzle(name)
    drawing = json.loads(json.dumps(drawing_of(puzzle)))
    assert read_drawing(drawing).puzzle().digest == puzzle.digest
    file = TextFile(Path("d.toml"), drawing_text(drawing).encode())
    (read,) = format_named("toml").read(file)
    assert read.digest == puzzle.digest
    facts = drawing_facts(drawing)
    assert (facts["errors"], facts["ruled_out"], facts["volume"][0]) == ([], [], facts["cells"])


def test_what_cannot_be_drawn_is_no_drawing() -> None:
    """Boards, other lattices, and puzzles with more than a drawing can say."""
    for name in (BOARD, "queens-8", "pentominoes-4d-2x2x3x11", "tetrasticks-6x6"):
        assert drawing_of(catalogue_puzzle(name)) is None


def test_facts_grow_with_the_drawing() -> None:
    """Of nothing, of a region, of one whose pieces do not fill it, of a puzzle."""
    assert drawing_facts({"lattice": "square-2"})["cells"] == 0
    region = drawing_facts(drawn(pieces=[], region=[*RECTANGLE, [9, 9]]))
    assert (region["cells"], region["parts"], region["ruled_out"]) == (7, [6, 1], [])
    assert region["parity"] == ["parity of the region −1"]
    short = drawing_facts(drawn(pieces=[L3 | {"count": 1}]))
    assert (short["volume"], len(short["ruled_out"]), short["errors"]) == ([3, 3], 1, [])
    whole = drawing_facts(drawn(pieces=[L3 | {"count": [0, 3]}]))
    assert (whole["volume"], whole["ruled_out"]) == ([0, 9], [])
    assert whole["picture"].startswith("<svg")


def test_parity_and_volumes_rule_out() -> None:
    """Two corners of one colour are missing: dominoes cannot fill what is left."""
    region = [[x, y] for x in range(4) for y in range(4) if (x, y) not in ((0, 0), (3, 3))]
    domino = {"name": "I", "cells": [[0, 0], [1, 0]], "count": 7}
    (reason,) = drawing_facts(drawn(region=region, pieces=[domino]))["ruled_out"]
    assert reason.startswith("parity: ")


@pytest.mark.parametrize(
    ("parts", "path", "message"),
    [
        ({"lattice": "cube"}, "lattice", "valid: square-2"),
        ({"lattice": "rhombic"}, "lattice", "valid: square-2"),
        ({"region": [[0, 0], [0]]}, "region[1]", "[x, y]"),
        ({"region": [[0, 0.5]]}, "region[0]", "[x, y]"),
        ({"region": [[0, True]]}, "region[0]", "[x, y]"),
        ({"region": [[0, 1e9]]}, "region[0]", "[x, y]"),
        ({"region": "all"}, "region", "a list"),
        ({"region": [[0, 0]] * 2_001}, "region", "at most 2,000"),
        ({"pieces": [{"name": "L"}]}, "pieces[0].cells", "at least one"),
        ({"pieces": [L3, L3]}, "pieces[1].name", "two pieces"),
        ({"pieces": [L3 | {"name": "\x1b["}]}, "pieces[0].name", "printable"),
        ({"pieces": [L3 | {"count": [2, 1]}]}, "pieces[0].count", "from 2"),
        ({"pieces": [L3 | {"count": 0}]}, "pieces[0].count", "from 1"),
        ({"pieces": [L3 | {"motions": "free"}]}, "pieces[0].motions", "valid: mirror"),
        ({"pieces": [L3 | {"colour": "red"}]}, "pieces[0].colour", "unknown key"),
        ({"fixed": [{"name": "F", "cells": [[5, 5]]}]}, "fixed", "outside the region"),
        ({"optional": [[5, 5]]}, "optional", "not an open cell"),
    ],
)
def test_mistakes_have_paths(parts: Fields, path: str, message: str) -> None:
    """The page can show each where it is; a drawing that is not read becomes no puzzle."""
    (error,) = drawing_facts(drawn(**parts))["errors"]
    assert (error["path"], message in error["message"]) == (path, True)
    with pytest.raises((RequestError, PuzzleError)):
        read_drawing(drawn(**parts)).puzzle()


def test_a_piece_in_space_is_not_mirrored() -> None:
    """Nobody can turn it over."""
    cells = [[0, 0, 0], [1, 0, 0]]
    piece = {"name": "I", "cells": cells, "motions": "mirror"}
    facts = drawing_facts({"lattice": "square-3", "region": cells, "pieces": [piece]})
    assert facts["errors"][0]["path"] == "pieces[0].motions"
