"""The report of a suite's results: who won, what is wrong, then all that records hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.harness.evaluation.contests import Clock, contests
from dovetail.harness.evaluation.solver_runs import solver_runs
from dovetail.harness.evaluation.verdict import verdict
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import judged, summaries, with_shared_reductions
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.models.outcome import Status
from dovetail.reports.exhibits.measured import measured
from dovetail.reports.exhibits.page import exhibit_parts
from dovetail.reports.page import Page
from dovetail.reports.provenance import other_environments, provenance_part
from dovetail.reports.published import published_part
from dovetail.reports.results.cactus import cactus_part
from dovetail.reports.results.improvements import improvements_headline, improvements_part
from dovetail.reports.results.overview import overview_part
from dovetail.reports.results.performance import performance_part
from dovetail.reports.results.problems import disagreements_part, reasons_part
from dovetail.reports.results.profiles import profiles_part
from dovetail.reports.results.questions import questions_part
from dovetail.reports.results.ranking import ranking_part
from dovetail.reports.results.scatter import scatter_part
from dovetail.reports.results.verdict import answer_parts, headline

UNNAMED = "runs"


def report_page(
    records: Sequence[Record], plan: SuitePlan | None = None, warnings: Sequence[str] = ()
) -> Page:
    """The report of `records`, which are as `read_records` gives them.

    With a `plan`, of its runs alone, judged by what it expects and with its exhibits.
    `warnings` come before all but the answer.
    """
    own = records if plan is None else [r for r in records if r.job.digest in plan.jobs]
    results = report_results(own, plan)
    everything = with_shared_reductions(results)
    shown = [result for result in everything if not result.job.improves]
    exhibits = () if plan is None else plan.exhibits
    runs = solver_runs(shown)
    verdicts = [verdict(one) for clock in Clock for one in contests(runs, clock)]
    ranked = [one.solver for one in verdicts[0].standings] if verdicts else []
    parts = [
        *(answer_parts(verdicts, runs) if shown else ()),
        improvements_part(everything),
        disagreements_part(results),
        reasons_part(everything),
        *exhibit_parts(measured(exhibit, results) for exhibit in exhibits),
        cactus_part(shown),
        scatter_part(shown, ranked),
        performance_part([one.contest for one in verdicts]),
        ranking_part(verdicts),
        questions_part(shown) if shown else None,
        profiles_part(shown),
        published_part(results),
        overview_part(own, everything),
        provenance_part(own, plan),
    ]
    title = _title(own) if plan is None else plan.name
    all_warnings = (*warnings, *_warnings(own, results))
    about = "" if plan is None else plan.about
    return Page(
        title,
        about,
        all_warnings,
        tuple(part for part in parts if part is not None),
        headline=headline(verdicts, runs) if shown else improvements_headline(everything),
    )


def report_results(records: Sequence[Record], plan: SuitePlan | None = None) -> list[Record]:
    """One record per job, those that are wrong marked; by what `plan` expects if there is one."""
    return judged(summaries(records)) if plan is None else plan_results(plan, records)


def _title(records: Sequence[Record]) -> str:
    """The suites that the records are of."""
    suites = dict.fromkeys(str(record.suite) for record in records if record.suite)
    return ", ".join(suites) or UNNAMED


def _warnings(records: Sequence[Record], results: Sequence[Record]) -> Iterator[str]:
    wrong = sum(record.result.status == Status.WRONG for record in results)
    failed = sum(record.result.status == Status.FAILED for record in results)
    if wrong:
        yield f"Wrong results: {wrong} of {len(results)}."
    if failed:
        yield f"Failed runs: {failed} of {len(results)}."
    others = other_environments(records)
    if others:
        yield (
            "Records whose machine, version or commit differs from that of the last record: "
            f"{others} of {len(records)}. Their times are not comparable."
        )
