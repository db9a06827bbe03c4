"""Edge-matching puzzles as JSON: there and back again, and mistakes with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import LARGEST_COLOUR, EdgePuzzle, Hint
from dovetail.puzzles.formats import edges
from dovetail.puzzles.formats.edges import EdgeJson
from dovetail.puzzles.loading import load
from oracle.strategies import edge_puzzles

TEXT = """\
{
  "name": "a pair",
  "width": 2,
  "height": 1,
  "signed": true,
  "tiles": [
    [0, 1, 0, 0],
    [0, 0, 0, -1]
  ],
  "hints": [
    {"x": 0, "y": 0, "tile": 1, "rotation": 2},
    {"x": 1, "y": 0, "tile": 0, "rotation": 3}
  ]
}
"""
PAIR = EdgePuzzle(
    "a pair",
    2,
    1,
    ((0, 1, 0, 0), (0, 0, 0, -1)),
    (Hint(0, 0, 1, 2), Hint(1, 0, 0, 3)),
    signed=True,
)


def read(folder: Path, text: str) -> EdgePuzzle:
    """The puzzle that a file called board.json holds."""
    path = folder / "board.json"
    path.write_text(text)
    (puzzle,) = EdgeJson().read(TextFile(path)).puzzles
    assert isinstance(puzzle, EdgePuzzle)
    return puzzle


def test_a_puzzle_by_hand(tmp_path: Path) -> None:
    """Name, size, signed colours, tiles and hints; and what is written looks like it."""
    assert read(tmp_path, TEXT) == PAIR
    assert EdgeJson().write_puzzle(PAIR) == TEXT


def test_what_may_be_left_out(tmp_path: Path) -> None:
    """The name is then the file's; keys come in any order, and white space is free."""
    text = '{"tiles":[[0,1,0,0],\n[0,0,0,1]],"height"\n:1,"width":2}'
    assert read(tmp_path, text) == EdgePuzzle("board", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))
    plain = EdgePuzzle("p", 1, 1, ((0, 0, 0, 0),))
    assert list(json.loads(EdgeJson().write_puzzle(plain))) == ["name", "width", "height", "tiles"]


@st.composite
def hinted_puzzles(draw: st.DrawFn) -> EdgePuzzle:
    """Boards of up to six cells with a name and hints, which need not be possible."""
    board = draw(edge_puzzles())
    cells = [(x, y) for x in range(board.width) for y in range(board.height)]
    hinted = draw(st.permutations(cells))[: draw(st.integers(0, len(cells)))]
    tiles = draw(st.permutations(range(len(cells))))
    hints = [
        Hint(x, y, tile, draw(st.integers(0, 3)))
        for (x, y), tile in zip(hinted, tiles, strict=False)
    ]
    name = draw(st.text().filter(str.isprintable))
    return EdgePuzzle(name, board.width, board.height, board.tiles, tuple(hints), board.signed)


@given(puzzle=hinted_puzzles())
@settings(max_examples=70)
def test_there_and_back_again(tmp_path_factory: pytest.TempPathFactory, puzzle: EdgePuzzle) -> None:
    """The same puzzle, name included."""
    assert read(tmp_path_factory.getbasetemp(), EdgeJson().write_puzzle(puzzle)) == puzzle


