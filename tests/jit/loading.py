"""Which kernels are loaded or compiled, as if none had been before."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from dovetail.jit.decorator import Kernel


def loaded_from_now(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that will have the name of each kernel that is loaded."""
    gc.unfreeze()  # a command that ran in this process has frozen all objects
    for one in gc.get_objects():
        if type(one) is Kernel:
            monkeypatch.setattr(one, "_native", {})
    loaded: list[str] = []
    load = Kernel._load

    def recording(self: Kernel, *arguments: Any) -> Any:
        loaded.append(self.__name__)  # type: ignore[attr-defined]
        return load(self, *arguments)

    monkeypatch.setattr(Kernel, "_load", recording)
    return loaded
