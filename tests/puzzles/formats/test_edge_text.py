"""Edge-matching text: read, written, and refused with a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from dovetail.errors import ConfigError, FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.puzzles.formats.edges import EdgeText, parse_board_size, read_edge_text
from dovetail.puzzles.loading import load
from oracle.strategies import edge_puzzles

TEXT = "2 2\n# clockwise from the top\n0 0 1 1\n\n0 0 1 1\n0 0 1 1  # the third\n0 0 1 1\n"

BARE = "# no size\n1 2 3 4\n5 6 7 8\n1 1 1 1\n2 2 2 2\n"


def test_sizes_and_order(tmp_path: Path) -> None:
    """Width before height; tiles in the order of the file, clockwise from the top."""
    board = load("edges-4x5-b3i4-1")
    assert isinstance(board, EdgePuzzle)
    path = tmp_path / "board.txt"
    lines = [f"{top} {right} {bottom} {left}" for top, right, bottom, left in board.tiles]
    path.write_text("5 4\n" + "\n".join(lines))
    assert load(path).digest == board.digest


def test_comments_and_blank_lines(tmp_path: Path) -> None:
    """Are passed over."""
    path = tmp_path / "board.txt"
    path.write_text(TEXT)
    board = load(path)
    assert isinstance(board, EdgePuzzle)
    assert board.tiles == ((0, 0, 1, 1),) * 4


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (TEXT.replace("0 0 1 1  # the third", "0 0 1"), 6, "3 numbers; expected four"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 -1 1\n\n"), 3, "colour -1; expected 0"),
        (TEXT + "0 0 1 1\n", 8, "too many tiles; expected 2 · 2 = 4"),
        ("2 2\n0 0 1 1\n", 3, "the file ends after 1 tile; expected 2 · 2 = 4"),
        ("2\n0 0 1 1\n", 1, "expected width and height"),
        ("1 2 3\n", 1, "'1 2 3'; expected width and height, or the four colours of a tile"),
        ("bounded signed 2\n", 1, "'bounded signed 2'; expected width and height"),
        ("bounded 2 2 2\n", 1, "expected width and height"),
        ("bounded 2 x\n", 1, "a side is 'x'; expected a whole number"),
        ("signed 0 2\n", 1, "expected a whole number from 1 to 256"),
        ("Unbounded signed 2 2\n", 1, "expected a board with a frame"),
        ("signed unsigned 2 2\n", 1, "'signed unsigned' before the size; expected bounded, and"),
        ("bounded bounded 2 2\n", 1, "each at most once"),
        ("bounded round 2 2\n", 1, "'bounded round' before the size; expected bounded, and"),
        ("unsigned 1 1\n0 0 -1 0\n", 2, "colour -1; expected 0"),
        ("0\n0 0 1 1\n0 0 1\n", 3, "3 numbers; expected four"),
        ("0\n0 0 1 1\n0 0 1 1\n", 4, "2 tiles and no size; expected a square number"),
        ("0 0 2 1\n0 0 1 1\n", 3, "2 tiles and no size; expected a square number"),
        ("0 0 -1 1\n", 1, "or a first line bounded signed W H"),
        ("0\n2\n0 0 0 0\n", 2, "1 number; expected four"),
        ("2 x\n", 1, "expected a whole number"),
        ("0 2\n", 1, "expected a whole number from 1 to 256"),
        ("999999999 2\n", 1, "expected a whole number from 1 to 256"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 1 1.5\n\n"), 3, "expected a whole number"),
        (TEXT.replace("0 0 1 1\n\n", "0 0 1 " + "9" * 5000 + "\n\n"), 3, "expected a whole number"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, content: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected."""
    path = tmp_path / "board.txt"
    path.write_text(content)
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:{line}:")
    assert len(str(caught.value)) < 400


def written(folder: Path, content: str) -> TextFile:
    """A file with `content`."""
    path = folder / "board.txt"
    path.write_text(content)
    return TextFile(path)


def test_a_file_without_a_size(tmp_path: Path) -> None:
    """The file states it, or the tiles make a square."""
    file = written(tmp_path, BARE)
    square = read_edge_text(file, header=False)
    assert (square.name, square.width, square.height) == ("board", 2, 2)
    assert square.tiles == ((1, 2, 3, 4), (5, 6, 7, 8), (1, 1, 1, 1), (2, 2, 2, 2))
    row = read_edge_text(file, size=(4, 1))
    assert (row.width, row.height, row.tiles) == (4, 1, square.tiles)


@pytest.mark.parametrize("before", ["", "0\n", "# a mark\n\n0   # of nothing\n"])
def test_a_first_line_without_a_size(tmp_path: Path, before: str) -> None:
    """It is a tile or a mark; the board is square, or of the size that is given."""
    path = written(tmp_path, before + BARE).path
    square = load(path)
    assert isinstance(square, EdgePuzzle)
    assert (square.width, square.height, square.tiles) == (
        2,
        2,
        ((1, 2, 3, 4), (5, 6, 7, 8), (1, 1, 1, 1), (2, 2, 2, 2)),
    )
    column = read_edge_text(TextFile(path), size=(1, 4), sides="lbrt")
    assert (column.width, column.height, column.tiles[0]) == (1, 4, (4, 3, 2, 1))


@pytest.mark.parametrize(
    ("words", "signed"),
    [
        ("bounded signed", True),
        ("signed bounded", True),
        ("Signed", True),
        ("BOUNDED", False),
        ("unsigned", False),
        ("bounded unsigned", False),
    ],
)
def test_words_before_the_size(tmp_path: Path, words: str, signed: bool) -> None:
    """Each may be left out; colours may be negative where they are signed."""
    colour = -3 if signed else 3
    path = written(tmp_path, f"{words} 2 1\n0 3 0 0\n0 0 0 {colour}\n").path
    assert load(path) == EdgePuzzle("board", 2, 1, ((0, 3, 0, 0), (0, 0, 0, colour)), signed=signed)


