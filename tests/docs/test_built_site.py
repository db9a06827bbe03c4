"""The site of the documentation: built without a warning, whole, and asking no other host."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from docs.built_site import HOST, Link, Page, Site


def pairs(documentation: Site) -> list[tuple[Page, Link]]:
    """Every link of every page."""
    return [(page, link) for page in documentation.pages.values() for link in page.links]


def is_elsewhere(address: str) -> bool:
    """Whether a browser would ask another host for an address."""
    parts = urlsplit(address)
    return parts.scheme not in ("data", "blob") and not address.startswith(HOST)


def test_nothing_is_loaded_from_another_host(documentation: Site) -> None:
    """No font, script, style or image."""
    loaded = [(page, link) for page, link in pairs(documentation) if link.loaded]
    assert len(loaded) > len(documentation.pages)
    found = {link.target for page, link in loaded if is_elsewhere(page.address_of(link))}
    assert found == set()
    for name, targets in documentation.sheets():
        assert not [target for target in targets if is_elsewhere(HOST + target)], name
        assert not [target for target in targets if target.startswith(("http", "//"))], name


def test_every_link_leads_somewhere(documentation: Site) -> None:
    """Within the site, to a file and to a place in it."""
    inner = [
        (page, link)
        for page, link in pairs(documentation)
        if page.address_of(link).startswith(HOST)
    ]
    assert len(inner) > 1000
    broken = {(page.path, link.target) for page, link in inner if documentation.broken(page, link)}
    assert broken == set()


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("api/index.html", "node_limit"),
        ("guide/8-lattices/index.html", '<span class="filename">'),
        ("reproductions/published.html", "Busche 2018"),
    ],
)
def test_what_is_made_when_the_site_is_built(documentation: Site, page: str, text: str) -> None:
    """Signatures, lists of the package, files of the root, names of files."""
    assert text in (documentation.folder / page).read_text(encoding="utf-8")
