"""Metadata that depend on where a release is built: links to its repository.

The environment's `DOVETAIL_REPOSITORY_URL` is the address of the repository's page. Without it, as
in a clone of one's own, the archives have no links to a repository, and those in the description
are relative as in README.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "DOVETAIL_REPOSITORY_URL"
# In links of Markdown, within a line and by a reference: what is neither elsewhere nor on the page.
_RELATIVE = re.compile(r"(\]\(|^\[[^\]]+\]: +)(?!\w+:|#)([^)\s]+)", re.MULTILINE)
_PICTURES = (".png", ".svg")


class LinkHook(MetadataHookInterface):
    """Adds the links and the description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what `dynamic` in pyproject.toml leaves to this hook."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        url = os.environ.get(VARIABLE, "").rstrip("/")
        if url:
            metadata["urls"] = links(url)
            text = with_absolute_links(text, url, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def links(url: str) -> dict[str, str]:
    """Return the links of a project by the names that the package index knows."""
    return {
        "Homepage": url,
        "Source": url,
        "Issues": f"{url}/issues",
        "Changelog": f"{url}/blob/main/CHANGELOG.md",
    }


def with_absolute_links(text: str, url: str, version: str) -> str:
    """Return a page with its links and pictures as they are in the repository at a version."""

    def absolute(match: re.Match[str]) -> str:
        way = "raw" if match[2].endswith(_PICTURES) else "blob"
        return f"{match[1]}{url}/{way}/v{version}/{match[2]}"

    return _RELATIVE.sub(absolute, text)