@pytest.mark.parametrize(
    "puzzle",
    [
        EdgePuzzle("", 1, 1, ((0, 0, 0, LARGEST_COLOUR),)),
        EdgePuzzle("ä 1/2", 1, 1, ((0, 0, 0, -LARGEST_COLOUR),), signed=True),
        EdgePuzzle("long", 1, 300, ((0, 0, 0, 0),) * 300),
    ],
    ids=["largest", "least", "long"],
)
def test_what_other_formats_cannot_say(tmp_path: Path, puzzle: EdgePuzzle) -> None:
    """Colours to the largest, sides of any length."""
    assert read(tmp_path, EdgeJson().write_puzzle(puzzle)) == puzzle


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"name"', '"nane"', "unknown key 'nane'; did you mean 'name'. expected one of height, hi"),
        ('"height"', '"width"', 'a second \'width\' in the object {"name": "a pair", "w'),
        ('"a pair"', "5", "name is 5; expected text"),
        ('"a pair"', r'"a\npair"', "name: .*npair'; expected printable characters"),
        ('"a pair"', r'"\ud800"', "name: .*ud800'; expected printable characters"),
        (
            '"tile": 1',
            '"tile": 1, "x": 0',
            'a second \'x\' in the object {"tile": 1, "x": 0, "y": 0}; expected one',
        ),
        ('"width": 2', '"width": 2.5', "width is 2.5; expected a whole number"),
        ('"width": 2', '"width": 0', "width is 0; expected a whole number from 1 to 250,000"),
        (
            '"width": 2',
            '"width": 250001',
            "width is 250001; expected a whole number from 1 to 250,000",
        ),
        ('"width": 2', '"width": true', "width is true; expected a whole number"),
        ('"width": 2', '"width": [' + "1, " * 900 + "1]", "width is .*…; expected a whole"),
        ('"width": 2', '"width": ' + "9" * 5000, "a number is too long or the nesting is too deep"),
        ('"height": 1', '"height": 2', "2 tiles; expected width · height = 2 · 2 = 4"),
        ('"signed": true', '"signed": 1', "signed is 1; expected true or false"),
        ('"signed": true', '"signed": false', r"tiles\[1\]\[3\] is -1; .* from 0 to 1,000,000,000"),
        ("[0, 1, 0, 0]", "[0, 1, 0]", r"tiles\[0\] is \[0, 1, 0\]; expected four colours: \[top, "),
        ("[0, 1, 0, 0]", "[0, 1, 0, 0, 0]", r"tiles\[0\] is .*; expected four colours: \[top, "),
        ("[0, 1, 0, 0]", "5", r"tiles\[0\] is 5; expected four colours: \[top, right, "),
        ("[0, 1, 0, 0]", '[0, "1", 0, 0]', r"tiles\[0\]\[1\] is '1'; expected a whole number"),
        ("[0, 1, 0, 0]", "[0, 1000000001, 0, 0]", "from -1,000,000,000 to 1,000,000,000"),
        ("[0, 1, 0, 0]", "[" * 90_000, "a number is too long or the nesting is too deep"),
        (
            '"y": 0, "tile": 1',
            '"tile": 1',
            r"hints\[0\].y is missing; expected a whole number from 0 ",
        ),
        (
            '"tile": 0',
            '"tile": 0, "z": 1',
            r"unknown key 'z' in hints\[1\]; expected one of rotation, ",
        ),
        ('"x": 1', '"x": 2', "x=2, .* is impossible; expected x below 2, y below 1, tile below 2"),
        ('"x": 1, "y": 0', '"x": 1, "y": 1', "y=1, .* is impossible"),
        ('"tile": 1', '"tile": 2', "tile=2, .* is impossible"),
        (
            '"rotation": 3',
            '"rotation": 4',
            r"hints\[1\].rotation is 4; expected a whole number from 0 to 3",
        ),
        ('"x": 1', '"x": 0', r"two hints name the same cell: \(0, 0\)"),
        ('"tile": 0', '"tile": 1', "two hints name the same tile: 1"),
        ('  "height": 1,\n', "", "height is missing; expected a whole number from 1 to 250,000"),
        ("  ]\n}\n", "  ]\n", ":14: not JSON; expected an object with width, height and tiles"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, before: str, after: str, message: str) -> None:
    """Say the file, the place in it, what is wrong and what was expected."""
    assert before in TEXT
    with pytest.raises(FormatError, match=message) as caught:
        read(tmp_path, TEXT.replace(before, after))
    assert len(caught.value.message) < 200


def test_missing_tiles(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match="tiles is missing; expected a list of at most 250,000 ti"
    ):
        read(tmp_path, '{"width": 1, "height": 1}')


@pytest.mark.parametrize("text", ["", "[]", "5", "{", '{"width": 1} {}', "{}"])
def test_what_is_no_puzzle(tmp_path: Path, text: str) -> None:
    """Something else, or nothing."""
    with pytest.raises(FormatError, match="expected"):
        read(tmp_path, text)


def test_solutions_are_no_puzzle(tmp_path: Path) -> None:
    """Their file is called the same; the error says what a puzzle has."""
    path = tmp_path / "solutions.json"
    path.write_text('{"puzzle": "x", "digest": "0", "solutions": []}')
    with pytest.raises(FormatError, match="unknown key 'puzzle'; expected one of height, hints"):
        load(path)


def test_too_large_a_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither written nor read."""
    long = EdgePuzzle("n" * 60_000, 1, 1, ((0, 0, 0, 0),))
    with pytest.raises(PuzzleError, match="the name has 60,002 characters"):
        EdgeJson().write_puzzle(long)
    text = '{"width": 1, "height": 1, "tiles": [' + "[0, 0, 0, 0],\n" * 250_000 + "[0, 0, 0, 0]]}"
    with pytest.raises(FormatError, match=r"tiles is .* expected a list of at most 250,000 t"):
        read(tmp_path, text)
    with pytest.raises(FormatError, match="more than 3,000,000 values; expected an object"):
        read(tmp_path, '{"width": [' + "[],\n" * 1_500_000 + "[]]}")
    monkeypatch.setattr(edges, "MAX_TILES", 1)
    with pytest.raises(PuzzleError, match="2 tiles; expected at most 1 in JSON"):
        EdgeJson().write_puzzle(PAIR)
