"""Edge-matching puzzles as text, CSV, JSON and JSON of eternity2.dev."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import ConfigError, FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import LARGEST_COLOUR, EdgePuzzle, Hint
from dovetail.puzzles.formats import edge_documents
from dovetail.puzzles.formats.edge_documents import EdgeJson
from dovetail.puzzles.formats.edges import EdgeText, parse_board_size, read_edge_text
from dovetail.puzzles.formats.registry import format_named, read_puzzles
from dovetail.puzzles.loading import load
from oracle.strategies import edge_puzzles

FILE_NAMES = {
    "edges": "board.txt",
    "csv": "board.csv",
    "json": "board.json",
    "edges-toml": "board.edges.toml",
    "eternity2": "board.e2.json",
    "viewer": "board.url",
    "eternity2-viewer": "board.e2.url",
}

TEXT = "2 2\n# clockwise from the top\n0 0 1 1\n\n0 0 1 1\n0 0 1 1  # the third\n0 0 1 1\n"
BARE = "# no size\n1 2 3 4\n5 6 7 8\n1 1 1 1\n2 2 2 2\n"
BARE_TILES = ((1, 2, 3, 4), (5, 6, 7, 8), (1, 1, 1, 1), (2, 2, 2, 2))
WORDS = "1111111111111111,0000000000000001,1111111111111111,1111111111111111"
JSON = """\
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
TILES = ((0, 1, 0, 0), (0, 0, 0, -1))
HOLES = tuple((x, y) for x in range(100) for y in range(200))
PAIR = EdgePuzzle("a pair", 2, 1, TILES, (Hint(0, 0, 1, 2), Hint(1, 0, 0, 3)), signed=True)


def file_of(content: str, name: str = "board.txt") -> TextFile:
    """Return a file with `content`."""
    return TextFile(Path(name), content.encode())


def read(content: str, name: str = "board.txt") -> EdgePuzzle:
    """Return the only puzzle in a file with `content`."""
    (puzzle,) = read_puzzles(file_of(content, name))
    assert isinstance(puzzle, EdgePuzzle)
    return puzzle


@st.composite
def hinted_puzzles(draw: st.DrawFn) -> EdgePuzzle:
    """Draw a board of up to six cells with a name and hints, which may be contradictory."""
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


@pytest.mark.parametrize("name", FILE_NAMES)
@given(puzzle=hinted_puzzles())
@settings(max_examples=15, deadline=None)
def test_a_written_puzzle_is_read_as_the_same_or_refused(name: str, puzzle: EdgePuzzle) -> None:
    """Text and viewer URLs have no hints; only text, JSON and TOML have signed colours."""
    no_hints, signs = ("edges", "viewer"), ("edges", "json", "edges-toml")
    if (name in no_hints and puzzle.hints) or (name not in signs and puzzle.signed):
        with pytest.raises(PuzzleError, match=r"does not support (hints|signed colours)"):
            format_named(name).text(puzzle)
        return
    back = read(format_named(name).text(puzzle), FILE_NAMES[name])
    expected = puzzle
    if name == "csv":  # a hint follows its tile
        hints = tuple(sorted(puzzle.hints, key=lambda hint: hint.tile))
        expected = replace(puzzle, hints=hints)
    assert back.digest == expected.digest
    if name not in ("edges", "csv"):
        assert back.name == puzzle.name


def test_text_has_width_before_height_and_sides_clockwise_from_the_top() -> None:
    board = load("edges-4x5-b3i4-1")
    assert isinstance(board, EdgePuzzle)
    lines = [f"{top} {right} {bottom} {left}" for top, right, bottom, left in board.tiles]
    assert read("5 4\n" + "\n".join(lines)).digest == board.digest
    assert read(TEXT).tiles == ((0, 0, 1, 1),) * 4
    puzzle = EdgePuzzle("two", 2, 1, ((0, 1, 0, 0), (0, 0, 0, -1)), signed=True)
    assert EdgeText().write_puzzle(puzzle) == "bounded signed 2 1\n0 1 0 0\n0 0 0 -1\n"


@pytest.mark.parametrize("before", ["", "0\n", "# a mark\n\n0   # of nothing\n"])
def test_tiles_without_a_size_make_a_square_or_have_the_given_size(before: str) -> None:
    square = read(before + BARE)
    assert (square.width, square.height, square.tiles) == (2, 2, BARE_TILES)
    column = read_edge_text(file_of(before + BARE), size=(1, 4), sides="lbrt")
    assert (column.width, column.height, column.tiles[0]) == (1, 4, (4, 3, 2, 1))


