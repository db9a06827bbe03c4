"""What can be shown in one line anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.printable import is_printable, printable
from dovetail.puzzles.loading import load


@pytest.mark.parametrize("name", ["é ≥ 箱", "می\u200cخواهم", "👩\u200d👧"])
def test_ordinary_text(name: str, tmp_path: Path) -> None:
    """Spaces of any width, joiners and soft hyphens are part of it, in a puzzle's name too."""
    assert is_printable(name)
    assert printable(name) == name
    path = tmp_path / "puzzle.toml"
    path.write_text(f'name = "{name}"\nregion = "."\n[[piece]]\nname = "A"\ncells = [[0, 0]]\n')
    assert load(path).name == name


@pytest.mark.parametrize("mark", ["\x1b", "\0", "\n", "\x9b", "\u2028", "\u202e", "\ud800"])
def test_what_a_terminal_takes_for_a_command(mark: str) -> None:
    """Controls, line separators, marks of direction, halves of characters."""
    assert not is_printable(f"a{mark}b")
    assert printable(f"a{mark}b") == "a\ufffdb"
    assert printable(f"a{mark}b", keep=mark) == f"a{mark}b"


def test_a_result_with_a_count_of_thousands_of_digits() -> None:
    assert "count=1.00e5000" in repr(Result(Status.EXHAUSTED, 10**5000))
