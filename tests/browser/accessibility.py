"""Findings of axe-core on a page; `.ci/axe` installs it and names its script."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE = 390
SCRIPT = os.environ.get("DOVETAIL_AXE")
with_axe = pytest.mark.skipif(not SCRIPT, reason="axe-core is not installed: run .ci/axe")

# Rules whose result depends on the width and the colours.
OF_STYLE = ("color-contrast", "scrollable-region-focusable")
LOOKS: tuple[tuple[int, Literal["light", "dark"], tuple[str, ...] | None], ...] = (
    (1280, "light", None),
    (PHONE, "dark", OF_STYLE),
)
RUN = """async (rules) => {
  const options = { resultTypes: ["violations"], iframes: false, ...(rules && { runOnly: rules }) };
  const { violations } = await axe.run(document, options);
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const shown = ({ html }) => html.slice(0, 200);
  return serious.map(({ id, help, nodes }) => [id, help, ...nodes.map(shown)]);
}"""


def findings(page: Page) -> list[list[object]]:
    """Return the serious and critical findings, wide and light, and of style, narrow and dark.

    Each is a width, a rule, its help and elements. The page has the second look afterwards.
    """
    if not page.evaluate("() => 'axe' in window"):
        assert SCRIPT is not None
        page.evaluate(Path(SCRIPT).read_text(encoding="utf-8"))
    found = list[list[object]]()
    for width, scheme, rules in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found += ([width, *finding] for finding in page.evaluate(RUN, rules))
    return found
