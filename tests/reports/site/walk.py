"""Walks the links of a site as a browser would, without one."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag


class Links(HTMLParser):
    """The addresses in a page, the identities that they may end in, and the scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.identities: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag leads to and what it is called."""
        for name, value in attrs:
            if name in ("href", "src"):
                self.addresses.append(value or "")
            if name == "id":
                self.identities.append(value or "")

    def handle_data(self, data: str) -> None:
        """Note a script."""
        if self.cdata_elem == "script":
            self.scripts.append(data)


def walked(files: Mapping[str, str]) -> set[str]:
    """The files that links lead to from the home page, over all pages.

    Fails for a link to nothing, to an identity that is not there, or out of the site, and for a
    page with two elements of one identity.
    """
    pages = {name: Links(text) for name, text in files.items() if name.endswith(".html")}
    reached, waiting = set[str](), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        page = pages.get(name)
        if page is None:
            continue
        assert len({*page.identities}) == len(page.identities), name
        for address in page.addresses:
            if address.startswith("data:text/csv"):
                continue
            path, identity = urldefrag(address)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path)))
            target = target if path else name
            assert target in files, (name, address)
            assert not identity or identity in pages[target].identities, (name, address)
            waiting.append(target)
    return reached
