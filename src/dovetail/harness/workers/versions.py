"""The versions that decide what a search does: equal ones give equal results."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version


def versions_here() -> dict[str, str]:
    """Return the versions of dovetail, numba and Python in this process."""
    return {
        "dovetail": _version("dovetail"),
        "numba": _version("numba"),
        "Python": platform.python_version(),
    }


def difference(expected: Mapping[str, str], found: Mapping[str, str]) -> str | None:
    """Return what differs, such as `numba 0.60.0 (expected 0.61.0)`; None for equal versions."""
    differing = [
        f"{name} {found.get(name, 'unknown')} (expected {wanted})"
        for name, wanted in expected.items()
        if found.get(name) != wanted
    ]
    return ", ".join(differing) or None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
