"""Contests in words: what they are over, and the figures of their rankings as one reads them."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contests import ALL_FAMILIES, Contest, SolverSettings
from dovetail.harness.evaluation.ranking import Known, Lead, Standing
from dovetail.harness.records.questions import OTHER_PUZZLES
from dovetail.reports.numbers import ABSENT, show_ratio, show_seconds


def contest_title(contest: Contest, beside: Contest | None = None) -> str:
    """The family of puzzles, and which solvers and times are compared.

    Without what it shares with the contest `beside` it.
    """
    known = [] if beside is None else [beside.settings, beside.clock]
    words = [word for word in (contest.settings, contest.clock) if word not in known]
    return ", ".join([contest.family, *words])


def family_title(contest: Contest) -> str:
    """The family of puzzles, and chosen settings if there are any."""
    chosen = [] if contest.settings is SolverSettings.DEFAULT else [contest.settings]
    return ", ".join([contest.family, *chosen])


def how_many_questions(contest: Contest) -> str:
    """How many puzzles of which family, or questions where several are about one puzzle."""
    number = len(contest.questions)
    puzzles = {contest.runs.asked[question].digest for question in contest.questions}
    word = "puzzle" if len(puzzles) == number else "question"
    family = "" if contest.family in (ALL_FAMILIES, OTHER_PUZZLES) else f"{contest.family} "
    return how_many(number, f"{family}{word}")


def show_interval(interval: Interval, *, is_bound: bool = False) -> str:
    """The ends of an interval of ratios, or the lower end if they are only lower bounds."""
    low = show_ratio(interval.low)
    return f"> {low}" if is_bound else f"{low}–{show_ratio(interval.high)}"


def standing_cells(standing: Standing) -> dict[str, str]:
    """The cells of a solver in a ranking, by their columns."""
    times, is_bound = show_ratio(standing.ratio.mean), standing.is_bound
    return {
        "solver": standing.solver,
        "× best": f"> {times}" if is_bound else times,
        "95 %": show_interval(standing.ratio, is_bound=is_bound),
        "wins": f"{standing.wins}",
        "solved": f"{standing.answered} of {standing.accepted}",
        "refused": f"{standing.refused}",
        "PAR-2": show_seconds(standing.par2_s),
        "average rank": f"{standing.average_rank:.2f}",
        "contribution": show_seconds(standing.marginal_s) if standing.marginal_s else ABSENT,
        "alone": f"{standing.sole}",
    }


def show_lead(lead: Lead) -> str:
    """How many times longer the second took; a dash where that is not known."""
    if lead.known is Known.NO:
        return ABSENT
    times = show_ratio(lead.ratio.mean)
    return f"×{times}" if lead.known is Known.EXACT else f"> ×{times}"


def show_p(p: float) -> str:
    """A probability with two digits."""
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"
