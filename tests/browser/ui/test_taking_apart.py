"""A burr from a file is solved, taken apart, played and saved: by mouse, and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dovetail
from browser.ui.test_views import DRAWN, PHONE, fits
from disassembly.twin import random_burr
from dovetail.puzzles.formats.registry import format_named

if TYPE_CHECKING:
    from pathlib import Path

    from browser.ui.conftest import Views

SEED = 34  # of a burr of level 2.1.1.2, whose plan has 7 moves


def burr_file(folder: Path) -> Path:
    """Write a burr as a BurrTools file."""
    burr = random_burr(SEED, empty=0.35)
    region = tuple(sorted(cell for cells in burr.cells for cell in cells))
    pieces = map(dovetail.Piece, burr.names, burr.cells)
    puzzle = dovetail.PackingPuzzle("burr", burr.lattice, region, tuple(pieces))
    path = folder / "burr.xmpuzzle"
    path.write_text(format_named("burrtools").text(puzzle))
    return path


def test_a_burr_is_taken_apart_and_saved(views: Views, tmp_path: Path) -> None:
    page = views()
    page.set_input_files("input[type=file]", burr_file(tmp_path))
    page.click("#solve")
    page.locator(".about", has_text="1 solution").wait_for()
    viewer = page.frame_locator(".opened iframe")
    viewer.locator("canvas").wait_for()
    page.click("#take-apart")
    moves = viewer.locator("#viewer-move-text")
    moves.get_by_text("level 2.1.1.2, 7 moves").wait_for()
    together = viewer.locator("canvas").evaluate(DRAWN)
    viewer.locator("#viewer-move-speed").select_option("fast")
    viewer.get_by_role("button", name="Play the moves").click()
    moves.get_by_text("Move 7 of 7: ").wait_for()
    assert viewer.locator("canvas").evaluate(DRAWN) != together
    page.select_option("#format", ".xmpuzzle")
    with page.expect_download() as saved:
        page.click("#save-one")
    file = tmp_path / "saved.xmpuzzle"
    saved.value.save_as(file)
    assert dovetail.verify(file, file).valid
    page.set_viewport_size({"width": PHONE, "height": 900})
    assert fits(page)
