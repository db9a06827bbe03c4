"""Puzzles in text pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.loading import load
from dovetail.reports.describe_puzzle import describe_puzzle

FLAT = """\
? . ?
. W *
"""
SOLID = """\
? .,. ?
. *,* W
"""
PIECE = """
[[piece]]
name = "V"
shape = '''
V V
V .
'''
"""


def puzzle_of(drawing: str, folder: Path) -> PackingPuzzle:
    """Return a puzzle whose region is drawn so in TOML."""
    path = folder / "puzzle.toml"
    path.write_text(f'name = "one"\nregion = """\n{drawing}"""\n{PIECE}')
    puzzle = load(str(path))
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


@pytest.mark.parametrize("drawing", [FLAT, SOLID])
def test_a_region_is_drawn_as_in_toml(drawing: str, tmp_path: Path) -> None:
    """With the same marks: what is shown can be written into a file."""
    puzzle = puzzle_of(drawing, tmp_path)
    assert len(puzzle.optional) == 2
    _, marks, _, *shown = describe_puzzle(puzzle).splitlines()
    assert marks == "2 cells may stay empty (marked ?)"
    assert shown[:2] == drawing.splitlines()