@pytest.mark.parametrize(
    ("words", "colour"), [("bounded signed", -3), ("signed BOUNDED", -3), ("unsigned", 3)]
)
def test_words_before_the_size_are_optional(words: str, colour: int) -> None:
    puzzle = read(f"{words} 2 1\n0 3 0 0\n0 0 0 {colour}\n")
    tiles = ((0, 3, 0, 0), (0, 0, 0, colour))
    assert puzzle == EdgePuzzle("board", 2, 1, tiles, signed=colour < 0)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("header", ["", "0\n", "2 2\n", "bounded signed 2 2\n"])
def test_tiles_may_have_numbers_in_front(first: int, header: str) -> None:
    """Lines are in the order of another puzzle's list; the number is that of the tile."""
    lines = [f"{first + number} {tile}\n" for number, tile in enumerate(BARE.split("\n")[1:5])]
    assert read(header + "".join(lines[::-1])).tiles == BARE_TILES
    column = read_edge_text(file_of("".join(lines)), size=(1, 4), header=False, sides="lbrt")
    assert (column.height, column.tiles[0]) == (4, (4, 3, 2, 1))


def test_a_file_without_header_begins_with_a_tile() -> None:
    assert read_edge_text(file_of(BARE), header=False).tiles == BARE_TILES
    for content, message in (("0\n" + BARE, "1 number"), ("bounded 2 2\n", "3 numbers")):
        with pytest.raises(FormatError, match=f"{message}; expected four"):
            read_edge_text(file_of(content), header=False)


@pytest.mark.parametrize("sides", ["trbb", "t" * 5000])
def test_impossible_orders_of_sides_are_refused(sides: str) -> None:
    with pytest.raises(ConfigError, match="valid: t r b l, each once") as caught:
        read_edge_text(file_of(TEXT), sides=sides)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["", "٣"])
def test_other_board_sizes_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected N, or HEIGHTxWIDTH such as 4x5"):
        parse_board_size(text)
    with pytest.raises(ConfigError, match="valid: sides of 1 to 256"):
        read_edge_text(file_of(BARE), size=(257, 1))


def test_json_has_everything_and_needs_only_size_and_tiles() -> None:
    assert read(JSON, "board.json") == PAIR
    assert EdgeJson().write_puzzle(PAIR) == JSON
    text = '{"tiles":[[0,1,0,0],\n[0,0,0,1]],"height"\n:1,"width":2}'
    plain = EdgePuzzle("board", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))
    assert read(text, "board.json") == plain
    assert list(json.loads(EdgeJson().write_puzzle(plain))) == ["name", "width", "height", "tiles"]
    largest = EdgePuzzle("ä 1/2", 1, 300, ((0, 0, 0, -LARGEST_COLOUR),) * 300, signed=True)
    assert read(EdgeJson().write_puzzle(largest), "board.json") == largest


def eternity2(**members: object) -> str:
    """Return a puzzle of eternity2.dev of one tile, with other members."""
    return json.dumps({"width": 1, "height": 1, "pieces": [[0] * 4], **members})


def changed(before: str, after: str) -> str:
    """Return the example in JSON with a replacement."""
    assert before in JSON
    return JSON.replace(before, after)


