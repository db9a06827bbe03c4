"""One server for all tests of the page of `dovetail ui`, and windows to see it in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra ui is not installed")
pytest.importorskip("uvicorn", reason="the extra ui is not installed")

from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.ui.workspace import Workspace
from ui.served import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

    from dovetail.ui.server import PageServer

OFFERED = ("soma-cube", "edges-4-b3i3-1")


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of records that a bench has not begun to write."""
    return tmp_path_factory.mktemp("followed") / "runs.jsonl"


@pytest.fixture(scope="module")
def server(followed: Path) -> Iterator[PageServer]:
    """A server that offers a cube and a board, and follows a file."""
    offered = [(catalogue_puzzle(name), None) for name in OFFERED]
    with served(Workspace(offered, [followed])) as started:
        yield started


class Views:
    """Opens views in windows of their own, and notes what goes wrong in them."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._base = address.partition("?")[0]
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(self, view: str = "", *, width: int = 1280, **asked: Any) -> Page:
        """A view by what stands behind # in its address; `asked` goes to the window."""
        context = self._browser.new_context(viewport={"width": width, "height": 900}, **asked)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("request", self._on_request)
        page.goto(f"{self._address}#/{view}")
        page.locator("h1").wait_for()
        return page

    def go(self, page: Page, view: str) -> None:
        """Another view in the same window."""
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        page.locator("main:focus h1").wait_for()

    def close(self) -> None:
        """Closes all that was opened."""
        for context in self._contexts:
            context.close()

    def _on_console(self, message: ConsoleMessage) -> None:
        refused = "the server responded with a status of 4"  # which is shown to the reader
        if message.type in ("error", "warning") and refused not in message.text:
            self.complaints.append(f"console: {message.text}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self._base, "data:", "blob:")):
            self.complaints.append(f"request: {request.url}")


@pytest.fixture
def views(browser: Browser, server: PageServer) -> Iterator[Views]:
    """Opens views; the test fails if one complains or asks anything of another host."""
    opened = Views(browser, server.address)
    yield opened
    opened.close()
    assert opened.complaints == []
