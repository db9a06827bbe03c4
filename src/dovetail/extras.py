"""The distribution's name, commands that install optional dependencies, and versions."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version

# Name of this distribution; `dovetail` is another project on the package index.
DISTRIBUTION = "dovetail-puzzles"


@cache
def install_command(extra: str) -> str:
    """Return the command that installs an extra's packages, or advice if they are unknown."""
    wanted = " ".join(f"'{requirement}'" for requirement in _requirements(extra))
    return f"pip install {wanted}" if wanted else f"install the packages of its extra {extra}"


def _requirements(extra: str) -> list[str]:
    """Return the requirements of an extra; none if the distribution's metadata lacks them."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    pattern = re.compile(rf"([^;]+);.*\bextra == ['\"]{re.escape(extra)}['\"]")
    return [found[1].strip() for line in lines if (found := pattern.match(line))]


def package_version(package: str) -> str | None:
    """Return the version of an installed package or of `dovetail`; None if it is not installed."""
    try:
        return version(DISTRIBUTION if package == "dovetail" else package)
    except PackageNotFoundError:
        return None
