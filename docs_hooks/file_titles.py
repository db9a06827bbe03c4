"""Show the file name of a block of code: ```toml file=NAME``` of the guide, which its tests run."""

from __future__ import annotations

import re
from typing import Any

FENCE = re.compile(r"^```(\w+) file=(\S+)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Give the name to mkdocs-material as the title of the block."""
    return FENCE.sub(r'```\1 title="\2"', markdown)
