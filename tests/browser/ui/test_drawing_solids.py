"""A box and six pieces drawn on the solids themselves, solved, exported: by mouse, keys, finger."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from browser.test_viewer import WITHOUT_WEBGL
from browser.ui.test_drawing_and_racing import cells, tab_to
from browser.ui.test_views import PHONE, fits
from dovetail.models.lattices.registry import lattice_named
from dovetail.ui.sheets import drawing_board
from reports.present import present
from ui.served import until

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Locator, Page, Route

    from browser.ui.conftest import Views

    Cell = tuple[int, int, int]
    Press = Callable[[float, float], None]

BOX = [(x, y, z) for z in range(3) for y in range(3) for x in range(3)]
# The pieces of the Diabolical Cube, one of them upright.
PIECES: list[list[Cell]] = [
    [(0, 0, 0), (0, 0, 1)],
    [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)],
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (2, 1, 0)],
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0)],
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0), (1, 2, 0)],
]
SHOWN = ".solid-view .hint:not(:empty)"  # before it, nothing is drawn that could be clicked
BALL = 0.49  # radius
ANGLE, AZIMUTH, ELEVATION = math.radians(26), 0.55, 0.5  # of the view that the page begins with
KEYS = ("ArrowRight", "ArrowLeft"), ("ArrowUp", "ArrowDown"), ("PageUp", "PageDown")


def on_canvas(canvas: Locator, sheet: Cell, point: Iterable[float]) -> tuple[float, float]:
    """Where a point of a sheet of so many cells is in the window."""
    middle = np.array(sheet) / 2
    return in_view(canvas, middle, float(np.linalg.norm(middle)), point)


def in_view(
    canvas: Locator, middle: NDArray[np.float64], reach: float, point: Iterable[float]
) -> tuple[float, float]:
    """Where a point is in the window, beside the middle of a sheet that reaches so far from it."""
    box = present(canvas.bounding_box())
    aspect, half = box["width"] / box["height"], math.tan(ANGLE / 2)
    level = math.cos(ELEVATION)
    toward = (math.sin(AZIMUTH) * level, -math.cos(AZIMUTH) * level, math.sin(ELEVATION))
    away = reach / math.sin(math.atan(half * min(1, aspect)))
    ahead = -np.array(toward)
    right = np.cross(ahead, (0, 0, 1)) / level
    seen = np.array(tuple(point)) - middle - away * np.array(toward)
    scale = box["height"] / 2 / half / (seen @ ahead)
    x, y = seen @ right * scale, seen @ np.cross(right, ahead) * scale
    return box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 - y


def build(page: Page, canvas: Locator, sheet: Cell, drawn: list[Cell], press: Press) -> None:
    """Press the floor, then the tops of cells, the farthest first, which hide none."""
    canvas.scroll_into_view_if_needed()
    for x, y, z in sorted(drawn, key=lambda cell: (cell[2], -cell[1], cell[0])):
        press(*on_canvas(canvas, sheet, (x + 0.5, y + 0.5, z)))


def type_cells(page: Page, drawn: list[Cell]) -> None:
    """Mark cells by keys, from the cell 0, 0, 0."""
    at = [0, 0, 0]
    for cell in drawn:
        for axis, (forth, back) in enumerate(KEYS):
            for _ in range(abs(cell[axis] - at[axis])):
                page.keyboard.press(forth if cell[axis] > at[axis] else back)
        at = list(cell)
        page.keyboard.press("Space")


def with_pointer(page: Page, press: Press) -> None:
    """Draw the box and the pieces."""
    page.select_option("#lattice", "square-3")
    canvas = page.locator("canvas.solid")
    page.locator(SHOWN).wait_for(state="attached")
    build(page, canvas, (3, 3, 3), BOX, press)
    assert cells(page, "open") == 27
    for number, piece in enumerate(PIECES):
        page.click("#draw-piece")
        inner = page.locator("dialog canvas.solid")
        page.locator("dialog .solid-view .hint").wait_for(state="attached")
        build(page, inner, (4, 4, 3), piece, press)
        assert page.locator("dialog path.open").count() == len(piece)
        page.get_by_role("button", name="Take this piece").click()
        page.locator(f"#piece-{number}-edit").wait_for()


def saved(page: Page, click: Callable[[], None]) -> str:
    """The text of the file that a click saves."""
    with page.expect_download() as download:
        click()
    return download.value.path().read_text(encoding="utf-8")


def solve_and_export(page: Page, *, by_tab: bool = False) -> None:
    """From the drawn cube to its solutions, and back to an STL of its pieces."""

    def press(place: Locator, name: str) -> None:
        place.wait_for()
        if by_tab:
            tab_to(page, name)
            page.keyboard.press("Enter")
        else:
            place.click()

    page.get_by_text("27 cells", exact=True).wait_for()
    if by_tab:
        tab_to(page, "puzzle-name", backwards=True)
    press(page.locator("#open"), "open")
    press(page.locator("#solve"), "solve")
    page.locator(".about", has_text="auto: 26 solutions").wait_for()
    press(page.get_by_role("link", name="my-puzzle"), "my-puzzle")
    press(page.get_by_text("Save the puzzle"), "Save the puzzle")
    with page.expect_download() as download:
        press(page.get_by_role("link", name=".stl", exact=True), ".stl")
    assert len(download.value.path().read_bytes()) > 84 + 50 * 12 * 6  # of binary STL, six bricks


def test_with_the_mouse(views: Views) -> None:
    """Pieces are saved as drawings; Shift removes, other marks, undo, a drag turns and no more."""
    page = views("draw")
    with_pointer(page, page.mouse.click)
    text = saved(page, page.get_by_role("button", name="Save as TOML").click)
    assert text.count('shape = """') == 6
    assert "box = [3, 3, 3]" in text
    assert 'shape = """\n#,#\n"""' in text
    assert "cells" not in text
    canvas = page.locator("canvas.solid")
    canvas.scroll_into_view_if_needed()
    page.keyboard.down("Shift")
    page.mouse.click(*on_canvas(canvas, (3, 3, 3), (0.5, 0.5, 3)))
    page.keyboard.up("Shift")
    assert cells(page, "open") == 26
    page.locator("label", has_text="Fixed").first.click()
    page.locator("label", has_text="Click marks").click()
    page.mouse.click(*on_canvas(canvas, (3, 3, 3), (2.5, 2.5, 3)))
    assert (cells(page, "open"), cells(page, "fixed")) == (25, 1)
    page.click("#undo")
    page.click("#undo")
    start = on_canvas(canvas, (3, 3, 3), (1.5, 1.5, 3))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 90, start[1] - 30, steps=3)
    page.mouse.up()
    assert cells(page, "open") == 27
    solve_and_export(page)


