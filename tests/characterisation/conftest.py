"""What the tests of a run share."""

from __future__ import annotations

import pytest

from characterisation.clock import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The only clock there is."""
    return Clock(monkeypatch)
