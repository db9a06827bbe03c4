"""The site of the documentation as a reader sees it: on a phone, in dark colours, offline."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from docs.built_site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("", "api/", "puzzles/", "reproductions/published.html")
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any, **_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def address(documentation: Site) -> Iterator[str]:
    """Where the site is served."""
    handler = partial(_Silent, directory=str(documentation.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def phone(browser: Browser, address: str) -> Iterator[Page]:
    """A narrow window in dark colours; the test fails if a page complains or asks another host."""
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page, complaints = context.new_page(), list[str]()
    page.on("request", lambda request: complaints.append(request.url))
    page.on("console", lambda one: complaints.extend([one.text] if one.type == "error" else []))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    own = (address, "data:", "blob:")
    assert [complaint for complaint in complaints if not complaint.startswith(own)] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_a_phone(phone: Page, address: str, name: str) -> None:
    """It is as wide as the window, whatever is wide in it scrolls, and it is dark."""
    phone.goto(address + name)
    assert phone.evaluate(OVERFLOW) <= 0
    red, green, blue = map(int, phone.evaluate(BACKGROUND)[4:-1].split(","))
    assert red + green + blue < 150


def test_search(phone: Page, address: str) -> None:
    """It needs no server but for the files."""
    phone.goto(address)
    phone.keyboard.press("/")
    phone.keyboard.type("volume filter")
    phone.wait_for_selector(".md-search-result__link")
    assert phone.locator(".md-search-result__link").count() > 2