def test_with_the_keyboard_alone(views: Views) -> None:
    """On the solids, whose cursor is that of the layers."""
    page = views()
    tab_to(page, "Draw")
    page.keyboard.press("Enter")
    page.locator("#piece-set").wait_for()
    tab_to(page, "lattice")
    page.keyboard.type("cubes")
    page.locator("canvas.solid").wait_for()
    tab_to(page, "Region in three dimensions")
    page.keyboard.press("d")
    page.keyboard.press("+")
    page.keyboard.press("0")
    type_cells(page, BOX)
    assert cells(page, "open") == 27
    tab_to(page, "2, 2, 2: in the region")
    for number, piece in enumerate(PIECES):
        if number == 0:
            tab_to(page, "draw-piece")
        page.locator("#draw-piece:focus").wait_for()
        page.keyboard.press("Enter")
        page.locator("dialog canvas.solid").wait_for()
        tab_to(page, "Cells of the piece in three dimensions", backwards=True)
        type_cells(page, piece)
        assert page.locator("dialog path.open").count() == len(piece)
        tab_to(page, "Take this piece")
        page.keyboard.press("Enter")
        page.locator(f"#piece-{number}-edit").wait_for()
    solve_and_export(page, by_tab=True)


def test_keys_mark_cells_before_the_solid_is_drawn(views: Views) -> None:
    """The script that draws it may be slow to load; the canvas has the keyboard at once."""
    page = views("draw")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/viewer/bundle.js", hold)
    page.select_option("#lattice", "square-3")
    canvas = page.locator("canvas.solid")
    canvas.press("ArrowRight")
    canvas.press("Space")
    assert cells(page, "open") == 1
    held[0].continue_()
    page.locator(".solid-view .hint", has_text="1, 0, 0: in the region").wait_for(state="attached")


