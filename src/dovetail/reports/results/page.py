"""The report of a suite's results: the verdict first, then all details."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.errors import how_many, list_first
from dovetail.harness.evaluation.contests import Clock, contests, solver_runs
from dovetail.harness.evaluation.ranking import verdict
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import (
    by_question,
    judged,
    solver_name,
    summaries,
    with_shared_reductions,
)
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.models.outcome import Status
from dovetail.reports.columns import ENDS, RECORDED
from dovetail.reports.exhibits.measured import measured
from dovetail.reports.exhibits.published import published_section
from dovetail.reports.exhibits.sections import exhibit_sections
from dovetail.reports.page import Page, Section, definitions
from dovetail.reports.results.formulations import formulations_section
from dovetail.reports.results.improvements import improvements_headline, improvements_section
from dovetail.reports.results.profiles import profiles_section
from dovetail.reports.results.provenance import other_environments, provenance_section
from dovetail.reports.results.questions import questions_section, results_section
from dovetail.reports.results.ranking import ranking_section
from dovetail.reports.results.solvers import cactus_section, performance_section, scatter_section
from dovetail.reports.results.verdict import headline, verdict_section
from dovetail.reports.table import Column, Table, Topic, facts_table, linked

UNNAMED = "runs"
MAX_NAMED = 40
MAX_OPEN_REASONS = 30
NO_REASON = "no reason recorded"
# Statuses whose reasons are listed, the worst first; wrong results have their own section.
WITH_REASONS = {
    Status.FAILED: "failed",
    Status.SKIPPED: "refused",
    Status.EXHAUSTED: "no solution",
}


def report_page(
    records: Sequence[Record], plan: SuitePlan | None = None, warnings: Sequence[str] = ()
) -> Page:
    """Return the report of records.

    The section of the verdict is open. If no solver is ranked, these sections are open instead: the
    results, the best boards, and the reasons of refusals and failures, if any. Disagreements are
    open, too, if there are any; all other sections are folded. With a `plan`, the report has only
    the runs of the plan, checked against its expected counts, and its exhibits.
    """
    chosen = records if plan is None else [r for r in records if r.job.digest in plan.jobs]
    results = report_results(chosen, plan)
    everything = with_shared_reductions(results)
    shown = [result for result in everything if not result.job.improves]
    exhibits = () if plan is None else plan.exhibits
    runs = solver_runs(shown)
    verdicts = [verdict(contest) for clock in Clock for contest in contests(runs, clock)]
    ranked = [standing.solver for standing in verdicts[0].standings] if verdicts else []
    disagreements, reasons = disagreements_section(results), reasons_section(everything)
    sections = [
        verdict_section(verdicts, runs),
        results_section(shown) if shown and not verdicts else None,
        improvements_section(everything),
        disagreements,
        reasons,
        formulations_section(shown),
        *exhibit_sections(measured(exhibit, results) for exhibit in exhibits),
        cactus_section(shown),
        scatter_section(shown, ranked),
        performance_section([outcome.contest for outcome in verdicts]),
        ranking_section(verdicts),
        questions_section(shown) if shown else None,
        profiles_section(shown),
        published_section(results),
        overview_section(chosen, everything),
        provenance_section(chosen, plan),
    ]
    opened = {"verdict"} if verdicts else {"results", "improvements"}
    problems = [disagreements] if verdicts else [disagreements, reasons]
    opened |= {section.identity for section in problems if section.tables}
    return Page(
        _title(chosen) if plan is None else plan.name,
        [
            replace(section, folded=section.identity not in opened)
            for section in filter(None, sections)
        ],
        "" if plan is None else plan.about,
        (*warnings, *_warnings(chosen, results)),
        headline=headline(verdicts, runs) if shown else improvements_headline(everything),
    )


def report_results(records: Sequence[Record], plan: SuitePlan | None = None) -> list[Record]:
    """Return a result for each job, or for each job of `plan`; wrong results get status `wrong`."""
    return judged(summaries(records)) if plan is None else plan_results(plan, records)


def _title(records: Sequence[Record]) -> str:
    suites = dict.fromkeys(str(record.suite) for record in records if record.suite)
    return ", ".join(suites) or UNNAMED


def _warnings(records: Sequence[Record], results: Sequence[Record]) -> Iterator[str]:
    for status, words in ((Status.WRONG, "Wrong results"), (Status.FAILED, "Failed runs")):
        number = sum(record.result.status is status for record in results)
        if number:
            yield f"{words}: {number} of {len(results)}."
    others = other_environments(records)
    if others:
        yield (
            "Records whose machine, version or commit differs from that of the last record: "
            f"{others} of {len(records)}. Their times are not comparable."
        )


def _why_wrong(answer: Record) -> str:
    wrong = answer.result.status == Status.WRONG
    return (answer.result.reason or NO_REASON) if wrong else ""


DISPUTED: tuple[Column[Record], ...] = (
    RECORDED["question"],
    RECORDED["solver"],
    Column("why it is wrong", _why_wrong, words=True),
    RECORDED["count"],
    Column("expected", lambda answer: answer.expected),
)


def disagreements_section(results: Sequence[Record]) -> Section:
    """Return all answers to questions with a wrong answer, or a sentence if no answer is wrong."""
    disputed = [
        answer
        for answers in by_question(results).values()
        if any(answer.result.status == Status.WRONG for answer in answers)
        for answer in answers
    ]
    if not disputed:
        text = "No result contradicts another result or the expected count."
        return Section("disagreements", "Disagreements: none", [text])
    explanation = (
        "Each row with a reason contradicts the expected count, a verified solution or another "
        "row; these rows are red. If they only contradict each other, at least one of them is "
        "wrong."
    )
    table = Table(DISPUTED, disputed, marked=_why_wrong)
    return Section("disagreements", "Disagreements", [explanation, table])


class Reason(NamedTuple):
    """A solver's reason for a status, with the titles of the questions that it concerns."""

    status: Status
    solver: str
    reason: str
    questions: Sequence[str]


