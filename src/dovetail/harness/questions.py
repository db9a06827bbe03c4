"""Which records answer the same question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.harness.record import Record


@dataclass(frozen=True)
class Question:
    """A puzzle by name and content, up to which symmetry, and whether copies are told apart."""

    puzzle: str
    digest: str
    symmetry: str
    labelled: bool

    @property
    def title(self) -> str:
        """The question as one reads it; the digest is left out."""
        title = self.puzzle + ("" if self.symmetry == "all" else f" ({self.symmetry})")
        return title + (" labelled" if self.labelled else "")


def by_question(results: Iterable[Record]) -> dict[Question, list[Record]]:
    """The results of each question; questions, and results of one, in the order they come in."""
    questions: dict[Question, list[Record]] = {}
    for result in results:
        asked = Question(
            result["puzzle"], result["digest"], result["symmetry"], result["config"]["labelled"]
        )
        questions.setdefault(asked, []).append(result)
    return questions
