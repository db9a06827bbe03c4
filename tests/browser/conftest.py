"""A browser for the tests of pages: the system's Chromium, driven by Playwright.

Where one of them is missing the tests are skipped and say so.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = (
    "--no-sandbox",  # Chromium does not start as root, as in a container, with it
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
)
# Less work for pages without a finger that scrolls: only WebGL is left to the software renderer.
WITHOUT_SCROLLING = "--disable-gpu-compositing"
# What requests that are refused, and canvases that are read back, bring to the console.
EXPECTED = "the server responded with a status of 4", "GPU stall due to ReadPixels"


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One browser for the tests of a module, in which a finger scrolls if `SCROLLS` is true.

    Not for all of them: as long as Playwright runs, its event loop does, and nothing else in the
    process can start one.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    executable = os.environ.get("DOVETAIL_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    if executable is None:
        pytest.skip("no Chromium found: not on the PATH, and DOVETAIL_CHROMIUM does not name one")
    scrolls = getattr(request.module, "SCROLLS", False)
    arguments = ARGUMENTS if scrolls else (*ARGUMENTS, WITHOUT_SCROLLING)
    with playwright.sync_playwright() as started:
        try:
            found = started.chromium.launch(executable_path=executable, args=arguments)
        except playwright.Error as error:
            pytest.skip(f"Chromium does not start: {error.message.splitlines()[0]}")
        yield found
        found.close()


class Windows:
    """Opens windows of their own, and notes what goes wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def window(self, **asked: Any) -> Page:
        """An empty window; `asked` says which."""
        self._contexts.append(self._browser.new_context(**asked))
        page = self._contexts[-1].new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        return page

    def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            context.close()

    def _on_console(self, message: ConsoleMessage) -> None:
        is_expected = any(text in message.text for text in EXPECTED)
        if message.type in ("error", "warning") and not is_expected:
            self.complaints.append(f"console: {message.text}")


class Opener(Windows):
    """Opens pages as a reader would who has nothing but the file."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        super().__init__(browser)
        self._folder = folder

    def __call__(
        self,
        page: str | Path,
        *,
        width: int = 1000,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
        before: str = "",
        within: Path | None = None,
    ) -> Page:
        """A page, given as its text or its file, in a window of its own.

        `before` is a script that runs ahead of those of the page. `within` is the folder of a site
        whose pages and files may be asked for.
        """
        path = page if isinstance(page, Path) else self._written(page)
        viewport = {"width": width, "height": 800}
        opened = self.window(viewport=viewport, color_scheme=scheme, has_touch=touch)
        address = path.resolve().as_uri()
        known = (address,) if within is None else (f"{within.resolve().as_uri()}/",)
        opened.route("**/*", lambda route, request: self._let(route, request, known))
        opened.add_init_script(before)
        opened.goto(address)
        return opened

    def _written(self, text: str) -> Path:
        path = self._folder / f"page-{len(self._contexts)}.html"
        path.write_text(text, encoding="utf-8")
        return path

    def _let(self, route: Route, request: Request, known: tuple[str, ...]) -> None:
        """Only the page itself or its site, and what is in it, may be asked for."""
        if request.url.startswith((*known, "data:", "blob:")):
            route.continue_()
        else:
            self.complaints.append(f"request: {request.url}")
            route.abort()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Opens pages; the test fails if one of them complains or asks for anything else."""
    opener = Opener(browser, tmp_path)
    yield opener
    opener.close()
    assert opener.complaints == []
