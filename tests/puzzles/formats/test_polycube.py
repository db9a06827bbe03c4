"""Polycube definition files: what they say, and what is wrong with bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.models.packing import Motions, PackingPuzzle
from dovetail.puzzles.loading import load, load_all

SOMA = """\
# The Soma cube
D:xDim=3:yDim=3:zDim=3
C:name=V:type=M:layout=0 0 0, 1 0 0, 0 1 0   # the small one
C:name=L:type=M:layout=0 0 0, 1 0 0, 2 0 0, 0 1 0
C:name=T:type=M:layout=0 0 0, 1 0 0, 2 0 0, 1 1 0
C:name=Z:type=M:layout=0 0 0, 1 0 0, 1 1 0, 2 1 0
C:name=P:type=M:layout=0 0 0, 1 0 0, 0 1 0, 0 0 1
C:name=A:type=M:layout=0 0 0, 1 0 0, 1 1 0, 1 1 1
C:name=B:layout=0 0 0, 1 0 0, 1 1 0, 0 0 1
~D
"""

SQUARE = "D:xDim=2:yDim=2:zDim=1\nC:name=A:layout=0 0 0, 1 0 0\nC:name=B:layout=0 0 0, 1 0 0\n~D\n"


def written(folder: Path, content: str | bytes) -> Path:
    """A file with `content`."""
    path = folder / "puzzle.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_soma_from_a_file_is_the_catalogue_s(tmp_path: Path) -> None:
    """Same region, same pieces; only the name differs."""
    puzzle = load(written(tmp_path, SOMA))
    assert puzzle.digest == load("soma-cube").digest
    assert puzzle.name == "puzzle"


def test_line_ends_and_marks_of_other_systems(tmp_path: Path) -> None:
    """Carriage returns and a byte-order mark are passed over."""
    content = b"\xef\xbb\xbf" + SOMA.replace("\n", "\r\n").encode()
    assert load(written(tmp_path, content)).digest == load("soma-cube").digest


def test_a_flat_box_is_a_puzzle_in_the_plane(tmp_path: Path) -> None:
    """Free pieces, or one-sided ones when the file says so."""
    puzzle = load(written(tmp_path, SQUARE))
    assert isinstance(puzzle, PackingPuzzle)
    assert puzzle.lattice.dimension == 2
    assert {piece.motions for piece in puzzle.pieces} == {Motions.FREE}
    one_sided = load(written(tmp_path, SQUARE.replace("zDim=1", "zDim=1:oneSide")))
    assert isinstance(one_sided, PackingPuzzle)
    assert {piece.motions for piece in one_sided.pieces} == {Motions.ONE_SIDED}


def test_stationary_pieces_are_fixed(tmp_path: Path) -> None:
    """A piece of type S lies where the layout says."""
    text = SQUARE.replace("name=B:layout", "name=B:type=S:layout")
    puzzle = load(written(tmp_path, text))
    assert isinstance(puzzle, PackingPuzzle)
    assert puzzle.open_cells == ((0, 1), (1, 1))


def test_several_puzzles_in_one_file(tmp_path: Path) -> None:
    """They are numbered."""
    puzzles = load_all(written(tmp_path, SQUARE + SOMA))
    assert [puzzle.name for puzzle in puzzles] == ["puzzle#1", "puzzle#2"]


BAD = [
    (SOMA.replace("~D\n", ""), 10, "expected ~D"),
    (SOMA.replace("~D\n", "D:xDim=1"), 10, "expected C: with a piece, or ~D"),
    (SOMA.replace("zDim=3", "zDim=0"), 2, "zDim is 0; expected 1 to 1000"),
    (SOMA.replace("zDim=3", "zDim=three"), 2, "expected a whole number"),
    (SOMA.replace(":zDim=3", ""), 2, "zDim is missing"),
    (SOMA.replace("zDim=3", "zDim=99999999999"), 2, "expected a whole number"),
    (SOMA.replace("zDim=3", "zDim=3:oneSide"), 2, "oneSide is for flat puzzles"),
    (SOMA.replace("zDim=3", "zDim=4"), 2, "the pieces fill 27 cells; expected 36"),
    (SQUARE.replace("zDim=1", "zDim=1:oneSide=no"), 1, "expected the word alone"),
    (SOMA.replace("zDim=3", "wDim=3"), 2, "unknown key 'wDim'; expected one of xDim"),
    (SOMA.replace("type=M", "kind=M", 1), 3, "unknown key 'kind'; expected one of name"),
    (SOMA.replace("type=M", "type=X", 1), 3, "expected M .* or S"),
    (SOMA.replace("2 0 0", "9 0 0", 1), 4, "lies outside the box"),
    (SOMA.replace("name=V:type=M", "name=V:type=S").replace("1 0 0", "7 0 0", 1), 3, "outside the"),
    (SOMA.replace("1 0 0", "1 0", 1), 3, "expected x y z"),
    (SOMA.replace("1 0 0", "1 0 x", 1), 3, "expected a whole number"),
    (SOMA.replace("1 0 0", "0 0 0", 1), 3, "names a cell twice"),
    (SOMA.replace("name=L", "name=V"), 4, "two pieces are called 'V'"),
    (SOMA.replace("name=L:", ""), 4, "no name"),
    (
        SOMA.replace("name=B:layout", "name=B:type=M:layout").replace(
            "layout=0 0 0, 1 0 0, 1 1 0, 0 0 1", "layout="
        ),
        9,
        "no layout",
    ),
    ("L\n. .\n~L\n", 1, "expected D:"),
    ("", None, "the file is empty"),
    ("# nothing\n\n", None, "the file is empty"),
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00", 1, "not text"),
    (b"D:xDim=2\x00", 1, "not text"),
    ("hello\n", 1, "expected D:"),
    ("D:" + "x" * 20_000_000, 1, "the line has 20,000,002 characters"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_mistakes_are_placed(
    tmp_path: Path, content: str | bytes, line: int | None, message: str
) -> None:
    """File, line, what is wrong and what was expected, in one short line."""
    path = written(tmp_path, content)
    with pytest.raises(FormatError, match=message) as caught:
        load_all(path)
    place = str(path) if line is None else f"{path}:{line}:"
    assert str(caught.value).startswith(place)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
