"""References to puzzles: catalogue names, files, and single puzzles of a file."""

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
    """Return a file with two puzzles."""
    path = tmp_path / "two.def"
    path.write_text(TWO)
    return path


@pytest.mark.parametrize("as_path", [True, False])
def test_a_number_behind_a_file_names_one_of_its_puzzles(two: Path, as_path: bool) -> None:
    for number in (1, 2):
        reference = f"{two}#{number}"
        (puzzle,) = load_all(Path(reference) if as_path else reference)
        assert puzzle.name == f"two#{number}"
        assert puzzle.digest == load_all(two)[number - 1].digest
        assert load(reference) == puzzle


@pytest.mark.parametrize("number", ["0", "3", "999999999"])
def test_a_number_without_a_puzzle_is_refused(two: Path, number: str) -> None:
    with pytest.raises(ConfigError, match=rf"two\.def holds 2 puzzles; #{number} does not exist"):
        load_all(f"{two}#{number}")


@pytest.mark.parametrize("reference", ["two.def#", "two.def#x", "two.def#-1", "six.def#1"])
def test_other_text_behind_a_file_is_part_of_its_name(two: Path, reference: str) -> None:
    with pytest.raises(ConfigError, match="there is no file"):
        load_all(f"{two.parent}/{reference}")
    assert not is_file(two.parent / reference)


def test_a_file_of_several_puzzles_is_no_single_puzzle(two: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"two\.def holds 2 puzzles; choose one with .*two\.def#N"
    ):
        load(two)


def test_an_existing_file_has_precedence_over_a_number(two: Path) -> None:
    path = two.with_name("two.def#1")
    path.write_text(TWO + TWO)
    assert len(load_all(path)) == 4


def test_a_reference_knows_its_file(two: Path) -> None:
    for reference in (str(two), f"{two}#2", two):
        source = Reference(reference).file
        assert source is not None
        assert source.path == two
        assert is_file(Path(reference))
    assert Reference("soma-cube").file is None
    assert Reference("a\0b").file is None
