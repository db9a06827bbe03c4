"""What is said of packages that are not installed."""

from __future__ import annotations

import pytest

from dovetail import extras
from dovetail.extras import install_command


def test_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As pyproject.toml has them, never by the name of this distribution."""
    assert install_command("ui") == "pip install 'starlette>=0.45' 'uvicorn>=0.34'"
    assert install_command("of-a-plugin") == "install the packages of its extra of-a-plugin"
    monkeypatch.setattr(extras, "requires", lambda name: None)
    install_command.cache_clear()
    assert install_command("cpsat") == "install the packages of its extra cpsat"
    install_command.cache_clear()
