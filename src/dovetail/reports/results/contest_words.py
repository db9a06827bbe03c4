"""Contests in words: what they are over, and the figures of their rankings as one reads them."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contest import ALL_FAMILIES, Contest, Settings
from dovetail.harness.records.families import OTHER_PUZZLES
from dovetail.reports.numbers import show_ratio


def contest_title(contest: Contest, beside: Contest | None = None) -> str:
    """The family of puzzles, and which solvers and times are compared.

    Without what it shares with the contest `beside` it.
    """
    known = [] if beside is None else [beside.settings, beside.clock]
    words = [word for word in (contest.settings, contest.clock) if word not in known]
    return ", ".join([contest.family, *words])


def family_title(contest: Contest) -> str:
    """The family of puzzles, and chosen settings if there are any."""
    chosen = [] if contest.settings is Settings.DEFAULT else [contest.settings]
    return ", ".join([contest.family, *chosen])


def how_many_questions(contest: Contest) -> str:
    """How many puzzles of which family, or questions where several are about one puzzle."""
    number = len(contest.questions)
    puzzles = {contest.runs.asked[question].digest for question in contest.questions}
    word = "puzzle" if len(puzzles) == number else "question"
    family = "" if contest.family in (ALL_FAMILIES, OTHER_PUZZLES) else f"{contest.family} "
    return how_many(number, f"{family}{word}")


def show_interval(interval: Interval) -> str:
    """The ends of an interval of ratios."""
    return f"{show_ratio(interval.low)}–{show_ratio(interval.high)}"


def show_p(p: float) -> str:
    """A probability with two digits."""
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"
