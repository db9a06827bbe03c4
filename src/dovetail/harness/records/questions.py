"""Which records answer the same question, of which family of puzzles, by which solver.

A solver is a backend with the settings that it was given. Seeds are left out of its name: runs of
one solver with several seeds are several runs of it. Runs that began without compiled kernels are
those of another solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from dovetail.backends.command.definition import COMMAND
from dovetail.errors import how_many
from dovetail.harness.records.record import Record

FAMILIES = {"cells": "packing", "tiles": "edge matching", "items": "exact cover"}
OTHER_PUZZLES = "other"


def family_of(answers: Iterable[Record]) -> str:
    """Return the family of the puzzle of `answers` to one question."""
    known = (FAMILIES[what] for answer in answers for what in answer.size if what in FAMILIES)
    return next(known, OTHER_PUZZLES)


SEED = "seed"


def solver_name(record: Record) -> str:
    """The backend of a record with its settings, in full."""
    start = " (cold start)" if record.job.cold_start else ""
    return f"{record.job.backend}{show_settings(record, seeds=False)}{start}"


def show_settings(record: Record, *, seeds: bool = True) -> str:
    """The backend's own settings, reductions, triggers, as one reads them behind its name.

    Those that define a program are left out: the name stands for them.
    """
    settings = record.job.config if seeds else own_settings(record)
    if COMMAND in settings:
        settings = {}
    own = [f"{key}={_shown(value)}" for key, value in settings.items()]
    reductions = [f"−{reduction}" for reduction in record.job.reductions]
    triggers = [f"!{trigger}" for trigger in record.job.triggers]
    asked = [] if record.job.trials is None else [how_many(record.job.trials.count, "trial")]
    return "".join(f" {word}" for word in [*own, *reductions, *triggers, *asked])


def own_settings(record: Record) -> dict[str, object]:
    """The settings that make a solver another one: all but the seed."""
    return {key: value for key, value in record.job.config.items() if key != SEED}


def _shown(value: object) -> str:
    """A setting as one would write it behind -c."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


RecordT = TypeVar("RecordT", bound=Record)


@dataclass(frozen=True)
class Question:
    """A puzzle by name and content, up to which symmetry, and whether copies are distinguished.

    `wanted` is how many solutions are asked for; None: all. One that `improves` asks for the board
    with the most matched edges.
    """

    puzzle: str
    digest: str
    symmetry: str
    labelled: bool
    wanted: int | None = None
    improves: bool = False

    @property
    def content(self) -> tuple[str, str, bool]:
        """What is counted, whatever the puzzle is called and however many are asked for."""
        return self.digest, self.symmetry, self.labelled

    @property
    def title(self) -> str:
        """The question as one reads it; the digest is left out."""
        title = self.puzzle + ("" if self.symmetry == "all" else f" ({self.symmetry})")
        title += " labelled" if self.labelled else ""
        title += ", best board" if self.improves else ""
        if self.wanted is None:
            return title
        return f"{title}, first {'solution' if self.wanted == 1 else f'{self.wanted:,} solutions'}"


def question_of(record: Record) -> Question:
    """The question that a record answers."""
    wanted = None if record.job.limits is None else record.job.limits.solutions
    return Question(
        record.job.puzzle,
        record.job.puzzle_digest,
        record.job.symmetry,
        record.job.labelled,
        wanted,
        record.job.improves,
    )


def by_question(results: Iterable[RecordT]) -> dict[Question, list[RecordT]]:
    """The results of each question; questions, and results of one, in the order they come in."""
    questions: dict[Question, list[RecordT]] = {}
    for result in results:
        questions.setdefault(question_of(result), []).append(result)
    return questions
