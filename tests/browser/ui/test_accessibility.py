"""Each state of the page: nothing serious is found by axe-core, nothing cut off on a phone.

With `DOVETAIL_SCREENSHOTS=FOLDER`, pictures of all states are saved.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from browser.accessibility import findings, with_axe
from browser.ui.test_views import PHONE, fits
from browser.ui.tour import tour

if TYPE_CHECKING:
    from browser.ui.conftest import Views
    from dovetail.ui.server import PageServer

SCREENSHOTS = os.environ.get("DOVETAIL_SCREENSHOTS")
SIZES: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1280, "light"), (PHONE, "dark"), (PHONE, "light"), (1280, "dark"),
)  # fmt: skip


@with_axe
def test_every_state(views: Views, server: PageServer, followed: Path) -> None:
    """All rules wide and light, narrow and dark."""
    found = list[object]()
    for state, page in tour(views, server.address, followed):
        for width, scheme in SIZES if SCREENSHOTS else SIZES[:2]:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            if SCREENSHOTS:
                name = f"{state.replace(' ', '-')}-{width}-{scheme}.png"
                page.screenshot(path=Path(SCREENSHOTS) / name, full_page=True)
            if width == PHONE:
                try: fits(page)
                except AssertionError as e: found.append((state, "fits", str(e)[:600]))
            if scheme == ("dark" if width==PHONE else "light"):
              found += [(state, width, *finding) for finding in findings(page)]
        page.set_viewport_size({"width": 1280, "height": 900})
    import pprint
    pprint.pprint(found, width=180)
    assert found == []
