"""Backends that break the contract: exactly the checks that it concerns find them, in words."""

from __future__ import annotations

import re

import pytest

from dovetail.backends.base import AnyBackend
from dovetail.backends.registry import backends
from dovetail.harness.contract import checks as contract_checks
from dovetail.harness.contract.cases import (
    QUEENS,
    covered_once,
    without_colours,
    without_secondary_items,
)
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import CheckVerdict, Subject
from harness.contract import broken_backends as broken

# They take half a second each, and those that they would find are not among these.
SLOW = {"time-limit", "interruption"}


def failures(backend: AnyBackend, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The reasons of the checks that fail, by their names."""
    monkeypatch.setitem(backends(), backend.name, backend)
    subject = Subject(backend.name)
    verdicts: list[CheckVerdict] = [
        CHECKS[name].verdict(subject) for name in CHECKS if name not in SLOW
    ]
    return {verdict.check: verdict.reason or "" for verdict in verdicts if verdict.is_wrong}


def searching_queens(task: object) -> bool:
    """Whether a task is the cover problem that most checks of searching take."""
    return getattr(task, "puzzle", None) == QUEENS


# By name: a broken backend, the checks that find it, and words of the reason of one of them.
BROKEN: dict[str, tuple[AnyBackend, str, str]] = {
    "secondary": (
        broken.Careless(without_secondary_items),
        "secondary-items cover-unique cover-without-solutions colours coloured-and-not "
        "bounds-and-colours listing solution-limit node-limit node-meaning repetition "
        "tree-estimate cutting",
        r"queens-6 \(all\): expected 4 solutions, found 720: it seems to ignore secondary",
    ),
    "colours": (
        broken.Careless(without_colours),
        "colours coloured-and-not bounds-and-colours",
        r"two-colours \(all\): expected 7 solutions, found 5: it seems to ignore colours",
    ),
    "bounds": (
        broken.Careless(covered_once),
        "bounds bounds-and-colours",
        "it seems to ignore bounds and cover every primary item exactly once",
    ),
    "duplicates": (
        broken.Changed(broken.Twice, broken.has_four_dimensions),
        "four-dimensions",
        r"hyper-dominoes \(all\): a solution is wrong: solution 2 was found before",
    ),
    "fewer": (
        broken.Changed(broken.Fewer, broken.has_four_dimensions),
        "four-dimensions",
        r"hyper-dominoes \(all\): expected 9 solutions, found 8",
    ),
    "nodes": (
        broken.Changed(broken.Endless, searching_queens),
        "node-limit",
        "expected it to end with node-limit; it ended with exhausted",
    ),
    "unrepeatable": (
        broken.Changed(broken.Unrepeatable, searching_queens),
        "repetition",
        "expected two equal runs; .* counters differ",
    ),
    "forgetful": (
        broken.Changed(broken.Forgetful, searching_queens),
        "slices",
        r"decreased from \(4, \d+\) to",
    ),
    "crash": (
        broken.Crashes(),
        "bounds bounds-and-colours",
        r"two-of-three \(all\): it raised ZeroDivisionError: division by zero",
    ),
    "silent": (
        broken.RefusesWithoutReason(),
        "four-dimensions",
        "expected a single-line reason for the refusal; it is ' '",
    ),
    "triggers": (
        broken.Changed(broken.Fewer, lambda task: bool(task.request.triggers)),
        "triggers",
        r"\(all, parity, volume\): a solution is wrong: it counted 39 and listed 3",
    ),
    "reductions": (
        broken.Changed(broken.Fewer, lambda task: "fit" in map(str, task.request.reductions)),
        "reductions",
        r"\(all, redundancy, volume, fit\): expected 40 solutions, found 3\d",
    ),
    "talkative": (
        broken.Changed(broken.Talkative, searching_queens),
        "output",
        r"queens-6 \(all\): it wrote b'searching",
    ),
    "estimates": (
        broken.Misjudging(),
        "tree-estimate",
        r"the mean of 400 estimates is \d+ ± \d+; its search visits \d+ nodes",
    ),
    "numbers": (
        broken.Misnumbering(),
        "sampling",
        r"expected its 4 numbers to identify 4 different solutions; they identify 1$",
    ),
    "a part lost": (
        broken.Changed(broken.LosesAPart, searching_queens),
        "cutting",
        "cut after every 23 nodes, it found [0-3] solutions, [0-3] of them different; expec",
    ),
    "description": (
        broken.EndsASentence(),
        "description",
        "'a node is A node is a placement made.' ends with a full stop",
    ),
    "meaning": (
        broken.MeansNothing(),
        "node-meaning",
        r"queens-6 \(all\): its node_meaning is None, and it counts \d+ nodes",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly these checks fail, and the reason of one of them has these words."""
    monkeypatch.setattr(contract_checks, "MAX_PARTS", 200)
    backend, checks, words = BROKEN[name]
    found = failures(backend, monkeypatch)
    assert set(found) == set(checks.split())
    assert any(re.search(words, reason) for reason in found.values()), found


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("time-limit", r"queens-20 \(all\): expected it to stop after 0.2 s; it took [0-9]"),
        ("interruption", r"queens-20 \(all\): it ended [.0-9]+ s after it was interrupted"),
    ],
)
def test_a_search_that_comes_back_late(
    check: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its time limit nor Ctrl-C ends it soon: within less than the usual second here."""
    monkeypatch.setattr(contract_checks, "LATEST_S", 0.2)
    slow = broken.Changed(broken.Slow, lambda task: task.puzzle.name == "queens-20")
    monkeypatch.setitem(backends(), slow.name, slow)
    verdict = CHECKS[check].verdict(Subject(slow.name))
    assert verdict.is_wrong
    assert re.fullmatch(f"{words}.*", verdict.reason or ""), verdict.reason
