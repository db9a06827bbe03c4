"""Schedules of stages: what a text means, and what is refused."""

from __future__ import annotations

import pytest

from dovetail.backends.shared.schedule import Engines, SearchSchedule, Stage
from dovetail.errors import ConfigError

DLX = {"dlx": ()}
BOTH = {"dlx": (), "fila": ("piece",)}


@pytest.mark.parametrize(
    ("words", "engines", "stages"),
    [
        (["s"], DLX, [Stage("dlx", "s", None, 1)]),
        (["f"], BOTH, [Stage("fila", "f", None, 1)]),
        (["mch", "emch@5", "de-bruijn@2"], DLX, [("s", None, 6), ("e", 5, 3), ("f", 2, 1)]),
        (["a@160"], DLX, [("a@160", None, 1)]),
        (["a@160", "a@22.5@11"], DLX, [("a@160", None, 12), ("a@22.5", 11, 1)]),
        ([" R ", "[2 0 1]@2"], DLX, [("R", None, 3), ("[2 0 1]", 2, 1)]),
        (
            ["dlx:s", "fila:e@11", "f@3"],
            BOTH,
            [Stage("dlx", "s", None, 12), Stage("fila", "e", 11, 4), Stage("fila", "f", 3, 1)],
        ),
        (["piece", "x@11"], BOTH, [Stage("fila", "piece", None, 12), Stage("fila", "x", 11, 1)]),
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
        ([], DLX, "no stages given"),
        (["s@"], DLX, "stage 's@'; expected [ENGINE:]HEURISTIC[@PIECES]"),
        (["s", "f@9999999"], DLX, "expected [ENGINE:]HEURISTIC[@PIECES]"),
        (["q"], DLX, "stage 'q': dlx has no heuristic q; valid: e, s, f, x"),
        (["fila:f"], DLX, "names the engine fila; valid: dlx"),
        (["piece"], DLX, "dlx has no heuristic piece; valid: e, s, f"),
        (["a@400"], DLX, "stage 'a@400': cell order 'a@400'; expected a@DEG with degrees"),
        (["[0 0]"], DLX, "each once"),
        (["s@3"], DLX, "the first stage begins with all pieces; expected no @3"),
        (["s", "f"], DLX, "stage dlx:f is not the first; expected dlx:f@PIECES"),
        (["s", "f@0"], DLX, "stage dlx:f@0 follows dlx:s; expected @PIECES from 1"),
        (["s", "f@3", "e@3"], DLX, "stage dlx:e@3 follows dlx:f@3; expected @PIECES from 1 to 2"),
        (["f", "piece@3"], BOTH, "stage fila:piece@3 is not the first"),
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
        (["s"], 0, None),
        (["s", "f@11"], 12, None),
        (["s", "f@11"], 11, "stage fila:f@11 begins too early: the puzzle has 11 pieces"),
        (["s", "f@11", "e@2"], 4, "expected 1 to 3"),
        (["s", "f@1"], 1, "expected one stage"),
        (["piece", "f@11"], 12, None),
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
