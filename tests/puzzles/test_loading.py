"""What names a puzzle: the catalogue, a file, one of several in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.puzzles.loading import Reference, is_file, load, load_all

TWO = "".join(
    f"D:xDim={x}:yDim=1:zDim=1\nC:name=A:layout={layout}\n~D\n"
    for x, layout in ((1, "0 0 0"), (2, "0 0 0, 1 0 0"))
)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A file with two puzzles."""
    path = tmp_path / "two.def"
    path.write_text(TWO)
    return path


@pytest.mark.parametrize("as_path", [True, False])
def test_one_of_several(two: Path, as_path: bool) -> None:
    """By its number behind the name of the file, as the puzzle itself is called."""
    for number in (1, 2):
        reference = f"{two}#{number}"
        (puzzle,) = load_all(Path(reference) if as_path else reference)
        assert puzzle.name == f"two#{number}"
        assert puzzle.digest == load_all(two)[number - 1].digest
        assert load(reference) == puzzle


@pytest.mark.parametrize("number", ["0", "3", "999999999"])
def test_numbers_that_no_puzzle_has(two: Path, number: str) -> None:
    """The error says how many there are."""
    with pytest.raises(ConfigError, match=rf"two\.def holds 2 puzzles; #{number} does not exist"):
        load_all(f"{two}#{number}")


@pytest.mark.parametrize("reference", ["two.def#", "two.def#x", "two.def#-1", "six.def#1"])
def test_what_is_no_number(two: Path, reference: str) -> None:
    """Or no file: it is taken for the name of a file that is not there."""
    with pytest.raises(ConfigError, match="there is no file"):
        load_all(f"{two.parent}/{reference}")
    assert not is_file(two.parent / reference)


def test_a_file_of_several(two: Path) -> None:
    """Where one puzzle is wanted, the error says how to name one."""
    with pytest.raises(
        ConfigError, match=r"two\.def holds 2 puzzles; choose one with .*two\.def#N"
    ):
        load(two)


def test_a_file_that_is_called_so(two: Path) -> None:
    """Comes first."""
    path = two.with_name("two.def#1")
    path.write_text(TWO + TWO)
    assert len(load_all(path)) == 4


def test_where_a_puzzle_comes_from(two: Path) -> None:
    """The file, whichever of its puzzles is named; nothing for the catalogue."""
    for reference in (str(two), f"{two}#2", two):
        source = Reference(reference).file
        assert source is not None
        assert source.path == two
        assert is_file(Path(reference))
    assert Reference("soma-cube").file is None
    assert Reference("a\0b").file is None
