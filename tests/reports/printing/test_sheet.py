"""Print sheets of flat pieces."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dovetail.errors import ConfigError
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.reports.printing.sheet import sheet_pages


def bar(name: str, length: int) -> PackingPuzzle:
    """A puzzle of one straight piece."""
    cells = tuple((0, y) for y in range(length))
    return PackingPuzzle("bar", lattice_named("square-2"), cells, (Piece(name, cells),))


def test_the_largest_cell_that_a_message_names_fits() -> None:
    puzzle = bar("I", 40)
    with pytest.raises(ConfigError, match=r"needs a cell of at most 6\.5 mm on a4"):
        sheet_pages(puzzle, {"cell": "15"})
    with pytest.raises(ConfigError, match=r"needs a cell of at most 6\.5 mm on a4"):
        sheet_pages(puzzle, {"cell": "6.6"})
    assert len(sheet_pages(puzzle, {"cell": "6.5"})) == 1


def test_a_long_name_does_not_make_a_piece_too_large() -> None:
    assert len(sheet_pages(bar("I" * 100, 2), {})) == 1


def test_names_of_any_length_leave_room_for_the_region_and_the_note() -> None:
    puzzle = bar("long name " * 20, 2)
    (page,) = sheet_pages(replace(puzzle, name="long name " * 20), {})
    assert page.count('class="blank"') == 1
    captions = re.findall('class="caption"[^>]*>([^<]*)<', page)
    assert [len(caption) for caption in captions[:-1]] == [40, 40]
    assert captions[-1].endswith("…, cell 15 mm; print at 100 %; page 1 of 1")
