"""Kernels without hand-written code: the tests of a solver with three kinds of it."""

from __future__ import annotations

import sys

import pytest

import dovetail.machine_code as hand_written
from dovetail.errors import ConfigError
from dovetail.jit import bounds_check, runs_in_numba
from dovetail.kernels.bits import disjoint_vectors


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [(None, set(hand_written.PIECES)), ("off", set()), ("lanes,lists", {"lanes", "lists"})],
)
def test_pieces_are_chosen(
    chosen: str | None, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the environment, as it is when it is first read."""
    monkeypatch.delenv("DOVETAIL_MACHINE_CODE", raising=False)
    if chosen is not None:
        monkeypatch.setenv("DOVETAIL_MACHINE_CODE", chosen)
    hand_written.pieces.cache_clear()
    runs_in_numba.cache_clear()
    try:
        assert hand_written.pieces() == expected
        if sys.platform == "linux" and not bounds_check():
            assert runs_in_numba() == ("start" not in expected)
        plain = disjoint_vectors.loaded().__module__ == "dovetail.kernels.bits"
        assert plain == ("vectors" not in expected)
    finally:
        monkeypatch.undo()
        hand_written.pieces.cache_clear()
        runs_in_numba.cache_clear()


@pytest.mark.parametrize("text", ["lane", "OFF", "start,off", "lanes,,lists"])
def test_pieces_that_do_not_exist(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Refuse a name that is no piece, with the valid names."""
    monkeypatch.setenv("DOVETAIL_MACHINE_CODE", text)
    with pytest.raises(ConfigError, match=r"unknown piece .*; valid: off, start, vectors, lanes"):
        hand_written.pieces.__wrapped__()