MISTAKES: dict[str, list[tuple[str, int | None, str]]] = {
    "edges": [
        (TEXT.replace("0 0 1 1  # the third", "0 0 1"), 6, "3 numbers; expected four"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 -1 1\n\n"), 3, "colour -1; expected 0"),
        (TEXT + "0 0 1 1\n", 8, "too many tiles; expected 2 · 2 = 4"),
        ("2 2\n0 0 1 1\n", 3, "the file ends after 1 tile; expected 2 · 2 = 4"),
        ("bounded signed 2\n", 1, "'bounded signed 2'; expected width and height"),
        ("bounded round 2 2\n", 1, "'bounded round' before the size; expected (un)bounded"),
        ("unbounded frame=0 1 1\n1 1 1 1\n", None, "unbounded and frame are both given"),
        ("signed matches=1-2 1 1\n0 0 0 0\n", None, "signed and matches are both given"),
        ("matches=1 1 1\n0 0 0 0\n", 1, "matches has '1'; expected two numbers, A-B"),
        ("counts=0-2,1 1 1\n0 0 0 0\n", None, "counts has 2 entries for 1 tile"),
        ("0\n0 0 1 1\n0 0 1\n", 3, "3 numbers; expected four"),
        ("2 1\n1 0 0 0 0\n1 0 0 0 0\n", 3, "a second tile 1; expected each number once"),
    ],
    "csv": [
        ("1,2,3", 1, "expected the size"),
        (f"2,1\n{WORDS}\n", None, "1 tile; expected"),
        (f"1\n{WORDS},0\n", 2, "5 values; expected"),
        (f"1\n{WORDS},0,1,0\n", 2, "the row is '1'; expected a whole number from 0 to 0"),
        (f"1\n{WORDS},1,0,0\n", 2, "the column is '1'; expected a whole number from 0 to 0"),
    ],
    "eternity2": [
        ('{"width": 1, "height": 1}', None, "pieces is missing; expected a list of at most"),
        (eternity2(width=2), None, "1 tile; expected"),
        (eternity2(pieces=[[0, 0]]), None, "pieces[0] is [0, 0]; expected four colours: "),
    ],
    "json": [
        ('{"puzzle": "x", "solutions": []}', None, "unknown key 'puzzle'; expected one of counts"),
        (changed('"name"', '"nane"'), None, "unknown key 'nane'; did you mean 'name'? expected"),
        (changed('"height"', '"width"'), None, "a second 'width' in the object"),
        (changed('"height": 1', '"height": 2'), None, "2 tiles; expected width · height = 2 · 2"),
        (changed('"signed": true', '"signed": false'), None, "tiles[1][3] is -1; expected a whole"),
        (changed('"x": 1', '"x": 2'), None, "is impossible; expected x below 2, y below 1, tile"),
        (changed('"x": 1', '"x": 0'), None, "two hints name the same cell: (0, 0)"),
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [(name, *row) for name, table in MISTAKES.items() for row in table],
)
def test_a_mistake_is_refused_with_its_place(
    name: str, content: str, line: int | None, message: str
) -> None:
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        format_named(name).read(file_of(content, FILE_NAMES[name]))
    assert caught.value.line == line
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("content", "size", "line", "message"),
    [
        (BARE, (1, 5), 6, "the file ends after 4 tiles; expected 1 · 5 = 5"),
        ("1 1 1 1\n" * (256 * 256 + 1), None, 65537, "expected at most 256 · 256 = 65536"),
    ],
)
def test_mistakes_in_text_without_a_header(
    content: str, size: tuple[int, int] | None, line: int, message: str
) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_edge_text(file_of(content), size=size, header=False, sides="bltr")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("name", "puzzle", "message"),
    [
        ("edges", EdgePuzzle("c", 1, 1, ((0, 0, 0, 10**9),)), "colours above 999,999,999"),
        ("csv", EdgePuzzle("c", 1, 2, ((0, 0, 65_535, 0), (65_535, 0, 0, 0))), "above 65534"),
    ],
)
def test_a_puzzle_beyond_the_format_is_not_written(
    name: str, puzzle: EdgePuzzle, message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        format_named(name).text(puzzle)


def test_json_has_a_bound_on_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(edge_documents, "MAX_TILES", 1)
        with pytest.raises(PuzzleError, match="2 tiles; expected at most 1 in a file"):
            EdgeJson().write_puzzle(PAIR)
    text = '{"width": 1, "height": 1, "tiles": [' + "[0, 0, 0, 0],\n" * 250_000 + "[0, 0, 0, 0]]}"
    with pytest.raises(FormatError, match=r"tiles is .* expected a list of at most 250,000 t"):
        read(text, "board.json")


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [
        (
            "edges",
            EdgePuzzle("tiles", 2, 2, ((1,) * 4,) * 65_537, unbounded=True, counts=((0, 4),)),
        ),
        *(
            (name, EdgePuzzle("holes", 200, 200, ((1,) * 4,), counts=((0, 40_000),), holes=HOLES))
            for name in ("edges", "edges-toml")
        ),
        ("edges-toml", EdgePuzzle("tiles", 200, 150, ((1_000,) * 4,) * 30_000, unbounded=True)),
    ],
)
def test_a_file_that_would_be_too_large_to_read_is_not_written(
    name: str, puzzle: EdgePuzzle
) -> None:
    with pytest.raises(PuzzleError, match="use JSON"):
        format_named(name).write_puzzle(puzzle)
