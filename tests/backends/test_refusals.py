"""Reasons for which backends refuse a puzzle, a config or a request."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from backends.test_requests import CORNER, OTHER, corners, plane
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Request
from dovetail.models.task import Puzzle
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box

SIX, SOMA, QUEENS = load("pentominoes-5x6-FLNPUY"), load("soma-cube"), load("queens-8")
TWO_LISTED = plane(
    box(2, 3), Piece("A", CORNER, placements=(CORNER,)), Piece("B", CORNER, placements=(OTHER,))
)
OPTIONAL = PackingPuzzle("", SquareLattice(2), box(2, 2), (Piece("A", CORNER),), optional=box(2, 2))
VARIED = plane(box(2, 3), Piece("A", CORNER, 0, 2))
FAR_APART = plane(((0, 0), (0, 1), (10**6, 10**6)), Piece("A", ((0, 0),), 3, 3))
LARGE = plane(box(200, 200), Piece("D", box(2, 1), 20_000, 20_000))
SCATTERED = [f"{x}.{y}" for x, y in product(range(22), repeat=2)]
Random(1).shuffle(SCATTERED)
CASES: list[tuple[str, Puzzle, Sequence[str], str]] = [
    # backend and what is asked of it, the words of settings, the reason or a part of it
    ("dlx", SIX, ["stages=z"], "stage dlx:z: cells of dimension 2 have no order z"),
    ("dlx", SIX, ["stages=[1 0]"], "names 2 cells; expected all 30"),
    ("dlx", SIX, ["stages=s,f@6"], "the puzzle has 6 pieces; expected 1 to 5"),
    ("dlx", QUEENS, ["stages=f"], "picks cells, but the problem has no cells; valid heuristics: s"),
    ("dlx", QUEENS, ["stages=s,s@3"], "expected one stage, not 2"),
    ("fila", SOMA, ["stages=e,f@7"], "fila:f@7 begins too early: the puzzle has 7 pieces; expect"),
    ("fila", SOMA, ["stages=piece,f@3"], "expected a second stage @6"),
    ("fila", SOMA, ["stages=w"], "cells of dimension 3 have no order w; valid: f, x, y, z, X, Y"),
    ("fila", SOMA, ["stages=dlx:[0 1],f@3"], "names 2 cells; expected all 27"),
    ("fila", SOMA, ["stages=f", "-r", "volume@3"], "only dlx filters placements during the search"),
    ("fila", SOMA, ["stages=piece,f@6", "-t", "parity"], "stage piece supports neither triggers n"),
    ("fila", LARGE, [], "the region has 40,000 open cells; the limit is 16,384"),
    ("fila", OPTIONAL, [], "it does not support cells that may stay empty"),
    ("fila", QUEENS, [], "it supports packing puzzles only"),
    ("bitset", SOMA, ["-t", "volume"], "it does not support triggers (volume)"),
    ("bitset", SOMA, ["-r", "fit@3"], "it cannot filter placements during the search (fit@3); exp"),
    ("fletcher", QUEENS, [], "it supports packing puzzles only"),
    ("fletcher", TWO_LISTED, [], "both A and B have them"),
    ("fletcher", corners((CORNER, OTHER), 2), [], "used once, unlike A"),
    ("fletcher", SIX, ["-r", "volume@5"], "it cannot filter placements during the search"),
    ("fletcher", OPTIONAL, [], "it does not support cells that may stay empty"),
    ("fletcher", VARIED, [], "used a fixed number of times"),
    ("fletcher", FAR_APART, [], "its board would take"),
    ("rows", QUEENS, [], "it supports edge-matching puzzles only"),
    (
        "rows",
        random_board(22, 22, 2000, seed=1),
        ["order=" + ",".join(SCATTERED)],
        "bytes; the limit is 268,435,456",
    ),
    ("domains", SIX, [], "it supports edge-matching puzzles only"),
]


@pytest.mark.parametrize(("backend", "puzzle", "words", "reason"), CASES)
def test_reasons(backend: str, puzzle: Puzzle, words: Sequence[str], reason: str) -> None:
    """The run is skipped; the reason names what is at fault, and what is valid."""
    settings = dict(word.split("=") for word in words if "=" in word)
    asked = {key: [words[k + 1]] for k, key in enumerate(words) if key in ("-r", "-t")}
    request = Request.named("all", False, asked.get("-r", []), asked.get("-t", []))
    finished = finish(execute(Job(puzzle, request, backend, settings)))
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")


def test_records_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board of which `domains` cannot keep enough."""
    monkeypatch.setattr("dovetail.backends.domains.search.MAX_BYTES", 10_000)
    finished = finish(execute(Job(random_board(5, 5, 3, seed=4), backend="domains")))
    assert finished.status == Status.SKIPPED
    assert "its records would take" in (finished.reason or "")
