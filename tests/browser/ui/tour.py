"""Each page of `dovetail ui` in each of its states, one after another in one window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from browser.ui.test_views import step
from ui.served import LONG, Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.ui.conftest import Views

RECORDS = Path(__file__).parents[1] / "records" / "quick.jsonl"
OPENED = ("soma-cube", "edges-4-b3i3-1", "langford-7")
THREE = ("dlx", "fila", "bitset")


def tour(views: Views, address: str, followed: Path) -> Iterator[tuple[str, Page]]:
    """Yield the name of each state with the page that shows it."""
    page = views(reduced_motion="reduce")
    with closing(Visitor(address)) as visitor:
        yield from _choosing(page, followed.parent)
        for name in OPENED:
            puzzle = visitor.asked("/api/puzzles", name=name)[0]["id"]
            views.go(page, f"puzzle/{puzzle}")
            page.locator(".known dl").first.wait_for(state="attached")
            page.evaluate(
                "document.querySelectorAll('details').forEach(one => { one.open = true; })"
            )
            yield f"puzzle {name}", page
            yield from _solving(page)
        cube, board = (visitor.asked("/api/puzzles", name=name)[0]["id"] for name in OPENED[:2])
        yield from _racing(page, views, visitor, cube, board)
        views.go(page, f"steps/{cube}")
        page.locator(".stage svg").wait_for()
        page.click("#last-step")
        until(lambda: step(page) == 1000)
        yield "steps", page
        yield from _drawing(page, views)
        for state, content in (("followed, empty", ""), ("followed", RECORDS.read_text("utf-8"))):
            followed.write_text(content, encoding="utf-8")
            views.go(page, "races")
            views.go(page, "followed/1")
            page.locator("td").first.wait_for() if content else page.get_by_text(
                "0 runs"
            ).wait_for()
            yield state, page
    views.go(page, "nowhere")
    yield "no such view", page


def _choosing(page: Page, folder: Path) -> Iterator[tuple[str, Page]]:
    yield "gallery", page
    page.fill("#search", "pentominoes")
    yield "search", page
    page.fill("#search", "tetris-cubs")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_role("button").wait_for()
    yield "no such name", page
    letter = folder / "letter.txt"
    letter.write_text("Dear reader\n", encoding="utf-8")
    page.set_input_files("input[type=file]", letter)
    page.get_by_role("alert").get_by_text("letter.txt").wait_for()
    yield "no puzzle in a file", page
    page.fill("#search", "hexiamonds-SHAPE")
    page.get_by_role("link", name="Others of").first.click()
    page.locator("#open-size").wait_for()
    yield "family", page


def _solving(page: Page) -> Iterator[tuple[str, Page]]:
    """Solutions of the puzzle that is shown."""
    name = page.locator("h1").inner_text()
    page.click("#solve")
    page.locator(".solution").first.wait_for()
    until(lambda: page.locator("#stop-solving").is_hidden())
    yield f"solutions of {name}", page


def _racing(
    page: Page, views: Views, visitor: Visitor, cube: str, board: str
) -> Iterator[tuple[str, Page]]:
    long = visitor.asked("/api/puzzles", name=LONG)[0]["id"]
    views.go(page, f"puzzle/{cube}")
    page.click("#race")
    page.locator(".solver .check input").first.wait_for()
    for box in page.locator(".solver .check input").all():
        box.set_checked(False)
    page.click("#start")
    page.get_by_role("alert").get_by_text("Choose a solver").wait_for()
    yield "race form without a solver", page
    for state, puzzle, lanes, find in (
        ("race, running", long, THREE, "count"),
        ("race, ended", cube, THREE, "solutions"),
        ("race, best boards", board, ("breaks", "repair"), "improve"),
    ):
        race = visitor.race(puzzle, *lanes, find=find, when_closed="continue", time_s=5)
        views.go(page, f"race/{race}")
        if state != "race, running":
            page.locator("#race-files").wait_for()
        yield state, page
        visitor.asked(f"/api/races/{race}/stop")
    views.go(page, "races")
    page.locator(".entry").first.wait_for()
    yield "races", page


def _drawing(page: Page, views: Views) -> Iterator[tuple[str, Page]]:
    views.go(page, "draw")
    for lattice in ("square-2", "square-3"):
        page.select_option("#lattice", lattice)
        page.locator(f"#lattice option[value={lattice}]:checked").wait_for(state="attached")
        page.locator("#piece-set").wait_for()
        page.select_option("#piece-set", index=1)
        page.click("#fill")
        yield f"draw {lattice}", page
        page.click("#draw-piece")
        page.locator("dialog[open] svg").first.wait_for()
        page.locator("dialog").get_by_role("button", name="Take").click()
        yield f"draw a piece of {lattice}", page
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
