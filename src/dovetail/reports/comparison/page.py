"""The report of a comparison: all that records tell, what is wrong first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.harness.bench import comparison
from dovetail.harness.crosscheck import judged
from dovetail.harness.exhibits.measured import measured
from dovetail.harness.questions import with_shared_reductions
from dovetail.harness.record import Record
from dovetail.harness.suite import Plan
from dovetail.harness.summary import summaries
from dovetail.models.outcome import Status
from dovetail.reports.comparison.cactus import cactus_part
from dovetail.reports.comparison.disagreements import disagreements_part
from dovetail.reports.comparison.overview import overview_part
from dovetail.reports.comparison.performance import performance_part
from dovetail.reports.comparison.profiles import profiles_part
from dovetail.reports.comparison.published import published_part
from dovetail.reports.comparison.questions import questions_part
from dovetail.reports.comparison.reasons import reasons_part
from dovetail.reports.comparison.scatter import scatter_part
from dovetail.reports.exhibits.page import exhibit_parts
from dovetail.reports.page import Page
from dovetail.reports.provenance import other_environments, provenance_part

UNNAMED = "runs"


def comparison_page(
    records: Sequence[Record], plan: Plan | None = None, warnings: Sequence[str] = ()
) -> Page:
    """The report of `records`, which are as `readable_records` gives them.

    With a `plan`, of its runs alone, judged by what it expects and with its exhibits.
    `warnings` are said before all else.
    """
    own = records if plan is None else [r for r in records if r["job"] in plan.jobs]
    results = comparison_results(own, plan)
    shown = with_shared_reductions(results)
    exhibits = () if plan is None else plan.exhibits
    parts = [
        disagreements_part(results),
        *exhibit_parts(measured(exhibit, results) for exhibit in exhibits),
        overview_part(own, shown),
        provenance_part(own, plan),
        cactus_part(shown),
        scatter_part(shown),
        performance_part(shown),
        questions_part(shown),
        profiles_part(shown),
        published_part(results),
        reasons_part(shown),
    ]
    title = _title(own) if plan is None else plan.name
    said = (*warnings, *_warnings(own, results))
    about = "" if plan is None else plan.about
    return Page(title, about, said, tuple(part for part in parts if part is not None))


def comparison_results(records: Sequence[Record], plan: Plan | None = None) -> list[Record]:
    """One record per job, those that are wrong marked; by what `plan` expects if there is one."""
    return judged(summaries(records)) if plan is None else comparison(plan, records)


def _title(records: Sequence[Record]) -> str:
    """The suites that the records are of."""
    suites = dict.fromkeys(str(record["suite"]) for record in records if record.get("suite"))
    return ", ".join(suites) or UNNAMED


def _warnings(records: Sequence[Record], results: Sequence[Record]) -> Iterator[str]:
    wrong = sum(result["status"] == Status.WRONG for result in results)
    failed = sum(result["status"] == Status.FAILED for result in results)
    if wrong:
        yield f"Wrong results: {wrong} of {len(results)}."
    if failed:
        yield f"Failed runs: {failed} of {len(results)}."
    others = other_environments(records)
    if others:
        yield (
            f"{others} of {len(records)} records are of another machine, version or commit than "
            "the last one: their times are not comparable."
        )
