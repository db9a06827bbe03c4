"""Solvers that were all asked the same questions: only these can be ranked by shares of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dovetail.harness.records.questions import Question, by_question
from dovetail.harness.records.summary import JobResult
from dovetail.reports.results.solver_runs import solver_name

FAMILIES = {"cells": "packing", "tiles": "edge matching", "items": "exact cover"}
OTHER_PUZZLES = "puzzles"


@dataclass(frozen=True)
class AskedAlike:
    """The results, on all questions of a `kind`, of solvers that were asked each of them.

    `left_out` are the solvers that were asked some of these questions only.
    """

    kind: str
    results: tuple[JobResult, ...]
    left_out: tuple[str, ...]


def asked_alike(results: Sequence[JobResult]) -> list[AskedAlike]:
    """Return one for each family of puzzles; records of old benches do not name theirs."""
    kinds: dict[str, dict[Question, list[JobResult]]] = {}
    for question, answers in by_question(results).items():
        kinds.setdefault(_family(answers), {})[question] = answers
    return [_of_family(kind, questions) for kind, questions in kinds.items()]


def _family(answers: Sequence[JobResult]) -> str:
    """Return the family of a puzzle, by what its size is counted in."""
    sizes: list[Mapping[str, int]] = [answer.size for answer in answers if answer.size]
    known = (FAMILIES[what] for size in sizes for what in size if what in FAMILIES)
    return next(known, OTHER_PUZZLES)


def _of_family(kind: str, questions: Mapping[Question, Sequence[JobResult]]) -> AskedAlike:
    asked = [set(map(solver_name, answers)) for answers in questions.values()]
    of_all, of_some = set.intersection(*asked), set.union(*asked)
    answers = [answer for its in questions.values() for answer in its]
    return AskedAlike(
        kind,
        tuple(answer for answer in answers if solver_name(answer) in of_all),
        tuple(sorted(of_some - of_all)),
    )
