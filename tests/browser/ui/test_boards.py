"""Edge-matching boards: played and improved, by mouse, by keys and on a phone; painted."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from browser.ui.test_drawing_and_racing import tab_to
from browser.ui.test_touch_and_names import MISNAMED
from browser.ui.test_views import PHONE, fits
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.registry import format_named
from dovetail.ui import puzzles
from reports.present import present
from ui.served import Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browser.ui.conftest import Views
    from dovetail.ui.serving.server import PageServer

BOARD = "edges-8-b3i5-1"
# A hub that says what the test has it say.
HUB = "globalThis.hub = { postMessage() {} }; globalThis.SharedWorker = class { port = hub; };"
CORNER = random_board(8, 8, 5, 1, 3).tiles[0]  # its sides on the frame are the first two


@pytest.fixture
def address(server: PageServer) -> str:
    """The view that plays the board."""
    with closing(Visitor(server.address)) as visitor:
        return f"play/{visitor.asked('/api/puzzles', name=BOARD)[0]['id']}"


def cell(page: Page, x: int, y: int) -> Locator:
    """The cell at a place."""
    return page.get_by_role("gridcell", name=f"{x}, {y}: ")


def tile(page: Page, number: int) -> Locator:
    """A tile in the tray."""
    return page.locator(f".tray [data-tile='{number}']")


def score_of(page: Page, words: str) -> None:
    """Wait until the page shows a score."""
    page.locator("#score", has_text=words).wait_for()
    until(lambda: words in page.locator("#announcements").inner_text())


def drag(page: Page, source: Locator, target: Locator) -> None:
    """With the mouse."""
    for place, act in ((source, page.mouse.down), (target, page.mouse.up)):
        box = present(place.bounding_box())
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


def matched(page: Page) -> int:
    """The number of edges that match."""
    return int(page.locator("#score").inner_text().split()[0])


def test_a_board_is_played_and_improved_with_the_mouse(views: Views, address: str) -> None:
    """Tiles are placed, dragged, turned, locked and taken away; a race goes on from them."""
    assert CORNER[:2] == (0, 0)
    page = views(address)
    score_of(page, "0 of 112 edges match, 0 of 64 tiles placed")
    drag(page, tile(page, 0), cell(page, 0, 7))
    page.get_by_text("the tile at (0, 7) does not have colour 0").wait_for()
    cell(page, 0, 7).click()
    assert cell(page, 0, 7).get_attribute("aria-label") == "0, 7: tile 0, 1 quarter turns"
    page.get_by_role("button", name="Lock or unlock").click()
    cell(page, 0, 7).click()
    assert (cell(page, 0, 7).get_attribute("aria-label") or "").endswith("1 quarter turns, locked")
    tile(page, 40).click()
    cell(page, 3, 3).click()
    drag(page, cell(page, 3, 3), cell(page, 4, 4))
    cell(page, 4, 4).hover()
    page.mouse.wheel(0, 100)
    assert "tile 40, 3 quarter" in (cell(page, 4, 4).get_attribute("aria-label") or "")
    score_of(page, "2 of 64 tiles")
    drag(page, cell(page, 4, 4), page.locator(".tray"))
    score_of(page, "1 of 64 tiles")
    page.click("#undo")
    score_of(page, "2 of 64 tiles")
    page.reload()
    score_of(page, "2 of 64 tiles")
    page.select_option("#improver", "breaks")
    page.fill("#seconds", "2")
    page.click("#improve")
    page.locator("#race-state", has_text="ended").wait_for()
    page.click("#put-best")
    score_of(page, "64 of 64 tiles")
    assert matched(page) > 80
    assert cell(page, 0, 7).get_attribute("aria-label") == "0, 7: tile 0, 1 quarter turns, locked"
    assert len((page.locator(".mismatch").get_attribute("d") or "").split("M")) == 113 - matched(
        page
    )
    with page.expect_download() as saved:
        page.click("#save-position")
    page.get_by_role("button", name="Clear").click()
    score_of(page, "1 of 64 tiles")
    page.set_input_files("#open-position", saved.value.path())
    score_of(page, "64 of 64 tiles")
    assert page.evaluate(MISNAMED) == []


def test_a_tile_in_hand_that_another_board_has_leaves_the_hand(views: Views, address: str) -> None:
    """It would lie twice, or take away the tile that lies in its cell now."""
    page = views(address)
    score_of(page, "0 of 64 tiles")
    tile(page, 40).click()
    cell(page, 3, 3).click()
    score_of(page, "1 of 64 tiles")
    page.click("#undo")
    score_of(page, "0 of 64 tiles")
    tile(page, 40).click()
    page.click("#redo")
    score_of(page, "1 of 64 tiles")
    cell(page, 5, 5).click()
    assert (cell(page, 5, 5).get_attribute("aria-label") or "").endswith("empty")
    page.get_by_role("button", name="Clear").click()
    start, end = (present(cell(page, *at).bounding_box()) for at in ((3, 3), (4, 4)))
    page.click("#undo")
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert "tile 40" in (cell(page, 3, 3).get_attribute("aria-label") or "")


def test_arrow_keys_pass_by_tiles_that_are_placed(views: Views, address: str) -> None:
    page = views(address)
    tile(page, 1).click()
    cell(page, 3, 3).click()
    score_of(page, "1 of 64 tiles")
    tile(page, 0).focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.tile") == "2"


def test_a_position_is_not_that_of_another_board(views: Views, server: PageServer) -> None:
    """Not even if both have the same name and size."""
    tiles = [[0, 1, 1, 0], [0, 0, 2, 1], [1, 3, 0, 0], [2, 0, 0, 3]]
    board = {"name": "four", "width": 2, "height": 2, "tiles": tiles}
    with closing(Visitor(server.address)) as visitor:
        one, other = (visitor.asked("/api/puzzles", board=board | {"seed": n}) for n in (1, 2))
    page = views(f"play/{one[0]['id']}")
    tile(page, 0).click()
    cell(page, 1, 1).click()
    score_of(page, "1 of 4 tiles placed")
    for puzzle, count in ((other, 0), (one, 1)):
        views.go(page, f"play/{puzzle[0]['id']}")
        score_of(page, f"{count} of 4 tiles placed")


def test_a_lost_connection_is_told_once(views: Views, address: str) -> None:
    """However often the browser tries again, and until it succeeds."""
    page = views()
    page.add_init_script(HUB)
    page.reload()
    views.go(page, address)
    page.fill("#seconds", "1")
    page.click("#improve")
    page.locator("#stop-race").wait_for()
    lost = page.locator(".warning:visible", has_text="lost")
    for _ in range(3):
        page.evaluate("hub.onmessage({ data: { problem: 'The connection is lost' } })")
    assert lost.count() == 1
    page.evaluate("hub.onmessage({ data: { problem: null } })")
    assert lost.count() == 0


def test_a_board_is_played_and_improved_by_keys(views: Views, address: str) -> None:
    """Without a pointer, from the puzzle to the best board of a race."""
    page = views(address.replace("play", "puzzle"))
    tab_to(page, "play")
    page.keyboard.press("Enter")
    page.locator("#score").wait_for()
    tab_to(page, f"tile 0: {' '.join(map(str, CORNER))}")
    page.keyboard.press("Enter")
    for key in ("r", "Enter", "l"):
        page.keyboard.press(key)
    score_of(page, "1 of 64 tiles")
    page.keyboard.press("Delete")
    until(lambda: "locked tile" in page.locator("#announcements").inner_text())
    assert cell(page, 0, 7).get_attribute("aria-label") == "0, 7: tile 0, 1 quarter turns, locked"
    tab_to(page, "seconds")
    page.keyboard.type("2")
    tab_to(page, "improve")
    page.keyboard.press("Enter")
    page.locator("#race-state", has_text="ended").wait_for()
    tab_to(page, "put-best")
    page.keyboard.press("Enter")
    score_of(page, "64 of 64 tiles")
    page.keyboard.press("Control+z")
    score_of(page, "1 of 64 tiles")


def test_a_board_is_painted(views: Views) -> None:
    """Its solved board with mouse and keys; its tiles come out shuffled, and are painted anew."""
    page = views("edges", width=PHONE)
    for size in ("width", "height"):
        page.fill(f"#board-{size}", "2")
        page.press(f"#board-{size}", "Enter")
    drag(page, page.locator("[data-at='0'] [data-side='1']").first, page.locator("[data-at='3']"))
    page.keyboard.press("2")
    page.get_by_role("gridcell", name="0, 0: ").focus()
    for key in ("n", "ArrowRight", "3", "w", "n"):
        page.keyboard.press(key)
    page.get_by_text("16 of 16").wait_for()
    assert page.locator(".facts .warning").count() == 0
    assert fits(page)
    page.locator("label", has_text="Tile by tile").click()
    page.locator("label", has_text="frame").click()
    page.locator("[data-at='0'] [data-side='1']").first.click()
    page.locator(".facts .warning").wait_for()
    page.keyboard.press("Control+z")
    page.locator(".facts .warning").wait_for(state="detached")
    with page.expect_download() as saved:
        page.click("#save-board")
    assert saved.value.suggested_filename == "my-board.json"
    page.click("#open")
    page.locator("#play").wait_for()
    page.get_by_role("link", name="Draw a changed copy").click()
    page.get_by_text("16 of 16").wait_for()


def test_a_solved_board_has_the_frame_outside_only(views: Views) -> None:
    """Its sides keep what was painted tile by tile, and the choice of it keeps the focus."""
    page = views("edges")
    corner = page.get_by_role("gridcell", name="0, 0: ")
    corner.focus()
    for key in ("0", "n"):
        page.keyboard.press(key)
    assert (corner.get_attribute("aria-label") or "").startswith("0, 0: top 1, right none")
    page.locator("input[value=solved]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "tiles"
    page.get_by_role("gridcell", name="1, 0: ").focus()
    for key in ("2", "w"):
        page.keyboard.press(key)
    page.locator("label", has_text="The solved board").click()
    assert (corner.get_attribute("aria-label") or "").startswith("0, 0: top 1, right 2")


def opened(views: Views, puzzle: EdgePuzzle) -> Page:
    """The view of a puzzle of a file."""
    content = format_named("json").text(puzzle).encode()
    page = views()
    file: Any = {"name": "board.json", "mimeType": "text/plain", "buffer": content}
    page.set_input_files("input[type=file]", file)
    return page


def test_a_tile_may_have_several_hints(views: Views) -> None:
    """A rotation of 5 is a flip and one quarter turn, as on the page to play."""
    pair = EdgePuzzle("flips", 2, 1, ((0, 0, 0, 0),), unbounded=True, counts=((2, 2),))
    puzzle = replace(pair, flippable=True, hints=(Hint(0, 0, 0, 5), Hint(1, 0, 0, 0)))
    page = opened(views, puzzle)
    hinted = page.locator(".tiles .hinted")
    assert hinted.get_attribute("title") == (
        "0 0 0 0: hint at column 1, row 1, 1 quarter turn, flipped; "
        "hint at column 2, row 1, 0 quarter turns"
    )


def test_all_tiles_and_cells_are_counted(views: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a board of which not all tiles are shown, and no holes."""
    monkeypatch.setattr(puzzles, "MAX_TILES", 1)
    holes = ((0, 0), (1, 1))
    page = opened(views, EdgePuzzle("holes", 2, 2, ((0, 0, 0, 0),) * 2, holes=holes))
    page.get_by_text("2 tiles, 2 cells, 0 hints").wait_for()
    page.get_by_text("The first 1 tile").wait_for()
