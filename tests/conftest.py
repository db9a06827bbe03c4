"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# No time limit per example: the first call of a kernel compiles it.
settings.register_profile("dovetail", deadline=None, derandomize=True)
settings.load_profile("dovetail")


@pytest.fixture(scope="session", autouse=True)
def _unraced_search() -> None:
    """Compile the kernels once, before anything is measured against a limit."""
    from dovetail.backends.dlx.backend import Dlx

    Dlx().warm_up()
