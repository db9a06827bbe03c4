"""The answer of a report: who won, by how much, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.harness.evaluation.reasons import WinReason, win_reasons
from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.evaluation.verdict import Verdict
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT, show_ratio, show_seconds
from dovetail.reports.page import Part, Table
from dovetail.reports.results.contest_words import (
    contest_title,
    how_many_questions,
    show_interval,
    show_times,
)
from dovetail.reports.results.heat_map import heat_map_part

MAX_NAMED = 4
MAX_RANKED = 12  # solvers in the table of the first screen
LEVEL_WITH = 0.005  # leads that are shown as 1.00
SAME_NODES = 0.02
DEFINITIONS = (
    "A time is prepare + solve, in seconds of wall-clock time. A run without an answer (stopped by "
    "a limit, refused or failed) counts as twice the time limit of the puzzle.",
    "× best: the geometric mean, over all puzzles, of a solver's time over that of the fastest "
    "solver of each puzzle, with the 95 % interval for other puzzles of the same kind (bootstrap). "
    "wins: on how many puzzles nobody was faster. solved: how many it answered. PAR-2: mean time.",
    "Why: each winner beside the next fastest solver of the puzzles that it won. ahead: how many "
    "times longer the next one took. nodes, time per node: its own over those of the next one, "
    "where both define nodes alike. preparing: the share of preparing in its own time.",
    "A solver with a wrong count is not ranked, nor is one that ran only some of the puzzles.",
)


def headline(verdicts: Sequence[Verdict], runs: SolverRuns) -> str:
    """The sentence that a report begins with; empty for fewer than two solvers."""
    if verdicts:
        return verdict_text(verdicts[0], runs)
    if len(runs.solvers) < 2:
        return ""
    if any(run.status is Status.WRONG for run in runs.runs.values()):
        return "Solvers contradict one another or the expected counts, so none is ranked."
    return "No two solvers answered the same puzzles, so none is ranked."


def verdict_text(verdict: Verdict, runs: SolverRuns) -> str:
    """Who is ahead in a contest, of whom and by how much, and who is fastest most often."""
    first, second, frequent = verdict.first, verdict.second, verdict.frequent_winner
    all_of_them = how_many_questions(verdict.contest, runs)
    mean = verdict.lead.mean
    ahead = (
        f"level with {second.solver}"
        if mean < 1 + LEVEL_WITH
        else f"{show_times(mean)} times ahead of {second.solver}"
    )
    if frequent.wins == first.wins:
        mean_of = " in the geometric mean" if len(verdict.contest.questions) > 1 else ""
        return f"{first.solver} is fastest on {first.wins} of {all_of_them}, {ahead}{mean_of}."
    return (
        f"{first.solver} is {ahead} in the geometric mean of {all_of_them}; "
        f"{frequent.solver} is fastest most often, on {frequent.wins}."
    )


def answer_parts(verdicts: Sequence[Verdict], runs: SolverRuns) -> list[Part]:
    """What a page begins with: the verdict with the heat map beside it, or what there is of them.

    The verdict has the ranking and the reasons of the first of `verdicts`, and who leads the other
    contests.
    """
    if not verdicts:
        return []
    verdict = verdicts[0]
    reasons = win_reasons(verdict.contest, runs)
    tables = [_ranking_table(verdict), _reasons_table(reasons)]
    tables += [_leaders_table(verdict, verdicts[1:])] if len(verdicts) > 1 else []
    part = Part(
        "verdict",
        "Who won, and why",
        tuple(_paragraphs(verdict, reasons)),
        tables=tuple(tables),
        definitions=DEFINITIONS,
        beside=heat_map_part(runs, [one.solver for one in verdict.standings]),
    )
    return [part]


def _paragraphs(verdict: Verdict, reasons: Sequence[WinReason]) -> Iterator[str]:
    contest = verdict.contest
    yield from (_why(one) for one in reasons if one.solver == verdict.first.solver)
    yield " ".join(_how_sure(verdict))
    if contest.disqualified:
        yield f"Disqualified for wrong counts: {_named(contest.disqualified)}."
    if contest.unanswered:
        yield f"Answered by nobody: {_named(contest.unanswered)}."
    if contest.unsearched:
        yield f"Answered without a search: {_named(contest.unsearched)}."
    if contest.left_out:
        yield f"Not ranked here, because they ran only some of these: {_named(contest.left_out)}."


def _why(reason: WinReason) -> str:
    """What the winner did better than the next fastest solver where it won."""
    preparing = f"Preparing is {100 * reason.prepare_share:.0f} % of its time."
    if reason.lead is None:
        return f"Where {reason.solver} won, nobody else answered. {preparing}"
    ahead = f"Where {reason.solver} won, it was {show_times(reason.lead)} times as fast as the next"
    if reason.nodes is None or reason.node_time is None:
        return f"{ahead} solver, whose nodes are not comparable. {preparing}"
    same = abs(reason.nodes - 1) < SAME_NODES
    nodes = "as many nodes" if same else f"{show_times(reason.nodes)} times the nodes"
    each = f"{show_times(reason.node_time)} times the time for each"
    return f"{ahead} solver: {nodes}, {each}. {preparing}"


def _how_sure(verdict: Verdict) -> Iterator[str]:
    """Yield among whom, by which settings, and whether the lead may be chance."""
    contest, lead = verdict.contest, verdict.lead
    yield f"Among {len(contest.solvers)} solvers with {contest.settings}, {contest.clock}."
    if len(contest.questions) == 1:
        yield "One puzzle does not show how they compare on others."
    else:
        more = "more than" if verdict.is_clear else "no more than"
        yield (
            f"The lead over {verdict.second.solver} (95 % interval {show_interval(lead)}) is "
            f"{more} the choice of puzzles explains."
        )


def _ranking_table(verdict: Verdict) -> Table:
    shown = verdict.standings[:MAX_RANKED]
    rows = tuple(
        (
            one.solver,
            show_times(one.ratio.mean),
            show_interval(one.ratio),
            str(one.wins),
            str(one.answered),
            show_seconds(one.par2_s),
        )
        for one in shown
    )
    left_out = len(verdict.standings) - len(shown)
    caption = f"the first {MAX_RANKED}; {left_out} more below" if left_out else ""
    columns = ("solver", "×\N{NO-BREAK SPACE}best", "95 %", "wins", "solved", "PAR-2")
    return Table(columns, rows, caption)


def _reasons_table(reasons: Sequence[WinReason]) -> Table:
    rows = tuple(
        (
            one.solver,
            str(one.wins),
            _factor(one.lead),
            _factor(one.nodes),
            _factor(one.node_time),
            f"{100 * one.prepare_share:.0f} %",
        )
        for one in reasons
    )
    columns = ("winner", "wins", "ahead", "nodes", "time per node", "preparing")
    return Table(columns, rows)


def _leaders_table(first: Verdict, others: Sequence[Verdict]) -> Table:
    """Who leads each of the other contests."""
    rows = tuple(
        (
            contest_title(one.contest, first.contest),
            one.first.solver,
            one.second.solver,
            _factor(one.lead.mean),
            f"{one.first.wins} of {len(one.contest.questions)}",
        )
        for one in others
    )
    return Table(("other contests", "first", "second", "ahead", "wins"), rows, left=3)


def _factor(value: float | None) -> str:
    return ABSENT if value is None else f"×{show_ratio(value, 1.0)}"


def _named(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    tail = f" and {more} more" if more > 0 else ""
    return f"{', '.join(names[:MAX_NAMED])}{tail}"
