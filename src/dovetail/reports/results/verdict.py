"""The verdict of a report: the winner, its lead and the reasons, in words and in two tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from dovetail.errors import how_many, list_first
from dovetail.harness.evaluation.contests import ALL_FAMILIES, Contest, SolverRuns
from dovetail.harness.evaluation.ranking import (
    MIN_QUESTIONS,
    ContestVerdict,
    Known,
    Standing,
    WinReason,
    win_reasons,
)
from dovetail.harness.records.summary import family_of
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status
from dovetail.reports.columns import STANDINGS, show_ratio_interval
from dovetail.reports.numbers import show_percent, show_ratio, show_times
from dovetail.reports.page import Section, definitions
from dovetail.reports.results.solvers import heat_map_section, how_many_questions, special
from dovetail.reports.table import Column, Table, Topic, linked

MAX_NAMED = 4
RANKING = ("solver", "× best", "95 %", "wins", "solved", "refused")
MAX_RANKED = 12  # maximum number of solvers in the table
LEVEL_WITH = 0.005  # an exact ratio below 1 plus this value is shown as level
SAME_NODES = 0.02  # maximum difference from 1 of a ratio of nodes that counts as equal
# Reasons why solvers and puzzles are not compared, by the field of a contest.
LEFT_OUT = {
    "unanswered": "Answered by nobody",
    "unsearched": "Answered without a search",
    "uncommon": "Not run by all of these solvers",
    "refused": "Accepted by one of these solvers or none",
    "left_out": "Not ranked here, because they ran only some of these",
    "refusing": "Not ranked here, because they refused half of these or more",
}
REASONS: tuple[Column[WinReason], ...] = (
    linked(Topic.SOLVER, "winner", lambda reason: reason.solver),
    Column("wins", lambda reason: reason.wins),
    Column("ahead", lambda reason: reason.lead, show_times),
    Column("nodes", lambda reason: reason.nodes, show_times),
    Column("time per node", lambda reason: reason.node_time, show_times),
    Column("preparing", lambda reason: reason.prepare_share, show_percent),
)


def headline(verdicts: Sequence[ContestVerdict], runs: SolverRuns) -> str:
    """Return the sentences at the beginning of a report; empty without solvers."""
    if verdicts:
        text, wrong = verdict_text(verdicts[0]), verdicts[0].contest.disqualified
        named = list_first(wrong, MAX_NAMED)
        return f"{text} Disqualified for wrong counts: {named}." if wrong else text
    if not runs.solvers:
        return ""
    if any(run.result.status is Status.WRONG for run in runs.runs.values()):
        return "Solvers contradict one another or the expected counts, so none is ranked."
    if len(runs.solvers) == 1:
        return "There is only one solver, so there is nothing to rank."
    return "No two solvers answered the same puzzles, so none is ranked."


def verdict_text(verdict: ContestVerdict) -> str:
    """Return the winner of a contest, its lead, the most frequent winners, and refusals."""
    first, winners = verdict.first, verdict.frequent_winners
    contest = verdict.contest
    all_of_them, number = how_many_questions(contest), len(contest.questions)
    among = f"Of the {len(contest.solvers)} solvers that ran all {all_of_them}, "
    among = among if contest.left_out else ""
    words = special(contest)
    chosen = f" ({', '.join(words)})" if words else ""
    both = verdict.lead.accepted
    mean_of = "" if number == 1 else " in the geometric mean"
    mean_of += f" of the {both} that both accept" if both < number else ""
    refusals = [f"{row.refused} by {row.solver}" for row in verdict.standings[:2] if row.refused]
    refused = f" Refused: {', '.join(refusals)}." if refusals else ""
    ahead = f"{_ahead(verdict)}{mean_of}"
    if first in winners:
        won = f"{first.wins}" if among else f"{first.wins} of {all_of_them}"
        return f"{among}{first.solver} is fastest on {won}, {ahead}{chosen}.{refused}"
    of_all = "" if among or both < number else f" of {all_of_them}"
    return f"{among}{first.solver} is {ahead}{of_all}; {_frequent(winners)}{chosen}.{refused}"


def first_text(verdict: ContestVerdict) -> str:
    """Return the results of the first solver of a contest: solved, speed, wins and refusals."""
    contest, first, second = verdict.contest, verdict.first, verdict.second.solver
    row, other = contest.of(first.solver), contest.of(second)
    both = contest.answered[row] & contest.answered[other]
    parts = [f"{first.solver} solved {first.answered} of {how_many_questions(contest)}"]
    if both.any():
        ratios = contest.seconds[other, both] / np.maximum(contest.seconds[row, both], MIN_S)
        parts.append(
            f"was {show_ratio(float(np.median(ratios)))} times as fast as {second} at the median"
        )
    won = list(compress(contest.questions, contest.fastest[row]))
    if won:
        parts.append(f"was fastest on {len(won)} ({_where(contest, won)})")
    parts.append(f"refused {first.refused or 'none'}")
    return f"{', '.join(parts[:-1])} and {parts[-1]}."


def _where(contest: Contest, won: Sequence[str]) -> str:
    """Return the number of won questions by family; for a single family, the won puzzles."""
    if contest.family != ALL_FAMILIES:
        return list_first([contest.runs.asked[name].puzzle for name in won], MAX_NAMED)
    families = Counter(
        family_of(contest.run(solver, question) for solver in contest.solvers) for question in won
    )
    return ", ".join(f"{number} {family}" for family, number in families.items())


def _ahead(verdict: ContestVerdict) -> str:
    """Return the lead of the first solver: `> 1.60 times ahead of dlx`."""
    lead, second = verdict.lead, verdict.second.solver
    if not lead.questions:
        return f"not comparable with {second}"
    if lead.known is Known.NO:
        return f"ahead of {second}"
    if lead.known is Known.EXACT and lead.ratio.mean < 1 + LEVEL_WITH:
        return f"level with {second}"
    at_least = "> " if lead.known is Known.AT_LEAST else ""
    return f"{at_least}{show_ratio(lead.ratio.mean)} times ahead of {second}"


def _frequent(winners: Sequence[Standing]) -> str:
    names = list_first([winner.solver for winner in winners], MAX_NAMED, " and ")
    are, each = ("is", "") if len(winners) == 1 else ("are", " each")
    return f"{names} {are} fastest most often, on {winners[0].wins}{each}"


def verdict_section(verdicts: Sequence[ContestVerdict], runs: SolverRuns) -> Section | None:
    """Return the ranking and the reasons of the first verdict, with the heat map beside them.

    Returns None without verdicts.
    """
    if not verdicts:
        return None
    verdict = verdicts[0]
    reasons = win_reasons(verdict.contest)
    return Section(
        "verdict",
        "Who won, and why",
        [*_paragraphs(verdict, reasons), _ranking_table(verdict), Table(REASONS, reasons)],
        definitions=definitions("verdict"),
        beside=heat_map_section(runs, [standing.solver for standing in verdict.standings]),
    )


def _ranking_table(verdict: ContestVerdict) -> Table:
    number = len(verdict.standings)
    caption = f"the first {MAX_RANKED} of {number} solvers" if number > MAX_RANKED else ""
    columns = [STANDINGS[name] for name in RANKING]
    return Table(columns, verdict.standings[:MAX_RANKED], caption)


def _paragraphs(verdict: ContestVerdict, reasons: Sequence[WinReason]) -> Iterator[str]:
    contest = verdict.contest
    first = verdict.first.solver
    why = next((" ".join(_why(reason)) for reason in reasons if reason.solver == first), "")
    yield why or f"{first} is fastest on no puzzle and leads by the mean alone."
    yield " ".join(_how_sure(verdict))
    yield from left_out_texts(contest, MAX_NAMED)


def left_out_texts(contest: Contest, max_named: int | None = None) -> Iterator[str]:
    """Yield the solvers and puzzles that are not compared, with the reasons."""
    for field, reason in LEFT_OUT.items():
        names: Sequence[str] = getattr(contest, field)
        if names:
            yield f"{reason}: {list_first(names, max_named or len(names))}."


def _why(reason: WinReason) -> Iterator[str]:
    """Yield the advantages of a winner over the next fastest solver where it won."""
    if reason.lead is None:
        yield f"Where {reason.solver} won, nobody else answered."
        return
    where = (
        f"mostly in preparing on {reason.preparing} of {reason.beaten}, mostly in searching on "
        f"{reason.beaten - reason.preparing}"
        if 0 < reason.preparing < reason.beaten
        else f"mostly in {'preparing' if reason.preparing else 'searching'}"
    )
    yield (
        f"Where {reason.solver} won, it was {show_ratio(reason.lead)} times as fast as the next "
        f"solver and saved time {where}."
    )
    if reason.nodes is None or reason.node_time is None:
        yield "Their nodes are not comparable."
        return
    same = abs(reason.nodes - 1) < SAME_NODES
    nodes = "as many nodes" if same else f"{show_ratio(reason.nodes)} times the nodes"
    yield (
        f"Its searches ({reason.compared} comparable) made {nodes}, in "
        f"{show_ratio(reason.node_time)} times the time for each."
    )


def _how_sure(verdict: ContestVerdict) -> Iterator[str]:
    """Yield the solvers and settings of the contest, and whether the lead may be chance."""
    contest, lead = verdict.contest, verdict.lead
    yield f"Among {len(contest.solvers)} solvers with {contest.settings}, {contest.clock}."
    if lead.questions < MIN_QUESTIONS:
        yield f"{how_many(lead.questions, 'puzzle')} cannot show more than chance."
    elif verdict.is_clear is not None:
        more = "more than" if verdict.is_clear else "no more than"
        interval = show_ratio_interval(lead.ratio, is_bound=lead.known is Known.AT_LEAST)
        ends = "" if interval is None else f" (95 % interval {interval})"
        yield (
            f"The lead over {verdict.second.solver}{ends} is {more} the choice of puzzles explains."
        )
    if any(lead.missing):
        pair = (verdict.first.solver, verdict.second.solver)
        missing = [f"{n} by {solver}" for solver, n in zip(pair, lead.missing, strict=True) if n]
        yield (
            f"Not answered of the {lead.questions} compared: {', '.join(missing)}; a run without "
            "an answer counts as its time limit."
        )
        if lead.known is Known.NO:
            yield "Therefore it is not known by how much the first is ahead."
        if lead.answered_ratio is not None:
            yield f"Where both answered, its lead is {show_ratio(lead.answered_ratio.mean)} times."
