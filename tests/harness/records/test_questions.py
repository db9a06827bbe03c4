"""Which records answer the same question."""

from __future__ import annotations

from typing import Any

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import by_question, with_shared_reductions
from harness.records.made import made, results


def result(puzzle: str, **changes: Any) -> Record:
    """An answer to a question."""
    record = made(puzzle, **{"digest": "d", **changes})
    return results(record)[0]


def test_results_by_question() -> None:
    """Questions in the order they come in; other figures make no difference."""
    answers = [
        result("a"),
        result("b"),
        result("a", count=7),
        result("a", symmetry="unique"),
        result("a", symmetry="unique", labelled=True),
        result("a", digest="e"),
    ]
    grouped = by_question(answers)
    assert list(grouped.values()) == [
        [answers[0], answers[2]],
        *([r] for r in answers[1:2]),
        *([r] for r in answers[3:]),
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
    alike = [result("a", backend=name, reductions=["redundancy"]) for name in ("dlx", "fila")]
    alone = result("b", backend="dlx", reductions=["volume"])
    unlike = [
        result("c", backend="dlx", reductions=[]),
        result("c", backend="fila", reductions=["fit"]),
    ]
    results = with_shared_reductions([*alike, alone, *unlike])
    assert [one.job.reductions for one in results] == [(), (), ("volume",), (), ("fit",)]
    shared = [one.shared_reductions for one in results]
    assert shared == [("redundancy",), ("redundancy",), (), (), ()]