def test_no_header_is_no_header(tmp_path: Path) -> None:
    """Neither a mark nor words are passed over when the first line is said to be a tile."""
    for content, message in (("0\n" + BARE, "1 number"), ("bounded 2 2\n", "3 numbers")):
        with pytest.raises(FormatError, match=f"{message}; expected four"):
            read_edge_text(written(tmp_path, content), header=False)


@pytest.mark.parametrize(
    ("sides", "tile"), [("trbl", (1, 2, 3, 4)), ("tlbr", (1, 4, 3, 2)), ("lrtb", (3, 2, 4, 1))]
)
def test_the_order_of_the_sides(
    tmp_path: Path, sides: str, tile: tuple[int, int, int, int]
) -> None:
    """Wherever a number stands in the file, a tile is top, right, bottom, left."""
    assert read_edge_text(written(tmp_path, BARE), header=False, sides=sides).tiles[0] == tile


@pytest.mark.parametrize("sides", ["", "trb", "trbb", "TRBL", "trblx", "nesw", "t" * 5000])
def test_orders_that_cannot_be(tmp_path: Path, sides: str) -> None:
    """The valid letters are named."""
    with pytest.raises(ConfigError, match="valid: t r b l, each once") as caught:
        read_edge_text(written(tmp_path, TEXT), sides=sides)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("size", [(0, 4), (4, -1), (257, 1), (10**40, 1)])
def test_sizes_that_cannot_be(tmp_path: Path, size: tuple[int, int]) -> None:
    """Before the file is looked at."""
    with pytest.raises(ConfigError, match="valid: sides of 1 to 256"):
        read_edge_text(written(tmp_path, BARE), size=size)


@pytest.mark.parametrize(
    ("content", "size", "line", "message"),
    [
        (BARE, (1, 3), 5, "too many tiles; expected 1 · 3 = 3"),
        (BARE, (1, 5), 6, "the file ends after 4 tiles; expected 1 · 5 = 5"),
        (BARE + "1 1 1 1", None, 6, "5 tiles and no size; expected a square number"),
        ("# nothing", None, 1, "0 tiles and no size"),
        ("2 2\n" + BARE, None, 1, "2 numbers; expected four: bottom left top right"),
        ("1 1 1 1\n" * (256 * 256 + 1), None, 65537, "expected at most 256 · 256 = 65536 tiles"),
    ],
)
def test_mistakes_without_a_header(
    tmp_path: Path, content: str, size: tuple[int, int] | None, line: int, message: str
) -> None:
    """File, line, what is wrong and what was expected."""
    file = written(tmp_path, content)
    with pytest.raises(FormatError, match=message) as caught:
        read_edge_text(file, size=size, header=False, sides="bltr")
    assert caught.value.line == line


def test_a_file_with_nothing_in_it(tmp_path: Path) -> None:
    """Not even a size."""
    with pytest.raises(FormatError, match="expected width and height"):
        read_edge_text(written(tmp_path, "\n# nothing\n"))


@given(puzzle=edge_puzzles())
@settings(max_examples=35)
def test_there_and_back_again(tmp_path_factory: pytest.TempPathFactory, puzzle: EdgePuzzle) -> None:
    """The same digest, whether the colours are signed or not."""
    file = written(tmp_path_factory.getbasetemp(), EdgeText().write_puzzle(puzzle))
    assert read_edge_text(file).digest == puzzle.digest


@pytest.mark.parametrize(("text", "size"), [("8", (8, 8)), ("4x5", (5, 4)), ("10x1", (1, 10))])
def test_the_size_of_a_board(text: str, size: tuple[int, int]) -> None:
    """In words height comes first, as in the catalogue."""
    assert parse_board_size(text) == size


@pytest.mark.parametrize("text", ["", "x4", "4x", "4x5x6", "12345", "-4", "٣", "4\n"])
def test_what_is_no_size(text: str) -> None:
    """It is answered with what is."""
    with pytest.raises(ConfigError, match="expected N, or HEIGHTxWIDTH such as 4x5"):
        parse_board_size(text)


def test_what_is_written() -> None:
    """Width and height, then the tiles clockwise from the top."""
    puzzle = EdgePuzzle("two", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))
    assert EdgeText().write_puzzle(puzzle) == "2 1\n0 1 0 0\n0 0 0 1\n"
    puzzle = EdgePuzzle("two", 2, 1, ((0, 1, 0, 0), (0, 0, 0, -1)), signed=True)
    assert EdgeText().write_puzzle(puzzle) == "bounded signed 2 1\n0 1 0 0\n0 0 0 -1\n"


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (
            EdgePuzzle("h", 1, 1, ((0, 0, 0, 0),), (Hint(0, 0, 0, 0),)),
            r"does not support hints; use JSON \(.json\)",
        ),
        (
            EdgePuzzle("s", 1, 1, ((0, 0, 0, -(10**9)),), signed=True),
            "does not support colours above",
        ),
        (EdgePuzzle("c", 1, 1, ((0, 0, 0, 10**9),)), "colours above 999,999,999"),
        (EdgePuzzle("w", 257, 1, ((0, 0, 0, 0),) * 257), "does not support a board of 257 x 1"),
    ],
)
def test_what_cannot_be_written(puzzle: EdgePuzzle, message: str) -> None:
    """It is refused with the reason."""
    with pytest.raises(PuzzleError, match=message):
        EdgeText().write_puzzle(puzzle)
