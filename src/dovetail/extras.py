"""Commands that install the optional dependencies of dovetail.

The commands name the packages and not the extra, because a package index may hold an unrelated
project with the name of this distribution.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, requires


@cache
def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra of pyproject.toml."""
    wanted = " ".join(f"'{one}'" for one in _requirements(extra))
    return f"pip install {wanted}" if wanted else f"install what its extra {extra} lists"


def _requirements(extra: str) -> list[str]:
    """Return the requirements of an extra in the distribution's metadata, possibly none."""
    try:
        lines = requires("dovetail") or []
    except PackageNotFoundError:
        return []
    pattern = re.compile(rf"([^;]+);.*\bextra == ['\"]{re.escape(extra)}['\"]")
    return [found[1].strip() for line in lines if (found := pattern.match(line))]