def test_solids_of_other_lattices(views: Views) -> None:
    """A click on the floor adds a cell, one on its top another; keys go on from there."""
    page = views("draw")
    for name in ("triangular-prisms", "hexagonal-prisms", "spheres"):
        lattice, ball = lattice_named(name), BALL if name == "spheres" else 0
        sheet = [tuple(one["cell"]) for one in drawing_board(name, 3, 3, 3)["cells"]]
        solids = [np.array(lattice.solid(cell).corners) for cell in sheet]
        middle = np.mean([solid.mean(axis=0) for solid in solids], axis=0)
        reach = float(np.linalg.norm(np.vstack(solids) - middle, axis=1).max()) + ball
        first = solids[sheet.index(lattice.fundamental_cells[0])]
        page.select_option("#lattice", name)
        page.locator("path.open").first.wait_for(state="detached")
        page.locator(".solid-view .hint", has_text="outside").wait_for()
        canvas = page.locator("canvas.solid")
        canvas.scroll_into_view_if_needed()
        for number, height in enumerate((first[:, 2].min() - ball, first[:, 2].max() + ball)):
            point = (*first.mean(axis=0)[:2], height)
            page.mouse.click(*in_view(canvas, middle, reach, point))
            page.locator("path.open").nth(number).wait_for()
        canvas.press("PageUp")
        canvas.press("Space")
        marked = page.locator("g[data-at]:has(path.open)").all()
        places = [int(present(node.get_attribute("data-at"))) for node in marked]
        assert [sheet[place][-1] for place in places] == [0, 1, 2]


def test_a_finger_that_rests_while_another_zooms_adds_no_cell(views: Views) -> None:
    """Of two fingers, the second, which does not move, is lifted last."""
    page = views("draw", has_touch=True)
    page.select_option("#lattice", "square-3")
    page.locator(SHOWN).wait_for()
    canvas = page.locator("canvas.solid")
    canvas.scroll_into_view_if_needed()
    floor = on_canvas(canvas, (3, 3, 3), (1.5, 1.5, 0))
    other = floor[0] + 90, floor[1]
    session = page.context.new_cdp_session(page)
    for kind, *fingers in (
        ("touchStart", other, floor),
        ("touchMove", (other[0] + 60, other[1]), floor),
        ("touchEnd",),
    ):
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert cells(page, "open") == 0
    page.touchscreen.tap(*in_view(canvas, np.array([1.5] * 3), 2.6 / (150 / 90), (1.5, 1.5, 0)))
    page.locator("path.open").wait_for()


@pytest.mark.slow
def test_with_a_finger_on_a_phone(views: Views) -> None:
    """A button has it remove cells; a piece is had twice, once as its mirror image."""
    page = views("draw", width=PHONE, has_touch=True, color_scheme="dark")
    with_pointer(page, page.touchscreen.tap)
    canvas = page.locator("canvas.solid")
    canvas.scroll_into_view_if_needed()
    page.locator("label", has_text="Click removes").tap()
    page.touchscreen.tap(*on_canvas(canvas, (3, 3, 3), (1.5, 1.5, 3)))
    assert cells(page, "open") == 26
    page.click("#undo")
    page.click("#piece-1-copy")
    page.click("#piece-2-mirror")
    assert page.locator("#piece-2-name").input_value() == "B2"
    assert fits(page)
    page.click("#undo")
    page.click("#undo")
    solve_and_export(page)


def test_without_webgl_the_layers_remain(views: Views) -> None:
    """One line says why."""
    page = views()
    page.evaluate(WITHOUT_WEBGL)
    views.go(page, "draw")
    page.select_option("#lattice", "square-3")
    page.get_by_text("This browser does not support WebGL 2").wait_for()
    assert page.locator("canvas").count() == 0
    page.click("#fill")
    until(lambda: cells(page, "open") == 27)
