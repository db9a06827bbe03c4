"""The questions that records answer, and the solvers that answer them.

A solver is a backend with its settings except the seed, so runs with different seeds are runs of
the same solver. A backend with cold starts is a separate solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.backends.command.config import COMMAND
from dovetail.errors import how_many
from dovetail.harness.records.record import Record, grouped

FAMILIES = {"cells": "packing", "tiles": "edge matching", "items": "exact cover"}
OTHER_PUZZLES = "other"
SEED = "seed"


def family_of(answers: Iterable[Record]) -> str:
    """Return the family of the puzzle from the `answers` to a question."""
    units = (unit for answer in answers for unit in answer.size)
    return next((FAMILIES[unit] for unit in units if unit in FAMILIES), OTHER_PUZZLES)


def solver_name(record: Record) -> str:
    """Return the backend of a record with its settings, except the seed."""
    start = " (cold start)" if record.job.cold_start else ""
    return f"{record.job.backend}{show_settings(record, seeds=False)}{start}"


def show_settings(record: Record, *, seeds: bool = True) -> str:
    """Format the settings of the backend, the reductions and the triggers.

    The text follows the name of the backend. The settings that define a program are left out,
    because the name of the program stands for them.
    """
    settings = record.job.config if seeds else own_settings(record)
    words = []
    if COMMAND not in settings:
        words += [f"{key}={_show_setting(value)}" for key, value in settings.items()]
    words += [f"−{reduction}" for reduction in record.job.reductions]
    words += [f"!{trigger}" for trigger in record.job.triggers]
    if record.job.trials is not None:
        words.append(how_many(record.job.trials.count, "trial"))
    return "".join(f" {word}" for word in words)


def own_settings(record: Record) -> dict[str, object]:
    """Return the settings that distinguish solvers: all except the seed."""
    return {key: value for key, value in record.job.config.items() if key != SEED}


def _show_setting(value: object) -> str:
    """Format the value of a setting as in the option -c."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Question:
    """A question that several jobs may answer."""

    puzzle: str
    digest: str
    symmetry: str
    labelled: bool
    # Number of solutions to search for; None for all solutions.
    wanted: int | None = None
    # Whether the question is for the board with the most matched edges rather than for the number
    # of solutions.
    improves: bool = False

    @property
    def content(self) -> tuple[str, str, bool]:
        """The fields that determine the number of solutions."""
        return self.digest, self.symmetry, self.labelled

    @property
    def title(self) -> str:
        """The question in words, without the digest."""
        title = self.puzzle + ("" if self.symmetry == "all" else f" ({self.symmetry})")
        title += " labelled" if self.labelled else ""
        title += ", best board" if self.improves else ""
        if self.wanted is None:
            return title
        return f"{title}, first {'solution' if self.wanted == 1 else f'{self.wanted:,} solutions'}"


def question_of(record: Record) -> Question:
    """Return the question that a record answers."""
    job = record.job
    return Question(
        job.puzzle,
        job.puzzle_digest,
        job.symmetry,
        job.labelled,
        None if job.limits is None else job.limits.solutions,
        job.improves,
    )


def by_question(results: Iterable[Record]) -> dict[Question, list[Record]]:
    """Return the results by question; questions and results are in the order of appearance."""
    return grouped(results, question_of)
