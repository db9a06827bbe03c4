"""Puzzles in the formats of the Eternity II community: there and back, and every mistake."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as given_settings

from dovetail.errors import DovetailError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.puzzles.formats.registry import format_named
from dovetail.puzzles.loading import load
from oracle.strategies import edge_puzzles, signed_twin

SUFFIXES = {"eternity2": ".e2.json", "csv": ".csv"}
BOARDS = Path(__file__).parents[4] / "shared" / "data" / "edge" / "e2dev"

TILE = [0, 1, 0, 0]
WORDS = "1111111111111111,0000000000000001,1111111111111111,1111111111111111"


@pytest.mark.parametrize("name", SUFFIXES)
@given_settings(deadline=None, max_examples=15)
@given(puzzle=edge_puzzles())
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, puzzle: EdgePuzzle
) -> None:
    """With hints; signed puzzles are refused."""
    if puzzle.signed:
        with pytest.raises(PuzzleError, match="does not support signed colours"):
            format_named(name).text(puzzle)
        return
    path = tmp_path_factory.mktemp("puzzle") / f"{puzzle.name}{SUFFIXES[name]}"
    path.write_text(format_named(name).text(puzzle))
    read = load(path)
    assert isinstance(read, EdgePuzzle)
    assert read.digest == puzzle.digest


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".e2.json", "[]", "not an object; expected an object with width"),
        (
            ".e2.json",
            '{"width": 1, "height": 1}',
            "pieces is missing; expected a list of at most 250,000 tiles",
        ),
        (".e2.json", json.dumps({"width": 2, "height": 1, "pieces": [TILE]}), "1 tile; expected"),
        (
            ".e2.json",
            json.dumps({"width": 1, "height": 1, "pieces": [[0, 0]]}),
            r"pieces\[0\] is \[0, 0\]; expected four colours: ",
        ),
        (
            ".e2.json",
            json.dumps({"width": 1, "height": 1, "pieces": [[0, 0, 0, -1]]}),
            r"pieces\[0\]\[3\] is -1; expected a whole number from 0 to 1,000,000,000",
        ),
        (
            ".e2.json",
            json.dumps({"width": 0, "height": 1, "pieces": []}),
            "width is 0; expected a whole number from 1 to 250,000",
        ),
        (
            ".e2.json",
            json.dumps({"width": 1, "height": 1, "pieces": [[0] * 4], "hints": [{"pos": 0}]}),
            r"hints\[0\].piece is missing; expected a whole number from 0",
        ),
        (
            ".e2.json",
            json.dumps(
                {
                    "width": 1,
                    "height": 1,
                    "pieces": [[0] * 4],
                    "hints": [{"pos": 0, "piece": 0, "rot": 4}],
                }
            ),
            r"hints\[0\].rot is 4; expected a whole number from 0 to 3",
        ),
        (".csv", "", "the file is empty; expected a puzzle"),
        (".csv", "1,2,3", "expected the size"),
        (".csv", "257", "from 1 to 256"),
        (".csv", f"2,1\n{WORDS}\n", "1 tile; expected"),
        (".csv", "1\n1,1,1,1\n", "'1'; expected a colour of 16 binary digits"),
        (".csv", f"1\n{WORDS},0\n", "5 values; expected"),
        (".csv", f"1\n{WORDS},0,1,0\n", "'1'; expected a whole number from 0 to 0"),
        (".csv", f"1\n{WORDS.replace('1', '0')}\n", "ones for the frame"),
    ],
)
def test_mistakes(tmp_path: Path, suffix: str, content: str, message: str) -> None:
    """One line that names the file and what was expected."""
    path = tmp_path / f"board{suffix}"
    path.write_text(content)
    with pytest.raises(DovetailError, match=message) as raised:
        load(path)
    assert str(path) in str(raised.value)


def test_what_cannot_be_written() -> None:
    """Colours that sixteen digits do not have, and signed ones."""
    large = EdgePuzzle("large", 1, 2, ((0, 0, 65_535, 0), (65_535, 0, 0, 0)))
    with pytest.raises(PuzzleError, match="colours above 65534"):
        format_named("csv").text(large)
    assert signed_twin(large, 1).signed


@pytest.mark.skipif(not BOARDS.exists(), reason="no shared/data/edge/e2dev here")
def test_the_communitys_instances(tmp_path: Path) -> None:
    """Their hints keep to the frame: three corners and five inner tiles lie on each board."""
    for path in sorted(BOARDS.glob("e2-16x16-*.json")):
        puzzle = load(path)
        assert isinstance(puzzle, EdgePuzzle)
        borders = Counter(puzzle.tiles[hint.tile].count(0) for hint in puzzle.hints)
        assert borders == {2: 3, 0: 5}
        for hint in puzzle.hints:
            frame = puzzle.geometry.frame_at((hint.x, hint.y))
            sides = puzzle.tiles[hint.tile]
            assert [sides[(side + hint.rotation) % 4] == 0 for side in range(4)] == list(frame)
        copy = tmp_path / "copy.e2.json"
        copy.write_text(format_named("eternity2").text(puzzle))
        assert load(copy) == puzzle
        assert TextFile(copy).stem != puzzle.name
