"""Which records answer the same question."""

from __future__ import annotations

from typing import Any

from dovetail.harness.questions import by_question, with_shared_reductions


def record(puzzle: str, **figures: Any) -> dict[str, Any]:
    """What a question is told by."""
    labelled = figures.pop("labelled", False)
    plain = {"puzzle": puzzle, "digest": "d", "symmetry": "all", "config": {"labelled": labelled}}
    return {**plain, **figures}


def test_results_by_question() -> None:
    """Questions in the order they come in; other figures make no difference."""
    records = [
        record("a"),
        record("b"),
        record("a", count=7),
        record("a", symmetry="unique"),
        record("a", symmetry="unique", labelled=True),
        record("a", digest="e"),
    ]
    grouped = by_question(records)
    assert list(grouped.values()) == [
        [records[0], records[2]],
        *([r] for r in records[1:2]),
        *([r] for r in records[3:]),
    ]
    assert [question.title for question in grouped] == [
        "a",
        "b",
        "a (unique)",
        "a (unique) labelled",
        "a",
    ]


def test_what_all_were_asked_alike() -> None:
    """Their reductions are the question's; those of one alone, or of some, stay their own."""
    alike = [record("a", backend=name, reductions=["redundancy"]) for name in ("dlx", "fila")]
    alone = record("b", backend="dlx", reductions=["volume"])
    unlike = [
        record("c", backend="dlx", reductions=[]),
        record("c", backend="fila", reductions=["fit"]),
    ]
    told = with_shared_reductions([*alike, alone, *unlike])
    assert [one["reductions"] for one in told] == [[], [], ["volume"], [], ["fit"]]
    shared = [one.get("shared_reductions") for one in told]
    assert shared == [["redundancy"], ["redundancy"], None, None, None]
