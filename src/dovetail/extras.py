"""How to install what an optional part of dovetail needs.

The packages are named one by one: an index may have another project by the name of this one.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, requires


@cache
def install_command(extra: str) -> str:
    """Return what installs the packages of an extra of pyproject.toml."""
    wanted = " ".join(f"'{one}'" for one in _requirements(extra))
    return f"pip install {wanted}" if wanted else f"install what its extra {extra} lists"


def _requirements(extra: str) -> list[str]:
    """What the metadata of this distribution list for an extra, nothing where it has none."""
    try:
        lines = requires("dovetail") or []
    except PackageNotFoundError:
        return []
    pattern = re.compile(rf"([^;]+);.*\bextra == ['\"]{re.escape(extra)}['\"]")
    return [found[1].strip() for line in lines if (found := pattern.match(line))]