REASONS: tuple[Column[Reason], ...] = (
    Column("", lambda reason: WITH_REASONS[reason.status], words=True),
    linked(Topic.SOLVER, "solver", lambda reason: reason.solver),
    Column("reason", lambda reason: reason.reason, words=True),
    Column("number", lambda reason: len(reason.questions)),
    Column("questions", lambda reason: "; ".join(reason.questions), words=True),
)


def reasons_section(results: Sequence[Record]) -> Section:
    """Return the reasons of refusals, of failures and of answers without a search, or a sentence.

    The sentence says that no run was refused or failed.
    """
    rows = _reasons(results)
    if not rows:
        return Section("reasons", "Refusals and failures", ["No run was refused or failed."])
    folded = len(rows) > MAX_OPEN_REASONS
    table = Table(
        REASONS,
        rows,
        f"{len(rows)} reasons" if folded else "",
        folded,
        marked=lambda reason: reason.status is Status.FAILED,
    )
    return Section("reasons", "Refusals and failures", [table])


def _reasons(results: Sequence[Record]) -> list[Reason]:
    """Return the reasons, the worst status first."""
    titles: dict[tuple[Status, str, str], list[str]] = {}
    for question, answers in by_question(results).items():
        for answer in answers:
            result = answer.result
            # A finished search may have no reason.
            if result.status in WITH_REASONS and (result.reason or not result.is_finished):
                key = result.status, solver_name(answer), result.reason or NO_REASON
                titles.setdefault(key, []).append(question.title)
    return [
        Reason(*key, questions)
        for status in WITH_REASONS
        for key, questions in titles.items()
        if key[0] is status
    ]


def overview_section(records: Sequence[Record], results: Sequence[Record]) -> Section:
    """Return the numbers of questions, solvers and runs; `results` are the results of `records`."""
    questions = by_question(results)
    puzzles = len({question.digest for question in questions})
    solvers = list(dict.fromkeys(map(solver_name, results)))
    facts = (
        ("questions", f"{len(questions):,}, on {how_many(puzzles, 'puzzle')}"),
        ("solvers", f"{len(solvers):,}: {list_first(solvers, MAX_NAMED)}"),
        ("runs", f"{len(results):,}, from {how_many(len(records), 'record')}"),
        *_ends(results),
    )
    table = facts_table(facts)
    return Section("overview", "What was run", [table], definitions=definitions("overview"))


def _ends(results: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """Yield the number of runs for each way in which runs ended."""
    order = list(Status)
    ended: Counter[str] = Counter()
    for run in sorted((record.result for record in results), key=lambda r: order.index(r.status)):
        other = "finished" if run.is_answered else f"stopped: {run.status}"
        ended[ENDS.get(run.status, other)] += 1
    return ((end, f"{number:,}") for end, number in ended.items())
