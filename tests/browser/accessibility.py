"""Findings of axe-core on a page; `.ci/axe` installs it and names its script."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = os.environ.get("DOVETAIL_AXE")
with_axe = pytest.mark.skipif(not SCRIPT, reason="axe-core is not installed: run .ci/axe")

RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], iframes: false });
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  return serious.map(({ id, help, nodes }) => [id, help, ...nodes.map(({ html }) => html.slice(0, 200))]);
}"""


def findings(page: Page) -> list[list[str]]:
    """Return the serious and critical findings: rule, help and elements of each."""
    if not page.evaluate("() => 'axe' in window"):
        assert SCRIPT is not None
        page.evaluate(Path(SCRIPT).read_text(encoding="utf-8"))
    found: list[list[str]] = page.evaluate(RUN)
    return found
