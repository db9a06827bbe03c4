"""Puzzles in text pictures."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.loading import load
from dovetail.reports.describe.puzzle import describe_puzzle

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


@pytest.mark.parametrize("name", [name for name in OWN if not name.startswith("square-")])
def test_pieces_and_regions_of_other_lattices_are_read_again(name: str, tmp_path: Path) -> None:
    """As they were: also a single cell of any class, which cannot be turned."""
    lattice, random = lattice_named(name), Random(1)
    cells = [*lattice.fundamental_cells]
    while len(cells) < 30:
        cells += sorted({*lattice.neighbours(random.choice(cells))} - {*cells})
    shapes: list[Cells] = [(cell,) for cell in lattice.fundamental_cells[:6]]
    shapes += [(cells[0], cell) for cell in cells[1:4]]
    pieces = [Piece(f"P{n}", shape, 0, 9, Motions.FIXED) for n, shape in enumerate(shapes)]
    puzzle = PackingPuzzle("one", lattice, tuple(cells), tuple(pieces))
    _, region, *drawn = describe_puzzle(puzzle).split("\n\n")
    text = f'name = "one"\nlattice = "{name}"\nregion = """\n{region}\n"""\n'
    for one in drawn:
        title, _, drawing = one.partition("\n")
        text += f'[[piece]]\nname = "{title.partition(":")[0]}"\nmotions = "fixed"\n'
        text += f'count = [0, 9]\nshape = """\n{drawing}\n"""\n'
    path = tmp_path / "puzzle.toml"
    path.write_text(text)
    again = load(str(path))
    assert isinstance(again, PackingPuzzle)
    assert [piece.cells for piece in again.pieces] == [*map(lattice.normalise, shapes)]
    assert lattice.normalise(again.region) == lattice.normalise(puzzle.region)
