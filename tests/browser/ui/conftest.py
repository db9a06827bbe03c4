"""One server for all tests of the page of `dovetail ui`, and windows to see it in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra ui is not installed")
pytest.importorskip("uvicorn", reason="the extra ui is not installed")

from browser.conftest import Windows
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.ui.workspace import Workspace
from ui.served import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

    from dovetail.ui.serving.server import PageServer

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


class Views(Windows):
    """Opens views in windows of their own."""

    def __init__(self, browser: Browser, address: str) -> None:
        super().__init__(browser)
        self._address = address
        self._base = address.partition("?")[0]

    def __call__(self, view: str = "", *, width: int = 1280, **asked: Any) -> Page:
        """A view by what stands behind # in its address; `asked` goes to the window."""
        page = self.window(viewport={"width": width, "height": 900}, **asked)
        page.set_default_timeout(60_000)
        page.on("request", self._on_request)
        page.goto(f"{self._address}#/{view}")
        page.locator("h1").wait_for()
        return page

    def go(self, page: Page, view: str) -> None:
        """Another view in the same window."""
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        page.locator("main:focus h1").wait_for()

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
