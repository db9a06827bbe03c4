"""Schedules of stages: what a text means, what is refused, and what a stretch hands over."""

from __future__ import annotations

import pytest

from backends.searches import run_out
from dovetail.backends.fila.segment import FilaSegments, search_key
from dovetail.backends.shared.hybrid import HybridSearch
from dovetail.backends.shared.schedule import Engines, SearchSchedule, Stage
from dovetail.backends.shared.segments import EngineSegment, engine_segments
from dovetail.errors import ConfigError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle
from dovetail.models.packings.placements import bounded_placements
from dovetail.puzzles.loading import load

DLX = {"dlx": ()}
BOTH = {"dlx": (), "fila": ("piece",)}


@pytest.mark.parametrize(
    ("words", "engines", "stages"),
    [
        (["s"], DLX, [Stage("dlx", "s", None, 1)]),
        (["mch", "emch@5", "de-bruijn@2"], DLX, [("s", None, 6), ("e", 5, 3), ("f", 2, 1)]),
        (["a@160", "a@22.5@11"], DLX, [("a@160", None, 12), ("a@22.5", 11, 1)]),
        ([" R ", "[2 0 1]@2"], DLX, [("R", None, 3), ("[2 0 1]", 2, 1)]),
        (
            ["dlx:s", "fila:e@11", "f@3"],
            BOTH,
            [Stage("dlx", "s", None, 12), Stage("fila", "e", 11, 4), Stage("fila", "f", 3, 1)],
        ),
    ],
)
def test_what_words_mean(
    words: list[str], engines: Engines, stages: list[Stage | tuple[str, int | None, int]]
) -> None:
    """Engine, heuristic, and how many pieces remain at the first and the last placement."""
    expected = [s if isinstance(s, Stage) else Stage("dlx", *s) for s in stages]
    assert list(SearchSchedule.parse(words, engines).stages) == expected


def test_what_a_stage_covers() -> None:
    """The stages of a schedule share out all numbers of pieces remaining, each once."""
    stages = SearchSchedule.parse(["dlx:s", "e@11", "f@3"], BOTH).stages
    assert [stage.remaining(12) for stage in stages] == [(12, 12), (11, 4), (3, 1)]
    assert [str(stage) for stage in stages] == ["dlx:s", "fila:e@11", "fila:f@3"]
    assert SearchSchedule.parse(["s"], DLX).stages[0].remaining(7) == (7, 1)


@pytest.mark.parametrize(
    ("words", "engines", "expected"),
    [
        (["s", "f@9999999"], DLX, "expected [ENGINE:]HEURISTIC[@PIECES]"),
        (["q"], DLX, "stage 'q': dlx has no heuristic q; valid: e, s, f, x"),
        (["piece"], DLX, "dlx has no heuristic piece; valid: e, s, f"),
        (["s@3"], DLX, "the first stage begins with all pieces; expected no @3"),
        (["s", "f"], DLX, "stage dlx:f is not the first; expected dlx:f@PIECES"),
        (["s", "f@3", "e@3"], DLX, "stage dlx:e@3 follows dlx:f@3; expected @PIECES from 1 to 2"),
        (["f", "dlx:s@3"], BOTH, "follows fila:f; expected stages in the order dlx, fila"),
        (["q" * 10_000], DLX, "…"),
    ],
)
def test_what_is_no_schedule(words: list[str], engines: Engines, expected: str) -> None:
    """The message names the stage and what is valid, in one short line."""
    with pytest.raises(ConfigError) as caught:
        SearchSchedule.parse(words, engines)
    assert expected in str(caught.value)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "pieces", "expected"),
    [
        (["s", "f@11"], 12, None),
        (["s", "f@11"], 11, "stage fila:f@11 begins too early for 11 pieces"),
        (["s", "f@1"], 1, "begins too early for 1 piece; expected one stage"),
        (["piece", "f@10"], 12, "stage fila:piece places only the first of 12 pieces"),
        (["piece"], 3, "expected a second stage @2"),
    ],
)
def test_whether_a_schedule_fits(words: list[str], pieces: int, expected: str | None) -> None:
    """Stages that begin beyond the pieces there are say what is valid."""
    reason = SearchSchedule.parse(words, BOTH).misfit(pieces)
    if expected is None:
        assert reason is None
    else:
        assert reason is not None
        assert expected in reason


ENGINES = {"dlx": (), "fila": ("piece",)}


PLANE = SquareLattice(2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["s"], [EngineSegment("fila", 5, 0, tuple("sssss"))]),
        (["e", "f@3", "s@1"], [EngineSegment("fila", 5, 0, tuple("eeffs"))]),
        (
            ["dlx:s", "f@3"],
            [EngineSegment("dlx", 5, 3, ("s", "s")), EngineSegment("fila", 3, 0, ("f", "f", "f"))],
        ),
        (
            ["f", "x@3", "R@2", "e@1"],
            [
                EngineSegment("fila", 5, 3, ("f", "f")),
                EngineSegment("fila", 3, 2, ("x",)),
                EngineSegment("fila", 2, 1, ("R",)),
                EngineSegment("fila", 1, 0, ("e",)),
            ],
        ),
    ],
)
def test_where_a_schedule_is_cut(words: list[str], expected: list[EngineSegment]) -> None:
    """Where another engine goes on, or cells are numbered otherwise: not between f, e and s."""
    assert engine_segments(SearchSchedule.parse(words, ENGINES), 5, search_key) == expected


def test_no_pieces_make_no_segment() -> None:
    """And their search finds the one way to fill what a fixed piece has filled."""
    assert engine_segments(SearchSchedule.parse(["s"], ENGINES), 0, search_key) == []
    cell = ((0, 0),)
    full = PackingPuzzle("full", PLANE, cell, (), (FixedPiece("A", cell),))
    assert run_out(HybridSearch(bounded_placements(full), 0, {})) == [[]]


@pytest.mark.parametrize(("begins", "words"), [(18, 2), (11, 2), (10, 1)])
def test_a_late_segment_has_a_narrow_board(begins: int, words: int) -> None:
    """90 cells take two words; the 50 before the last ten pieces take one, with ten shapes."""
    puzzle = load("one-sided-pentominoes-5x18")
    assert isinstance(puzzle, PackingPuzzle)
    placements = bounded_placements(puzzle)
    segment = EngineSegment("fila", begins, 0, ("f",) * begins)
    late = FilaSegments(segment, placements, nof=True, kernel="reference")
    assert late.variant.words == words
