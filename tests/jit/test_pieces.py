"""The variable that says which hand-written code is used."""

from __future__ import annotations

import pytest

from dovetail import machine_code
from dovetail.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("", set(machine_code.PIECES)),
        ("off", set()),
        ("lanes", {"lanes"}),
        ("start,board", {"start", "board"}),
    ],
)
def test_pieces_that_are_named(monkeypatch: pytest.MonkeyPatch, text: str, used: set[str]) -> None:
    """Use the pieces that are named, all by default."""
    monkeypatch.setenv("DOVETAIL_MACHINE_CODE", text)
    assert machine_code.pieces.__wrapped__() == used


@pytest.mark.parametrize("text", ["lane", "OFF", "start,off", "lanes,,lists"])
def test_pieces_that_do_not_exist(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Refuse a name that is no piece, with the valid names."""
    monkeypatch.setenv("DOVETAIL_MACHINE_CODE", text)
    with pytest.raises(ConfigError, match=r"unknown piece .*; valid: off, start, vectors, lanes"):
        machine_code.pieces.__wrapped__()
