"""Each state of the page: axe-core finds nothing serious, nothing is cut off on a phone.

With `DOVETAIL_SCREENSHOTS=FOLDER`, pictures of all states are saved, light and dark.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from browser.accessibility import findings, with_axe
from browser.ui.test_drawing_and_racing import tab_to
from browser.ui.test_views import PHONE, fits
from browser.ui.tour import tour

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.ui.conftest import Views
    from dovetail.ui.serving.server import PageServer

SCREENSHOTS = os.environ.get("DOVETAIL_SCREENSHOTS")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MAX_TABS = 60
FOCUSED = "document.activeElement.id"


def save_pictures(page: Page, state: Path) -> None:
    """Save the whole page, wide and narrow, light and dark."""
    for width, scheme in product((1280, PHONE), SCHEMES):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{state}-{width}-{scheme}.png", full_page=True)


@with_axe
def test_every_state(views: Views, server: PageServer, followed: Path) -> None:
    """Of a packing, a solid, a board and a cover; from the gallery to a page that is not there."""
    found = list[object]()
    for state, page in tour(views, server.address, followed):
        if SCREENSHOTS:
            save_pictures(page, Path(SCREENSHOTS) / state.replace(" ", "-"))
        found += ([state, *finding] for finding in findings(page))
        assert fits(page), state
        page.set_viewport_size({"width": 1280, "height": 900})
    assert found == []


def test_a_cube_is_solved_with_the_keyboard_alone(views: Views) -> None:
    """From the gallery; the way leads through the viewer and out of it."""
    page = views()
    tab_to(page, "Open soma-cube")
    page.keyboard.press("Enter")
    page.locator("#solve").wait_for()
    tab_to(page, "solve")
    page.keyboard.press("Enter")
    page.frame_locator("iframe").locator("canvas").wait_for()
    page.locator(".about", has_text="480 solutions").wait_for()
    tab_to(page, "save-one")
    seen = set[str]()
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName"))
        if page.evaluate(FOCUSED) == "next-page":
            break
    assert (page.evaluate(FOCUSED), "IFRAME" in seen) == ("next-page", True)
