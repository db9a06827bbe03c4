"""The site as it is built: once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

ROOT = Path(__file__).parents[2]
HOST = "http://site.invalid/"  # of a built page, in whose place relative links are read


def build_once(folder: Path) -> Site:
    """Build the site below `folder`, unless another process has."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            build(folder / "site")
            (folder / "done").touch()
    return Site(folder / "site")


def build(target: Path) -> None:
    """Run `mkdocs build --strict`, for which a warning is an error."""
    words = ["build", "--strict", "--site-dir", str(target)]
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *words],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@dataclass(frozen=True)
class Link:
    """A reference of a page: which attribute of which element has it, and whether it is loaded."""

    element: str
    target: str
    loaded: bool


# What a browser fetches to show a page; `a` and the addresses of forms are only followed.
LOADED = {
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("image", "href"),
    ("input", "src"),
    ("link", "href"),
    ("object", "data"),
    ("script", "src"),
    ("source", "src"),
    ("track", "src"),
    ("use", "href"),
    ("video", "poster"),
    ("video", "src"),
}
NOT_LOADED = {"alternate", "author", "canonical", "help", "license", "next", "prev", "search"}
URL = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")


class _Reader(HTMLParser):
    """Collects what a page refers to, its identifiers and the words of its article."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.ids: set[str] = {""}
        self.words = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open += [tag] if tag in ("article", "style") else []
        self.ids.add(given.get("id", ""))
        passive = bool(NOT_LOADED & set(given.get("rel", "").split()))
        for name in ("href", "src", "data", "poster", "xlink:href"):
            if name in given:
                loaded = (tag, name.removeprefix("xlink:")) in LOADED and not passive
                self.links.append(Link(tag, given[name], loaded))
        for one in re.findall(r"(\S+)(?:\s+[\d.]+[wx])?,?", given.get("srcset", "")):
            self.links.append(Link(tag, one, True))
        self._take_style(given.get("style", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._open.remove(tag)

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            self._take_style(data)
        elif "article" in self._open:
            self.words += data

    def _take_style(self, text: str) -> None:
        self.links += [Link("style", target, True) for target in urls_of_style(text)]


def urls_of_style(text: str) -> list[str]:
    """What a style sheet loads."""
    return [first or second for first, second in URL.findall(text)]


@dataclass(frozen=True)
class Page:
    """A page of the site by its path, such as `guide/index.html`, and what is in it."""

    path: str
    links: tuple[Link, ...]
    ids: frozenset[str]
    words: int

    def address_of(self, link: Link) -> str:
        """The address that a link leads to from this page."""
        return urljoin(HOST + self.path, link.target)


@dataclass(frozen=True)
class Site:
    """All files of the built site."""

    folder: Path

    @cached_property
    def pages(self) -> dict[str, Page]:
        """The pages by their paths."""
        found = sorted(self.folder.rglob("*.html"))
        return {page.path: page for page in map(self._read, found)}

    def _read(self, file: Path) -> Page:
        reader = _Reader()
        reader.feed(file.read_text(encoding="utf-8"))
        path = file.relative_to(self.folder).as_posix()
        words = len(reader.words.split())
        return Page(path, tuple(reader.links), frozenset(reader.ids), words)

    def broken(self, page: Page, link: Link) -> bool:
        """Whether a link into the site has no file, or no such place in it."""
        address, anchor = urldefrag(page.address_of(link))
        path = unquote(urlsplit(address).path).removeprefix("/")
        if (self.folder / path).is_dir():
            path = f"{path.rstrip('/')}/index.html".removeprefix("/")
        if path in self.pages:
            return bool(anchor) and unquote(anchor) not in self.pages[path].ids
        return not (self.folder / path).is_file()

    def sheets(self) -> Iterator[tuple[str, list[str]]]:
        """The style sheets, and what each loads."""
        for file in self.folder.rglob("*.css"):
            yield file.name, urls_of_style(file.read_text(encoding="utf-8"))
